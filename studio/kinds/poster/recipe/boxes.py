"""Boxes: the parts of a layout, each of which knows its height at a width and how to draw itself.

A layout is a tree of boxes. `height(width)` must be exact, since the page's scale is found by asking for it. It is
infinite where the width cannot hold the content at all, so that no arrangement with such a column fits.
Lengths are in page units.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from .canvas import Box as Rect
from .canvas import Canvas
from .setting import Style, Typesetter

Align = Literal["start", "center", "end"]


class Item(Protocol):
    """Anything that can stand in a layout."""

    def height(self, width: float) -> float:
        """How high it is when it is `width` wide."""
        ...

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        """Draw with the upper left corner at x, y."""
        ...


@dataclass(frozen=True)
class Nothing:
    """No content and no height."""

    def height(self, width: float) -> float:
        return 0.0

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        return None


@dataclass(frozen=True)
class Para:
    """A paragraph of running text in one style and colour."""

    type: Typesetter
    text: str
    style: Style
    fill: str
    align: Align = "start"
    hidden: bool = False
    label: str = ""
    least: float = 0.6  # how far it may shrink for a long word before that is broken

    @property
    def natural_width(self) -> float:
        """Its width on one line."""
        shown = self.type.shown(self.text, self.style)
        tracking = self.type.tracking(shown, self.style)
        return self.type.width(shown, self.style.role, tracking) * self.style.size * 1.001

    def _fitted(self, width: float) -> tuple[Style, float, float, float]:
        """The style, smaller by steps where the longest word does not fit; height, depth and pitch in page units."""
        style = self.style.scaled(self.type.shrunk(self.text, self.style, width, self.least))
        up, down = self.type.extent(self.text, style.role)
        return style, up * style.size, down * style.size, max(style.leading, up + down + 0.08) * style.size

    def height(self, width: float) -> float:
        style, up, down, pitch = self._fitted(width)
        lines = self.type.lines(self.text, style, width)
        if max(line.width for line in lines) * style.size > width * 1.002:
            return math.inf  # not even one letter goes into the column
        return up + down + (len(lines) - 1) * pitch

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        style, up, _, pitch = self._fitted(width)
        lines = self.type.lines(self.text, style, width)
        starts = []
        for number, line in enumerate(lines):
            spare = width - line.width * style.size
            shift = {"start": 0.0, "center": spare / 2, "end": spare}[self.align]
            starts.append((x + shift, y + up + number * pitch))
        sizes = [style.size] * len(lines)
        canvas.text(lines, starts, sizes, style, self.fill, hidden=self.hidden, label=self.label)


@dataclass(frozen=True)
class Figure:
    """Something drawn in a fixed shape: `paint(canvas, rect)` fills a box of `wide` × `high`."""

    wide: float
    high: float
    paint: Callable[[Canvas, Rect], None]
    align: Align = "start"

    def height(self, width: float) -> float:
        return self.high if self.wide <= width * 1.002 else math.inf

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        spare = width - self.wide
        shift = {"start": 0.0, "center": spare / 2, "end": spare}[self.align]
        self.paint(canvas, (x + shift, y, self.wide, self.high))


@dataclass(frozen=True)
class Stack:
    """Items below each other; what has no height takes no gap either."""

    items: tuple[Item, ...]
    gap: float = 0.0

    def _heights(self, width: float) -> list[float]:
        return [item.height(width) for item in self.items]

    def height(self, width: float) -> float:
        heights = [height for height in self._heights(width) if height > 0]
        return sum(heights) + self.gap * max(0, len(heights) - 1)

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        for item, height in zip(self.items, self._heights(width), strict=True):
            if height > 0:
                item.draw(canvas, x, y, width)
                y += height + self.gap


@dataclass(frozen=True)
class Row:
    """Items beside each other; widths by weight, or fixed where a weight is negative (its amount in page units)."""

    items: tuple[Item, ...]
    weights: tuple[float, ...]
    gutter: float
    middle: bool = False  # centred upon each other instead of aligned at the top

    def widths(self, width: float) -> list[float]:
        """The width of each item."""
        fixed = sum(-weight for weight in self.weights if weight < 0)
        rest = width - fixed - self.gutter * (len(self.items) - 1)
        shares = sum(weight for weight in self.weights if weight > 0) or 1.0
        return [-weight if weight < 0 else max(1.0, rest * weight / shares) for weight in self.weights]

    def height(self, width: float) -> float:
        widths = self.widths(width)
        if sum(widths) + self.gutter * (len(widths) - 1) > width * 1.002:
            return math.inf
        return max(item.height(w) for item, w in zip(self.items, widths, strict=True))

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        high = self.height(width)
        for item, w in zip(self.items, self.widths(width), strict=True):
            shift = (high - item.height(w)) / 2 if self.middle else 0.0
            item.draw(canvas, x, y + shift, w)
            x += w + self.gutter


@dataclass(frozen=True)
class Either:
    """One item where there are `least` page units or more, another where the column is narrower."""

    wide: Item
    narrow: Item
    least: float

    def _chosen(self, width: float) -> Item:
        return self.wide if width >= self.least else self.narrow

    def height(self, width: float) -> float:
        return self._chosen(width).height(width)

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        self._chosen(width).draw(canvas, x, y, width)


@dataclass(frozen=True)
class Grid:
    """Equal columns, filled row by row; the rows as high as their highest cell."""

    cells: tuple[Item, ...]
    columns: int
    gutter: float
    gap: float

    def _rows(self) -> list[Row]:
        rows = []
        for start in range(0, len(self.cells), self.columns):
            cells = self.cells[start : start + self.columns]
            blank = (Nothing(),) * (self.columns - len(cells))
            rows.append(Row((*cells, *blank), (1.0,) * self.columns, self.gutter))
        return rows

    def height(self, width: float) -> float:
        heights = [row.height(width) for row in self._rows()]
        return sum(heights) + self.gap * max(0, len(heights) - 1)

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        for row in self._rows():
            row.draw(canvas, x, y, width)
            y += row.height(width) + self.gap


@dataclass(frozen=True)
class Ruled:
    """An item under a rule."""

    item: Item
    fill: str
    weight: float
    gap: float

    def height(self, width: float) -> float:
        high = self.item.height(width)
        return high + self.weight + self.gap if high > 0 else 0.0

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.rect((x, y, width, self.weight), self.fill)
        self.item.draw(canvas, x, y + self.weight + self.gap, width)


@dataclass(frozen=True)
class Flow:
    """Items of their own widths in rows, as many in each as there is room for, centred upon each other."""

    items: tuple[tuple[Item, float], ...]  # with the width that each would like to have
    gap: float
    leading: float  # between rows

    def _rows(self, width: float) -> list[list[tuple[Item, float]]]:
        rows: list[list[tuple[Item, float]]] = [[]]
        for item, wide in self.items:
            taken = sum(other + self.gap for _, other in rows[-1])
            if rows[-1] and taken + wide > width:
                rows.append([])
            rows[-1].append((item, min(wide, width)))
        return rows

    def height(self, width: float) -> float:
        rows = self._rows(width)
        return sum(max(item.height(wide) for item, wide in row) for row in rows) + self.leading * (len(rows) - 1)

    def draw(self, canvas: Canvas, x: float, y: float, width: float) -> None:
        for row in self._rows(width):
            high, left = max(item.height(wide) for item, wide in row), x
            for item, wide in row:
                item.draw(canvas, left, y + (high - item.height(wide)) / 2, wide)
                left += wide + self.gap
            y += high + self.leading


def stack(items: Sequence[Item | None], gap: float = 0.0) -> Stack:
    """A stack of the items that there are."""
    return Stack(tuple(item for item in items if item is not None), gap)


def largest_fit(fits: Callable[[float], bool], low: float, high: float, steps: int = 14) -> float:
    """The largest scale between `low` and `high` that fits, by halving on a geometric scale; `low` if none does."""
    if fits(high):
        return high
    for _ in range(steps):
        middle = (low * high) ** 0.5
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
