"""Land of the world (Natural Earth), cut to what the map can show."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from .geo import Point, mercator, unmercator
from .trip import JOURNEY_KM

FOLDER = Path("/opt/studio/web/world")
COUNTRY_KM, WORLD_KM = JOURNEY_KM, 2500.0  # reach of a trip from which land is drawn at first, and from which all of it

Ring: TypeAlias = list[tuple[float, float]]


def land(stops: Sequence[Point], reach_km: float) -> list[list[list[float]]]:
    """Polygons as rings of longitude and latitude in turn; fine where the trip spans a country, else all the world."""
    if not COUNTRY_KM <= reach_km < WORLD_KM:
        return [[_flat(ring, 1) for ring in polygon] for polygon in _polygons("land-110m.geojson")]
    box = _box(stops)
    found = []
    for turn in (-360.0, 0.0, 360.0):
        for polygon in _polygons("land-50m.geojson"):
            moved = [[(lon + turn, lat) for lon, lat in ring] for ring in polygon]
            rings = [_flat(ring, 3) for ring in (_clip(ring, box) for ring in moved) if len(ring) > 2]
            if rings:
                found.append(rings)
    return found


def _box(stops: Sequence[Point]) -> tuple[float, float, float, float]:
    """West, south, east and north of what may come into view around the stops."""
    flat = [mercator(point) for point in stops]
    xs, ys = [x for x, _ in flat], [y for _, y in flat]
    margin = max(max(xs) - min(xs), max(ys) - min(ys), 1.0) * 2.2
    south, north = unmercator(0, min(ys) - margin)[0], unmercator(0, max(ys) + margin)[0]
    return min(xs) - margin, south, max(xs) + margin, north


def borders(stops: Sequence[Point]) -> list[list[float]]:
    """Borders between countries near the stops, as longitude and latitude in turn.

    They are the arcs that two countries of the TopoJSON file share (TopoJSON specification, 2.1.4 "Arc indexes").
    """
    topology = json.loads((FOLDER / "countries-110m.json").read_text(encoding="utf-8"))
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    uses: Counter[int] = Counter()
    for country in topology["objects"]["countries"]["geometries"]:
        uses.update({index if index >= 0 else ~index for index in _indexes(country.get("arcs", []))})
    west, south, east, north = _box(stops)
    found = []
    for index, count in uses.items():
        if count < 2:
            continue
        x = y = 0
        line: list[float] = []
        for dx, dy in topology["arcs"][index]:
            x, y = x + dx, y + dy
            line += (round(x * sx + tx, 2), round(y * sy + ty, 2))
        for turn in (-360.0, 0.0, 360.0):
            lons, lats = [lon + turn for lon in line[::2]], line[1::2]
            if max(lons) >= west and min(lons) <= east and max(lats) >= south and min(lats) <= north:
                found.append([value for pair in zip(lons, lats, strict=True) for value in pair])
                break
    return found


def _indexes(arcs: Any) -> Iterator[int]:
    for item in arcs:
        if isinstance(item, int):
            yield item
        else:
            yield from _indexes(item)


def _polygons(name: str) -> list[list[Ring]]:
    found = []
    for feature in json.loads((FOLDER / name).read_text(encoding="utf-8"))["features"]:
        shape = feature["geometry"]
        parts = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
        found += [[_unrolled([(lon, lat) for lon, lat, *_ in ring]) for ring in part] for part in parts]
    return found


def _unrolled(ring: Ring) -> Ring:
    """The ring without a jump at ±180°; one that goes around a pole is closed along the edge of the map."""
    line = [ring[0]]
    for lon, lat in ring[1:]:
        last = line[-1][0]
        line.append((last + (lon - last + 180.0) % 360.0 - 180.0, lat))
    if abs(line[-1][0] - line[0][0]) > 180:
        edge = -85.0 if line[0][1] < 0 else 85.0
        line += [(line[-1][0], edge), (line[0][0], edge)]
    return line


def _flat(ring: Ring, digits: int) -> list[float]:
    flat: list[float] = []
    last = None
    for lon, lat in ring:
        point = (round(lon, digits), round(max(-85.0, min(85.0, lat)), digits))
        if point != last:
            flat += point
            last = point
    return flat


def _clip(ring: Ring, box: tuple[float, float, float, float]) -> Ring:
    """The ring within a box (Sutherland and Hodgman 1974)."""
    west, south, east, north = box
    lons, lats = [lon for lon, _ in ring], [lat for _, lat in ring]
    if max(lons) < west or min(lons) > east or max(lats) < south or min(lats) > north:
        return []
    for axis, edge, sign in ((0, west, 1), (0, east, -1), (1, south, 1), (1, north, -1)):
        result: Ring = []
        for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
            in_a, in_b = (a[axis] - edge) * sign >= 0, (b[axis] - edge) * sign >= 0
            if in_a:
                result.append(a)
            if in_a != in_b:
                share = (edge - a[axis]) / (b[axis] - a[axis])
                result.append((a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share))
        ring = result
        if not ring:
            return []
    return ring
