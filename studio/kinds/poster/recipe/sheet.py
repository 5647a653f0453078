"""A page's shape and its colours, as every layout gets them."""

from __future__ import annotations

from dataclasses import dataclass

from .scheme import Scheme


@dataclass(frozen=True)
class Sheet:
    """A page in page units; its area is a million of them squared."""

    width: float
    height: float

    @property
    def side(self) -> float:
        """Margin left and right: 6 % of the width."""
        return 0.06 * self.width

    @property
    def above(self) -> float:
        """Margin above and below: as at the sides, but at most 7.5 % of the height."""
        return min(0.062 * self.width, 0.075 * self.height)

    @property
    def measure(self) -> float:
        """Width between the margins."""
        return self.width - 2 * self.side


@dataclass(frozen=True)
class Look:
    """The colours of a page: of the sheet itself, and of the field that carries the hero (the same without a field)."""

    sheet: Scheme
    hero: Scheme
    towards: str  # what the field's gradient leads to


def sheet_of(width: float, height: float) -> Sheet:
    """The sheet of a page with this shape."""
    scale = (1e6 / (width * height)) ** 0.5
    return Sheet(width * scale, height * scale)
