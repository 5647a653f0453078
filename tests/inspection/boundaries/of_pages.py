"""Limits of checks of a page, and of a map on it."""

from __future__ import annotations

import base64
import math
import random
import zlib
from collections.abc import Callable
from dataclasses import replace

from studio.brief import JsonObject
from studio.kinds import get_kind, parse_brief
from studio.sandboxes.types import Sandbox
from tests.inspection.boundaries.boundary import Boundary, Files, Side
from tests.inspection.pages import GOOD, LEAFLET, OSM, PLACES, STOPS, STYLE, Page, brief
from tests.inspection.pictures import chunk

PAGE = "map.html"
KM = 1 / 111.195  # a degree of latitude
CENTRE = (41.01, 28.97)


def arguments(check: str, stops: list[JsonObject] | None = None) -> dict[str, object]:
    """A check's arguments in the contract of a trip, with the brief's stops or with none."""
    contract = get_kind("travel_map").contract(parse_brief(brief(stops)))
    return next(dict(each.args) for each in contract.checks if each.id == check)


def plain(body: str, head: str = "") -> Files:
    """A page without a map."""
    start = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>T</title>'
    return {PAGE: f"{start}<style>body{{margin:0}}</style>{head}</head><body>{body}</body></html>".encode()}


def mapped(page: Page) -> Callable[[Sandbox], Files]:
    """A page with a map, the library pasted in."""

    def make(sandbox: Sandbox) -> Files:
        html = page.html
        for mark, name in ((LEAFLET, "leaflet.js"), (STYLE, "leaflet.css")):
            html = html.replace(mark, sandbox.read(f"/opt/studio/web/leaflet/{name}", 1 << 20).decode())
        return {PAGE: html.encode()}

    return make


def moved(km: float) -> Side:
    """Markers so far north of their places."""
    marker = f"L.marker([s.lat + {km * KM:.6f}, s.lon], {{icon: PIN, title: s.name}})"
    return Side(f"{km:g} km", mapped(replace(GOOD, marker=marker)))


def beside(km: float) -> Side:
    """Lines that run so far beside their stops."""
    lines = []
    for day in (1, 2):
        a, b = ((float(str(stop["lat"])), float(str(stop["lon"]))) for stop in STOPS if stop["day"] == day)
        squeeze = math.cos(math.radians(a[0]))
        x, y = (b[1] - a[1]) * squeeze, b[0] - a[0]
        length = math.hypot(x, y)
        aside = (km * KM * x / length, -km * KM * y / length / squeeze)
        points = [[each[0] + aside[0], each[1] + aside[1]] for each in (a, b)]
        lines.append(f"L.polyline({points}).addTo(map);")
    return Side(f"{km:g} km beside", mapped(replace(GOOD, lines="".join(lines))))


def chosen(count: int) -> Side:
    """So many places that a model chose."""
    return Side(f"{count} markers", mapped(replace(GOOD, stops=PLACES[:count])))


def far(km: float) -> Side:
    """One place so far from the centre of all."""
    away = {**PLACES[5], "name": "Far away", "lat": CENTRE[0] + km * KM, "lon": CENTRE[1]}
    return Side(f"{km:g} km", mapped(replace(GOOD, stops=[*PLACES, away])))


def near_null(degrees: float) -> Side:
    """A marker so far from 0,0, on a trip whose middle is not known."""
    stray = {**PLACES[5], "name": "Buoy", "lat": degrees, "lon": degrees}
    return Side(f"{degrees:g}, {degrees:g}", mapped(replace(GOOD, stops=[*PLACES, stray])))


def grey(pixels: list[int], scale: int) -> bytes:
    """A PNG of 16 × 16 grey squares, each so many px wide."""
    rows = b""
    for row in range(16):
        line = b"".join(bytes([pixels[16 * row + column]]) * scale for column in range(16))
        rows += (b"\0" + line) * scale
    head = (16 * scale).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _noise(seed: int) -> list[int]:
    draw = random.Random(seed)
    return [draw.randrange(256) for _ in range(256)]


def pictured(share: float) -> Side:
    """A page with the attachment, so much of another picture in it."""
    both = [round((1 - share) * own + share * other) for own, other in zip(_noise(1), _noise(2), strict=True)]
    coded = base64.b64encode(grey(both, 8)).decode()
    body = f'<h1>Two days</h1><img width="128" height="128" alt="Pier" src="data:image/png;base64,{coded}">'
    return Side(f"{share:.0%} of another picture in it", plain(body))


PHOTO = {"file": PAGE, "images": [{"name": "pier.png", "pointer": "/params/stops/0/photo"}]}
FILE = {"file": PAGE}
BAND = '<div style="height:90px;background:#a22"></div>'
WIDE = '<p>Tides</p><div style="width:{}px;height:9px;background:#a22"></div>'
DOT = (
    '<p style="color:transparent">Tides</p>'
    '<i style="position:absolute;left:50px;top:90px;width:{}px;height:{}px;background:#a22"></i>'
)
BARE_POPUP = ".addTo(map).bindPopup(words({...s, tip: ''}))"
NAMELESS = OSM.replace("© OpenStreetMap", "") + "map.attributionControl.setPrefix('');"
NO_STOPS = arguments("map.place", [])

BOUNDARIES = [
    Boundary(
        "html.self_contained", "an address to follow, none to load",
        Side("a link", plain('<a href="https://cdn.example/a.js">Tides</a>')),
        Side("a script", plain("<p>Tides</p>", '<script src="https://cdn.example/a.js"></script>')),
        ("map.html fetches https://cdn.example/a.js (script); put the content itself into the page",), FILE,
    ),
    Boundary(
        "html.no_errors", "warnings, but no errors",
        Side("console.warn", plain("<p>Tides</p><script>console.warn('low')</script>")),
        Side("console.error", plain("<p>Tides</p><script>console.error('low')</script>")),
        ("map.html reports “console.error: low” Mend the cause",), FILE,
    ),
    Boundary(
        "html.no_errors", "rejections that are caught",
        Side("caught", plain("<p>Tides</p><script>Promise.reject(Error('low')).catch(() => {})</script>")),
        Side("not caught", plain("<p>Tides</p><script>Promise.reject(Error('low'))</script>")),
        ("low", "Mend the cause"), FILE,
    ),
    Boundary(
        "page.not_blank", "three letters or digits",
        Side("Sea", plain(f"<h1>Sea</h1>{BAND}")), Side("Se", plain(f"<h1>Se</h1>{BAND}")),
        ("map.html shows no text at 1280 px; say on the page what it is",), FILE,
    ),
    Boundary(
        "page.not_blank", "0.01 % of the window in another colour",
        Side("110 of 1,024,000 px", plain(DOT.format(10, 11))), Side("100 of 1,024,000 px", plain(DOT.format(10, 10))),
        ("map.html is one flat colour at 1280 px", "look at a screenshot"), FILE,
    ),
    Boundary(
        "page.fits", "at most 1 px too wide at 390 px",
        Side("391 px", plain(WIDE.format(391))), Side("392 px", plain(WIDE.format(392))),
        ("At 390 px map.html is 2 px wider than the window; <div> is too wide; let it wrap",),
        {**FILE, "widths": [390, 1280]}, "box",
    ),
    Boundary(
        "page.fits", "at most 1 px too wide at 1280 px",
        Side("1281 px", plain(WIDE.format(1281))), Side("1282 px", plain(WIDE.format(1282))),
        ("At 1280 px map.html is 2 px wider than the window; <div> is too wide; let it wrap",),
        {**FILE, "widths": [1280]}, "box",
    ),
    Boundary(
        "map.markers", "three a day where the brief has no stops",
        chosen(6), chosen(5),
        ("map.html has 5 markers that can be clicked and show something; 6 are needed",), arguments("map.markers", []),
    ),
    Boundary(
        "map.markers", "every stop of the brief",
        Side("4 of 4", mapped(GOOD)), Side("3 of 4", mapped(replace(GOOD, stops=STOPS[:3]))),
        ('"Ferry Point" (/params/stops/3) has no marker; add one at 41.03, 28.96',), arguments("map.markers"),
    ),
    Boundary(
        "map.popups", "name, time, activity and tip of each stop",
        Side("all", mapped(GOOD)), Side("no tip", mapped(replace(GOOD, popup=BARE_POPUP))),
        ('A click on the marker of "Lantern Pier" does not show tip “Go early”; write it into its popup',),
        arguments("map.popups"), "box",
    ),
    Boundary(
        "map.routes", "a line within 0.4 km of its stops",
        beside(0.39), beside(0.41),
        ("map.html has no line of its own through all stops of day 1, day 2; draw one",), arguments("map.routes"),
        "box",
        {"map.popups": arguments("map.popups")},
    ),
    Boundary(
        "map.place", "a stop within 1 km of its own place",
        moved(0.99), moved(1.01),
        ('The marker of "Lantern Pier" lies 1.0 km away from its place; put it at 41.01, 28.97',),
        arguments("map.place"), "box",
    ),
    Boundary(
        "map.place", "markers within 60 km of the centre",
        far(59.9), far(60.1),
        ('The marker "Far away" lies 60.1 km from the centre, at most 60.0 km are allowed; move it',), NO_STOPS, "box",
    ),
    Boundary(
        "map.place", "none within 0.02° of 0,0",
        near_null(0.03), near_null(0.01),
        ('The marker "Buoy" lies at 0,0, in the sea off Africa; give it its position',), {**NO_STOPS, "center": None},
        "box",
    ),
    Boundary(
        "map.attribution", "tiles with their source's name",
        Side("named", mapped(replace(GOOD, more=OSM))),
        Side("not named", mapped(replace(GOOD, more=NAMELESS))),
        ("without their attribution; set the layer's `attribution`",), FILE,
    ),
    Boundary(
        "images.used", "a picture on a page alike by 0.9",
        pictured(0.3), pictured(0.36),
        ("Nowhere seen: pier.png (/params/stops/0/photo); put the picture into the page",), PHOTO,
        attached=lambda sandbox: {"pier.png": grey(_noise(1), 8)},
    ),
]  # fmt: skip
