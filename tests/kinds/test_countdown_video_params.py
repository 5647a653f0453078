"""Countdown briefs: what is filled in, what works though odd, what is refused, with its pointer and arithmetic."""

from __future__ import annotations

from typing import Any

import pytest

from studio.brief import JsonObject
from studio.errors import BriefError
from studio.kinds import parse_brief


def parsed(**params: Any) -> JsonObject:
    return parse_brief({"kind": "countdown_video", "title": "Countdown", "params": {"name": "Luna", **params}}).params


def refusal(**params: Any) -> dict[str, str]:
    with pytest.raises(BriefError) as caught:
        parsed(**params)
    return {problem.pointer: problem.message for problem in caught.value.problems}


def test_a_name_is_enough() -> None:
    params = parsed()
    assert (params["start"], params["end"], params["duration_s"]) == (10, 1, 12)
    assert (params["width"], params["height"], params["fps"], params["music"]) == (1280, 720, 30, True)
    assert params["finale"] == "Happy Birthday, {name}!"
    assert set(params["colors"]) == {"background", "primary", "secondary", "accent"}
    assert params["photo"] is None


def test_the_name_is_required() -> None:
    with pytest.raises(BriefError) as caught:
        parse_brief({"kind": "countdown_video", "title": "Countdown"})
    assert [problem.pointer for problem in caught.value.problems] == ["/params/name"]


@pytest.mark.parametrize(
    "params",
    [
        {"start": 0, "end": 0, "duration_s": 2},
        {"start": 5, "end": 5},
        {"start": 100, "end": 1, "duration_s": 41.5},
        {"start": 20, "end": 1, "duration_s": 9.5, "fps": 60},
        {"fps": 23.976},
        {"width": 96, "height": 96},
        {"width": 3840, "height": 2160, "duration_s": 10},
        {"name": "👩‍👩‍👧"},
        {"name": "O'Brien & Sons <3"},
        {"finale": "Hurra!"},
        {"photo": ""},
    ],
)
def test_odd_briefs_that_can_be_met(params: JsonObject) -> None:
    assert parsed(**params)["width"] % 2 == 0


def test_more_numbers_than_fit_are_refused_with_the_arithmetic() -> None:
    message = refusal(start=20, duration_s=9)["/params/duration_s"]
    assert message.startswith("20 numbers (20 to 1) in 9 s − 1.5 s for the finale = 0.38 s each")
    assert "take 9.5 s or longer, or at most 18 numbers" in message


def test_counting_up_is_refused() -> None:
    assert refusal(start=1, end=5) == {
        "/params/end": "it counts down from 1 to 5, so the last number is above the first; swap them"
    }


def test_a_film_too_large_to_make_is_refused_with_the_arithmetic() -> None:
    message = refusal(width=1920, height=1080, fps=60, duration_s=60)["/params/duration_s"]
    assert "1920 × 1080 px × 60 fps × 60 s = 7.5 thousand million pixels; at most 5" in message
    assert "take 40 s" in message


def test_words_that_nobody_could_read_are_refused() -> None:
    message = refusal(name="Maximiliana " * 6, width=96, height=96)["/params/finale"]
    assert "a larger frame or fewer words" in message


@pytest.mark.parametrize(
    ("params", "pointer", "words"),
    [
        ({"width": 1281}, "/params/width", "take 1280 or 1282"),
        ({"height": 0}, "/params/height", "greater than or equal to 96"),
        ({"width": 1280, "height": 128}, "/params/width", "10.0 times"),
        ({"fps": 9}, "/params/fps", "greater than or equal to 10"),
        ({"fps": 61}, "/params/fps", "less than or equal to 60"),
        ({"finale": "Hello {Name}"}, "/params/finale", "the only placeholder is {name}"),
        ({"colors": {"primary": "red"}}, "/params/colors/primary", "pattern"),
        ({"name": "Lu\u202ena"}, "/params/name", "U+202E"),
        ({"name": " \u200b "}, "/params/name", "visible"),
        ({"photo": "../me.jpg"}, "/params/photo", "slash"),
        ({"colour": "#FFFFFF"}, "/params/colour", "unknown field"),
        ({"duration_s": 121}, "/params/duration_s", "less than or equal to 120"),
    ],
)
def test_what_is_refused_names_the_field(params: JsonObject, pointer: str, words: str) -> None:
    found = refusal(**params)
    assert list(found) == [pointer]
    assert words in found[pointer]


def test_two_contradictions_are_told_at_once() -> None:
    assert set(refusal(start=30, duration_s=5, width=3840, height=120)) == {"/params/duration_s", "/params/width"}
