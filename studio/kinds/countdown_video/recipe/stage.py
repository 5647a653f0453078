"""What a film is about: sizes, times and colours, read from the brief. A stage's short side is 720 units."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction

from .cairo import Colour
from .colour import BLACK, WHITE, between, chroma, lightness, mix, parse, readable, toned

SHORT = 720.0
SAFE = 0.05  # of each side


@dataclass(frozen=True)
class Beats:
    """When things happen, in seconds: `count` numbers of `slot` each from 0, then the finale."""

    numbers: tuple[int, ...]
    slot: float
    finale: float
    duration: float

    def at(self, time: float) -> tuple[int, float]:
        """Which number (its place, or the count in the finale), and the seconds since it came."""
        place = min(int(time / self.slot + 1e-6), len(self.numbers))
        return place, time - min(place * self.slot, self.finale)


def beats_of(start: int, end: int, duration: float) -> Beats:
    """A second a number where that leaves a finale of 1.5 to 5 s; else equal shares of all the time before it."""
    numbers = tuple(range(start, end - 1, -1))
    count = len(numbers)
    rest = duration - count
    finale = rest if 1.5 <= rest <= 5 else min(max(1.5, min(5.0, 0.2 * duration)), duration - 0.4 * count)
    finale = max(finale, 1.5)
    return Beats(numbers, (duration - finale) / count, duration - finale, duration)


def frame_rate(fps: float) -> Fraction:
    """Frames a second as a fraction; 23.976 and its kin are what television means by them."""
    for whole in (24, 30, 48, 60):
        if abs(fps - whole / 1.001) < 0.006:
            return Fraction(whole * 1000, 1001)
    return Fraction(fps).limit_denominator(1000)


@dataclass(frozen=True)
class Scheme:
    """The brief's colours and what follows from them."""

    background: Colour
    primary: Colour
    secondary: Colour
    accent: Colour

    @property
    def dark(self) -> bool:
        """Is it night?"""
        return lightness(self.background) < 0.55

    @property
    def card(self) -> Colour:
        """The ground of figures and words: the background, far lighter or darker."""
        if self.dark:
            return mix(self.background, BLACK, 0.45)
        return mix(self.background, WHITE, 0.82)

    @property
    def inks(self) -> tuple[Colour, ...]:
        """Three colours for figures that are readable on the card."""
        return self.inks_on(self.card)

    def inks_on(self, ground: Colour, ratio: float = 5.2) -> tuple[Colour, ...]:
        """Three readable colours on a ground. One that would have to change much (yellow turns to mud) is replaced by
        one between the other two."""
        found = []
        for colour in (self.primary, self.secondary, self.accent):
            ink = readable(colour, ground, ratio)
            if abs(lightness(ink) - lightness(colour)) > 0.24:
                ink = readable(between(self.primary, self.secondary), ground, ratio)
            found.append(ink)
        return tuple(found)

    @property
    def brights(self) -> tuple[Colour, ...]:
        """Colours for small shapes: the brief's three, a pale and a middle one."""
        light = 0.8 if self.dark else 0.78
        colours = [self.primary, self.secondary, self.accent]
        vivid = [toned(c, max(lightness(c), light - 0.12), 1.0) if self.dark else c for c in colours]
        middle = between(self.primary, self.secondary)
        return (*vivid, toned(middle, light, 0.75), mix(self.accent, WHITE, 0.45))

    def tint(self, colour: Colour, share: float) -> Colour:
        """A colour washed into the background."""
        return mix(self.background, colour, share)

    @property
    def warm(self) -> Colour:
        """The brief's warmest vivid colour, for lights."""
        return max((self.accent, self.primary, self.secondary), key=lambda c: (c[0] - c[2]) + 0.3 * chroma(c))


@dataclass(frozen=True)
class Stage:
    """The whole frame in units, and the parts in it where things stand."""

    pixels: tuple[int, int]
    scheme: Scheme
    beats: Beats
    seed: int

    @property
    def scale(self) -> float:
        """Pixels per unit."""
        return min(self.pixels) / SHORT

    @property
    def width(self) -> float:
        """Units."""
        return self.pixels[0] / self.scale

    @property
    def height(self) -> float:
        """Units."""
        return self.pixels[1] / self.scale

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the numbers."""
        tall = self.height / self.width
        return self.width / 2, self.height * (0.40 if tall > 1.2 else 0.43)

    @property
    def radius(self) -> float:
        """Of what stands behind the numbers."""
        return 232.0

    def random(self, purpose: str) -> random.Random:
        """A generator of its own for each purpose, so that one choice does not move another."""
        return random.Random(f"{self.seed}/{purpose}")


def scheme_of(colors: dict[str, str]) -> Scheme:
    """From the brief's four colours."""
    return Scheme(*(parse(colors[name]) for name in ("background", "primary", "secondary", "accent")))


def star_points(points: int, outer: float, inner: float, turn: float = 0.0) -> list[tuple[float, float]]:
    """The corners of a star around the origin."""
    found = []
    for place in range(points * 2):
        reach = outer if place % 2 == 0 else inner
        angle = turn - math.pi / 2 + place * math.pi / points
        found.append((reach * math.cos(angle), reach * math.sin(angle)))
    return found
