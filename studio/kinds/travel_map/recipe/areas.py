"""The soft area of a day: whatever lies near its route, plumper where the route goes around something.

The field is a mean of the distance from the route and from the hull of the stops; its contours are the area's edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import contourpy
import numpy as np

from .geo import Point, hull, mercator, unmercator

Array: TypeAlias = Any

CELLS = 110  # along the longer side of the field
OF_ROUTE, OF_HULL = 0.62, 0.38
SHARES = (1.0, 0.72, 0.46)


def soft_areas(line: Sequence[Point], stops: Sequence[Point], radius: float) -> list[list[list[Point]]]:
    """Areas, the widest first, each a list of rings; `radius` is in degrees of longitude on the Mercator plane."""
    route = np.array([mercator(point) for point in line])
    corners = hull([mercator(point) for point in stops])
    low, high = route.min(axis=0) - 2.2 * radius, route.max(axis=0) + 2.2 * radius
    step = max(high - low) / CELLS
    x, y = np.arange(low[0], high[0] + step, step), np.arange(low[1], high[1] + step, step)
    grid = np.stack(np.meshgrid(x, y), axis=-1)
    field = OF_ROUTE * _from_route(grid, route) + OF_HULL * _from_hull(grid, corners, route)
    contours = contourpy.contour_generator(x, y, field)
    return [
        [
            [unmercator(float(px), float(py)) for px, py in ring]
            for ring in contours.lines(radius * share)
            if len(ring) > 4
        ]
        for share in SHARES
    ]


def _from_route(grid: Array, route: Array) -> Array:
    """Distance of each cell from a polyline."""
    best = np.hypot(*np.moveaxis(grid - route[0], -1, 0))
    for a, b in zip(route, route[1:], strict=False):
        along = b - a
        length = float(along @ along)
        share = np.clip(((grid - a) @ along) / length, 0, 1) if length else np.zeros(grid.shape[:2])
        best = np.minimum(best, np.hypot(*np.moveaxis(grid - a - share[..., None] * along, -1, 0)))
    return best


def _from_hull(grid: Array, corners: Sequence[tuple[float, float]], route: Array) -> Array:
    """Distance outside of the hull, 0 within; of fewer than three corners, that from the route."""
    if len(corners) < 3:
        return _from_route(grid, route)
    outside = np.zeros(grid.shape[:2])
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        (ax, ay), (bx, by) = a, b
        length = max(1e-12, float(np.hypot(bx - ax, by - ay)))
        outside = np.maximum(outside, ((grid[..., 0] - ax) * (by - ay) - (grid[..., 1] - ay) * (bx - ax)) / length)
    return outside
