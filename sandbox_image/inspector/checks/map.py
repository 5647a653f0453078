"""Checks of a map on a page: its markers, what a click on each shows, its routes, its places, its attribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from sandbox_image.inspector import map_spots
from sandbox_image.inspector.map_visit import TOO_SLOW, Click, Clicks, Shown, clicks, distance_km, placed
from sandbox_image.inspector.page_tour import Tour
from sandbox_image.inspector.page_visit import first, opaque, stops_of, tour
from sandbox_image.inspector.registry import check
from sandbox_image.inspector.stop_words import lacking_of_any
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject
from sandbox_image.inspector.words import fold

GROUP = "web page"
SHOWN = 4
LINE_KM = 0.4  # how far from a stop its line may pass, at least
LINE_SHARE = 0.03  # or this share of the day's extent, for curved lines
LINE_PX = 14.0  # the same in a page whose lines have no positions
NULL_DEGREES = 0.02


def _stops(subject: Subject, args: dict[str, Json]) -> list[Json]:
    """The stops as all checks have them."""
    return stops_of(subject) or list(args.get("stops", []))


def _named(items: Sequence[str], more: str = "more") -> str:
    rest = f" and {len(items) - SHOWN} {more}" if len(items) > SHOWN else ""
    return ", ".join(items[:SHOWN]) + rest


def _done(subject: Subject, args: dict[str, Json], faulty: Callable[[Shown], bool] = lambda shown: False) -> Clicks:
    """The clicks. Raises TimeoutError where there was no time for all, unless a fault was found before."""
    done = clicks(subject, args["file"], _stops(subject, args))
    if done.late and not any(faulty(shown) for shown in done.shown):
        raise TimeoutError("there was no time to click every marker")
    return done


def _blocked(shown: Shown) -> bool:
    return shown.click is None or not (shown.click.reached or shown.click.why == TOO_SLOW)


def _mistaken(shown: Shown) -> bool:
    return _blocked(shown) or bool(shown.click and shown.click.reached and shown.missing)


@check("map.markers", limit_s=60.0)
def markers(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each stop of the brief, or enough places, is a marker that a real click reaches, with and without storage.

    A marker is one of Leaflet's or MapLibre's, or an element with a role and a name (WAI-ARIA 1.2; Accessible Name and
    Description Computation 1.2).
    """
    path = args["file"]
    done = _done(subject, args, _blocked)
    seen = first(subject, path)
    if not tour(subject, path).markers:
        message = (
            f"{path} has no marker: use Leaflet markers or vectors, or elements with a role, a name, data-lat and "
            "data-lon."
        )
        return Evidence(False, 0, message, file=path)
    if args["stops"]:
        reached = [shown for shown in done.shown if shown.click and shown.click.reached]
        unreached = [shown for shown in done.shown if shown not in reached]
        sentences = [_unreached(shown) for shown in unreached]
        count = len(reached)
        spots = map_spots.of_stops(seen, _stops(subject, args), unreached or reached)
    else:
        places = {_spot(click) for click in done.clicks if click.reached and click.texts}
        count = len(places)
        blocked = [f"one at {_at(click.marker)} {click.why}" for click in done.clicks if not click.reached]
        lacking = f"{path} has {count} markers that can be clicked and show something; {args['minimum']} are needed."
        sentences = [] if count >= args["minimum"] else [lacking, *blocked]
        spots = map_spots.of_markers(seen, [click for click in done.clicks if not (sentences and click.reached)])
    subject.facts["map"] = _facts(done)
    if (
        not sentences
        and not any(marker["shown"] for marker in opaque(subject, path))
        and _seen_first(tour(subject, path))
    ):
        sentences = [f"{path} shows no marker in a frame without storage; do not depend on localStorage or cookies."]
    message = " ".join(sentences[:SHOWN])
    if len(sentences) > SHOWN:
        message += f" {len(sentences) - SHOWN} more like this."
    return Evidence(not sentences, f"{count} of {args['minimum']}", message, file=path, spots=spots)


def _seen_first(found: Tour) -> bool:
    return any(marker["shown"] for marker in found.markers.values())


def _unreached(shown: Shown) -> str:
    name, pointer = shown.stop["name"], shown.stop["pointer"]
    if shown.click is None:
        return f'"{name}" ({pointer}) has no marker; add one at {shown.stop["lat"]:g}, {shown.stop["lon"]:g}.'
    return f'The marker of "{name}" ({pointer}) {shown.click.why}; make it reachable by a click.'


def _spot(click: Click) -> tuple[float, float, str]:
    lat, lon = click.marker["lat"], click.marker["lon"]
    if lat is None or lon is None:
        return 0.0, 0.0, click.marker["label"]
    return round(lat, 5), round(lon, 5), ""


def _at(marker: Json) -> str:
    return f"{marker['lat']:.4f}, {marker['lon']:.4f}" if placed(marker) else "no position"


def _facts(done: Clicks) -> Json:
    listed = [
        {"name": shown.stop["name"], "marker": _place(shown.click), "missing": shown.missing} for shown in done.shown
    ]
    chosen = [{"text": click.texts[0][:200] if click.texts else "", "marker": _place(click)} for click in done.clicks]
    return {"stops": listed or chosen[:200]}


def _place(click: Click | None) -> Json:
    return [click.marker["lat"], click.marker["lon"]] if click and placed(click.marker) else None


@check("map.popups", limit_s=60.0)
def popups(subject: Subject, args: dict[str, Json]) -> Evidence:
    """A click on each marker shows its own stop, in a popup or in whatever else on the page changes.

    Clicked as a person does (UI Events, `click`), from the first view; times count in all usual notations.
    """
    path = args["file"]
    done = _done(subject, args, _mistaken)
    sentences: list[str] = []
    seen = first(subject, path)
    if args["stops"]:
        good = [shown for shown in done.shown if shown.click and shown.click.reached and not shown.missing]
        for shown in done.shown:
            if shown not in good:
                what = ", ".join(f"{field} “{shown.stop[field]}”" for field in shown.missing) or "it"
                sentences.append(
                    f'A click on the marker of "{shown.stop["name"]}" does not show {what}; write it into its popup.'
                )
        count, needed = len(good), len(args["stops"])
        bad = [shown for shown in done.shown if shown not in good]
        spots = map_spots.of_stops(seen, _stops(subject, args), bad or good)
    else:
        needed = args["minimum"]
        told = [(click, min(map(lacking_of_any, click.texts), key=len, default=["anything"])) for click in done.clicks]
        told = [(click, missing) for click, missing in told if click.reached]
        count = sum(not missing for _, missing in told)
        bare = [(click, missing) for click, missing in told if missing]
        if count < needed or len(bare) > len(told) // 4:
            sentences = [
                f"The marker at {_at(click.marker)} shows no {' and no '.join(m)}; write it into its popup."
                for click, m in bare
            ]
            sentences = sentences or [f"{count} markers show a name and a time; {needed} are needed."]
        spots = map_spots.of_markers(seen, [click for click, missing in told if missing or not sentences])
    message = " ".join(sentences[:SHOWN])
    if len(sentences) > SHOWN:
        message += f" {len(sentences) - SHOWN} more like this."
    return Evidence(not sentences, f"{count} of {needed}", message, file=path, spots=spots)


@check("map.routes", limit_s=60.0)
def routes(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each day that needs one has a line of its own, or several, that pass through the day's stops.

    Distances in the plane that touches the sphere there; which line is whose, by maximum bipartite matching.
    """
    path = args["file"]
    found = tour(subject, path)
    lines = [[(lat, lon) for lat, lon in points] for points in found.lines.values()]
    if not args["days"]:
        count = len(lines) or _drawn(found)
        message = f"{path} has {count} lines through its markers; draw one for each of {args['minimum']} days."
        good = count >= args["minimum"]
        return Evidence(good, count, "" if good else message, file=None if good else path)
    if lines:
        passing = {day["day"]: _passing(lines, day["points"]) for day in args["days"]}
    else:
        passing = _passing_drawn(found, args["days"])
    apart = _own_lines(passing)
    lacking = [day for day in passing if day not in apart]
    measured = f"{len(apart)} of {len(passing)} days"
    if not lacking:
        return Evidence(True, measured)
    days = _named([f"day {day}" for day in lacking], "more days")
    message = f"{path} has no line of its own through all stops of {days}; draw one in the order of the visit."
    stops = _stops(subject, args)
    spots: tuple[Spot, ...] = ()
    for day in args["days"]:
        if day["day"] in lacking:
            spots += map_spots.of_positions(first(subject, path), stops, day["points"], f"day {day['day']}")
    return Evidence(False, measured, message, file=path, spots=spots)


def _passing(lines: Sequence[Sequence[tuple[float, float]]], points: Sequence[Sequence[float]]) -> set[int]:
    """The lines that pass through two or more of a day's points, if together they pass through all."""
    extent = max(distance_km(a, b) for a in points for b in points)
    near = max(LINE_KM, LINE_SHARE * extent)
    touched = [{i for i, point in enumerate(points) if _away(line, point) <= near} for line in lines]
    places = len({tuple(point) for point in points})
    useful = {
        n for n, some in enumerate(touched) if len({tuple(points[i]) for i in some}) >= min(2, places)
    }  # fmt: skip
    covered = set().union(*(touched[n] for n in useful)) if useful else set()
    return useful if len(covered) == len(points) else set()


def _away(line: Sequence[tuple[float, float]], point: Sequence[float]) -> float:
    """Distance of a point from a line in km, on the plane that touches the sphere there."""
    lat, lon = point
    squeeze = math.cos(math.radians(lat))
    flat = []
    for y, x in line:
        turned = (x - lon + 180.0) % 360.0 - 180.0
        flat.append((turned * squeeze * 111.195, (y - lat) * 111.195))
    best = min(math.hypot(x, y) for x, y in flat)
    for (ax, ay), (bx, by) in pairwise(flat):
        if abs(ax - bx) > 20_000 * max(squeeze, 0.02):
            continue  # from one edge of the world to the other
        best = min(best, _to_segment(ax, ay, bx, by))
    return best


def _to_segment(ax: float, ay: float, bx: float, by: float) -> float:
    """Distance of the origin from a segment."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    along = max(0.0, min(1.0, -(ax * dx + ay * dy) / length)) if length else 0.0
    return math.hypot(ax + along * dx, ay + along * dy)


def _drawn(found: Tour) -> int:
    """Lines of a page without Leaflet that pass two of its markers."""
    spots = [spot for spot in found.spots if spot]
    return sum(sum(_near(stroke, spot) for spot in spots) >= 2 for stroke in found.strokes)


def _near(stroke: Sequence[Sequence[float]], spot: Sequence[float]) -> bool:
    x, middle, foot = spot
    return any(abs(px - x) <= LINE_PX and min(abs(py - middle), abs(py - foot)) <= LINE_PX for px, py in stroke)


def _passing_drawn(found: Tour, days: Sequence[Json]) -> dict[int, set[int]]:
    """As `_passing`, in px, by where the markers of each day's points are seen."""
    keys = list(found.markers.values())
    passing = {}
    for day in days:
        spots = []
        for point in day["points"]:
            near = [
                found.spots[marker["id"]]
                for marker in keys
                if placed(marker)
                and marker["id"] < len(found.spots)
                and distance_km((marker["lat"], marker["lon"]), point) <= 1.0
            ]
            spots += [spot for spot in near[:1] if spot]
        touched = [{i for i, spot in enumerate(spots) if _near(stroke, spot)} for stroke in found.strokes]
        useful = {n for n, some in enumerate(touched) if len(some) >= 2}
        covered = set().union(*(touched[n] for n in useful)) if useful else set()
        passing[day["day"]] = useful if len(covered) == len(day["points"]) else set()
    return passing


def _own_lines(passing: dict[int, set[int]]) -> set[int]:
    """The days that can each have a line of their own (maximum bipartite matching by augmenting paths)."""
    owner: dict[int, int] = {}

    def claim(day: int, tried: set[int]) -> bool:
        for line in passing[day] - tried:
            tried.add(line)
            if line not in owner or claim(owner[line], tried):
                owner[line] = day
                return True
        return False

    return {day for day in passing if claim(day, set())}


@check("map.place", limit_s=60.0)
def place(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Markers lie where they belong: WGS 84 degrees, longitudes taken around the globe.

    Great-circle distances by the haversine formula (`map_visit.distance_km`).
    """
    path = args["file"]
    done = _done(subject, args)
    sentences: list[str] = []
    worst = 0.0
    astray: list[Shown] = []
    for shown in done.shown:
        if shown.click is None:
            continue
        marker, own = (shown.elsewhere or shown.click).marker, (shown.stop["lat"], shown.stop["lon"])
        if not placed(marker):
            sentences.append(f'The marker of "{shown.stop["name"]}" has no position; give it data-lat and data-lon.')
            continue
        away = distance_km(_on_globe(marker), own) if abs(marker["lat"]) <= 90 else math.inf
        worst = max(worst, min(away, 20_040.0))
        if away > args["tolerance_km"]:
            astray.append(shown)
            where = (
                "with latitude and longitude swapped"
                if _swapped(marker, own)
                else f"{away:,.1f} km away from its place"
            )
            sentences.append(f'The marker of "{shown.stop["name"]}" lies {where}; put it at {own[0]:g}, {own[1]:g}.')
    every = list(tour(subject, path).markers.values())
    judged = [marker for marker in every if marker["answers"]] or every
    own_places = [(stop["lat"], stop["lon"]) for stop in args["stops"]]
    strays = []
    for marker in judged:
        if placed(marker) and (fault := _misplaced(marker, args, own_places)):
            sentences.append(fault)
            strays.append(marker)
    if not judged:
        return Evidence(False, 0, f"{path} has no marker with a position.", file=path)
    if not args["stops"] and not any(placed(marker) for marker in judged):
        sentences.append("No marker has a position; use Leaflet, or give each data-lat and data-lon.")
    sentences = list(dict.fromkeys(sentences))
    message = " ".join(sentences[:SHOWN])
    if len(sentences) > SHOWN:
        message += f" {len(sentences) - SHOWN} more like this."
    measured = {"markers": len(judged), "farthest from its stop, km": round(worst, 2)}
    # Each marker where it lies, and where its stop is.
    seen, stops = first(subject, path), _stops(subject, args)
    spots = map_spots.of_stops(seen, stops, astray)
    spots += tuple(spot for spot in map_spots.of_stops(seen, stops, astray, own=True) if spot not in spots)
    spots += tuple(spot for spot in map_spots.of_each(seen, strays) if spot not in spots)
    return Evidence(not sentences, measured, message, file=path if sentences else None, spots=spots)


def _on_globe(marker: Json) -> tuple[float, float]:
    return marker["lat"], (marker["lon"] + 180.0) % 360.0 - 180.0


def _swapped(marker: Json, own: Sequence[float]) -> bool:
    lat, lon = marker["lat"], marker["lon"]
    return abs(lat - own[1]) < 0.05 and abs(lon - own[0]) < 0.05 and abs(own[0] - own[1]) > 0.1


def _misplaced(marker: Json, args: dict[str, Json], own: Sequence[tuple[float, float]]) -> str:
    """What is wrong with a marker's position, whatever stop it is of."""
    lat, lon = marker["lat"], marker["lon"]
    label = map_spots.name_of(marker)[:40]
    named = f'The marker "{label}"' if label else f"The marker at {_at(marker)}"
    if abs(lat) > 90:
        return f"{named} has latitude {lat:g}, beyond the pole: latitude and longitude are swapped; turn them round."
    at, centre = _on_globe(marker), args["center"]
    if any(distance_km(at, place) <= args["tolerance_km"] for place in own):
        return ""
    inside = centre is not None and distance_km(at, centre) <= args["radius_km"]
    if abs(lat) < NULL_DEGREES and abs(lon) < NULL_DEGREES and not inside:
        return f"{named} lies at 0,0, in the sea off Africa; give it its position."
    if centre is None or inside:
        return ""
    if abs(lon) <= 90 and distance_km((lon, lat), centre) <= args["radius_km"]:
        return f"{named} has latitude and longitude swapped ({lat:g}, {lon:g}); turn them round."
    away = distance_km(at, centre)
    return f"{named} lies {away:,.1f} km from the centre, at most {args['radius_km']:,.1f} km are allowed; move it."


@check("map.attribution", limit_s=60.0)
def attribution(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each tile layer names its source, in the map or elsewhere in sight (OpenStreetMap's Attribution Guidelines)."""
    path = args["file"]
    subject.file(path)
    found = tour(subject, path)
    if not found.tiles:
        return Evidence(True, "no tile layer")
    said = fold(found.credit)
    bare = [
        url
        for url, layer in found.tiles.items()
        if not (fold(layer["attribution"]) and fold(layer["attribution"])[:40] in said)
        and "openstreetmap" not in said
        and "©" not in said
    ]
    if not bare:
        return Evidence(True, f"{len(found.tiles)} tile layers, attributed")
    message = f"{path} shows tiles of {_named(bare)} without their attribution; set the layer's `attribution`."
    return Evidence(False, f"{len(bare)} without", message, file=path)
