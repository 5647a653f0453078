"""One random brief of a kind; the same kind, seed and number give the same brief."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from studio.brief import Brief, JsonObject
from studio.errors import BriefError, Problem
from studio.examples.palettes import PALETTES
from studio.examples.words import WORLDS, World
from studio.kinds import parse_brief

T = TypeVar("T")


def random_brief(kind: str, seed: int, number: int) -> Brief:
    """A valid brief; languages come in turn, so that few briefs show many scripts.

    Raises BriefError for a kind that only a person can describe.
    """
    make = _KINDS.get(kind)
    if make is None:
        raise BriefError(
            [Problem("/kind", f"there are no random briefs of {kind!r}; of {', '.join(_KINDS)} there are")]
        )
    draw = random.Random(f"{kind}:{seed}:{number}")  # noqa: S311  # nothing secret
    world = WORLDS[number % len(WORLDS)]
    title, params = make(draw, world)
    return parse_brief({"kind": kind, "title": title, "language": world.language, "params": params})


def _some(draw: random.Random, items: Sequence[T], least: int = 0, most: int | None = None) -> list[T]:
    top = len(items) if most is None else min(most, len(items))
    return draw.sample(items, draw.randint(min(least, top), top))


def _poster(draw: random.Random, world: World) -> tuple[str, JsonObject]:
    name = draw.choice(world.events)
    event = {"name": name, "date": draw.choice(world.dates), "venue": draw.choice(world.venues)}
    if draw.random() < 0.6:
        event |= {"slogan": draw.choice(world.slogans), "time": draw.choice(("19:00", "20:00–23:30", "10:00–17:00"))}
    speakers: list[JsonObject] = []
    for person in _some(draw, world.people, 0, draw.choice((0, 0, 2, 4, 6))):
        speaker: JsonObject = {"name": person}
        if draw.random() < 0.7:
            speaker |= {"topic": draw.choice(world.topics), "company": draw.choice(world.companies)}
        speakers.append(speaker)
    size = draw.choice(((420, 594), (420, 594), (594, 420), (300, 900), (500, 500), (900, 420)))
    params: JsonObject = {
        "event": event,
        "speakers": speakers,
        "page": {"width_mm": size[0], "height_mm": size[1]},
        "highlights": _some(draw, world.topics, 0, draw.choice((0, 3))),
        "organizers": {"host": _some(draw, world.companies, 0, 1), "sponsors": _some(draw, world.companies, 0, 2)},
        "palette": draw.choice(PALETTES).named("primary", "secondary", "accent", "background", "text"),
        "social": [],
    }
    if draw.random() < 0.5:
        params["registration"] = {"url": "https://studio.example/night", "regular_price": draw.choice(("12 €", "¥ 80"))}
    return name, params


def _trip(draw: random.Random, world: World) -> tuple[str, JsonObject]:
    sights = _some(draw, world.sights, 3)
    days = draw.randint(1, min(3, len(sights)))
    stops: list[JsonObject] = []
    for index, (name, lat, lon, activity) in enumerate(sights):
        day = index * days // len(sights) + 1
        hour = 9 + 2 * sum(stop["day"] == day for stop in stops)
        stops.append({"day": day, "name": name, "lat": lat, "lon": lon, "start": f"{hour:02}:00", "activity": activity})
    return world.city, {"destination": world.city, "days": days, "stops": stops}


def _countdown(draw: random.Random, world: World) -> tuple[str, JsonObject]:
    name = draw.choice(world.people).split()[0]
    start = draw.choice((3, 5, 10, 10))
    size = draw.choice(((1280, 720), (1280, 720), (720, 1280), (1080, 1080)))
    colors = draw.choice(PALETTES).named("primary", "secondary", "accent", "background")
    params: JsonObject = {
        "name": name,
        "start": start,
        "duration_s": start + 3,
        "width": size[0],
        "height": size[1],
        "finale": draw.choice(world.finales),
        "colors": colors,
    }
    return name, params


def _piece(draw: random.Random, world: World) -> tuple[str, JsonObject]:
    mood = draw.choice(world.moods)
    meter = draw.choice(("2/4", "3/4", "4/4", "6/8"))
    beats = {"2/4": 2, "3/4": 3, "4/4": 4, "6/8": 2}[meter]
    middle = draw.choice((8, 8, 16))
    bpm = draw.randint(60, 120)
    seconds = (4 + middle + 4) * beats * 60 / bpm
    tonic = draw.choice(["C", "D", "E", "F", "G", "A", "B", "Eb", "Bb", "Ab", "F#", "C#"])
    params: JsonObject = {
        "mood": mood,
        "key": f"{tonic} {draw.choice(('major', 'minor'))}",
        "meter": meter,
        "bpm": {"min": bpm - 6, "max": bpm + 6},
        "duration_s": {"min": round(seconds * 0.9), "max": round(seconds * 1.15) + 2},
        "structure": [{"name": name, "bars": bars} for name, bars in zip(world.sections, (4, middle, 4), strict=True)],
    }
    return mood, params


_KINDS: dict[str, Callable[[random.Random, World], tuple[str, JsonObject]]] = {
    "travel_map": _trip,
    "poster": _poster,
    "countdown_video": _countdown,
    "piano_piece": _piece,
}
