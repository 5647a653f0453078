"""The looks of a map: which a trip gets, and that every colour of every palette can be told from its ground."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from studio.examples import random_brief
from studio.kinds import get_kind
from studio.kinds.travel_map.recipe.colour import contrast
from studio.kinds.travel_map.recipe.looks import CHART, METRO, PLAN, POSTER, Look, choose, field_colours
from studio.kinds.travel_map.recipe.trip import Trip, read_trip

SEEDS = 120
WHITE = "#FFFFFF"


def trip_of(stops: list[tuple[int, float, float]], theme: str | None = None) -> Trip:
    """A trip of stops as (day, latitude, longitude)."""
    listed: list[dict[str, Any]] = [{"day": day, "name": "Place", "lat": lat, "lon": lon} for day, lat, lon in stops]
    days = max(day for day, _, _ in stops)
    params = {"destination": "Somewhere", "days": days, "theme": theme, "stops": listed}
    return read_trip({"title": "A trip", "language": "en", "params": params})


CITY = trip_of([(day, 50.0 + 0.01 * day, 8.0 + 0.01 * n) for day in (1, 2, 3) for n in range(4)])
COUNTRY = trip_of([(day, 45.0 + day, 5.0 + day) for day in range(1, 6)])
WORLD = trip_of([(day, 10.0 * day - 40, 40.0 * day - 180) for day in range(1, 8)])
DAY = trip_of([(1, 50.0 + 0.01 * n, 8.0 + 0.02 * (n % 3)) for n in range(7)])
LONG = trip_of([(day, 50.0 + 0.01 * day, 8.0 + 0.013 * (day * 7 % 5)) for day in range(1, 15)])


def looks_of(trip: Trip) -> list[Look]:
    return [choose(trip, random.Random(seed)) for seed in range(SEEDS)]


def test_three_looks_or_more_in_many_palettes() -> None:
    looks = looks_of(CITY)
    assert {look.name for look in looks} == {PLAN, CHART, POSTER, METRO}
    assert len({(look.name, look.paper, look.title_face, look.side, look.motif) for look in looks}) > SEEDS // 3
    assert {look.name for look in looks_of(COUNTRY)} >= {PLAN, CHART, POSTER}
    assert METRO not in {look.name for look in looks_of(WORLD)}, "no line runs around the world"


def test_a_theme_calls_for_its_look() -> None:
    place = [(1, 50.0, 8.0), (1, 50.01, 8.02), (1, 50.02, 8.0), (2, 50.0, 8.03), (2, 50.02, 8.04)]
    for theme, name in (("stars over the harbour", CHART), ("艺术与摄影", POSTER), ("Bahn und Technologie", METRO)):
        with_it = Counter(look.name for look in looks_of(trip_of(place, theme)))
        without = Counter(look.name for look in looks_of(trip_of(place)))
        assert with_it[name] > 1.2 * without[name]


def test_names_do_not_change_the_look() -> None:
    brief = random_brief("travel_map", 1, 3)
    value = brief.model_dump(mode="json")
    renamed = {**value, "title": "Elsewhere", "params": {**value["params"], "destination": "Elsewhere"}}
    for seed in range(10):
        assert choose(read_trip(value), random.Random(seed)) == choose(read_trip(renamed), random.Random(seed))


@pytest.mark.parametrize(
    "trip", [CITY, DAY, COUNTRY, WORLD, LONG], ids=["city", "day", "country", "world", "fortnight"]
)
def test_routes_and_words_stand_off_their_grounds(trip: Trip) -> None:
    for look in looks_of(trip):
        grounds = [day.field for day in look.days] if look.name == POSTER else [look.paper]
        grounds += field_colours(trip, look).values()
        words = [*grounds, *([] if look.name == POSTER else [look.panel])]
        for day in look.days:
            for ground in grounds:
                assert contrast(day.ink, ground) >= 3.0, (look.name, "route", day.ink, ground)
            if look.name != POSTER:
                assert contrast(day.ink, look.panel) >= 4.5, (look.name, "a day's words", day.ink)
            assert contrast(day.on, day.ink) >= 4.5, (look.name, "the number on its pin", day.ink)
            assert contrast(day.printed, WHITE) >= 4.5, "on paper"
        for ground in words:
            assert contrast(look.ink, ground) >= 4.5, (look.name, "words", look.ink, ground)
        assert contrast(look.cover_ink, look.cover) >= 4.5, (look.name, "the head's words")


def test_random_briefs_show_several_looks() -> None:
    kind = get_kind("travel_map")
    briefs = [random_brief("travel_map", 1, number) for number in range(24)]
    names = Counter(
        choose(read_trip(brief.model_dump(mode="json")), random.Random(kind.default_seed(brief))).name
        for brief in briefs
    )
    assert len(names) >= 3
    assert max(names.values()) <= 14
