"""Legibility as measured: each text's contrast on what is really painted behind its glyphs, and mending where it lacks.

Two pictures are taken of the page: one without words, one of the words alone. Where the dark pixels of the second lie
is where a text's glyphs are; the first says what is behind them.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from .canvas import Canvas, Text, tag
from .colour import READABLE, luminance, readable, worst

PIXELS = 900_000  # of the pictures that are measured
FLOOR = 4.8


class Picture(Protocol):
    """Something that draws an SVG to a PNG of an exact size, quickly."""

    def __call__(self, svg: str, width: int, height: int, *, draft: bool) -> bytes: ...


@dataclass(frozen=True)
class Measured:
    """The contrast of one text: the 5th percentile over its glyphs' pixels, and the colours behind it."""

    contrast: float
    behind: tuple[str, ...]  # the prevailing one first


def _pixels(png: bytes) -> NDArray[np.float64]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.float64)


def _luminances(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative luminance of pixels, WCAG 2.2."""
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    result: NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722])
    return result


def _measure(text: Text, ground: NDArray[np.float64], glyphs: NDArray[np.float64], scale: float) -> Measured | None:
    """The worst line counts: a gradient may be kind to a paragraph and not to its last line."""
    found = [_measure_line(text, number, ground, glyphs, scale) for number in range(len(text.lines))]
    lines = [line for line in found if line]
    if not lines:
        return None
    behind = {colour: None for line in lines for colour in line.behind}
    return Measured(min(line.contrast for line in lines), tuple(behind))


def _measure_line(
    text: Text, number: int, ground: NDArray[np.float64], glyphs: NDArray[np.float64], scale: float
) -> Measured | None:
    x, _, width, _ = (value * scale for value in text.box)
    size, baseline = text.sizes[number] * scale, text.starts[number][1] * scale
    up, down = text.extent
    rows = slice(max(0, int(baseline - up * size)), int(baseline + down * size) + 1)
    columns = slice(max(0, int(x) - 1), int(x + width) + 2)
    here, mask = ground[rows, columns], glyphs[rows, columns] < 128
    if here.size == 0:
        return None
    if not mask.any():
        mask = np.ones_like(mask)
    behind = here[mask]
    lights, own = _luminances(behind), luminance(text.fill)
    ratios = (np.maximum(lights, own) + 0.05) / (np.minimum(lights, own) + 0.05)
    order = np.argsort(lights)
    ends = [behind[order[int(share * (len(order) - 1))]] for share in (0.5, 0.02, 0.98)]
    colours = tuple("#" + "".join(f"{round(float(value)):02X}" for value in end) for end in ends)
    return Measured(float(np.percentile(ratios, 5)), colours)


def measure(canvas: Canvas, picture: Picture) -> list[Measured | None]:
    """The contrast of every text of the canvas, in order."""
    scale = (PIXELS / (canvas.width * canvas.height)) ** 0.5
    width, height = round(canvas.width * scale), round(canvas.height * scale)
    ground = _pixels(picture(canvas.markup(title="", language="en", with_texts=False), width, height, draft=True))
    glyphs = _pixels(picture(canvas.markup(title="", language="en", words_only=True), width, height, draft=True))[
        ..., 0
    ]
    return [_measure(text, ground, glyphs, scale) for text in canvas.texts]


def poor(canvas: Canvas, found: list[Measured | None]) -> list[tuple[Text, Measured]]:
    """The texts that cannot be read well, with what was measured."""
    return [
        (text, result)
        for text, result in zip(canvas.texts, found, strict=True)
        if result and result.contrast < FLOOR and not text.hidden
    ]


def recolour(texts: list[tuple[Text, Measured]]) -> bool:
    """Give each text a shade that reads on what is behind it; False where one has none."""
    shades = [readable(text.fill, result.behind, READABLE) for text, result in texts]
    if any(worst(shade, result.behind) < READABLE for shade, (_, result) in zip(shades, texts, strict=True)):
        return False
    for shade, (text, _) in zip(shades, texts, strict=True):
        text.fill = shade
    return True


def underlay(canvas: Canvas, texts: list[tuple[Text, Measured]]) -> None:
    """The last resort: a scrim of the prevailing colour behind each text."""
    for text, result in texts:
        x, y, width, height = text.box
        pad, scrim = text.sizes[-1] * 0.06, result.behind[0]
        text.fill = readable(text.fill, [scrim])
        shape = tag("rect", x=x - pad, y=y - pad, width=width + 2 * pad, height=height + 2 * pad, rx=pad, fill=scrim)
        canvas.shapes.append((shape, False))


def mend(draw: Callable[[float], Canvas], picture: Picture) -> tuple[Canvas, list[float]]:
    """Draw until every text can be read; returns the canvas and the contrast of each of its texts.

    `draw` is asked for the page with less and less of the motif showing under words; at the end scrims help.
    """
    for echo in (0.08, 0.0):
        canvas = draw(echo)
        found = measure(canvas, picture)
        bad = poor(canvas, found)
        if bad and recolour(bad):
            found = measure(canvas, picture)
            bad = poor(canvas, found)
        if not bad:
            break
    else:
        underlay(canvas, bad)
        found = measure(canvas, picture)
    return canvas, [round(result.contrast, 2) if result else 0.0 for result in found]
