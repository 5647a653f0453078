"""Routes as in a diagram of lines: level, upright and at 45°, with rounded bends, through the true places."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .geo import Point, mercator, unmercator

BEND = 0.22  # radius of a bend, as a share of the shorter part beside it
STEPS = 7
XY = tuple[float, float]


def octilinear(points: Sequence[Point]) -> list[list[list[Point]]]:
    """A day's legs, each a list of one line; its ends are the places themselves."""
    stations = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
    legs: list[list[list[Point]]] = []
    heading: float | None = None
    for a, b in zip(stations, stations[1:], strict=False):
        corner = _corner(mercator(a), mercator(b), heading)
        line = [a, *(unmercator(x, y) for x, y in corner), b]
        (px, py), (qx, qy) = mercator(line[-2]), mercator(b)
        heading = math.atan2(qy - py, qx - px)
        legs.append([line])
    return legs


def _corner(a: XY, b: XY, heading: float | None) -> list[XY]:
    """The points of the bend between a and b: straight first, or slanting first, whichever turns less at a."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    slant = min(abs(dx), abs(dy))
    sx, sy = math.copysign(slant, dx), math.copysign(slant, dy)
    longest = max(abs(dx), abs(dy))
    if slant < 0.06 * longest or longest - slant < 0.06 * longest:
        return [(a[0] + dx * step / 6, a[1] + dy * step / 6) for step in range(1, 6)]
    slanting, straight = (a[0] + sx, a[1] + sy), (b[0] - sx, b[1] - sy)

    def turn(corner: XY) -> float:
        if heading is None:
            return 0.0
        angle = math.atan2(corner[1] - a[1], corner[0] - a[0]) - heading
        return abs(math.remainder(angle, math.tau))

    corner = straight if turn(straight) <= turn(slanting) + 1e-9 else slanting
    before, after = math.dist(a, corner), math.dist(corner, b)
    radius = BEND * min(before, after)
    start = _towards(corner, a, radius / before)
    end = _towards(corner, b, radius / after)
    bend = []
    for step in range(STEPS + 1):
        t = step / STEPS
        u = 1 - t
        bend.append(
            (
                u * u * start[0] + 2 * u * t * corner[0] + t * t * end[0],
                u * u * start[1] + 2 * u * t * corner[1] + t * t * end[1],
            )
        )
    straights = [_towards(a, start, share) for share in (0.25, 0.5, 0.75)]
    return [*straights, *bend, *(_towards(end, b, share) for share in (0.25, 0.5, 0.75))]


def _towards(a: XY, b: XY, share: float) -> XY:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
