"""The boxes of an MP4 file (ISO/IEC 14496-12, 4.2), as far as their order goes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from sandbox_image.inspector.subject import Unfit

MAX_BOXES = 20_000


@dataclass(frozen=True)
class Layout:
    """The top-level boxes in order, and whether the index says that fragments follow (`mvex`)."""

    boxes: tuple[str, ...]
    fragmented: bool
    cut: bool  # the last box claims more than the file has

    @property
    def streams(self) -> bool:
        """Can a browser start before it has everything: the index first, or fragments?"""
        if "moov" not in self.boxes:
            return False
        if "mdat" not in self.boxes:
            return True
        return self.boxes.index("moov") < self.boxes.index("mdat")


def read_layout(path: str, file: Path) -> Layout:
    """The layout of a file. Raises Unfit when it is no MP4."""
    size = file.stat().st_size
    boxes: list[str] = []
    fragmented = cut = False
    with file.open("rb") as source:
        at = 0
        while at + 8 <= size and len(boxes) < MAX_BOXES:
            source.seek(at)
            length, kind = struct.unpack(">I4s", source.read(8))
            head = 8
            if length == 1:
                wide = source.read(8)
                length, head = (int.from_bytes(wide, "big"), 16) if len(wide) == 8 else (0, 8)
            elif length == 0:
                length = size - at
            if not boxes and kind not in (b"ftyp", b"styp", b"moov", b"mdat", b"free", b"skip", b"wide"):
                raise Unfit(f"{path} is no MP4 file; let ffmpeg write it with `-f mp4`.", path)
            if length < head:
                break
            boxes.append(kind.decode("latin-1"))
            if kind == b"moov":
                fragmented = b"mvex" in source.read(min(length, 4 << 20))
            at += length
        cut = at > size
    if "moov" not in boxes:
        raise Unfit(f"{path} has no index (moov): it was not written to its end. Let ffmpeg finish.", path)
    return Layout(tuple(boxes), fragmented, cut)
