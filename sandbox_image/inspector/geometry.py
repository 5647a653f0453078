"""Where glyphs lie on the page: quadrilaterals, lines of them, and how deep two of them overlap.

Units are px of the page as it is measured (1080 px wide).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from sandbox_image.inspector.subject import Box

Quad: TypeAlias = tuple[float, float, float, float, float, float, float, float]  # x, y of four corners, in turn


@dataclass(frozen=True)
class Glyph:
    """One character's ink box, and its baseline from start to end."""

    char: str
    starts_word: bool
    quad: Quad
    baseline: tuple[float, float, float, float]

    @cached_property
    def box(self) -> Box:
        return bounds([self.quad])


@dataclass
class Line:
    """Glyphs that stand on one baseline of one text element."""

    owner: int
    runs: list[int]
    size: float  # font size, the largest in it
    glyphs: list[Glyph]

    @property
    def text(self) -> str:
        return "".join((" " if glyph.starts_word else "") + glyph.char for glyph in self.glyphs).strip()

    @cached_property
    def box(self) -> Box:
        return bounds(glyph.quad for glyph in self.glyphs)


def bounds(quads: Iterable[Quad]) -> Box:
    """The upright box around quads: x, y, width, height."""
    xs: list[float] = []
    ys: list[float] = []
    for quad in quads:
        xs += quad[0::2]
        ys += quad[1::2]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def touch(a: Box, b: Box, margin: float = 0.0) -> bool:
    """Do two upright boxes come closer than `margin`?"""
    return (
        a[0] < b[0] + b[2] + margin
        and b[0] < a[0] + a[2] + margin
        and a[1] < b[1] + b[3] + margin
        and b[1] < a[1] + a[3] + margin
    )


def depth(a: Quad, b: Quad) -> float:
    """How deep two convex quads overlap: the least move that parts them (separating axes); 0 when they are apart."""
    least = math.inf
    for quad in (a, b):
        for i in range(0, 8, 2):
            dx, dy = quad[(i + 2) % 8] - quad[i], quad[(i + 3) % 8] - quad[i + 1]
            length = math.hypot(dx, dy)
            if not length:
                continue
            nx, ny = -dy / length, dx / length
            first = [a[k] * nx + a[k + 1] * ny for k in range(0, 8, 2)]
            second = [b[k] * nx + b[k + 1] * ny for k in range(0, 8, 2)]
            least = min(least, max(first) - min(second), max(second) - min(first))
            if least <= 0:
                return 0.0
    return least if least < math.inf else 0.0


def same_line(before: Glyph, after: Glyph, size: float) -> bool:
    """Does `after` go on where `before` left off? Along a curve the next glyph starts close by, at another angle."""
    x0, y0, x1, y1 = before.baseline
    x, y = after.baseline[:2]
    nearest = min(math.hypot(a - c, b - d) for a, b in ((x0, y0), (x1, y1)) for c, d in _ends(after))
    if nearest <= 0.4 * size:
        return True
    length = math.hypot(x1 - x0, y1 - y0)
    if not length or nearest > 4 * size:
        return False
    off = abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length
    return off <= 0.1 * size


def _ends(glyph: Glyph) -> tuple[tuple[float, float], tuple[float, float]]:
    x0, y0, x1, y1 = glyph.baseline
    return (x0, y0), (x1, y1)


def words(glyphs: Sequence[Glyph], longest: int = 8) -> Iterator[list[Glyph]]:
    """Glyphs word by word, each with a letter or digit in it.

    Words without blanks, as in Chinese, are cut after `longest` glyphs and where digits begin or end.
    """
    word: list[Glyph] = []
    for glyph in glyphs:
        if word and (glyph.starts_word or len(word) >= longest or _parts(word[-1].char, glyph.char)):
            if any(each.char.isalnum() for each in word):
                yield word
            word = []
        word.append(glyph)
    if any(each.char.isalnum() for each in word):
        yield word


def _parts(before: str, after: str) -> bool:
    """Does a word end between two characters that no blank parts: at the edges of ideographs and the like?"""
    ideographic = before >= "\u2e80" and before.isalpha(), after >= "\u2e80" and after.isalpha()
    return ideographic[0] != ideographic[1]
