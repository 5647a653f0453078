"""What a travel map's outputs must satisfy: a pure function of the brief's parameters.

The arguments of each check, as the inspector measures by them:

| check | args |
| --- | --- |
| `files.present` | `required`: list of paths, each a regular file that is not empty |
| `files.safe` | `max_files`, `max_bytes` |
| `html.complete`, `html.self_contained`, `html.no_errors`, `page.not_blank` | `file`: path of the page |
| `page.fits` | `file`; `widths`: CSS px |
| `map.markers` | `file`; `stops`: list of `{name, lat, lon, pointer}`; without them at least `minimum` markers |
| `map.popups` | `file`; `stops`: the same with `day`, `start`, `end`, `activity`, `tip` where given |
| `map.routes` | `file`; `days`: list of `{day, points: [[lat, lon]]}`, days with two places or more; without stops `minimum` lines |
| `map.place` | `file`; `stops`; `tolerance_km` around each; `center` as `[lat, lon]` or null; `radius_km` |
| `map.attribution` | `file` |
| `images.used` | `file`; `images`: list of `{name, pointer}`: attachments that must be seen |
| `text.present` | `file`; `strings`: list of `{text, pointer}`; `minimum_chars` |
"""  # noqa: E501

from __future__ import annotations

from pydantic import JsonValue

from studio.brief import pointer
from studio.contract import MAX_FILES, MAX_OUTPUT_BYTES, Check, Contract
from studio.kinds.travel_map.params import Stop, TravelMapParams

ENTRY = "map.html"
ITINERARY = "itinerary.md"
UNMEASURED = ("prompt", "style", "whether places, hours and prices are true")
STOPS_A_DAY = 3
TOLERANCE_KM = 1.0
WIDTHS = (390, 1280)


def _place(index: int, stop: Stop) -> dict[str, JsonValue]:
    return {"name": stop.name, "lat": stop.lat, "lon": stop.lon, "pointer": pointer("params", "stops", index)}


def _told(index: int, stop: Stop) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {**_place(index, stop), "day": stop.day}
    for field in ("start", "end", "activity", "tip"):
        if text := getattr(stop, field):
            told[field] = text
    return told


def _days(params: TravelMapParams) -> list[JsonValue]:
    """The days that need a line: those with two places or more."""
    found: list[JsonValue] = []
    for day in range(1, params.days + 1):
        points = [stop.position for stop in params.stops if stop.day == day]
        if len(set(points)) > 1:
            found.append({"day": day, "points": [[lat, lon] for lat, lon in points]})
    return found


def travel_map_contract(params: TravelMapParams) -> Contract:
    """All checks of a travel map's brief; the same parameters give the same contract."""
    file: dict[str, JsonValue] = {"file": ENTRY}
    places: list[JsonValue] = [_place(index, stop) for index, stop in enumerate(params.stops)]
    told: list[JsonValue] = [_told(index, stop) for index, stop in enumerate(params.stops)]
    minimum = STOPS_A_DAY * params.days
    days = _days(params)
    centre = params.middle
    checks = [
        Check(
            id="files.present",
            expected=f"there and not empty: {ENTRY}, {ITINERARY}",
            args={"required": [ENTRY, ITINERARY]},
        ),
        Check(
            id="files.safe",
            expected=f"regular files only, at most {MAX_FILES}, {MAX_OUTPUT_BYTES >> 20} MiB together",
            args={"max_files": MAX_FILES, "max_bytes": MAX_OUTPUT_BYTES},
        ),
        Check(id="html.complete", expected="one whole HTML document that ends with </html>", args=file),
        Check(
            id="html.self_contained",
            expected="works with all network blocked: script, style and fonts are in the file; only map tiles may load",
            args=file,
        ),
        Check(
            id="html.no_errors",
            expected="no uncaught exception and no console error, while loading and while every control is used",
            args=file,
        ),
        Check(id="page.not_blank", expected="more than one flat colour, and visible text", args=file),
        Check(
            id="page.fits",
            expected="no horizontal scrolling at 390 and at 1280 CSS px",
            args={**file, "widths": list(WIDTHS)},
        ),
        Check(
            id="map.markers",
            expected=f"{len(places)} stops of the brief, each a marker that can be clicked"
            if places
            else f"at least {minimum} markers that can be clicked, {STOPS_A_DAY} a day",
            args={**file, "stops": places, "minimum": len(places) or minimum},
        ),
        Check(
            id="map.popups",
            expected="a click on each marker shows its own stop: the brief's name, time, activity and tip"
            if places
            else "a click on each marker shows its own stop: a name and a time",
            args={**file, "stops": told, "minimum": len(places) or minimum},
        ),
        Check(
            id="map.routes",
            expected="a line for each day with two places or more, through that day's stops"
            if places
            else f"at least {params.days} lines, one a day, through the day's stops",
            args={**file, "days": days, "minimum": len(days) if places else params.days},
        ),
        Check(
            id="map.place",
            expected=_expected_place(params),
            args={
                **file,
                "stops": places,
                "tolerance_km": TOLERANCE_KM,
                "center": list(centre) if centre else None,
                "radius_km": params.reach_km,
            },
        ),
        Check(
            id="map.attribution",
            severity="should",
            expected="a tile layer, where there is one, carries its attribution",
            args=file,
        ),
    ]
    images: list[JsonValue] = [
        {"name": stop.photo, "pointer": pointer("params", "stops", index, "photo")}
        for index, stop in enumerate(params.stops)
        if stop.photo
    ]
    if images:
        expected = f"{len(images)} photos of the brief can be seen, at the latest when their stop is chosen"
        checks.append(Check(id="images.used", expected=expected, args={**file, "images": images}))
    strings: list[JsonValue] = [
        {"text": stop.name, "pointer": pointer("params", "stops", index, "name")}
        for index, stop in enumerate(params.stops)
    ]
    checks.append(
        Check(
            id="text.present",
            severity="should",
            expected=f"{ITINERARY} names {f'all {len(strings)} stops' if strings else 'the stops'}",
            args={"file": ITINERARY, "strings": strings, "minimum_chars": 40},
        )
    )
    return Contract(kind="travel_map", entry=ENTRY, checks=tuple(checks), unmeasured=UNMEASURED)


def _expected_place(params: TravelMapParams) -> str:
    own = f"each stop of the brief within {TOLERANCE_KM:g} km of its own position; " if params.stops else ""
    centre = params.middle
    if centre is None:
        return own + "no marker at 0,0 or with latitude and longitude swapped"
    return own + f"all within {params.reach_km:,.0f} km of {centre[0]:.4f}, {centre[1]:.4f}"
