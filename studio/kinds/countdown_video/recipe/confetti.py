"""Confetti: paper thrown from cannons, under gravity and the drag of the air (solved, not stepped)."""

from __future__ import annotations

import math
import random

import numpy as np

from .cairo import Colour, Pen
from .stage import Stage

GRAVITY = 900.0  # units/s²
DRAG = 2.1  # 1/s; a sheet falls at GRAVITY / DRAG at last, slowed further by its flutter
FALL = 190.0


class Confetti:
    """`count` sheets thrown at several moments after 0 s."""

    def __init__(self, stage: Stage, rng: random.Random, colours: tuple[Colour, ...], count: int = 240) -> None:
        width, height = stage.width, stage.height
        self._colours = colours
        self._height = height
        rows = []
        reach = math.hypot(width, height)
        for number in range(count):
            kind = number % 5
            if kind < 4:
                left = kind % 2 == 0
                x, y = (-10.0 if left else width + 10), height * 0.98
                aim = math.atan2(-height * rng.uniform(0.7, 1.25), width * rng.uniform(0.12, 0.75))
                speed = reach * rng.uniform(0.9, 2.0)
                vx, vy = speed * math.cos(aim) * (1 if left else -1), speed * math.sin(aim)
                born = rng.choice((0.0, 0.0, 0.05, 0.75, 1.5, 2.6)) + rng.uniform(0, 0.12)
            else:
                x, y, vx, vy = rng.uniform(0, width), -20.0, rng.uniform(-60, 60), rng.uniform(40, 220)
                born = rng.uniform(0.1, 5.0)
            rows.append(
                (
                    x,
                    y,
                    vx,
                    vy,
                    born,
                    rng.uniform(4.5, 8.5),
                    rng.uniform(8, 15),
                    rng.uniform(0, 6.3),
                    rng.uniform(-7, 7),
                    rng.uniform(2.5, 6.5),
                    rng.uniform(0, 6.3),
                    FALL * rng.uniform(0.7, 1.4),
                )
            )
        self._rows = np.array(rows)
        self._tints = [rng.randrange(len(colours)) for _ in range(count)]

    def draw(self, pen: Pen, time: float) -> None:
        """All sheets in the air at `time` seconds after the first shot."""
        x0, y0, vx, vy, born, wide, long, turn, spin, flip, phase, fall = self._rows.T
        age = np.maximum(time - born, 0.0)
        slowed = (1 - np.exp(-DRAG * age)) / DRAG
        x = x0 + vx * slowed + 16 * np.sin(phase + age * flip * 0.6) * np.minimum(age, 1)
        y = y0 + (vy - fall) * slowed + fall * age
        angle = turn + spin * age / (1 + 0.4 * age)
        shut = np.cos(phase + flip * age * 1.6)
        ax, ay = np.cos(angle) * wide, np.sin(angle) * wide
        bx, by = -np.sin(angle) * long * shut, np.cos(angle) * long * shut
        corners = np.stack(
            [x + ax + bx, y + ay + by, x + ax - bx, y + ay - by, x - ax - bx, y - ay - by, x - ax + bx, y - ay + by],
            axis=1,
        )
        seen = (time > born) & (y < self._height + 30)
        for tint, colour in enumerate(self._colours):
            for light in (False, True):
                drawn = False
                for number in np.flatnonzero(seen & ((shut > 0) == light)):
                    if self._tints[number] != tint:
                        continue
                    c = corners[number].tolist()
                    pen.to(c[0], c[1])
                    pen.line(c[2], c[3])
                    pen.line(c[4], c[5])
                    pen.line(c[6], c[7])
                    pen.close()
                    drawn = True
                if drawn:
                    shade = colour if light else tuple(share * 0.82 for share in colour)
                    pen.fill(shade)  # type: ignore[arg-type]
