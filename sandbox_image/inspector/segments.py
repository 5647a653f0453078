"""Figures of seven segments, as on clocks, which text recognition does not know: which of their bars are lit.

A mask's gaps are closed, so that the bars of a figure are one shape; along its middle line and across its two halves
the bars are there or not. What is in between is no such figure: most letters and figures of typefaces are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeAlias

from sandbox_image.inspector.halves import in_halves
from sandbox_image.inspector.numerals import SIDE, Image, Reading, masks, small

Array: TypeAlias = Any  # numpy.ndarray

# Height and width, in px of the small picture, of gaps between bars that are closed; above each other they are wider.
CLOSED = ((3, 3), (7, 7), (13, 13), (23, 5))
LEAST = 0.1  # of the frame's short side, the height of a figure
SLANTS = (0.0, 0.06, 0.12, 0.18)  # px to the side for each px upwards
LIT, DARK = 0.8, 0.1  # shares of the lines across a bar that meet it, where it is lit and where not
MOST_PARTS = 80
INKED = (0.003, 0.6)  # share of a picture that figures may take
BAR = 0.66  # of its box that a bar fills; its ends are often pointed
_UPPER, _LOWER = (0.22, 0.27, 0.32), (0.68, 0.73, 0.78)  # heights of the lines across the two halves

# Which bars are lit: top, upper left, upper right, middle, lower left, lower right, foot; some have two forms.
_FIGURES = {
    "1110111": 0, "1011101": 2, "1011011": 3, "0111010": 4, "1101011": 5, "1101111": 6, "0101111": 6,
    "1010010": 7, "1110010": 7, "1111111": 8, "1111011": 9, "1111010": 9,
}  # fmt: skip


@dataclass(frozen=True)
class _Part:
    """One figure: its value, and its box in px of the small picture. A single bar is a one, if others stand beside."""

    value: int
    left: int
    top: int
    right: int
    bottom: int
    bar: bool = False

    @property
    def tall(self) -> int:
        return self.bottom - self.top


def read_segments(count: int, picture: Callable[[int], Image]) -> list[list[Reading]]:
    """The numbers of seven-segment figures in each of `count` pictures.

    A lone bar counts as a one where other figures of the pictures are as high, and stand at the same height.
    """
    found = in_halves(lambda number: _parts(picture(number)), range(count))
    whole = [part for parts in found for part in parts if not part.bar]
    if not whole:
        return [[] for _ in found]
    top, tall = median(part.top for part in whole), median(part.tall for part in whole)

    def belongs(part: _Part) -> bool:
        return abs(part.top - top) <= 0.15 * tall and 0.8 * tall <= part.tall <= 1.2 * tall

    return [_numbers([part for part in parts if not part.bar or belongs(part)]) for parts in found]


def _parts(image: Image) -> list[_Part]:
    """The figures in any mask of a picture, each place once."""
    import numpy
    from scipy import ndimage

    picture = small(image)
    found: list[_Part] = []
    votes: list[set[int]] = []  # the masks in which each is seen
    for seen, mask in enumerate(masks(picture)):
        if not INKED[0] <= mask.mean() <= INKED[1]:
            continue
        for side in CLOSED:
            room = side[0]
            grown = ndimage.maximum_filter(numpy.pad(mask, room).astype(numpy.uint8), side)
            closed = ndimage.minimum_filter(grown, side)[room:-room, room:-room]
            labels, count = ndimage.label(closed)
            if not 0 < count <= 2000:
                continue
            boxes = sorted(enumerate(ndimage.find_objects(labels), 1), key=lambda item: _tall(item[1]))
            for number, (rows, columns) in boxes[-MOST_PARTS:]:
                tall, wide = rows.stop - rows.start, columns.stop - columns.start
                if tall < LEAST * SIDE or not 0.04 * tall <= wide <= 0.95 * tall:
                    continue
                own = labels[rows, columns] == number
                value, bar = (1, True) if _is_bar(own) else (figure(own), False)
                if value is None:
                    continue
                part = _Part(value, columns.start, rows.start, columns.stop, rows.stop, bar)
                place = next((i for i, old in enumerate(found) if old.value == value and _same(part, old)), len(found))
                if place == len(found):
                    found.append(part)
                    votes.append(set())
                votes[place].add(seen)
    return _lit(found, [len(each) for each in votes])


def _lit(parts: list[_Part], votes: list[int]) -> list[_Part]:
    """Each place once, by what most masks say.

    Where all bars of a figure are seen in some masks and only some of them in two others, the rest are unlit; so are
    bars by themselves within a figure.
    """
    order = sorted(range(len(parts)), key=lambda i: (parts[i].value == 8, parts[i].bar, -votes[i]))
    eights = [part for part in parts if part.value == 8]
    kept: list[_Part] = []
    for place in order:
        part = parts[place]
        if votes[place] < 2 and any(_same(part, eight) for eight in eights) and part.value != 8:
            continue
        inner = any(_within(other, part) if part.value == 8 else part.bar and _within(part, other) for other in kept)
        if not inner and not any(_same(part, other) for other in kept):
            kept.append(part)
    return kept


def _within(one: _Part, other: _Part) -> bool:
    # A figure whose upright bars are not lit begins at its lying ones.
    slack = 0.16 * other.tall if one.bar else 0.06 * other.tall
    wide = one.left >= other.left - slack and one.right <= other.right + slack
    high = one.top >= other.top - slack and one.bottom <= other.bottom + slack
    return wide and high and one.tall > 0.8 * other.tall


def _tall(box: Any) -> int:
    return int(box[0].stop - box[0].start)


def _same(one: _Part, other: _Part) -> bool:
    sides = ("left", "top", "right", "bottom")
    return all(abs(getattr(one, side) - getattr(other, side)) <= 0.12 * other.tall for side in sides)


def _is_bar(own: Array) -> bool:
    height, width = own.shape
    return width < 0.3 * height and any(float(_upright(own, slant).mean()) > BAR for slant in SLANTS)


def figure(own: Array) -> int | None:
    """The value of one figure's mask, upright or slanted; None where it is none of seven segments."""
    for slant in SLANTS:
        value = _upright_figure(_upright(own, slant))
        if value is not None:
            return value
    return None


def _upright(own: Array, slant: float) -> Array:
    """The mask with its rows moved so that bars with such a slant stand upright, cut to what is in it."""
    import numpy

    if not slant:
        return own
    height, width = own.shape
    room = int(slant * height) + 1
    moved = numpy.zeros((height, width + room), bool)
    for row in range(height):
        right = round(slant * row)
        moved[row, right : right + width] = own[row]
    filled = moved.any(axis=0).nonzero()[0]
    return moved[:, filled[0] : filled[-1] + 1]


def _upright_figure(own: Array) -> int | None:
    height, width = own.shape
    if not 0.35 <= width / height <= 0.85:
        return None
    middle = [own[:, round(share * (width - 1))] for share in (0.42, 0.5, 0.58)]
    upper, lower = ([own[round(share * (height - 1))] for share in shares] for shares in (_UPPER, _LOWER))
    # Between the bars there is nothing: an eight's two windows.
    if _met(upper, 0.4, 0.6) > DARK or _met(lower, 0.4, 0.6) > DARK:
        return None
    if _met(middle, 0.27, 0.34) > DARK or _met(middle, 0.66, 0.73) > DARK:
        return None
    bars = (
        _met(middle, 0.0, 0.2), _met(upper, 0.0, 0.3), _met(upper, 0.7, 1.0), _met(middle, 0.38, 0.62),
        _met(lower, 0.0, 0.3), _met(lower, 0.7, 1.0), _met(middle, 0.8, 1.0),
    )  # fmt: skip
    if any(DARK < bar < LIT for bar in bars):
        return None
    return _FIGURES.get("".join("1" if bar >= LIT else "0" for bar in bars))


def _met(lines: Sequence[Array], begin: float, end: float) -> float:
    """The share of the lines that meet ink between two places along them."""
    met = [
        line[int(begin * len(line)) : max(int(begin * len(line)) + 1, round(end * len(line)))].any() for line in lines
    ]
    return sum(map(bool, met)) / len(met)


def _numbers(parts: list[_Part]) -> list[Reading]:
    """Figures side by side as numbers of up to three digits, the tallest first."""
    parts = sorted(parts, key=lambda part: part.left)
    found: list[Reading] = []
    used: set[int] = set()
    for place, first in enumerate(parts):
        if place in used:
            continue
        group = [first]
        used.add(place)
        for index, part in enumerate(parts[place + 1 :], place + 1):
            last = group[-1]
            alike = abs(part.top - last.top) <= 0.15 * last.tall and abs(part.tall - last.tall) <= 0.2 * last.tall
            if index not in used and alike and 0 <= part.left - last.right < 0.8 * last.tall and len(group) < 3:
                group.append(part)
                used.add(index)
        number = int("".join(str(part.value) for part in group))
        box = (first.left, min(p.top for p in group), group[-1].right, max(p.bottom for p in group))
        found.append(Reading(number, (box[3] - box[1]) / SIDE, box))
    tallest = max((reading.tall for reading in found), default=0.0)
    return sorted((r for r in found if r.tall >= 0.45 * tallest), key=lambda reading: -reading.tall)
