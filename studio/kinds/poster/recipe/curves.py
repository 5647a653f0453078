"""Smooth curves and value noise for the motifs; all randomness comes from the generator that is handed in."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

Point = tuple[float, float]


def short(value: float) -> str:
    """A coordinate with one decimal: ornament needs no more."""
    return f"{value:.1f}".removesuffix(".0")


def smooth(points: Sequence[Point], closed: bool = False) -> str:
    """Path data through points as cubic Béziers (Catmull–Rom)."""
    count = len(points)

    def at(index: int) -> Point:
        return points[index % count] if closed else points[min(max(index, 0), count - 1)]

    data = [f"M{short(points[0][0])} {short(points[0][1])}"]
    for index in range(count if closed else count - 1):
        before, start, end, after = at(index - 1), at(index), at(index + 1), at(index + 2)
        one = (start[0] + (end[0] - before[0]) / 6, start[1] + (end[1] - before[1]) / 6)
        two = (end[0] - (after[0] - start[0]) / 6, end[1] - (after[1] - start[1]) / 6)
        data.append("C" + " ".join(f"{short(x)} {short(y)}" for x, y in (one, two, end)))
    return "".join(data) + ("Z" if closed else "")


def polygon(points: Sequence[Point]) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points) + "Z"


def dot(x: float, y: float, radius: float) -> str:
    """Path data of a disc, so that many can share one element."""
    r, across = f"{radius:.2f}", f"{2 * radius:.2f}"
    return f"M{short(x - radius)} {short(y)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0"


def arc(cx: float, cy: float, radius: float, start: float, end: float) -> str:
    """Path data of a circular arc between two angles in turns."""
    points = [
        (cx + radius * math.cos(2 * math.pi * turn), cy + radius * math.sin(2 * math.pi * turn))
        for turn in (start, end)
    ]
    large = int(end - start > 0.5)
    (x1, y1), (x2, y2) = points
    return f"M{short(x1)} {short(y1)}A{short(radius)} {short(radius)} 0 {large} 1 {short(x2)} {short(y2)}"


def swell(rng: random.Random, waves: int = 4, slowest: float = 0.6) -> Callable[[float], float]:
    """A smooth function of 0..1 with values around -1..1: a sum of sines, slow ones larger."""
    parts = [
        (rng.uniform(0.6, 1.0) / (number + 1), slowest * (number + 1) * rng.uniform(0.8, 1.25), rng.random())
        for number in range(waves)
    ]
    whole = sum(part[0] for part in parts)

    def value(position: float) -> float:
        return sum(size * math.sin(2 * math.pi * (speed * position + phase)) for size, speed, phase in parts) / whole

    return value
