"""The list of delivered files, each with its size, SHA-256 and media type, told from its content."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

from sandbox_image.inspector.subject import Json, Subject

MAX_LISTED = 200
SNIFFED_BYTES = 4096

# First bytes of the formats that studios deliver; offsets and values from each format's specification.
_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/wav"),
    (0, b"%PDF-", "application/pdf"),
    (4, b"ftyp", "video/mp4"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"MThd", "audio/midi"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"wOF2", "font/woff2"),
    (0, b"OTTO", "font/otf"),
    (0, b"\x00\x01\x00\x00\x00", "font/ttf"),
)
_MPEG_AUDIO = (b"\xff\xfb", b"\xff\xf3", b"\xff\xf2", b"\xff\xfa")

# For text, whose content alone does not tell: by the name's ending.
_TEXT_ENDINGS = {
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".json": "application/json",
    ".geojson": "application/geo+json",
    ".css": "text/css",
    ".js": "text/javascript",
    ".py": "text/x-python",
    ".musicxml": "application/vnd.recordare.musicxml+xml",
    ".xml": "application/xml",
}


def media_type(path: str, head: bytes) -> str:
    """The media type that the first bytes of a file show; for plain text the name's ending decides."""
    for offset, magic, found in _MAGIC:
        if head[offset : offset + len(magic)] == magic and (offset != 8 or head[:4] == b"RIFF"):
            return found
    if head[:2] in _MPEG_AUDIO:
        return "audio/mpeg"
    text = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "ignore")
    if "\0" in text or (head and len(text) * 4 < len(head)):
        return "application/octet-stream"
    ending = PurePosixPath(path).suffix.lower()
    start = text.lstrip("\ufeff \t\r\n").lower()
    if start.startswith(("<!doctype html", "<html")):
        return "text/html"
    if start.startswith("<") and "<svg" in start and ending not in _TEXT_ENDINGS:
        return "image/svg+xml" if ending == ".svg" or "<html" not in start else "text/html"
    if ending in (".html", ".htm"):
        return "text/html"
    if ending == ".svg":
        return "image/svg+xml"
    return _TEXT_ENDINGS.get(ending, "text/plain")


def list_files(subject: Subject) -> list[Json]:
    """Every regular file that was handed over, in the manifest's order."""
    found: list[Json] = []
    for entry in subject.entries:
        target = subject.outputs / entry.path
        if entry.type != "file" or not entry.encodable or len(found) >= MAX_LISTED:
            continue
        if target.is_symlink() or not target.is_file():
            continue
        found.append(_describe(entry.path, target))
    return found


def _describe(path: str, target: Path) -> Json:
    digest = hashlib.sha256()
    size, head = 0, b""
    with target.open("rb") as file:
        while chunk := file.read(1 << 20):
            head = head or chunk[:SNIFFED_BYTES]
            size += len(chunk)
            digest.update(chunk)
    return {"path": path, "media_type": media_type(path, head), "bytes": size, "sha256": digest.hexdigest()}
