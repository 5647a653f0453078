"""What every animation world is: colours for figures and words, and what moves behind and around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .cairo import Colour, Pen
from .stage import Stage


@dataclass(frozen=True)
class Moment:
    """One frame's time: overall, the number's place (the count in the finale), seconds since it came."""

    time: float
    place: int
    since: float
    finale: bool

    @property
    def joy(self) -> float:
        """0 while it counts; rises to 1 within the first third of a second of the finale."""
        return min(1.0, self.since / 0.33) if self.finale else 0.0


class World(Protocol):
    """A living background."""

    name: str
    face: str  # a style of faces.DISPLAY
    card: Colour  # the ground of figures and words
    ring: Colour  # around that
    inks: tuple[Colour, ...]  # readable on the card
    confetti: tuple[Colour, ...]

    def __init__(self, stage: Stage) -> None: ...

    def behind(self, pen: Pen, moment: Moment) -> None:
        """Everything behind the numbers and words; covers the whole frame."""
        ...

    def told(self) -> str:
        """One sentence on what is seen, for description.md."""
        ...
