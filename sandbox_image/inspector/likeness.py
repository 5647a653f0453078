"""Is a PNG what an SVG looks like? Structural similarity of the whole, and of each word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.geometry import bounds, words
from sandbox_image.inspector.pictures import on_white, open_png, similarity
from sandbox_image.inspector.rendering import MAX_PIXELS, Rendering
from sandbox_image.inspector.subject import Box

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

_SHIFT = 2  # px; renderers place glyphs differently by fractions of a pixel
_SOFTEN = 0.7  # px; and smooth their edges differently. Measured: true renderings ≥ 0.87, one other digit ≤ 0.78


@dataclass(frozen=True)
class WordLikeness:
    """How alike one word is; the box in pixels of the PNG."""

    text: str
    value: float
    box: Box


@dataclass(frozen=True)
class Likeness:
    """Similarity of the whole picture, and of its words, the least alike first."""

    whole: float
    words: tuple[WordLikeness, ...]


def compare(rendering: Rendering, name: str, file: Path, side_px: int) -> Likeness:
    """Compare a PNG with the SVG drawn anew at the PNG's size. Raises Unfit when the PNG cannot be decoded."""
    from PIL import Image

    png = open_png(name, file)
    zoom = min(1.0, (MAX_PIXELS / (png.width * png.height)) ** 0.5)
    size = (max(1, round(png.width * zoom)), max(1, round(png.height * zoom)))
    if size != png.size:
        png = png.resize(size, Image.Resampling.BOX)
    drawn = on_white(Image.fromarray(rendering.fitted(*size)))
    shrink = side_px / max(size)
    small = (max(1, round(size[0] * shrink)), max(1, round(size[1] * shrink)))
    whole = similarity(png.resize(small, Image.Resampling.BOX), drawn.resize(small, Image.Resampling.BOX))
    return Likeness(whole, _words(rendering, png, drawn, zoom))


def _words(rendering: Rendering, png: Image, drawn: Image, zoom: float) -> tuple[WordLikeness, ...]:
    import numpy
    from PIL import ImageFilter

    soft = ImageFilter.GaussianBlur(_SOFTEN)
    theirs, ours = (numpy.asarray(image.convert("L").filter(soft), numpy.float32) for image in (png, drawn))
    found = []
    for line in rendering.lines:
        for word in words(line.glyphs):
            x0, y0, x1, y1 = rendering.pixel_box(bounds(glyph.quad for glyph in word), ours, margin=1.0)
            if x1 - x0 < 3 or y1 - y0 < 3:
                continue
            value = _best(theirs, ours, (x0, y0, x1, y1))
            box = (x0 / zoom, y0 / zoom, (x1 - x0) / zoom, (y1 - y0) / zoom)
            found.append(WordLikeness("".join(glyph.char for glyph in word), value, box))
    return tuple(sorted(found, key=lambda word: word.value))


def _best(theirs: Array, ours: Array, box: tuple[int, int, int, int]) -> float:
    """The similarity of one box, at the best of a few small shifts."""
    import numpy

    x0, y0, x1, y1 = box
    # Wide enough for SSIM's window.
    x1, y1 = max(x1, x0 + 11), max(y1, y0 + 11)
    patch = ours[y0:y1, x0:x1]
    best = -1.0
    for dy, dx in sorted(numpy.ndindex(2 * _SHIFT + 1, 2 * _SHIFT + 1), key=lambda s: abs(s[0] - 2) + abs(s[1] - 2)):
        top, left = y0 + dy - _SHIFT, x0 + dx - _SHIFT
        if top < 0 or left < 0:
            continue
        other = theirs[top : top + patch.shape[0], left : left + patch.shape[1]]
        if other.shape != patch.shape:
            continue
        best = max(best, similarity(patch, other))
        if best >= 0.9:
            break
    return best
