"""The looks of a map: a printed city plan, a chart by night, a travel poster, a diagram of lines.

Each is complete on its own: colours, typefaces, the panel's form, and what the base is made of. The trip's reach, theme
and days say which looks fit; the random generator takes one of these, and one of its palettes.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from .colour import DayColour, inks, oklch
from .trip import Trip
from .world import COUNTRY_KM, WORLD_KM

PLAN, CHART, POSTER, METRO = "plan", "chart", "poster", "metro"

# How readily a look is taken, by reach of the trip.
_WEIGHTS = {
    "city": {PLAN: 3, CHART: 3, POSTER: 3, METRO: 3},
    "country": {PLAN: 3, CHART: 2, POSTER: 3, METRO: 1},
    "world": {PLAN: 1, CHART: 3, POSTER: 2, METRO: 0},
}
# Words of a theme that call for a look, in some languages.
_THEMES = (
    (CHART, r"night|star|sky|sea|sail|island|harbou?r|coast|astronom|nacht|stern|meer|hafen|nuit|étoile|noche|mar\b|夜|星|海|岛|港|ночь|мор"),  # noqa: E501
    (POSTER, r"art\b|design|photo|beach|summer|festival|film|music|kunst|strand|sommer|plage|été|摄影|艺术|電影|写真|夏|海边"),  # noqa: E501
    (METRO, r"train|rail|metro|subway|tram|architect|technolog|zug|bahn|architekt|gare|地铁|铁路|火车|建筑|鉄道|電車|метро|поезд"),  # noqa: E501
    (PLAN, r"histor|museum|old town|tea|book|garden|castle|temple|altstadt|geschicht|garten|musée|jardin|古|老街|茶|寺|书|庭|музе|истор"),  # noqa: E501
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """One look with its palette; colours are #RRGGBB."""

    name: str
    paper: str  # the ground of the map, and of land
    panel: str
    water: str
    ink: str  # of words on paper and panel
    cover: str  # ground of the panel's head
    cover_ink: str
    casing: str  # between a route and its ground
    days: tuple[DayColour, ...]
    title_face: str
    title_weight: int
    serif: bool
    side: str  # where the panel stands: start, end, or strip (below)
    shape: str  # of the pins
    motif: str  # what the base is patterned with


def choose(trip: Trip, rng: random.Random) -> Look:
    """The look of a trip: by its reach, theme and days, and by chance among what fits."""
    reach = "city" if trip.reach_km < COUNTRY_KM else "country" if trip.reach_km < WORLD_KM else "world"
    weights = dict(_WEIGHTS[reach])
    theme = f"{trip.theme or ''} {trip.title}".casefold()
    for name, pattern in _THEMES:
        if re.search(pattern, theme):
            weights[name] *= 2
    if len(trip.stops) < 4:
        weights[METRO] = min(weights[METRO], 1)  # a diagram wants lines
    if len(trip.days) > 6:
        weights[POSTER] = min(weights[POSTER], 1)  # so many fields would be confetti
    rng = random.Random(f"{rng.random()}:{_shape(trip)}")  # noqa: S311  # nothing secret
    names = list(weights)
    name = rng.choices(names, [weights[each] for each in names])[0]
    return _MAKERS[name](trip, rng)


def _shape(trip: Trip) -> str:
    """What of a trip's form sets it apart from others of as many days and stops; names do not count."""
    return f"{len(trip.days)}:{len(trip.stops)}:{trip.aspect:.1f}:{trip.reach_km:.1g}"


def _hues(count: int, first: float, turn: float = 137.508) -> list[float]:
    return [(first + turn * index) % 360 for index in range(count)]


# Paper, panel, water, ink, cover, its ink, first hue.
_PLANS = (
    ("#F1E4C8", "#FBF5E6", "#C4DADA", "#2B241B", "#8C2F27", "#FBEFD9", 28),
    ("#DDE6CE", "#F7F9EF", "#BFD5DA", "#1F291F", "#2F5140", "#F2F0DC", 250),
    ("#F5D9CB", "#FDF3EC", "#C9DCE3", "#2E2024", "#5E2B4A", "#FBE9DF", 350),
    ("#D6E2E9", "#F5F8F9", "#AFCADA", "#1D262D", "#22405F", "#F1F1E6", 12),
    ("#F5E29A", "#FDF8E3", "#BFDAD6", "#2A2618", "#94401C", "#FFF3D8", 268),
)


def _plan(trip: Trip, rng: random.Random) -> Look:
    paper, panel, water, ink, cover, cover_ink, hue = rng.choice(_PLANS)
    face, weight = rng.choice((("EBGaramond12-Regular.otf", 400), ("GFSDidot.otf", 400), ("LobsterTwo-Bold.otf", 700)))
    days = inks(_hues(len(trip.days), hue), 0.5, 0.135, on_paper=(paper, panel), ratio=4.6)
    return Look(
        PLAN, paper, panel, water, ink, cover, cover_ink, panel, days, face, weight, True,
        rng.choice(("start", "end")), rng.choice(("round", "drop")), rng.choice(("hatched", "engraved")),
    )  # fmt: skip


# Ground, panel, sea, ink, accent, first hue.
_CHARTS = (
    ("#14264A", "#0D1A35", "#0A1730", "#F3EDDC", "#E8C573", 85),
    ("#0E3A3E", "#092A2E", "#07262A", "#ECF3E8", "#8FE0CB", 60),
    ("#33194A", "#250F38", "#1F0C30", "#F6EAF3", "#F5AFC0", 340),
    ("#1B1D22", "#121317", "#0B0C0E", "#EFEDE7", "#F5C752", 40),
    ("#4A1420", "#380D17", "#2C0A12", "#FBEDE4", "#F7B78A", 60),
)


def _chart(trip: Trip, rng: random.Random) -> Look:
    paper, panel, water, ink, accent, hue = rng.choice(_CHARTS)
    face, weight = rng.choice(
        (("GFSDidot.otf", 400), ("EBGaramond12-Italic.otf", 400), ("YanoneKaffeesatz-Regular.otf", 400))
    )
    days = inks(_hues(len(trip.days), hue), 0.82, 0.125, on_paper=(paper, panel, water), ratio=5.2, lighter=True)
    return Look(
        CHART, paper, panel, water, ink, panel, accent, paper, days, face, weight, "Yanone" not in face,
        rng.choice(("start", "end")), "star", rng.choice(("rose", "sky")),
    )  # fmt: skip


# First hue, turn from day to day, ink, cover, cover's ink; by day and by night.
_POSTERS = (
    (75, -38, "#2A1630", "#2A1630", "#FFE9BF", False),
    (200, 52, "#0F2137", "#0F2137", "#FDF1D0", False),
    (20, 137.508, "#301414", "#FFF6E6", "#301414", False),
    (155, -60, "#10281E", "#10281E", "#F4F3CF", False),
    (265, 62, "#FFF2D6", "#120F26", "#FFD98A", True),
    (25, 38, "#FFF1DC", "#240B10", "#FFC98F", True),
)
_POSTER_FACES = (
    ("BebasNeue-Bold.otf", 700),
    ("LeagueSpartan-ExtraBold.otf", 800),
    ("YanoneKaffeesatz-Bold.otf", 700),
    ("LobsterTwo-Bold.otf", 700),
)


def _field(hue: float, night: bool) -> str:
    """A flat field's colour; yellows are bright by day, as they are olive otherwise."""
    yellow = max(0.0, 1 - abs((hue - 98 + 180) % 360 - 180) / 45)
    return oklch(0.40, 0.105, hue) if night else oklch(0.83 + 0.08 * yellow, 0.115 + 0.035 * yellow, hue)


def field_colours(trip: Trip, look: Look) -> dict[int, str]:
    """On a poster of one day each stop's colour, by its number, in hues that pass like the day's light; else none."""
    if look.name != POSTER or len(trip.days) > 1 or len(trip.stops) < 2:
        return {}
    return dict(zip((stop.number for stop in trip.stops), _passing(len(trip.stops), look.ink > "#8"), strict=True))


def _passing(count: int, night: bool) -> list[str]:
    """Fields from morning to evening."""
    return [_field((95 - 150 * index / max(1, count - 1)) % 360, night) for index in range(count)]


def _poster(trip: Trip, rng: random.Random) -> Look:
    first, turn, ink, cover, cover_ink, night = rng.choice(_POSTERS)
    face, weight = rng.choice(_POSTER_FACES)
    single = len(trip.days) == 1
    hues = _hues(len(trip.days), first, turn if len(trip.days) * abs(turn) < 360 else 137.508)
    fields = [_field(hue, night) for hue in hues]
    grounds = fields + (_passing(len(trip.stops), night) if single else [])
    days = inks(
        hues, 0.88 if night else 0.40, 0.09 if night else 0.14, on_paper=tuple(grounds), ratio=4.6, lighter=night,
        fields=fields,
    )  # fmt: skip
    light, dark = ("#1A1420", fields[0]) if night else (fields[0], "#FFFDF6")
    paper, casing = fields[0], light if night else dark
    water = oklch(0.30 if night else 0.76, 0.09, (first + 150) % 360)
    wide = trip.aspect > 1.15
    return Look(
        POSTER, paper, cover if night else "#FFFBF2", water, ink, cover, cover_ink, casing, days, face, weight,
        False, "strip" if wide or rng.random() < 0.3 else rng.choice(("start", "end")), "bold",
        rng.choice(("rays", "bands")),
    )  # fmt: skip


# Ground, other zone, panel, ink, cover, cover's ink, first hue.
_METROS = (
    ("#FFFFFF", "#E9EEF4", "#FFFFFF", "#14213D", "#14213D", "#FFFFFF", 255),
    ("#FBF5E4", "#F1E5C6", "#FFFDF6", "#2A1E17", "#B3261E", "#FFFFFF", 28),
    ("#E9F5EF", "#D2E8DD", "#FBFEFC", "#11302A", "#0B5D4B", "#FFFFFF", 350),
    ("#FFE36E", "#FFD63D", "#FFFDF2", "#1B1B1B", "#1B1B1B", "#FFE36E", 285),
    ("#E4E0F6", "#D3CCF0", "#FBFAFF", "#211A45", "#3A2A8C", "#FFFFFF", 20),
)


def _metro(trip: Trip, rng: random.Random) -> Look:
    paper, zone, panel, ink, cover, cover_ink, hue = rng.choice(_METROS)
    face, weight = rng.choice((("InterDisplay-Bold.otf", 700), ("LeagueSpartan-Bold.otf", 700)))
    days = inks(_hues(len(trip.days), hue), 0.53, 0.19, on_paper=(paper, zone, panel), ratio=4.6)
    return Look(
        METRO, paper, panel, zone, ink, cover, cover_ink, paper, days, face, weight, False,
        rng.choice(("start", "end")), "station", "zones",
    )  # fmt: skip


_MAKERS = {PLAN: _plan, CHART: _chart, POSTER: _poster, METRO: _metro}
