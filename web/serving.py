"""Stored files over HTTP: by range, with their SHA-256 as ETag, and with a media type that this side chose.

A media type from a sandbox is a stranger's word. What a browser is told here follows from the name's ending, out of a
fixed table; whatever the table does not know is bytes to download.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import quote

from flask import request
from werkzeug.utils import send_file
from werkzeug.wrappers import Response

OCTETS = "application/octet-stream"
# Ending → media type of what a browser may show from the content origin.
SHOWN = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".geojson": "application/geo+json",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".csv": "text/plain; charset=utf-8",
    ".vtt": "text/vtt; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".mp3": "audio/mpeg",
    ".wav": "audio/wav",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
}
_ACTIVE = ("text/html", "text/css", "text/javascript", "image/svg+xml")


@dataclass(frozen=True)
class Stored:
    """A file at hand: where it lies, the name that it goes by, and its SHA-256."""

    path: Path
    name: str
    sha256: str


def shown_type(name: str) -> str | None:
    """The media type by which a browser may show a file of this name, or None: it is to be downloaded."""
    return SHOWN.get(PurePosixPath(name).suffix.lower())


def passive_type(name: str) -> str:
    """A media type that runs nothing in any origin: pages, styles, scripts and SVG become bytes."""
    found = shown_type(name) or OCTETS
    return OCTETS if found.startswith(_ACTIVE) else found


def disposition(kind: Literal["inline", "attachment"], name: str) -> str:
    """A Content-Disposition after RFC 6266: a plain name for old clients, the true one after RFC 8187."""
    last = PurePosixPath(name).name or "file"
    last = "".join("_" if unicodedata.category(char).startswith("C") else char for char in last)
    plain = unicodedata.normalize("NFKD", last).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9._ +()=-]|%", "_", plain).strip(" .") or "file"
    return f"{kind}; filename=\"{plain}\"; filename*=UTF-8''{quote(last, safe='')}"


def send(file: Stored, media_type: str, headers: Mapping[str, str]) -> Response:
    """The file as a response: conditional and by range where the client asks; `headers` add to it or replace its own.

    Raises RequestedRangeNotSatisfiable.
    """
    response = send_file(file.path, request.environ, mimetype=OCTETS, conditional=True, etag=file.sha256)
    response.headers.pop("Last-Modified", None)  # the ETag says more; a blob's time is not the file's
    response.headers.update(
        {"Content-Type": media_type, "X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes", **headers}
    )
    return response
