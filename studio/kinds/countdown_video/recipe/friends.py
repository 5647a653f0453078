"""Small round animals that watch the countdown: they breathe, blink, hop at each number and cheer at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .cairo import Colour, Pen
from .colour import BLACK, WHITE, mix, shifted
from .easing import smooth, wave
from .stage import star_points

SORTS = ("bunny", "bear", "cat", "chick", "moon")


@dataclass(frozen=True)
class Mood:
    """How a friend feels: `hop` 0..1 of a hop's height, `squash` −1..1, `joy` 0..1, `time` for breath and blinks."""

    time: float
    hop: float
    squash: float
    joy: float


@dataclass(frozen=True)
class Friend:
    """One animal, `size` units from foot to crown, standing on x, y."""

    sort: str
    x: float
    y: float
    size: float
    body: Colour
    dress: Colour
    trim: Colour
    phase: float

    @property
    def _line(self) -> Colour:
        return mix(self.body, BLACK, 0.72)

    def draw(self, pen: Pen, mood: Mood) -> None:
        """Draw it with its shadow."""
        unit = self.size / 100
        pen.save()
        pen.move(self.x, self.y)
        pen.scale(unit)
        pen.ellipse(0, 0, 36 * (1 - 0.25 * mood.hop), 6 * (1 - 0.3 * mood.hop))
        pen.fill(BLACK, 0.14)
        pen.move(0, -mood.hop * 34)
        breath = 0.014 * wave(mood.time, 1.9, self.phase)
        pen.scale(1 - breath + 0.09 * mood.squash, 1 + breath - 0.09 * mood.squash)
        pen.rotate(0.035 * wave(mood.time, 2.6, self.phase) + 0.07 * mood.joy * wave(mood.time, 0.66, self.phase))
        self._ears(pen, mood)
        self._feet_and_arms(pen, mood)
        self._head(pen)
        self._face(pen, mood)
        self._hat(pen)
        pen.restore()

    def _shaded(self, pen: Pen, colour: Colour, top: float, bottom: float) -> None:
        light, dark = mix(colour, WHITE, 0.28), shifted(colour, -0.05)
        pen.fill_linear(0, top, 0, bottom, [(0, light, 1), (0.6, colour, 1), (1, dark, 1)])

    def _ears(self, pen: Pen, mood: Mood) -> None:
        inner = mix(self.dress, WHITE, 0.45)
        flap = 0.07 * wave(mood.time, 1.4, self.phase) + 0.12 * mood.hop
        for side in (-1, 1):
            pen.save()
            if self.sort == "bunny":
                pen.move(side * 15, -72)
                pen.rotate(side * (0.18 + flap))
                pen.ellipse(0, -22, 9.5, 27)
                self._shaded(pen, self.body, -50, 5)
                pen.ellipse(0, -20, 4.8, 19)
                pen.fill(inner)
            elif self.sort == "bear":
                pen.move(side * 27, -77)
                pen.circle(0, 0, 12.5)
                self._shaded(pen, self.body, -12, 12)
                pen.circle(0, 1, 6.5)
                pen.fill(inner)
            elif self.sort == "cat":
                pen.move(side * 24, -74)
                pen.rotate(side * (0.30 + flap * 0.5))
                for scale, colour in ((1.0, self.body), (0.55, inner)):
                    pen.polygon([(-13 * scale, 8), (0, 8 - 31 * scale), (13 * scale, 8)])
                    pen.stroke(colour, 5 * scale, keep=True)
                    pen.fill(colour)
            pen.restore()

    def _feet_and_arms(self, pen: Pen, mood: Mood) -> None:
        wing = shifted(self.body, -0.035)
        for side in (-1, 1):
            pen.ellipse(side * 17, -4, 12, 6.5)
            pen.fill(self.trim if self.sort == "chick" else wing)
            up = smooth(mood.joy) * (0.85 + 0.15 * wave(mood.time, 0.4, self.phase)) + 0.35 * mood.hop
            pen.save()
            pen.move(side * 35, -34)
            pen.rotate(side * (0.7 - 2.2 * up))
            pen.ellipse(side * 2, 9, 7.5, 14)
            pen.fill(wing)
            pen.restore()

    def _head(self, pen: Pen) -> None:
        if self.sort == "moon":
            pen.circle(0, -44, 44)
        else:
            pen.ellipse(0, -42, 41, 42)
        self._shaded(pen, self.body, -88, 2)
        if self.sort in ("bunny", "bear", "cat"):
            pen.ellipse(0, -20, 23, 19)
            pen.fill(mix(self.body, WHITE, 0.6), 0.85)
        if self.sort == "moon":
            for x, y, r in ((-22, -66, 6), (26, -22, 7.5), (-28, -24, 4)):
                pen.circle(x, y, r)
                pen.fill(shifted(self.body, -0.05), 0.7)

    def _face(self, pen: Pen, mood: Mood) -> None:
        line = self._line
        blink = (mood.time * 0.37 + self.phase) % 1.0 > 0.955
        for side in (-1, 1):
            x, y = side * 15.5, -49
            if mood.joy > 0.5 or blink:
                pen.to(x - 5.5, y + 1)
                pen.curve(
                    x - 3, y - (5 if mood.joy > 0.5 else -2), x + 3, y - (5 if mood.joy > 0.5 else -2), x + 5.5, y + 1
                )
                pen.stroke(line, 2.8)
            else:
                pen.ellipse(x, y, 5, 6.4)
                pen.fill(line)
                pen.circle(x + 1.7, y - 2.4, 1.9)
                pen.fill(WHITE)
                pen.circle(x - 1.6, y + 2.4, 0.9)
                pen.fill(WHITE, 0.8)
            pen.ellipse(side * 25, -38, 6.2, 4)
            pen.fill(mix(self.dress, (1.0, 0.45, 0.5), 0.6), 0.5)
        if self.sort == "chick":
            pen.polygon([(-6.5, -41), (6.5, -41), (0, -33 + 1.5 * mood.joy)])
            pen.stroke(self.trim, 2.5, keep=True)
            pen.fill(self.trim)
            return
        if self.sort in ("bunny", "bear", "cat"):
            pen.ellipse(0, -42.5, 3.6, 2.5)
            pen.fill(mix(line, self.dress, 0.3))
        if mood.joy > 0.5 or mood.hop > 0.35:
            pen.to(-7, -37)
            pen.curve(-6, -24, 6, -24, 7, -37)
            pen.close()
            pen.stroke(line, 1.8, keep=True)
            pen.fill(mix(line, (0.75, 0.1, 0.2), 0.55))
            pen.ellipse(0, -30.2, 3.6, 2.6)
            pen.fill((1.0, 0.55, 0.58))
        else:
            for side in (-1, 1):
                pen.to(0, -38)
                pen.curve(side * 1, -33, side * 6, -33, side * 7, -37)
                pen.stroke(line, 2.2)

    def _hat(self, pen: Pen) -> None:
        pen.save()
        pen.move(13 if self.sort != "bunny" else 0, -80)
        pen.rotate(0.22 if self.sort != "bunny" else 0.0)
        if self.sort == "bunny":
            # A bow tie instead: its ears are in a hat's way.
            pen.move(0, 68)
            for side in (-1, 1):
                pen.polygon([(0, 0), (side * 13, -7), (side * 13, 7)])
                pen.stroke(self.dress, 3.5, keep=True)
                pen.fill(self.dress)
            pen.circle(0, 0, 3.8)
            pen.fill(shifted(self.dress, -0.1))
        else:
            pen.polygon([(-14, 3), (0, -30), (14, 3)])
            pen.stroke(self.dress, 4, keep=True)
            pen.fill(self.dress)
            for x, y, r in ((-4, -4, 2.6), (5, -7, 2.2), (0, -17, 2.2)):
                pen.circle(x, y, r)
                pen.fill(mix(self.trim, WHITE, 0.5))
            pen.polygon([(x, y - 32) for x, y in star_points(7, 7.5, 4)])
            pen.fill(self.trim)
        pen.restore()


def hop_of(since: float, slot: float, late: float) -> tuple[float, float]:
    """Height (0..1) and squash of a hop at each number, `late` seconds after it came: anticipation, flight, landing."""
    length = min(0.5, 0.6 * slot)
    share = (since - late) / length
    if share < 0 or share > 1.6:
        return 0.0, 0.0
    if share < 0.2:
        return 0.0, math.sin(math.pi * share / 0.2) * 0.9
    if share < 1.0:
        flight = (share - 0.2) / 0.8
        return 4 * flight * (1 - flight) * 0.6, -0.6 * math.sin(math.pi * flight)
    landing = (share - 1.0) / 0.6
    return 0.0, 0.8 * (1 - landing) * math.sin(math.pi * 2 * landing)
