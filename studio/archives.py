"""ZIP archives as streams: nothing is held but the chunk under way; names that any system can unpack."""

from __future__ import annotations

import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import BinaryIO

CHUNK = 1 << 18
MAX_SEGMENT = 120  # bytes of one folder's or file's name
_PACKED = frozenset(
    {".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".mp4", ".webm", ".mp3", ".ogg", ".flac", ".zip", ".woff2"}
)
# Names that Windows reserves, with any ending (Microsoft, "Naming Files, Paths, and Namespaces").
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')


@dataclass(frozen=True)
class Member:
    """One file of an archive: its path there, how its bytes are had, how many they are, and from when."""

    path: str
    open: Callable[[], BinaryIO]
    size: int
    at: datetime


class _Sink:
    """What ZipFile writes into; emptied after each chunk. It cannot seek, so sizes follow behind the bytes."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []

    def write(self, content: bytes) -> int:
        self._chunks.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def taken(self) -> bytes:
        content = b"".join(self._chunks)
        self._chunks.clear()
        return content


def stream(members: Iterable[Member]) -> Iterator[bytes]:
    """A ZIP of the members, chunk by chunk; a path that was there already gets a number before its ending."""
    sink = _Sink()
    used: set[str] = set()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
        for member in members:
            info = zipfile.ZipInfo(_unused(safe_path(member.path), used), member.at.astimezone(UTC).timetuple()[:6])
            info.file_size = member.size  # by which ZIP64 is chosen
            info.external_attr = 0o644 << 16
            stored = PurePosixPath(member.path).suffix.lower() in _PACKED
            info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            with member.open() as source, packed.open(info, "w") as target:
                while chunk := source.read(CHUNK):
                    target.write(chunk)
                    if ready := sink.taken():
                        yield ready
            if ready := sink.taken():
                yield ready
    yield sink.taken()


def safe_path(path: str) -> str:
    """A relative path whose every part can be a name on any system; nothing in it leaves the folder."""
    return "/".join(safe_name(part) for part in path.split("/") if part not in ("", ".", "..")) or "file"


def safe_name(name: str) -> str:
    """One part of a path: no separators, control or direction characters, reserved names, outer dots or blanks."""
    name = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())
    name = "".join("_" if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") else char for char in name)
    name = _FORBIDDEN.sub("_", name).strip(" .")
    if _RESERVED.fullmatch(name):
        name = f"_{name}"
    suffix = PurePosixPath(name).suffix if len(PurePosixPath(name).suffix.encode()) <= 16 else ""
    stem = name[: len(name) - len(suffix)] if suffix else name
    room = MAX_SEGMENT - len(suffix.encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip(" .") + suffix or "_"


def _unused(path: str, used: set[str]) -> str:
    """`path`, or the first numbered one that is free; systems differ in what they take for the same name."""
    found, number = path, 1
    while found.casefold() in used:
        number += 1
        place = PurePosixPath(path)
        found = str(place.with_name(f"{place.stem} ({number}){place.suffix}"))
    used.add(found.casefold())
    return found
