"""Geometry of the map: the sphere, the Mercator plane, smooth routes, soft areas, rings.

A Point is (latitude, longitude) in degrees. On the Mercator plane it is (x, y): x the longitude, y in the same unit,
north up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

EARTH_KM = 6371.0088
MAX_LAT = 85.0  # the Mercator plane of web maps ends at 85.05
ARC_FROM_KM = 500.0  # longer legs follow the great circle, as ships and planes do


def distance_km(a: Point, b: Point) -> float:
    """Great-circle distance, by the haversine formula."""
    la, lb = math.radians(a[0]), math.radians(b[0])
    half = math.sin((lb - la) / 2) ** 2
    half += math.cos(la) * math.cos(lb) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def _vector(point: Point) -> tuple[float, float, float]:
    phi, theta = math.radians(point[0]), math.radians(point[1])
    return math.cos(phi) * math.cos(theta), math.cos(phi) * math.sin(theta), math.sin(phi)


def _point(x: float, y: float, z: float) -> Point:
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))


def middle(points: Sequence[Point]) -> Point:
    """The middle on the sphere: the direction of the mean of the unit vectors."""
    x, y, z = (sum(parts) for parts in zip(*map(_vector, points), strict=True))
    return points[0] if math.sqrt(x * x + y * y + z * z) < 1e-9 * len(points) else _point(x, y, z)


def unwrapped(points: Sequence[Point]) -> list[Point]:
    """The points with longitudes on one stretch of the plane: the globe is cut in the widest gap between them."""
    around = sorted({lon % 360.0 for _, lon in points})
    gaps = [(b - a, b) for a, b in zip(around, [*around[1:], around[0] + 360.0], strict=True)]
    first = max(gaps)[1] % 360.0
    # The least bit below the first must not go once around.
    shifted = [(lat, first + (lon - first + 1e-6) % 360.0 - 1e-6) for lat, lon in points]
    # As many as can be stay within ±180.
    inside = {turn: sum(-180 <= lon + turn <= 180 for _, lon in shifted) for turn in (0.0, -360.0)}
    turn = -360.0 if inside[-360.0] > inside[0.0] else 0.0
    return [(lat, round(lon + turn, 7)) for lat, lon in shifted]


def mercator(point: Point) -> tuple[float, float]:
    """Latitude and longitude → x, y."""
    lat = max(-MAX_LAT, min(MAX_LAT, point[0]))
    return point[1], math.degrees(math.log(math.tan(math.pi / 4 + math.radians(lat) / 2)))


def unmercator(x: float, y: float) -> Point:
    """x, y → latitude and longitude."""
    return math.degrees(2 * math.atan(math.exp(math.radians(y))) - math.pi / 2), x


def _arc(a: Point, b: Point) -> list[Point]:
    """The great circle from a to b, longitudes going on from a's."""
    va, vb = _vector(a), _vector(b)
    angle = distance_km(a, b) / EARTH_KM
    steps = max(2, min(96, math.ceil(angle * EARTH_KM / 120)))
    line = [a]
    for step in range(1, steps):
        share = step / steps
        if math.sin(angle) < 1e-6:
            lat, lon = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
        else:
            one, two = math.sin((1 - share) * angle), math.sin(share * angle)
            lat, lon = _point(*(one * p + two * q for p, q in zip(va, vb, strict=True)))
        last = line[-1][1]
        line.append((max(-MAX_LAT, min(MAX_LAT, lat)), last + (lon - last + 180.0) % 360.0 - 180.0))
    last = line[-1][1]
    line.append((b[0], last + (b[1] - last + 180.0) % 360.0 - 180.0))
    return line


def _smooth(points: Sequence[Point], steps: int = 18) -> list[list[Point]]:
    """A centripetal Catmull-Rom spline (Barry and Goldman 1988; α = 0.5) through the points, leg by leg."""
    flat = [mercator(point) for point in points]
    if len(flat) == 2:
        return [_bow(points[0], points[1], steps)]
    before = (2 * flat[0][0] - flat[1][0], 2 * flat[0][1] - flat[1][1])
    after = (2 * flat[-1][0] - flat[-2][0], 2 * flat[-1][1] - flat[-2][1])
    control = [before, *flat, after]
    legs = []
    for index in range(len(flat) - 1):
        p = control[index : index + 4]
        knots = [0.0]
        for a, b in zip(p, p[1:], strict=False):
            knots.append(knots[-1] + max(1e-9, math.hypot(b[0] - a[0], b[1] - a[1]) ** 0.5))
        leg = [points[index]]
        for step in range(1, steps):
            t = knots[1] + (knots[2] - knots[1]) * step / steps
            leg.append(unmercator(*_barry_goldman(p, knots, t)))
        leg.append(points[index + 1])
        legs.append(leg)
    return legs


def _barry_goldman(p: Sequence[tuple[float, float]], k: Sequence[float], t: float) -> tuple[float, float]:
    def mix(a: tuple[float, float], b: tuple[float, float], ka: float, kb: float) -> tuple[float, float]:
        share = (t - ka) / (kb - ka)
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    a1, a2, a3 = (mix(p[i], p[i + 1], k[i], k[i + 1]) for i in range(3))
    return mix(mix(a1, a2, k[0], k[2]), mix(a2, a3, k[1], k[3]), k[1], k[2])


def _bow(a: Point, b: Point, steps: int) -> list[Point]:
    """A flat arc between two points, so that there and back can be told apart."""
    (ax, ay), (bx, by) = mercator(a), mercator(b)
    cx, cy = (ax + bx) / 2 - (by - ay) * 0.12, (ay + by) / 2 + (bx - ax) * 0.12
    line = [a]
    for step in range(1, steps):
        t = step / steps
        u = 1 - t
        line.append(unmercator(u * u * ax + 2 * u * t * cx + t * t * bx, u * u * ay + 2 * u * t * cy + t * t * by))
    return [*line, b]


def route(points: Sequence[Point]) -> list[list[list[Point]]]:
    """A day's legs, each a list of one line, or of two where the leg leaves the map at one edge and comes in again."""
    stations = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
    if len(stations) < 2:
        return []
    long = any(distance_km(a, b) > ARC_FROM_KM for a, b in zip(stations, stations[1:], strict=False))
    if not long:
        return [[leg] for leg in _smooth(stations)]
    legs = []
    for a, b in zip(stations, stations[1:], strict=False):
        line = _arc(a, b)
        off = b[1] - line[-1][1]
        parts = [line]
        if abs(off) > 180:
            parts.append([(lat, lon + off) for lat, lon in line])
        else:
            line[-1] = b
        legs.append(parts)
    return legs


def hull(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(items: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in items:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return half(ordered) + half(ordered[::-1])


def extent(points: Sequence[Point]) -> float:
    """The larger side of the points' box on the Mercator plane, in degrees of longitude."""
    flat = [mercator(point) for point in points]
    xs, ys = [x for x, _ in flat], [y for _, y in flat]
    return max(max(xs) - min(xs), max(ys) - min(ys))


def circle(centre: Point, km: float, steps: int = 96) -> list[Point]:
    """The points at a distance from the centre, north first; longitudes go on without a jump."""
    lat, turn = math.radians(centre[0]), km / EARTH_KM
    line: list[Point] = []
    for step in range(steps + 1):
        bearing = math.tau * step / steps
        phi = math.asin(math.sin(lat) * math.cos(turn) + math.cos(lat) * math.sin(turn) * math.cos(bearing))
        theta = math.atan2(
            math.sin(bearing) * math.sin(turn) * math.cos(lat), math.cos(turn) - math.sin(lat) * math.sin(phi)
        )
        line.append((max(-MAX_LAT, min(MAX_LAT, math.degrees(phi))), centre[1] + math.degrees(theta)))
    return line


def ring_step(reach_km: float) -> float:
    """A round distance between rings, of which about three reach the farthest stop: 1, 2 or 5 times a power of ten."""
    wanted = max(reach_km, 0.3) / 2.6
    power = math.pow(10.0, math.floor(math.log10(wanted)))
    steps: list[float] = [power * factor for factor in (1, 2, 5, 10)]
    return next(step for step in steps if step >= wanted * 0.75)
