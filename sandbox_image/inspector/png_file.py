"""The order of a PNG file's chunks (ISO/IEC 15948, 5.6): what Pillow overlooks and browsers refuse."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sandbox_image.inspector.subject import Unfit

MAX_CHUNKS = 200_000


def refuse_disorder(path: str, file: Path) -> None:
    """Raises Unfit unless there is one header first, one palette at most, the data in one run, and the end last."""
    seen: list[bytes] = []
    for name, length in _chunks(file):
        fault = _fault(name, length, seen)
        if fault or len(seen) > MAX_CHUNKS:
            raise Unfit(f"{path} is no sound PNG: {fault or 'it has far too many chunks'}. Export it anew.", path)
        if not seen or seen[-1] != name or name != b"IDAT":
            seen.append(name)
        if name == b"IEND":
            break
    if seen[-1:] != [b"IEND"] or b"IDAT" not in seen:
        raise Unfit(f"{path} is no sound PNG: it ends before its picture does. Export it anew.", path)


def _fault(name: bytes, length: int, seen: list[bytes]) -> str:
    if (name == b"IHDR") != (not seen) or (name == b"IHDR" and length != 13):
        return "its header is not its first chunk alone"
    if name == b"PLTE" and (name in seen or b"IDAT" in seen or length % 3 or not 0 < length <= 768):
        return "its palette is broken or at the wrong place"
    if name == b"IDAT" and name in seen and seen[-1] != name:
        return "its data are interrupted"
    return ""


def _chunks(file: Path) -> Iterator[tuple[bytes, int]]:
    """Name and length of each chunk, whose content is passed over."""
    with file.open("rb") as source:
        source.seek(8)
        while len(head := source.read(8)) == 8:
            length = int.from_bytes(head[:4], "big")
            yield head[4:], length
            source.seek(length + 4, 1)
