"""Plain rules read a sentence, in English and Chinese; what they are not sure of stays empty."""

from __future__ import annotations

from typing import Any

import pytest

from studio.brief import Brief
from studio.drafting import fill_by_rule
from studio.drafting.filling import filled
from studio.kinds import all_kinds, get_kind
from studio.kinds.sentence import Sentence

CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "A story about a lighthouse",
        "open",
        "en",
        {"deliverables": [{"path": "text.md", "media_type": "text/markdown"}]},
    ),
    ("Surprise me", "open", "en", {}),
    (
        "A birthday countdown for Luna from 5, 12 seconds",
        "countdown_video",
        "en",
        {"name": "Luna", "start": 5, "duration_s": 12.0, "finale": "Happy Birthday, {name}!"},
    ),
    (
        "Count down to Ada's birthday in an upright video",
        "countdown_video",
        "en",
        {"name": "Ada", "width": 720, "height": 1280, "finale": "Happy Birthday, {name}!"},
    ),
    (
        "给奶奶做一个生日倒计时视频，从10开始，15秒",
        "countdown_video",
        "zh-Hans",
        {"name": "奶奶", "start": 10, "duration_s": 15.0, "finale": "生日快乐，{name}！"},
    ),
    ("Plan a five day trip to New Zealand for a couple", "travel_map", "en", {"destination": "New Zealand", "days": 5}),
    ("去京都玩三天的旅行地图", "travel_map", "zh-Hans", {"destination": "京都", "days": 3}),
    (
        "A calm piano waltz in F sharp minor, about 40 seconds",
        "piano_piece",
        "en",
        {"mood": "calm", "key": "F# minor", "meter": "3/4"},
    ),
    ("一首平静的C大调钢琴曲", "piano_piece", "zh-Hans", {"mood": "平静", "key": "C major"}),
    (
        "A poster for “Night of Tides” at Old Mill on Saturday, 4 July 2026, 19:30",
        "poster",
        "en",
        {"event": {"name": "Night of Tides", "date": "Saturday, 4 July 2026", "venue": "Old Mill", "time": "19:30"}},
    ),
    (
        "为《港湾音乐会》做一张海报，7月3日，在文化中心举行",
        "poster",
        "zh-Hans",
        {"event": {"name": "港湾音乐会", "date": "7月3日", "venue": "文化中心"}},
    ),
]


@pytest.mark.parametrize(("sentence", "kind", "language", "params"), CASES)
def test_a_sentence_is_read(sentence: str, kind: str, language: str, params: dict[str, Any]) -> None:
    found = fill_by_rule(sentence, all_kinds())
    assert (found.kind.name, found.language, found.prompt) == (kind, language, sentence)
    assert {name: found.params.get(name) for name in params} == params
    if not found.missing:
        found.kind.parse(Brief.model_validate(found.brief))


def test_what_is_not_said_stays_empty_and_is_named() -> None:
    found = fill_by_rule("a poster", all_kinds())
    assert found.params == {}
    assert found.missing == ("/params/event/name", "/params/event/date", "/params/event/venue")
    assert fill_by_rule("a poster for Open Night", all_kinds()).missing == ("/params/event/date", "/params/event/venue")
    assert fill_by_rule("倒计时", all_kinds()).missing == ("/params/name",)


def test_what_the_kind_refuses_is_taken_out_alone() -> None:
    params = {
        "event": {"name": "Fair", "date": "May 1", "venue": "Hall", "colour": "red"},
        "palette": {"primary": "crimson", "accent": "#112233"},
        "social": [{"name": "wide", "width": 5, "height": 400}],
        "nonsense": 1,
    }
    found = filled(get_kind("poster"), "a fair", {"title": 7, "language": "no such", "params": params})
    assert found.params["event"] == {"name": "Fair", "date": "May 1", "venue": "Hall"}
    assert found.params["palette"] == {"accent": "#112233"}
    assert "nonsense" not in found.params
    assert (found.title, found.language, found.missing) == ("Fair", "en", ())
    found.kind.parse(Brief.model_validate(found.brief))


@pytest.mark.parametrize("params", [None, 7, [], "x", {"event": "x"}, {"event": []}, {"name": None}, {"stops": [1]}])
def test_whatever_comes_is_survived(params: Any) -> None:
    for kind in all_kinds().values():
        assert filled(kind, "x", {"params": params}).kind is kind


def test_languages_are_told_apart() -> None:
    said = {"你好，做一张海报": "zh-Hans", "給奶奶的海報": "zh-Hant", "ポスターを作って": "ja", "Ein Plakat": "en"}
    assert {text: Sentence(text).language for text in said} == said
