"""The page: the panel's words as HTML, the map's geometry as JSON, style and script pasted in."""

from __future__ import annotations

import base64
import json
import random
import re
from html import escape
from pathlib import Path
from typing import Any

from .drawing import drawing, squares
from .faces import faces
from .looks import CHART, PLAN, POSTER, Look, choose, field_colours
from .panel import Rows, chapter, filters, header, photo
from .trip import Trip
from .words import Words
from .world import COUNTRY_KM

HERE = Path(__file__).parent
LEAFLET = Path("/opt/studio/web/leaflet")
SERIFS = {
    "zh": '"Noto Serif CJK SC","Source Han Serif SC","Songti SC",SimSun',
    "zh-hant": '"Noto Serif CJK TC","Source Han Serif TC","Songti TC",PMingLiU',
    "ja": '"Noto Serif CJK JP","Hiragino Mincho ProN","Yu Mincho"',
    "ko": '"Noto Serif CJK KR",AppleMyungjo,Batang',
    "ar": '"Noto Naskh Arabic","Geeza Pro"',
    "he": '"Noto Serif Hebrew","Times New Roman"',
    "hi": '"Noto Serif Devanagari","Kohinoor Devanagari"',
    "ru": '"EB Garamond","Noto Serif"',
}
SANS = {
    "zh": '"Noto Sans CJK SC","PingFang SC","Microsoft YaHei"',
    "zh-hant": '"Noto Sans CJK TC","PingFang TC","Microsoft JhengHei"',
    "ja": '"Noto Sans CJK JP","Hiragino Sans","Yu Gothic"',
    "ko": '"Noto Sans CJK KR","Apple SD Gothic Neo","Malgun Gothic"',
    "ar": '"Noto Kufi Arabic","Geeza Pro"',
    "fa": '"Noto Kufi Arabic","Geeza Pro"',
    "he": '"Noto Sans Hebrew","Arial Hebrew"',
    "hi": '"Noto Sans Devanagari","Kohinoor Devanagari"',
}


def page(trip: Trip, words: Words, rng: random.Random, attachments: Path) -> str:
    """The whole HTML document."""
    look = choose(trip, rng)
    bearing = rng.randrange(20, 70)
    photos = {stop.number: found for stop in trip.stops if stop.photo and (found := photo(attachments / stop.photo))}
    about = [trip.title, trip.destination, trip.travellers or "", trip.theme or "", *words.table.values()]
    about += [text for stop in trip.stops for text in (stop.name, stop.activity or "", stop.tip or "", stop.time)]
    rows = Rows(
        photos,
        squares(trip) if look.name == PLAN and len(trip.stops) > 1 else {},
        trip.starred,
        field_colours(trip, look),
    )
    head = header(trip, words)
    classes = [
        look.name,
        "strip" if look.side == "strip" else f"at-{look.side}",
        look.shape,
        look.motif,
        "near" if trip.reach_km < COUNTRY_KM else "far",
    ]
    if not any(stop.tip for stop in trip.stops):
        classes.append("terse")
    parts = {
        "LANGUAGE": escape(trip.language),
        "DIRECTION": "rtl" if words.right_to_left else "ltr",
        "TITLE": escape(trip.title),
        "LEAFLET_STYLE": _leaflet_style(),
        "FACES": faces(about, look.title_face, look.title_weight),
        "STYLE": _style(trip, look, words),
        "CLASSES": " ".join(classes),
        "MAP": escape(words["map"]),
        "ITINERARY": escape(words["itinerary"]),
        "HEAD_ON_MAP": head if look.name == POSTER else "",
        "HEAD_IN_PANEL": head if look.name != POSTER else "",
        "FILTERS": filters(trip, words),
        "CHAPTERS": "\n".join(chapter(day, words, rows) for day in trip.days),
        "LEAFLET": re.sub(r"//# sourceMappingURL=\S+", "", (LEAFLET / "leaflet.js").read_text("utf-8")),
        "TRIP": _json(drawing(trip, words, look, bearing)),
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


def _style(trip: Trip, look: Look, words: Words) -> str:
    table = SERIFS if look.serif else SANS
    tag = words.language.lower()
    own = table.get(tag) or table.get(tag.split("-")[0], "")
    title = ",".join(
        part for part in ('"Trip Title"', own, "Georgia,serif" if look.serif else "system-ui,sans-serif") if part
    )
    rules = [
        f":root{{--paper:{look.paper};--panel:{look.panel};--water:{look.water};--ink:{look.ink};--cover:{look.cover};"
        f"--cover-ink:{look.cover_ink};--casing:{look.casing};--title-face:{title};--title-weight:{look.title_weight};"
        f"color-scheme:{'dark' if look.name == CHART or look.panel == look.cover else 'light'}}}"
    ]
    for day, colour in zip(trip.days, look.days, strict=True):
        rules.append(
            f".day-{day.number}{{--day:{colour.ink};--on:{colour.on};--field:{colour.field};--printed:{colour.printed};"
            f"--tint:color-mix(in srgb,{colour.ink} 11%,var(--panel))}}"
        )
    sheets = [HERE / name for name in ("page.css", f"look_{look.name}.css", "phone.css", "print.css")]
    return "".join(sheet.read_text("utf-8") for sheet in sheets) + "\n".join(rules)
