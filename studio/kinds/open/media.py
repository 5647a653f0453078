"""The types of files that an open brief may ask for: their media types (RFC 6838) as people spell them, and endings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

MediaName: TypeAlias = Literal[
    "text/html",
    "image/svg+xml",
    "image/png",
    "image/jpeg",
    "application/pdf",
    "video/mp4",
    "audio/wav",
    "audio/mpeg",
    "audio/midi",
    "text/markdown",
    "text/plain",
    "text/csv",
    "application/json",
]


@dataclass(frozen=True)
class MediaType:
    """One type: its name, what people call it, the endings that its files have, and other spellings of the name."""

    name: MediaName
    label: str
    endings: tuple[str, ...]
    aliases: tuple[str, ...] = ()


MEDIA_TYPES: dict[str, MediaType] = {
    media.name: media
    for media in (
        MediaType("text/html", "HTML", (".html", ".htm")),
        MediaType("image/svg+xml", "SVG", (".svg",), ("image/svg",)),
        MediaType("image/png", "PNG", (".png",), ("image/x-png",)),
        MediaType("image/jpeg", "JPEG", (".jpg", ".jpeg"), ("image/jpg", "image/pjpeg")),
        MediaType("application/pdf", "PDF", (".pdf",), ("application/x-pdf",)),
        MediaType("video/mp4", "MP4", (".mp4",), ("application/mp4",)),
        MediaType("audio/wav", "WAV", (".wav",), ("audio/x-wav", "audio/wave", "audio/vnd.wave")),
        MediaType("audio/mpeg", "MP3", (".mp3",), ("audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg-3")),
        MediaType("audio/midi", "MIDI", (".mid", ".midi"), ("audio/x-midi", "audio/mid", "application/x-midi")),
        MediaType("text/markdown", "Markdown", (".md", ".markdown"), ("text/x-markdown",)),
        MediaType("text/plain", "text", (".txt",)),
        MediaType("text/csv", "CSV", (".csv",), ("application/csv", "text/x-csv", "text/comma-separated-values")),
        MediaType("application/json", "JSON", (".json",), ("text/json", "application/x-json")),
    )
}
_SPELLINGS = {spelling: media.name for media in MEDIA_TYPES.values() for spelling in (media.name, *media.aliases)}
_OWNED = {ending: media for media in MEDIA_TYPES.values() for ending in media.endings}
KNOWN = ", ".join(f"{media.name} ({media.label})" for media in MEDIA_TYPES.values())


def read_media_type(value: object) -> object:
    """The usual spelling of a media type; a parameter `charset=utf-8` may follow.

    Raises ValueError with those that are known, for any other text.
    """
    if not isinstance(value, str):
        return value
    name, *parameters = (part.strip().lower() for part in value.split(";"))
    found = _SPELLINGS.get(name)
    if found is None:
        raise ValueError(f"{value[:60]!r} is no type that can be checked; those known are {KNOWN}")
    for parameter in parameters:
        if parameter.replace('"', "") not in ("", "charset=utf-8", "charset=us-ascii"):
            raise ValueError(f"the parameter {parameter[:40]!r} cannot be met; texts are UTF-8, so leave it out")
    return found


def ending_problem(path: str, name: str) -> str | None:
    """Why a file of this path cannot be of the type, or None. Plain text may have any ending that no other type has."""
    ending, media = PurePosixPath(path).suffix.lower(), MEDIA_TYPES[name]
    if ending in media.endings:
        return None
    owner = _OWNED.get(ending)
    if owner is None and name == "text/plain":
        return None
    instead = f", or say {owner.name}" if owner else ""
    what = f"ends in {ending}" if ending else "has no ending"
    return f"{path!r} {what}, and a file of {media.name} ends in {' or '.join(media.endings)}; rename it{instead}"
