"""A tiny PNG made here, to find out whether a model sees pictures (PNG, third edition: W3C)."""

from __future__ import annotations

import struct
import zlib

from studio.models.types import Picture

COLORS = {"red": (220, 20, 30), "green": (20, 150, 50), "blue": (25, 60, 210), "yellow": (250, 220, 20)}
SIDE = 128  # pixels


def two_halves(left: str, right: str) -> Picture:
    """A square whose halves have these colours."""
    half = SIDE // 2
    row = b"\0" + bytes(COLORS[left]) * half + bytes(COLORS[right]) * half
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    parts = (_chunk(b"IHDR", header), _chunk(b"IDAT", zlib.compress(row * SIDE)), _chunk(b"IEND", b""))
    return Picture("image/png", b"\x89PNG\r\n\x1a\n" + b"".join(parts))


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
