"""Libraries of others that a page loads when somebody asks for them: Leaflet, and the outline of the world's land.

They are npm packages of the sandbox image's lock (`sandbox_image/npm`), verified as they were fetched for it, and
served from there. Where the image was not built on this machine there are none, and the pages do without a map.
"""

from __future__ import annotations

import json
from pathlib import Path

from flask import Blueprint, Response, abort, g, send_file

from studio.sandboxes.image import web as packages
from web.i18n import gettext
from web.state import studio

vendor = Blueprint("vendor", __name__)

FILES = {
    "leaflet.js": "leaflet/dist/leaflet.js",
    "leaflet.css": "leaflet/dist/leaflet.css",
    "land.json": "world-atlas/land-110m.json",  # Natural Earth, 1:110 million, public domain, as TopoJSON
}
TILE_SERVER = "https://tile.openstreetmap.org"


def _path(name: str) -> Path | None:
    folder = packages.folder(studio().settings.image_dir / "downloads") / "node_modules"
    path = folder / FILES[name] if name in FILES else None
    return path if path and path.is_file() else None


@vendor.get("/vendor/<name>")
def file(name: str) -> Response:
    path = _path(name)
    if path is None:
        abort(404)
    response = send_file(path, conditional=True, max_age=7 * 24 * 3600)
    response.headers["Cache-Control"] = "public, max-age=604800"
    return response


@vendor.app_template_global()
def map_ready() -> bool:
    """Can a form show a map to choose places on?"""
    return all(_path(name) for name in FILES)


@vendor.app_template_global()
def map_tiles() -> str:
    """The address of tiles where the operator allows the server that is known here; then the policy has it too."""
    if TILE_SERVER not in studio().site.tiles:
        return ""
    g.tile_origins = (TILE_SERVER,)
    return TILE_SERVER + "/{z}/{x}/{y}.png"


@vendor.app_template_global()
def map_words() -> str:
    """What the map's script says, as JSON."""
    words = {
        "stop": gettext("Stop %(number)s", number="{number}"),
        "map": gettext("Map; Enter adds a stop in its middle"),
        "failed": gettext("The map could not be loaded."),
    }
    return json.dumps(words, ensure_ascii=False)


@vendor.app_template_global()
def pasted() -> str:
    """The places that could not be read, to be mended."""
    return str(g.get("pasted", ""))
