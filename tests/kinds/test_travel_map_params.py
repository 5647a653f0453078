"""Travel map briefs: what is filled in, what is refused and where, and what the contract then asks for."""

from __future__ import annotations

from typing import Any

import pytest

from studio.brief import Brief, JsonObject
from studio.errors import BriefError
from studio.kinds import get_kind, parse_brief

STOP: JsonObject = {"day": 1, "name": "Old Lido", "lat": 41.0, "lon": 29.0}


def parsed(**params: Any) -> Brief:
    given = {"destination": "Istanbul", **params}
    return parse_brief({"kind": "travel_map", "title": "A trip", "params": given})


def refusal(**params: Any) -> dict[str, str]:
    with pytest.raises(BriefError) as caught:
        parsed(**params)
    return {problem.pointer: problem.message for problem in caught.value.problems}


def args(brief: Brief, wanted: str) -> Any:
    """What one check of the brief's contract measures by."""
    return next(each.args for each in get_kind("travel_map").contract(brief).checks if each.id == wanted)


def test_a_destination_is_enough_for_a_model_but_not_for_the_recipe() -> None:
    brief = parsed()
    assert (brief.params["days"], brief.params["stops"]) == (3, [])
    assert args(brief, "map.markers")["minimum"] == 9
    assert args(brief, "map.place")["center"] is None
    with pytest.raises(BriefError) as caught:
        get_kind("travel_map").recipe(brief)
    assert [problem.pointer for problem in caught.value.problems] == ["/params/stops"]


@pytest.mark.parametrize("empty", [None, {}, {"lat": "", "lon": " "}])
def test_what_a_form_leaves_empty_is_not_given(empty: object) -> None:
    brief = parsed(center=empty, travellers=" ", radius_km=None, stops=None)
    assert [brief.params[key] for key in ("center", "travellers", "radius_km", "stops")] == [None, None, None, []]


def test_times_are_written_alike() -> None:
    stop = parsed(stops=[{**STOP, "start": "9:05", "end": "24:00"}]).params["stops"][0]
    assert (stop["start"], stop["end"]) == ("09:05", "24:00")


@pytest.mark.parametrize(
    ("params", "pointer", "words"),
    [
        ({"days": 2, "stops": [{**STOP, "day": 3}]}, "/params/stops/0/day", "2 days"),
        ({"stops": [{**STOP, "start": "10:00", "end": "09:30"}]}, "/params/stops/0/end", "before it starts"),
        ({"stops": [{**STOP, "start": "9 o'clock"}]}, "/params/stops/0/start", "09:30"),
        ({"stops": [{**STOP, "start": "24:01"}]}, "/params/stops/0/start", "24:00"),
        ({"stops": [{**STOP, "lat": 90.5}]}, "/params/stops/0/lat", "90"),
        ({"stops": [{**STOP, "lon": 181}]}, "/params/stops/0/lon", "180"),
        ({"stops": [{**STOP, "lat": float("nan")}]}, "/params/stops/0/lat", "finite"),
        ({"stops": [{"day": 1, "name": "Nowhere"}]}, "/params/stops/0/lat", "missing"),
        ({"stops": [{**STOP, "name": "x" * 121}]}, "/params/stops/0/name", "120"),
        ({"stops": [{**STOP, "photo": "../a.png"}]}, "/params/stops/0/photo", "attachment"),
        ({"stops": [STOP] * 101}, "/params/stops", "100"),
        ({"days": 15}, "/params/days", "14"),
        ({"radius_km": 0}, "/params/radius_km", "greater than 0"),
        ({"center": {"lat": 41}}, "/params/center/lon", "missing"),
        ({"hotel": "Lido"}, "/params/hotel", "unknown"),
        ({"center": {"lat": 48, "lon": 2}, "radius_km": 50, "stops": [STOP]}, "/params/stops/0", "from the centre"),
    ],
)
def test_refused(params: JsonObject, pointer: str, words: str) -> None:
    problems = refusal(**params)
    assert words in problems[pointer]


def test_a_day_without_a_stop_is_a_day_at_leisure() -> None:
    brief = parsed(days=5, stops=[STOP, {**STOP, "day": 4, "lat": 41.1}])
    assert args(brief, "map.routes")["days"] == []


def test_the_radius_grows_with_the_stops() -> None:
    near = parsed(stops=[STOP, {**STOP, "lat": 41.1}])
    far = parsed(stops=[STOP, {**STOP, "lat": 43.0}])
    assert args(near, "map.place")["radius_km"] == 60
    assert args(far, "map.place")["radius_km"] == pytest.approx(1.1 * 111.195, rel=0.001)
    assert args(far, "map.place")["center"] == pytest.approx([42.0, 29.0])


def test_the_middle_lies_on_the_near_side_of_the_date_line() -> None:
    brief = parsed(stops=[{**STOP, "lat": 0, "lon": 179}, {**STOP, "lat": 0, "lon": -177}])
    assert args(brief, "map.place")["center"] == pytest.approx([0, -179])


def test_the_contract_asks_for_what_the_brief_gives() -> None:
    stops = [{**STOP, "start": "09:00", "tip": "Swim", "photo": "lido.jpg"}, {**STOP, "lat": 41.1, "name": "Pier"}]
    brief = parsed(stops=stops)
    first, second = args(brief, "map.popups")["stops"]
    assert (first["start"], first["tip"], "end" in first) == ("09:00", "Swim", False)
    assert second["pointer"] == "/params/stops/1"
    assert args(brief, "images.used")["images"] == [{"name": "lido.jpg", "pointer": "/params/stops/0/photo"}]
    assert args(brief, "map.routes")["days"] == [{"day": 1, "points": [[41.0, 29.0], [41.1, 29.0]]}]


def test_the_seed_follows_the_layout_and_not_the_names() -> None:
    kind = get_kind("travel_map")
    one, other = parsed(stops=[STOP]), parsed(stops=[{**STOP, "name": "Pier"}])
    assert kind.default_seed(one) == kind.default_seed(other)
    assert kind.default_seed(one) != kind.default_seed(parsed(stops=[STOP, STOP]))


def test_the_prompt_tells_everything() -> None:
    kind = get_kind("travel_map")
    brief = parsed(travellers="two friends", center={"lat": 41, "lon": 29})
    told = kind.prompt(brief)
    assert [words for words in ("two friends", "map.html", "at least three a day") if words not in told] == []
    assert all(each.id in told for each in kind.contract(brief).checks)
    assert "The brief gives 1 stop:" in kind.prompt(parsed(stops=[STOP]))


def test_samples_are_whole_briefs() -> None:
    samples = get_kind("travel_map").samples()
    assert len(samples[0].brief.params["stops"]) == 12
    assert any(sample.brief.language.startswith("zh") for sample in samples)
    for sample in samples:
        once = parse_brief(sample.brief)
        assert parse_brief(once) == once
