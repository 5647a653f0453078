"""Figures that text recognition reads badly, held against specimens: old-style, hairline, very small, very large ones.

Every part of a picture that could be a figure is compared with the ten figures of some typefaces of the image, both
drawn into the same few cells: the correlation of the cells and the ratio of the sides tell which one it is, if any.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.halves import in_halves
from sandbox_image.inspector.numerals import Image, Reading, masks

Array: TypeAlias = Any  # numpy.ndarray

SIDE = 480  # px, the short side in which parts are looked for: that of a film's stills
LEAST = 0.04  # of it, the height of a figure; the most is all of it, as a large figure may be cut off above and below
CELLS = (16, 24)  # columns and rows of a part's print
BLACK = (0.04, 0.97)  # share of its box that a figure fills
MOST_PARTS = 120
STRANGE = -1
ALIKE = 0.80  # correlation with a specimen from which a part is that figure
CLEAR = 0.04  # by which the next figure has to be less alike
STRETCH = math.log(1.3)  # by which a part may be wider or narrower than the specimen
SPECIMENS = (
    "truetype/dejavu/DejaVuSans.ttf",
    "truetype/dejavu/DejaVuSans-Bold.ttf",
    "truetype/dejavu/DejaVuSerif.ttf",
    "opentype/ebgaramond/EBGaramond12-Regular.otf",
    "opentype/ebgaramond/EBGaramond12-Italic.otf",
    "opentype/ebgaramond/EBGaramond12-Bold.otf",
    "opentype/bebas-neue/BebasNeue-Thin.otf",
    "opentype/bebas-neue/BebasNeue-Bold.otf",
    "opentype/inter/Inter-Thin.otf",
    "opentype/inter/Inter-Bold.otf",
    "opentype/didot/GFSDidot.otf",
    "opentype/didot/GFSDidotItalic.otf",
    "opentype/ebgaramond/EBGaramond08-Regular.otf",
    "opentype/league-spartan/LeagueSpartan-Bold.otf",
    "opentype/lobster/lobster.otf",
    "opentype/noto/NotoSerifCJK-Bold.ttc",
    "opentype/yanone-kaffeesatz/YanoneKaffeesatz-Regular.otf",
    "truetype/liberation/LiberationSerif-Italic.ttf",
    "truetype/liberation/LiberationMono-BoldItalic.ttf",
)
_FONTS = Path("/usr/share/fonts")


@dataclass(frozen=True)
class _Figure:
    """A part that is a figure: its value, how surely, and its box in px of the picture.

    Or one that may be a figure of another typeface, a letter or an ornament, of value STRANGE.
    """

    value: int
    score: float
    left: int
    top: int
    right: int
    bottom: int

    @property
    def tall(self) -> int:
        return self.bottom - self.top


def read_figures(count: int, picture: Callable[[int], Image]) -> list[list[Reading]]:
    """The numbers in each of `count` pictures, the tallest first."""
    _specimens()  # before a process is forked, so that they are drawn once
    return in_halves(lambda number: _numbers(_figures(_sized(picture(number)))), range(count))


def _sized(image: Image) -> Image:
    import PIL.Image

    zoom = SIDE / min(image.size)
    size = (max(1, round(image.width * zoom)), max(1, round(image.height * zoom)))
    return image if size == image.size else image.resize(size, PIL.Image.Resampling.BICUBIC)


@cache
def _specimens() -> tuple[Array, Array, Array]:
    """Prints of the specimens, one a row, with mean 0 and length 1; their ratios (logarithms); their values."""
    import numpy
    from PIL import Image, ImageDraw, ImageFont

    prints, ratios, values = [], [], []
    for name in SPECIMENS:
        if not (_FONTS / name).exists():
            continue
        font = ImageFont.truetype(_FONTS / name, 96)
        for value in range(10):
            paper = Image.new("L", (160, 192))
            ImageDraw.Draw(paper).text((40, 40), str(value), font=font, fill=255)
            left, top, right, bottom = paper.getbbox() or (0, 0, 1, 1)
            own = numpy.asarray(paper.crop((left, top, right, bottom))) > 127
            prints.append(_print(own))
            ratios.append(math.log((right - left) / (bottom - top)))
            values.append(value)
    return numpy.array(prints), numpy.array(ratios), numpy.array(values)


def _print(own: Array) -> Array:
    """A mask in few cells, softened, with mean 0 and length 1."""
    import numpy
    from PIL import Image, ImageFilter

    ink = Image.fromarray(own).convert("L").resize(CELLS, Image.Resampling.BOX)
    cells = numpy.asarray(ink.filter(ImageFilter.GaussianBlur(0.8)), numpy.float32).ravel()
    cells = cells - cells.mean()
    length = float(numpy.linalg.norm(cells))
    return cells / length if length else cells


def figure(own: Array) -> tuple[int, float] | None:
    """The value of one part's mask, and how like a specimen it is, -1..1; None where it is no figure."""
    import numpy

    prints, ratios, values = _specimens()
    if not len(values):
        return None
    height, width = own.shape
    fits = abs(ratios - math.log(width / height)) <= STRETCH
    if not fits.any():
        return None
    scores = numpy.where(fits, prints @ _print(own), -1.0)
    best = int(scores.argmax())
    other = float(scores[values != values[best]].max(initial=-1.0))
    score = float(scores[best])
    return (int(values[best]), score) if score >= ALIKE and score >= other + CLEAR else None


def _figures(image: Image) -> list[_Figure]:
    """The figures in any mask of a picture, each place once, as it is most like a specimen."""
    import numpy
    from scipy import ndimage

    found: list[_Figure] = []
    width, height = image.size
    for mask in masks(image):
        labels, count = ndimage.label(mask)
        if not 0 < count <= 6000:
            continue
        boxes = sorted(enumerate(ndimage.find_objects(labels), 1), key=lambda item: _tall(item[1]))
        for number, (rows, columns) in boxes[-MOST_PARTS:]:
            tall, wide = rows.stop - rows.start, columns.stop - columns.start
            if tall < LEAST * min(width, height) or not 0.12 * tall <= wide <= 1.2 * tall:
                continue
            if columns.start == 0 or columns.stop == width:
                continue
            own = labels[rows, columns] == number
            if not BLACK[0] <= numpy.count_nonzero(own) / own.size <= BLACK[1]:
                continue
            value, score = figure(own) or (STRANGE, 0.0)
            found.append(_Figure(value, score, columns.start, rows.start, columns.stop, rows.stop))
    kept: list[_Figure] = []
    for each in sorted(found, key=lambda each: -each.score):
        if not any(_meet(each, other) for other in kept):
            kept.append(each)
    return kept


def _tall(box: Any) -> int:
    return int(box[0].stop - box[0].start)


def _meet(one: _Figure, other: _Figure) -> bool:
    """Do they lie over one another, as a figure and its rim, or its window, do?"""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    least = min((each.right - each.left) * each.tall for each in (one, other))
    return wide > 0 and high > 0 and wide * high > 0.3 * least


def _numbers(figures: Sequence[_Figure]) -> list[Reading]:
    """Figures side by side as numbers of up to three, the tallest first. Old-style ones differ in height.

    Beside something strange of their height they are no number: it may be a figure of it.
    """
    left = sorted(figures, key=lambda each: each.left)
    found: list[Reading] = []
    while left:
        group = [left.pop(0)]
        for each in list(left):
            last = group[-1]
            tallest = max(last.tall, each.tall)
            shared = min(last.bottom, each.bottom) - max(last.top, each.top)
            near = -0.15 * tallest < each.left - last.right < 0.45 * tallest
            if len(group) < 3 and near and shared > 0.5 * tallest:
                group.append(each)
                left.remove(each)
        if any(each.value == STRANGE for each in group):
            continue
        box = (group[0].left, min(e.top for e in group), group[-1].right, max(e.bottom for e in group))
        number = int("".join(str(each.value) for each in group))
        found.append(Reading(number, (box[3] - box[1]) / SIDE, box))
    tallest_of = max((reading.tall for reading in found), default=0.0)
    return sorted((r for r in found if r.tall >= 0.45 * tallest_of), key=lambda reading: -reading.tall)
