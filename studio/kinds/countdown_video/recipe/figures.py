"""The numbers: large stickers that come with a swing and leave before the next."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .cairo import Colour, Pen, Picture
from .colour import BLACK, WHITE, mix
from .easing import in_back, in_cubic, out_cubic, smooth, span, spring, wave
from .lettering import Line, Typesetter
from .stage import SAFE, SHORT, Stage

TALL = 0.40 * SHORT  # height of the digits
EDGE, RING = 26.0, 12.0  # the card around a digit, and the ring around that
ENTRANCES = ("pop", "drop", "swing", "turn")


@dataclass(frozen=True)
class Pose:
    """How a thing stands for one frame: shift in units, scale, angle, opacity."""

    x: float = 0.0
    y: float = 0.0
    sx: float = 1.0
    sy: float = 1.0
    angle: float = 0.0
    alpha: float = 1.0


def pose(entrance: str, since: float, slot: float, side: float) -> Pose:
    """The pose of a number `since` seconds after it came; `side` is −1 or 1."""
    comes, goes = min(0.5, 0.5 * slot), min(0.2, 0.2 * slot)
    share = span(since, 0.0, comes)
    leave = span(since, slot - goes, goes * 0.96)
    swing = spring(share)
    breath = 0.012 * wave(since, 1.3)
    stretch = 0.16 * (1 - share) * math.sin(math.tau * 1.5 * share)
    x = y = angle = 0.0
    sx, sy = swing * (1 + breath) + stretch, swing * (1 + breath) - stretch
    if entrance == "drop":
        y = -520 * (1 - out_cubic(min(1.0, share * 2.2))) if share < 0.45 else 0.0
        squash = 0.30 * math.exp(-7 * max(0.0, share - 0.4)) * math.sin(math.tau * 2 * max(0.0, share - 0.4))
        sx, sy = 1 + squash + breath, 1 - squash + breath
    elif entrance == "swing":
        angle = side * 1.1 * (1 - swing)
        x = side * 160 * (1 - out_cubic(share))
    elif entrance == "turn":
        # A card that flips; its back is never seen.
        sx = max(0.05, abs(swing * math.cos(math.pi * 0.95 * (1 - out_cubic(share)))))
    if leave > 0:
        away = in_back(leave, 2.6)
        sx *= 1 - away
        sy *= 1 - away
        y -= 40 * in_cubic(leave)
        angle += side * 0.18 * in_cubic(leave)
    alpha = smooth(span(since, 0.0, 0.06 * min(1.0, slot) + 0.02)) * (1 - in_cubic(span(leave, 0.7, 0.3)))
    return Pose(x, y, sx, sy, angle, alpha)


class Figures:
    """All numbers of a film, each drawn once."""

    def __init__(self, stage: Stage, setter: Typesetter, inks: tuple[Colour, ...], card: Colour, ring: Colour) -> None:
        self._stage, self._setter = stage, setter
        self._inks, self._card, self._ring = inks, card, ring
        rng = stage.random("figures")
        self._entrances = rng.sample(ENTRANCES, 2)
        self._first = rng.randrange(len(inks))
        self._made: dict[int, tuple[Picture, float, float]] = {}
        self.size = self._common_size()

    def _common_size(self) -> float:
        """Of an em in units: digits `TALL` high, made smaller only where the widest would leave the safe area."""
        lines = {len(str(n)): self._setter.line(str(n)) for n in self._stage.beats.numbers}
        room = self._stage.width * (1 - 2 * SAFE) - 2 * (EDGE + RING)
        sizes = []
        for digits in lines:
            sample = self._setter.line("0" * digits)
            sizes.append(min(TALL / (sample.bottom - sample.top), room / sample.width))
        return min(sizes)

    def colour(self, place: int) -> Colour:
        """The ink of the number at this place."""
        return self._inks[(self._first + place) % len(self._inks)]

    def _sticker(self, place: int) -> tuple[Picture, float, float]:
        if place not in self._made:
            if len(self._made) > 3:
                self._made.clear()
            line = self._setter.line(str(self._stage.beats.numbers[place]))
            self._made[place] = draw_sticker(line, self.size, self.colour(place), self._card, self._ring, self._stage)
        return self._made[place]

    def draw(self, pen: Pen, place: int, since: float) -> None:
        """The number at this place, over the middle of the stage."""
        slot = self._stage.beats.slot
        how = pose(self._entrances[place % 2], since, slot, 1.0 if place % 4 < 2 else -1.0)
        if how.alpha <= 0.01:
            return
        picture, left, top = self._sticker(place)
        x, y = self._stage.centre
        pen.save()
        pen.move(x + how.x, y + how.y)
        pen.rotate(how.angle)
        pen.scale(how.sx, how.sy)
        pen.picture(picture, left, top, how.alpha)
        pen.restore()


def draw_sticker(
    line: Line, size: float, ink: Colour, card: Colour, ring: Colour, stage: Stage
) -> tuple[Picture, float, float]:
    """A word with its card, ring and shadow, and where its corner lies from its middle."""
    pad = EDGE + RING + 22
    width, height = line.width * size + 2 * pad, (line.bottom - line.top) * size + 2 * pad
    picture = Picture.of_units(width, height, stage.scale * 1.12)
    pen = picture.pen
    x, y = pad - line.left * size, pad - line.top * size

    def path(dx: float = 0.0, dy: float = 0.0) -> None:
        for letter in line.letters:
            letter.path(pen, x + dx, y + dy, size)

    path(0, 10)
    pen.stroke(BLACK, 2 * (EDGE + RING), 0.20)
    path()
    pen.stroke(ring, 2 * (EDGE + RING))
    path()
    pen.stroke(card, 2 * EDGE)
    for letter in line.letters:
        letter.solid(pen, x, y, size, card)
    path(0, 5)
    pen.fill(mix(ink, BLACK, 0.35) if not stage.scheme.dark else mix(ink, card, 0.55))
    path()
    pen.fill_linear(0, pad, 0, height - pad, [(0, mix(ink, WHITE, 0.06), 1), (1, ink, 1)])
    return picture, -width / 2, -height / 2
