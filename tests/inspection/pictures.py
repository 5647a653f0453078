"""PNG files and SVG posters made by hand, for deliveries to judge."""

from __future__ import annotations

import struct
import zlib

WHITE = (255, 255, 255)


def chunk(kind: bytes, content: bytes) -> bytes:
    """One chunk of a PNG file (ISO/IEC 15948, 5.3)."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(
    width: int, height: int, colour: tuple[int, int, int] = WHITE, split: tuple[int, int, int] | None = None
) -> bytes:
    """A PNG in one colour; with `split`, its right half is in that one."""
    left = width // 2 if split else width
    row = b"\0" + bytes(colour) * left + bytes(split or colour) * (width - left)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(row * height, 6))
        + chunk(b"IEND", b"")
    )


def bomb(side: int = 60_000) -> bytes:
    """A PNG of a few megabytes at most that claims, and truly holds the start of, side × side pixels."""
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + 3 * side)) for _ in range(200)) + packer.flush()
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def svg(*parts: str, width: float = 1080, height: float = 1528, attributes: str = "", ground: str = "#FFFFFF") -> bytes:
    """A poster 1080 units wide, so that its font sizes are those that the contrast check sees."""
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="DejaVu Sans"'
        f'{attributes}><rect width="{width:g}" height="{height:g}" fill="{ground}"/>\n{body}\n</svg>\n'
    ).encode()


def text(words: str, x: float = 80, y: float = 200, size: float = 40, fill: str = "#111111", more: str = "") -> str:
    """One text element."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{fill}" {more}>{words}</text>'
