"""The page: the panel's words as HTML, the map's geometry as JSON, style and script pasted in."""

from __future__ import annotations

import base64
import io
import json
import math
import random
import re
from html import escape
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps

from .areas import soft_areas
from .colour import Scheme, scheme
from .faces import faces
from .geo import Point, circle, extent, mercator, ring_step, route
from .trip import Day, Stop, Trip
from .words import Words
from .world import COUNTRY_KM, WORLD_KM, borders, land

HERE = Path(__file__).parent
LEAFLET = Path("/opt/studio/web/leaflet")
SHAPES = ("round", "square", "drop")
PHOTO_PX = (640, 420)
GRATICULE = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0)  # degrees
SERIFS = {
    "zh": '"Noto Serif CJK SC","Source Han Serif SC","Songti SC",SimSun',
    "zh-hant": '"Noto Serif CJK TC","Source Han Serif TC","Songti TC",PMingLiU',
    "ja": '"Noto Serif CJK JP","Hiragino Mincho ProN","Yu Mincho"',
    "ko": '"Noto Serif CJK KR",AppleMyungjo,Batang',
    "ar": '"Noto Naskh Arabic","Geeza Pro"',
}


def page(trip: Trip, words: Words, rng: random.Random, attachments: Path) -> str:
    """The whole HTML document."""
    colours = scheme(len(trip.days), rng)
    photos = {stop.number: photo for stop in trip.stops if stop.photo and (photo := _photo(attachments / stop.photo))}
    about = [trip.title, trip.destination, trip.travellers or "", trip.theme or "", *words.table.values()]
    about += [text for stop in trip.stops for text in (stop.name, stop.activity or "", stop.tip or "", stop.time)]
    type_faces = faces(about, rng)
    shape = rng.choice(SHAPES)
    bearing = rng.randrange(20, 70)
    parts = {
        "LANGUAGE": escape(trip.language),
        "DIRECTION": "rtl" if words.right_to_left else "ltr",
        "TITLE": escape(trip.title),
        "LEAFLET_STYLE": _leaflet_style(),
        "FACES": type_faces.css,
        "STYLE": _style(trip, colours, type_faces.title, words),
        "SHAPE": shape,
        "SCALE": "near" if trip.reach_km < COUNTRY_KM else "far",
        "MAP": escape(words["map"]),
        "OVERVIEW": escape(words["overview"]),
        "ITINERARY": escape(words["itinerary"]),
        "HEADER": _header(trip, words),
        "FILTERS": _filters(trip, words),
        "CHAPTERS": "\n".join(_chapter(day, words, photos) for day in trip.days),
        "LEAFLET": re.sub(r"//# sourceMappingURL=\S+", "", (LEAFLET / "leaflet.js").read_text("utf-8")),
        "TRIP": _json(_map_of(trip, words, colours, bearing)),
        "SCRIPT": "\n".join(part.read_text("utf-8") for part in sorted(HERE.glob("script_*.js"))),
    }
    template = (HERE / "page.html").read_text("utf-8")
    return re.sub(r"\{\{([A-Z_]+)\}\}", lambda found: parts[found[1]], template)


def _json(value: Any) -> str:
    """JSON that may stand within a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _leaflet_style() -> str:
    def picture(found: re.Match[str]) -> str:
        coded = base64.b64encode((LEAFLET / "images" / found[1]).read_bytes()).decode()
        return f"url(data:image/png;base64,{coded})"

    return re.sub(r"url\(images/([\w.-]+)\)", picture, (LEAFLET / "leaflet.css").read_text("utf-8"))


def _style(trip: Trip, colours: Scheme, title_face: str, words: Words) -> str:
    key = next((key for key in (words.language.lower(), words.language.lower().split("-")[0]) if key in SERIFS), "")
    title = f'"Trip Title",{SERIFS.get(key, "")}{"," if key else ""}'
    title += "Georgia,serif" if "Inter" not in title_face else "system-ui,sans-serif"
    rules = [
        f":root{{--paper:{colours.paper};--panel:{colours.panel};--water:{colours.water};--ink:{colours.ink};"
        f"--title-face:{title}}}"
    ]
    for day, colour in zip(trip.days, colours.days, strict=True):
        rules.append(f".day-{day.number}{{--day:{colour.ink};--tint:color-mix(in srgb,{colour.ink} 11%,var(--panel))}}")
    return (HERE / "page.css").read_text("utf-8") + "\n".join(rules)


def _text(tag: str, text: str, classes: str = "") -> str:
    attribute = f' class="{classes}"' if classes else ""
    return f'<{tag}{attribute} dir="auto">{escape(text)}</{tag}>'


def _header(trip: Trip, words: Words) -> str:
    above = trip.destination if trip.destination.casefold() not in trip.title.casefold() else ""
    below = " · ".join(text for text in (trip.travellers, trip.theme) if text)
    facts = [(words["days"], str(len(trip.days))), (words["stops"], str(len(trip.stops)))]
    if trip.km > 0:
        facts.append((words["km"].replace("{}", "").strip(), words.number(trip.km)))
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    size = "long" if len(trip.title) > 28 else "short"
    return "\n".join(
        part
        for part in (
            _text("p", above, "above") if above else "",
            _text("h1", trip.title, size),
            _text("p", below, "below") if below else "",
            f"<dl>{cells}</dl>",
        )
        if part
    )


def _filters(trip: Trip, words: Words) -> str:
    if len(trip.days) < 2:
        return ""
    buttons = [f'<button type="button" data-day="0" aria-pressed="true">{escape(words["all"])}</button>']
    for day in trip.days:
        off = "" if day.stops else " disabled"
        buttons.append(
            f'<button type="button" class="day-{day.number}" data-day="{day.number}" aria-pressed="false"'
            f' aria-label="{escape(words.day(day.number))}"{off}>{day.number}</button>'
        )
    return f'<div class="filters" role="group" aria-label="{escape(words["days"])}">{"".join(buttons)}</div>'


def _chapter(day: Day, words: Words, photos: dict[int, str]) -> str:
    about = ""
    if day.legs:
        walk = f" · {words.on_foot(day.walk_min)}" if day.walk_min else ""
        about = f"<p>{escape(words.distance(day.km) + walk)}</p>"
    elif not day.stops:
        about = f"<p>{escape(words['leisure'])}</p>"
    rows = []
    if day.approach:
        rows.append(f'<li class="leg"><span>{escape(words.distance(day.approach))}</span></li>')
    for index, stop in enumerate(day.stops):
        rows.append(_row(stop, words, photos.get(stop.number)))
        if index < len(day.legs):
            rows.append(f'<li class="leg"><span>{escape(words.distance(day.legs[index]))}</span></li>')
    return (
        f'<section class="chapter day-{day.number}" data-day="{day.number}">'
        f"<header>{_text('h2', words.day(day.number))}{about}</header>"
        f"<ol>{''.join(rows)}</ol></section>"
    )


def _row(stop: Stop, words: Words, photo: str | None) -> str:
    picture = f'<img src="{photo}" alt="" width="64" height="64" loading="lazy">' if photo else ""
    parts = [
        f'<span class="time"><bdi dir="ltr">{escape(stop.time)}</bdi></span>' if stop.time else "",
        _text("strong", stop.name),
        _text("span", stop.activity, "activity") if stop.activity else "",
        f'<span class="tip" dir="auto"><b>{escape(words["tip"])}</b> {escape(stop.tip)}</span>' if stop.tip else "",
    ]
    return (
        f'<li class="stop"><button type="button" data-stop="{stop.number}"><i aria-hidden="true">{stop.number}</i>'
        f'<span class="words">{"".join(parts)}</span>{picture}</button></li>'
    )


def _photo(file: Path) -> str | None:
    """A smaller JPEG of a picture as a data: URI; None where the file is no picture."""
    try:
        with Image.open(file) as opened:
            image = ImageOps.exif_transpose(opened)
            flat = Image.new("RGB", image.size, "white")
            rgba = image.convert("RGBA")
            flat.paste(rgba, mask=rgba.getchannel("A"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    flat.thumbnail(PHOTO_PX)
    content = io.BytesIO()
    flat.save(content, "JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(content.getvalue()).decode()


def _rounded(line: list[Point], exact: bool = True) -> list[list[float]]:
    """Positions to a metre; the ends of a route keep every digit."""
    digits = 5
    points = [[round(lat, digits), round(lon, digits)] for lat, lon in line]
    if exact:
        points[0], points[-1] = list(line[0]), list(line[-1])
    return points


def _map_of(trip: Trip, words: Words, colours: Scheme, bearing: int) -> dict[str, Any]:
    """What the script draws."""
    stops = [
        {
            "n": stop.number,
            "day": stop.day,
            "name": stop.name,
            "at": list(stop.shown),
            "time": stop.time,
            "activity": stop.activity,
            "tip": stop.tip,
        }
        for stop in trip.stops
    ]
    days = []
    everything = [stop.shown for stop in trip.stops]
    spread = max(extent(everything), 0.012)
    far = trip.reach_km >= COUNTRY_KM
    for day, colour in zip(trip.days, colours.days, strict=True):
        points = [stop.shown for stop in day.stops]
        legs = route(points)
        days.append({
            "n": day.number,
            "name": words.day(day.number),
            "ink": colour.ink,
            "dash": colour.dash,
            "lines": [[_rounded(part) for part in leg] for leg in legs],
            "arrows": [_arrow(leg[0]) for leg in legs],
            "areas": _areas(points, legs, spread, far),
        })  # fmt: skip
    return {
        "days": days,
        "stops": stops,
        "words": {key: words[key] for key in ("tip", "close", "before", "after", "overview", "itinerary")},
        "land": land(everything, trip.reach_km),
        "borders": borders(everything) if far else [],
        "far": far,
        "world": trip.reach_km >= WORLD_KM,
        "graticule": _graticule(everything, spread),
        "transfers": _transfers(trip),
        "rings": _rings(trip, words, bearing),
    }


def _transfers(trip: Trip) -> list[list[list[float]]]:
    """Lines from the last stop of a day to the first of the next, on a trip that goes from place to place."""
    lines, last = [], None
    for day in trip.days:
        if day.approach and last:
            lines += [_rounded(part) for leg in route([last.shown, day.stops[0].shown]) for part in leg]
        last = day.stops[-1] if day.stops else last
    return lines


def _arrow(line: list[Point]) -> list[float]:
    """Where the middle of a leg is, and its direction on the screen in degrees, clockwise from east."""
    half = len(line) // 2
    (ax, ay), (bx, by) = mercator(line[half - 1]), mercator(line[min(half + 1, len(line) - 1)])
    lat, lon = line[half]
    return [round(lat, 5), round(lon, 5), round(math.degrees(math.atan2(ay - by, bx - ax)), 1)]


def _areas(
    points: list[Point], legs: list[list[list[Point]]], spread: float, far: bool
) -> list[list[list[list[float]]]]:
    """A day's soft areas, the widest first: around its route, or around each stop where those are far apart."""
    if not points:
        return []
    radius = spread * 0.06
    if far and extent(points) > spread * 0.3:
        groups = [([point], [point]) for point in points]
        radius *= 0.6
    else:
        groups = [([point for leg in legs for point in leg[0]] or points, points)]
    found = []
    for line, stops in groups:
        found += [[_rounded(ring, exact=False) for ring in rings] for rings in soft_areas(line, stops, radius)]
    return found


def _graticule(points: list[Point], spread: float) -> list[list[list[float]]]:
    """Meridians and parallels at round degrees, far beyond the stops."""
    step = next((each for each in GRATICULE if spread / each < 7), 30.0)
    lats, lons = [lat for lat, _ in points], [lon for _, lon in points]
    south, north = max(-80.0, min(lats) - 2 * spread), min(80.0, max(lats) + 2 * spread)
    west, east = min(lons) - 2 * spread, max(lons) + 2 * spread
    lines = []
    for number in range(math.ceil(south / step), math.floor(north / step) + 1):
        lines.append([[round(number * step, 4), west], [round(number * step, 4), east]])
    for number in range(math.ceil(west / step), math.floor(east / step) + 1):
        lines.append([[south, round(number * step, 4)], [north, round(number * step, 4)]])
    return lines


def _rings(trip: Trip, words: Words, bearing: int) -> list[dict[str, Any]]:
    """Circles of round distances about the centre, each with the place of its label."""
    everything = [stop.shown for stop in trip.stops]
    turn = round((sum(lon for _, lon in everything) / len(everything) - trip.centre[1]) / 360.0) * 360.0
    centre = (trip.centre[0], trip.centre[1] + turn)
    step = ring_step(trip.reach_km)
    found = []
    for number in range(1, 7):
        km = step * number
        if km > min(max(trip.reach_km, step) * 1.75, 9000.0):
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
