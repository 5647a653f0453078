"""Files that a model made, for browsers: from an origin of their own, under a policy that cuts them off.

The origin's name holds the token of one job, which nobody can guess, and it is all that lets one in: there is no
session here and no cookie. Where no second origin can be reached, the same files come from below the studio's own
address with `Content-Security-Policy: sandbox`, which takes their origin away.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, abort, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from studio import jobs
from studio.errors import NotFound
from web.security import server_port
from web.security_hosts import OWN_PATH, Site
from web.serving import OCTETS, Stored, disposition, send, shown_type
from web.state import Studio, studio
from web.urls import FilePath

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

PREVIEWS = "_previews/"
_YEAR_S = 365 * 24 * 3600


def url(token: str, path: str) -> str:
    """Where a browser finds one file of the job that owns `token`; previews are below `_previews/`."""
    return studio().site.content_url(token, path, server_port())


def frame_origin() -> str:
    """The source expression of all content addresses, as it stands in the pages' policy."""
    return studio().site.frame_source(server_port())


def page_policy(own: str, ancestors: Iterable[str], *, sandboxed: bool, tiles: Iterable[str] = ()) -> str:
    """The policy of a page that a model made; `own` is the source expression of its own files.

    It loads nothing but those, and pictures from `tiles`, the origins that the operator allows for maps.
    """
    rules = [
        "default-src 'none'",
        f"script-src 'unsafe-inline' {own} data: blob:",
        f"style-src 'unsafe-inline' {own} data:",
        f"img-src {' '.join((own, *tiles))} data: blob:",
        f"media-src {own} data: blob:",
        f"font-src {own} data:",
        f"connect-src {own}",
        f"worker-src {own} blob:",
        "form-action 'none'",
        "base-uri 'none'",
        f"frame-ancestors {_sources(ancestors)}",
    ]
    return "; ".join([*rules, "sandbox allow-scripts"] if sandboxed else rules)


def image_policy(ancestors: Iterable[str]) -> str:
    """The policy of an SVG: an image and nothing more, also where it is opened by itself. No script, no origin."""
    return (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; "
        f"base-uri 'none'; frame-ancestors {_sources(ancestors)}; sandbox"
    )


def _sources(origins: Iterable[str]) -> str:
    """Origins as a policy can have them: an IPv6 address is none of its source expressions (CSP Level 3, 2.3.1)."""
    return " ".join(origin for origin in origins if "[" not in origin) or "'none'"


def _find(services: Studio, token: str, path: str) -> Stored:
    """The file of the job that owns `token`. Raises NotFound."""
    job_id = jobs.by_token(services.db, token).id
    if path.startswith(PREVIEWS):
        file = jobs.file_blob(services.db, job_id, path.removeprefix(PREVIEWS), role="preview")
    else:
        file = jobs.file_blob(services.db, job_id, path)
    return Stored(services.blobs.path(file.sha256), file.path, file.sha256)


def _serve(services: Studio, token: str, path: str, own: str, ancestors: Iterable[str], *, sandboxed: bool) -> Response:
    file = _find(services, token, path)
    media_type = shown_type(file.name)
    image = media_type == "image/svg+xml"
    tiles = services.site.tiles if (media_type or "").startswith("text/html") else ()
    policy = image_policy(ancestors) if image else page_policy(own, ancestors, sandboxed=sandboxed, tiles=tiles)
    headers = {
        "Content-Security-Policy": policy,
        "Content-Disposition": disposition("inline" if media_type else "attachment", file.name),
        "Cache-Control": f"public, max-age={_YEAR_S}, immutable",
        "Cross-Origin-Resource-Policy": "cross-origin",  # the studio's pages show it from another site
        "Cross-Origin-Opener-Policy": "same-origin",
        "Origin-Agent-Cluster": "?1",
        # Tile servers answer only those who say where they come from; they learn the origin, no more.
        "Referrer-Policy": "strict-origin" if tiles else "no-referrer",
        "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=()",
        "X-Robots-Tag": "noindex",
    }
    if sandboxed:
        # Its origin is opaque, so that its own modules and fetches are cross-origin; the token is what guards them.
        headers["Access-Control-Allow-Origin"] = "*"
    return send(file, media_type or OCTETS, headers)


def content_app(services: Studio) -> Flask:
    """The application behind the content origin."""
    app = Flask("web.content_origin", static_folder=None)
    app.url_map.converters["file"] = FilePath
    app.url_map.merge_slashes = False

    @app.get("/<file:path>")
    def file(path: str) -> Response:
        token = services.site.token_in(request.environ.get("HTTP_HOST", ""), server_port())
        if token is None:
            abort(421, "No such content address.")
        ancestors = services.site.own_origins(request.host, request.scheme, server_port())
        return _serve(services, token, path, "'self'", ancestors, sandboxed=False)

    @app.errorhandler(NotFound)
    def not_found(error: NotFound) -> Response:
        return _refusal(404, "There is no such file.")

    @app.errorhandler(HTTPException)
    def refused(error: HTTPException) -> Response:
        response = _refusal(error.code or 500, error.description or "")
        for name, value in error.get_headers(request.environ):
            if name.lower() not in {"content-type", "content-length"}:
                response.headers[name] = value
        return response

    return app


def _refusal(status: int, text: str) -> Response:
    response = Response(text + "\n", status, mimetype="text/plain")
    response.headers["Content-Security-Policy"] = "default-src 'none'; frame-ancestors *; sandbox"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    return response


own_content = Blueprint("content", __name__)


@own_content.get(f"{OWN_PATH}/<token>/<file:path>")
def own(token: str, path: str) -> Response:
    """The same files below the studio's address, without an origin; only where there is no other origin."""
    site = studio().site
    if site.template is not None:
        abort(404)
    base = f"{site.public or f'{request.scheme}://{request.host}'}{OWN_PATH}/{token}/"
    ancestors = site.own_origins(request.host, request.scheme, server_port())
    return _serve(studio(), token, path, base, ancestors, sandboxed=True)


class ContentDispatch:
    """Sends requests for the content origin's hosts to its application, all others to the studio's."""

    def __init__(self, pages: WSGIApplication, content: WSGIApplication, site: Site) -> None:
        self._pages = pages
        self._content = content
        self._site = site

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        chosen = self._content if self._site.is_content(environ.get("HTTP_HOST", "")) else self._pages
        return chosen(environ, start_response)
