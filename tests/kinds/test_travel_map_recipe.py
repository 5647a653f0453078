"""The house recipe: whatever the brief, the map is accepted; the same seed gives the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from studio.brief import Brief, InputFile
from studio.kinds import get_kind, parse_brief
from studio.kinds.travel_map.params import TravelMapParams
from tests.inspection.pictures import png
from tests.kinds.conftest import Make

BRIEFS = Path(__file__).parent / "map_briefs"
QUICK = {"01-tokyo", "ar-cairo", "xx-hostile-words"}
SAMPLES = {sample.name: sample.brief for sample in get_kind("travel_map").samples()}
NAMES = sorted([path.stem for path in BRIEFS.glob("*.json")] + list(SAMPLES))
CASES = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in NAMES]


def brief_of(name: str) -> Brief:
    """A brief of this folder, or a sample of the kind."""
    if name in SAMPLES:
        return parse_brief(SAMPLES[name])
    return parse_brief(json.loads((BRIEFS / f"{name}.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", CASES)
def test_the_map_is_accepted(name: str, make: Make) -> None:
    brief = brief_of(name)
    made = make(brief)
    report = made.outcome.report
    assert report is not None
    assert [(finding.id, finding.message) for finding in report.failed] == []
    assert (made.outcome.state, report.verdict) == ("published", "accept")
    assert {preview.path for preview in report.previews} == {"thumbnail.webp", "wide.webp", "phone.webp"}


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(make: Make) -> None:
    brief = brief_of("en-one-stop")
    first, second, other = make(brief, seed=5), make(brief, seed=5), make(brief, seed=6)
    assert first.digests == second.digests
    assert first.digests["map.html"] != other.digests["map.html"]
    assert first.digests["itinerary.md"] == other.digests["itinerary.md"]


def test_a_photo_is_shown(make: Make, tmp_path: Path) -> None:
    picture = tmp_path / "lido.png"
    picture.write_bytes(png(60, 45, (30, 80, 140), split=(240, 220, 180)))
    stop = {"day": 1, "name": "Lido", "lat": 41.0, "lon": 29.0, "start": "09:00", "photo": "lido.png"}
    brief = parse_brief({"kind": "travel_map", "title": "A swim", "params": {"destination": "Sea", "stops": [stop]}})
    inputs = (InputFile("lido.png", "input", picture, picture.stat().st_size),)
    made = make(brief, inputs=inputs)
    assert made.outcome.state == "published"
    assert made.outcome.report is not None
    assert {finding.id: finding.measured for finding in made.outcome.report.checks}["images.used"] == {"lido.png": 1.0}


def _texts(longest: int) -> st.SearchStrategy[str]:
    letters = st.characters(exclude_categories=("Cc", "Cs", "Co", "Cf", "Cn", "Zl", "Zp"))
    return st.text(letters, min_size=1, max_size=longest).filter(lambda text: any(char.isalnum() for char in text))


@st.composite
def briefs(draw: st.DrawFn) -> Brief:
    """Any valid brief with stops: near each other or all over the globe."""
    days = draw(st.integers(1, 14))
    lat, lon = draw(st.floats(-88, 88)), draw(st.floats(-180, 180))
    spread = draw(st.sampled_from([0.01, 0.1, 1.0, 20.0, 180.0]))

    def stop() -> st.SearchStrategy[dict[str, Any]]:
        hours = st.integers(0, 23)
        return st.fixed_dictionaries(
            {
                "day": st.integers(1, days),
                "name": _texts(60),
                "lat": st.floats(-1, 1).map(lambda x: max(-90.0, min(90.0, lat + x * spread))),
                "lon": st.floats(-1, 1).map(lambda x: (lon + x * spread + 180.0) % 360.0 - 180.0),
            },
            optional={"start": hours.map(lambda h: f"{h:02}:15"), "activity": _texts(120), "tip": _texts(120)},
        )

    params = {
        "destination": draw(_texts(40)),
        "days": days,
        "theme": draw(st.none() | _texts(100)),
        "stops": draw(st.lists(stop(), min_size=1, max_size=30)),
    }
    language = draw(st.sampled_from(["en", "de", "zh-Hant", "ar", "he", "ja", "th", "hi", "sw", "x-none"]))
    value = {"kind": "travel_map", "title": draw(_texts(80)), "language": language, "params": params}
    assert set(params) <= set(TravelMapParams.model_fields)
    return parse_brief(value)


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(brief=briefs())
def test_any_valid_brief_is_accepted(brief: Brief, make: Make) -> None:
    made = make(brief)
    report = made.outcome.report
    assert report is not None, made.outcome.message
    assert [(finding.id, finding.message) for finding in report.failed] == [], brief.model_dump_json()
