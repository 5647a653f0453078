"""The map's geometry as JSON for the script: routes, areas, fields, rings, the grid, what is drawn larger beside it."""

from __future__ import annotations

import math
from typing import Any

from .areas import soft_areas
from .diagram import octilinear
from .fields import cells
from .geo import Point, circle, extent, mercator, ring_step, route
from .looks import CHART, METRO, PLAN, POSTER, Look, field_colours
from .trip import Stop, Trip
from .words import Words
from .world import COUNTRY_KM, WORLD_KM, borders, land

GRATICULE = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0)  # degrees
LEAST_SPREAD = 0.012  # degrees: a trip is not drawn larger than that
CROWDED, APART = 0.27, 0.3  # a group this small, with this much of the trip's extent between it and the rest
RHUMBS = 16
Line = list[list[float]]


def drawing(trip: Trip, words: Words, look: Look, bearing: int) -> dict[str, Any]:
    """All that the script draws; positions are [latitude, longitude] in degrees."""
    everything = [stop.shown for stop in trip.stops]
    spread = max(extent(everything), LEAST_SPREAD)
    far = trip.reach_km >= COUNTRY_KM
    return {
        "days": [_day(trip, index, words, look, spread) for index in range(len(trip.days))],
        "stops": [_stop(stop, trip) for stop in trip.stops],
        "words": {key: words[key] for key in ("tip", "close", "before", "after", "overview", "itinerary", "map")},
        "land": land(everything, trip.reach_km),
        "borders": borders(everything) if far else [],
        "far": far,
        "world": trip.reach_km >= WORLD_KM,
        "grid": _grid(everything, spread),
        "transfers": _transfers(trip),
        "rings": _rings(trip, words, bearing, look),
        "rays": _rays(trip, spread, look),
        "ticks": _ticks(trip, look),
        "fields": _fields(trip, look, spread),
        "inset": _inset(trip, spread),
        "look": {
            "name": look.name,
            "motif": look.motif,
            "paper": look.paper,
            "panel": look.panel,
            "water": look.water,
            "ink": look.ink,
            "casing": look.casing,
        },
    }


def _stop(stop: Stop, trip: Trip) -> dict[str, Any]:
    return {
        "n": stop.number,
        "day": stop.day,
        "name": stop.name,
        "at": list(stop.shown),
        "time": stop.time,
        "activity": stop.activity,
        "tip": stop.tip,
        "rank": int(stop.number in (1, len(trip.stops))) + 2 * int(stop.number in trip.starred),
    }


def _day(trip: Trip, index: int, words: Words, look: Look, spread: float) -> dict[str, Any]:
    day, colour = trip.days[index], look.days[index]
    points = [stop.shown for stop in day.stops]
    far = trip.reach_km >= COUNTRY_KM
    legs = octilinear(points) if look.name == METRO else route(points)
    return {
        "n": day.number,
        "name": words.day(day.number),
        "about": words.distance(day.km) if day.legs else "",
        "ink": colour.ink,
        "on": colour.on,
        "printed": colour.printed,
        "dash": colour.dash,
        "lines": [[_rounded(part) for part in leg] for leg in legs],
        "arrows": [_arrow(leg[0]) for leg in legs],
        "areas": _areas(points, legs, spread, far) if look.name == PLAN else [],
    }


def _rounded(line: list[Point], exact: bool = True) -> Line:
    """Positions to a metre; the ends of a route keep every digit."""
    points = [[round(lat, 5), round(lon, 5)] for lat, lon in line]
    if exact:
        points[0], points[-1] = list(line[0]), list(line[-1])
    return points


def _transfers(trip: Trip) -> list[dict[str, Any]]:
    """Lines from the last stop of a day to the first of the next, on a trip that goes from place to place."""
    lines: list[dict[str, Any]] = []
    last: Stop | None = None
    for day in trip.days:
        if day.approach and last:
            for leg in route([last.shown, day.stops[0].shown]):
                lines.append({"lines": [_rounded(part) for part in leg], "arrow": _arrow(leg[0])})
        last = day.stops[-1] if day.stops else last
    return lines


def _arrow(line: list[Point]) -> list[float]:
    """Where the middle of a leg is, and its direction on the screen in degrees, clockwise from east."""
    half = len(line) // 2
    (ax, ay), (bx, by) = mercator(line[half - 1]), mercator(line[min(half + 1, len(line) - 1)])
    lat, lon = line[half]
    return [round(lat, 5), round(lon, 5), round(math.degrees(math.atan2(ay - by, bx - ax)), 1)]


def _areas(points: list[Point], legs: list[list[list[Point]]], spread: float, far: bool) -> list[list[Line]]:
    """A day's soft areas, the widest first: around its route, or around each stop where those are far apart."""
    if not points:
        return []
    radius = spread * 0.075
    if far and extent(points) > spread * 0.3:
        groups = [([point], [point]) for point in points]
        radius *= 0.6
    else:
        groups = [([point for leg in legs for point in leg[0]] or points, points)]
    found = []
    for line, stops in groups:
        found += [[_rounded(ring, exact=False) for ring in rings] for rings in soft_areas(line, stops, radius)]
    return found


def _grid(points: list[Point], spread: float) -> dict[str, Any]:
    """Meridians and parallels at round degrees; where the squares A1, A2, … begin."""
    step, west, north = _squares(points, spread)
    lats, lons = [lat for lat, _ in points], [lon for _, lon in points]
    south, top = max(-80.0, min(lats) - 2 * spread), min(80.0, max(lats) + 2 * spread)
    left, right = min(lons) - 2 * spread, max(lons) + 2 * spread
    lines = []
    for number in range(math.ceil(south / step), math.floor(top / step) + 1):
        lines.append([[round(number * step, 4), left], [round(number * step, 4), right]])
    for number in range(math.ceil(left / step), math.floor(right / step) + 1):
        lines.append([[south, round(number * step, 4)], [top, round(number * step, 4)]])
    return {"lines": lines, "step": step, "west": west, "north": north}


def _squares(points: list[Point], spread: float) -> tuple[float, float, float]:
    step = next((each for each in GRATICULE if spread / each < 7), 30.0)
    west = math.floor(min(lon for _, lon in points) / step) * step
    north = math.ceil(max(lat for lat, _ in points) / step) * step
    return step, round(west, 4), round(north, 4)


def squares(trip: Trip) -> dict[int, str]:
    """The square of the grid in which each stop lies, as B3: by columns from the west, by rows from the north."""
    points = [stop.shown for stop in trip.stops]
    step, west, north = _squares(points, max(extent(points), LEAST_SPREAD))
    found = {}
    for stop in trip.stops:
        lat, lon = stop.shown
        column, row = math.floor((lon - west) / step + 1e-9), math.floor((north - lat) / step + 1e-9)
        found[stop.number] = f"{chr(65 + column)}{row + 1}"
    return found


def _middle(trip: Trip) -> Point:
    """The trip's centre, on the stretch of the plane where the stops are shown."""
    everything = [stop.shown for stop in trip.stops]
    turn = round((sum(lon for _, lon in everything) / len(everything) - trip.centre[1]) / 360.0) * 360.0
    return trip.centre[0], trip.centre[1] + turn


def _rings(trip: Trip, words: Words, bearing: int, look: Look) -> list[dict[str, Any]]:
    """Circles of round distances about the centre, each with the place of its label."""
    centre, step = _middle(trip), ring_step(trip.reach_km)
    most, share = (16, 4.5) if look.name in (METRO, POSTER) else (6, 1.75)
    found = []
    for number in range(1, most + 1):
        km = step * number
        if km > min(max(trip.reach_km, step) * share, 9000.0):
            break
        line = circle(centre, km)
        if any(abs(lat) > 84 for lat, _ in line):
            break
        label = line[round(bearing / 360 * 96)]
        found.append(
            {
                "line": _rounded(line, exact=False),
                "label": words["km"].format(words.round_number(km)),
                "at": list(label),
            }
        )
    return found


def _rays(trip: Trip, spread: float, look: Look) -> list[Line]:
    """Wedges about the centre (poster), or lines of constant bearing from it (chart): straight on the plane."""
    if not (look.name == CHART or (look.name == POSTER and look.motif == "rays")):
        return []
    x, y = mercator(_middle(trip))
    far = spread * 7
    count = RHUMBS if look.name == CHART else 36

    def end(turn: float) -> list[float]:
        lat, lon = (x + far * math.sin(turn), max(-170.0, min(170.0, y + far * math.cos(turn))))[::-1]
        lat = math.degrees(2 * math.atan(math.exp(math.radians(lat))) - math.pi / 2)
        return [round(lat, 5), round(lon, 5)]

    centre = list(_middle(trip))
    turns = [math.tau * number / count for number in range(count)]
    if look.name == CHART:
        return [[centre, end(turn)] for turn in turns]
    return [[centre, end(turn), end(turn + math.tau / count)] for turn in turns[::2]]


def _ticks(trip: Trip, look: Look) -> dict[str, Any] | None:
    """A graduated circle of true bearings about the centre, just beyond the farthest stop; on small trips only."""
    if look.name != CHART or trip.reach_km >= COUNTRY_KM or len({stop.at for stop in trip.stops}) < 2:
        return None
    centre, km = _middle(trip), trip.reach_km * 1.16
    steps = 120
    inner, short, long = (circle(centre, km * share, steps) for share in (1.0, 1.025, 1.05))
    outer = circle(centre, km * 1.065, steps)
    names = circle(centre, km * 1.12, steps)
    marks = [[inner[i], (long if i % 10 == 0 else short)[i]] for i in range(steps)]
    return {
        "circles": [_rounded(inner, exact=False), _rounded(outer, exact=False)],
        "marks": [_rounded(mark, exact=False) for mark in marks],
        "names": [[f"{i * 360 // steps:03}°", *_rounded([names[i]], exact=False)[0]] for i in range(0, steps, 10)],
    }


def _fields(trip: Trip, look: Look, spread: float) -> list[dict[str, Any]]:
    """Each day's field on a poster; a trip of one day has one for each stop."""
    if look.name != POSTER:
        return []
    stops, own = trip.stops, field_colours(trip, look)
    found = []
    for index, cell in enumerate(cells([stop.shown for stop in stops], spread)):
        colour = own.get(stops[index].number, look.days[stops[index].day - 1].field)
        if cell:
            found.append({"line": _rounded(cell, exact=False), "fill": colour})
    return found


def _inset(trip: Trip, spread: float) -> list[int]:
    """The stops that lie so close together, far from the others, that they are drawn larger beside the map."""
    flat = {stop.number: mercator(stop.shown) for stop in trip.stops}
    best: set[int] = set()
    for number in flat:
        group, edge = {number}, [number]
        while edge:
            at = flat[edge.pop()]
            near = [n for n, p in flat.items() if n not in group and math.dist(at, p) < APART / 2 * spread]
            group.update(near)
            edge += near
        best = max(best, group, key=lambda each: (len(each), sorted(each)))
    points = [stop.shown for stop in trip.stops if stop.number in best]
    lone = len(best) == len(flat)
    small = len(best) >= 3 and extent(points) < CROWDED * spread
    return [] if lone or not small or trip.reach_km >= WORLD_KM else sorted(best)
