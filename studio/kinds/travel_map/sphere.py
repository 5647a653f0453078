"""Distances and middles on the sphere. Positions are (latitude, longitude) in degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

Position: TypeAlias = tuple[float, float]

EARTH_KM = 6371.0088  # mean radius R1 of the GRS 80 ellipsoid (Moritz 2000)


def distance_km(a: Position, b: Position) -> float:
    """Great-circle distance in km, by the haversine formula."""
    lat_a, lat_b = math.radians(a[0]), math.radians(b[0])
    half = (
        math.sin((lat_b - lat_a) / 2) ** 2
        + math.cos(lat_a) * math.cos(lat_b) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    )
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def middle(positions: Sequence[Position]) -> Position:
    """The direction of the mean of the unit vectors; the first position where they cancel out."""
    x = y = z = 0.0
    for lat, lon in positions:
        phi, theta = math.radians(lat), math.radians(lon)
        x += math.cos(phi) * math.cos(theta)
        y += math.cos(phi) * math.sin(theta)
        z += math.sin(phi)
    if math.sqrt(x * x + y * y + z * z) < 1e-9 * len(positions):
        return positions[0]
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))
