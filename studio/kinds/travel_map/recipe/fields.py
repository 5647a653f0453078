"""Flat fields of colour: what lies nearer to a day's stops than to any other's (Voronoi's diagram, by half planes)."""

from __future__ import annotations

from collections.abc import Sequence

from .geo import Point, mercator, unmercator

REACH = 7.0  # of the outermost corner, in extents of the stops
XY = tuple[float, float]


def cells(points: Sequence[Point], spread: float) -> list[list[Point]]:
    """The cell of each point within a large box; of points at one place, the later have none."""
    flat = [mercator(point) for point in points]
    xs, ys = [x for x, _ in flat], [y for _, y in flat]
    far = spread * REACH
    box = [(min(xs) - far, min(ys) - far), (max(xs) + far, min(ys) - far)]
    box += [(max(xs) + far, max(ys) + far), (min(xs) - far, max(ys) + far)]
    found = []
    for index, site in enumerate(flat):
        cell = [] if site in flat[:index] else list(box)
        for other in flat:
            if cell and other != site:
                cell = _nearer(cell, site, other)
        found.append([unmercator(x, max(-179.0, min(179.0, y))) for x, y in cell])
    return found


def _nearer(cell: Sequence[XY], site: XY, other: XY) -> list[XY]:
    """The part of a convex cell that is nearer to `site` than to `other`."""
    nx, ny = other[0] - site[0], other[1] - site[1]
    limit = (nx * (site[0] + other[0]) + ny * (site[1] + other[1])) / 2
    kept: list[XY] = []
    for a, b in zip(cell, [*cell[1:], cell[0]], strict=True):
        da, db = nx * a[0] + ny * a[1] - limit, nx * b[0] + ny * b[1] - limit
        if da <= 0:
            kept.append(a)
        if da * db < 0:
            share = da / (da - db)
            kept.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
    return kept
