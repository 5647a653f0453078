"""Piano briefs: what is filled in, how keys may be written, what is refused and why; contract and prompt."""

from __future__ import annotations

from typing import Any

import pytest

from studio.brief import JsonObject
from studio.errors import BriefError
from studio.kinds import get_kind, parse_brief
from tests.kinds.pianos import brief_of

KIND = get_kind("piano_piece")


def refusal(**params: Any) -> dict[str, str]:
    with pytest.raises(BriefError) as caught:
        brief_of(params)
    return {problem.pointer: problem.message for problem in caught.value.problems}


def test_everything_has_a_default() -> None:
    assert brief_of({}).params == {
        "mood": "",
        "key": "A minor",
        "meter": "3/4",
        "bpm": {"min": 90, "max": 110},
        "duration_s": {"min": 20, "max": 30},
        "structure": [
            {"name": "Intro", "bars": 4},
            {"name": "Main Theme", "bars": 8},
            {"name": "Outro", "bars": 4},
        ],
    }


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("A minor", "A minor"), ("a minor", "A minor"), ("Am", "A minor"), ("am", "A minor"), ("AM", "A major"),
        ("F♯ minor", "F# minor"), ("f-sharp minor", "F# minor"), ("Bb major", "Bb major"), ("b flat major", "Bb major"),
        ("bb minor", "Bb minor"), ("d-Moll", "D minor"), ("C-Dur", "C major"), ("降E大调", "Eb major"),
        ("升f小调", "F# minor"), ("変ロ長調", "変ロ長調"), ("E# minor", "F minor"), ("Cb minor", "B minor"),
        ("la mineur", "la mineur"),
    ],
)  # fmt: skip
def test_keys_as_people_write_them(written: str, key: str) -> None:
    if written == key and written not in ("A minor", "Bb major"):
        assert list(refusal(key=written)) == ["/params/key"]
    else:
        assert brief_of({"key": written}).params["key"] == key


def test_all_keys_with_sharps_and_flats() -> None:
    for mode in ("major", "minor"):
        for tonic in ["C", "C#", "Db", "D", "D#", "Eb", "E", "F", "F#", "Gb", "G", "G#", "Ab", "A", "A#", "Bb", "B"]:
            assert brief_of({"key": f"{tonic} {mode}"}).params["key"] == f"{tonic} {mode}"


def bars(count: int) -> list[JsonObject]:
    return [{"name": "Theme", "bars": min(64, count - at)} for at in range(0, count, 64)]


def test_sixteen_bars_of_four_four_do_not_fit_and_of_three_four_do() -> None:
    problems = refusal(meter="4/4")
    assert list(problems) == ["/params/duration_s"]
    assert "16 bars of 4/4 at 90–110 BPM take 35–43 s, not 20–30 s" in problems["/params/duration_s"]
    assert "16 bars × 4 beats × 60 ÷ BPM" in problems["/params/duration_s"]
    brief_of({"meter": "3/4"})
    brief_of({"meter": "4/4", "duration_s": {"min": 36, "max": 42}})


@pytest.mark.parametrize(
    ("meter", "low", "high"), [("2/4", 32, 40), ("3/4", 48, 60), ("6/8", 32, 40), ("9/8", 48, 60), ("12/8", 64, 80)]
)
def test_the_beat_of_compound_meters_is_dotted(meter: str, low: float, high: float) -> None:
    """20 bars at 60 to 75 beats a minute; the very edges can be met."""
    given = {"meter": meter, "bpm": {"min": 60, "max": 75}, "structure": bars(20)}
    brief_of({**given, "duration_s": {"min": 1, "max": low}})
    brief_of({**given, "duration_s": {"min": high, "max": 600}})
    assert list(refusal(**given, duration_s={"min": 1, "max": low - 0.1})) == ["/params/duration_s"]
    assert list(refusal(**given, duration_s={"min": high + 0.1, "max": 600})) == ["/params/duration_s"]


@pytest.mark.parametrize(
    ("params", "pointer", "words"),
    [
        ({"bpm": {"min": 120, "max": 100}}, "/params/bpm", "min 120 is above max 100"),
        ({"duration_s": {"min": 31, "max": 30}}, "/params/duration_s", "min 31 is above max 30"),
        ({"bpm": {"min": 19}}, "/params/bpm/min", "20"),
        ({"bpm": {"max": 321}}, "/params/bpm/max", "320"),
        ({"duration_s": {"min": 0}}, "/params/duration_s/min", "1"),
        ({"duration_s": {"max": 601}}, "/params/duration_s/max", "600"),
        ({"meter": "5/4"}, "/params/meter", "2/4"),
        ({"key": "H minor"}, "/params/key", "A minor"),
        ({"key": 7}, "/params/key", "A minor"),
        ({"structure": []}, "/params/structure", "at least 1"),
        ({"structure": [{"name": "A", "bars": 0}]}, "/params/structure/0/bars", "1"),
        ({"structure": [{"name": "A", "bars": 65}]}, "/params/structure/0/bars", "64"),
        ({"structure": [{"name": " ", "bars": 4}]}, "/params/structure/0/name", "at least 1"),
        ({"structure": [{"name": "A\x00", "bars": 4}]}, "/params/structure/0/name", "U+0000"),
        ({"structure": bars(401)}, "/params/structure", "401 bars together; at most 400"),
        ({"mood": "x" * 201}, "/params/mood", "200"),
        ({"tempo": 100}, "/params/tempo", "unknown field"),
        ({"structure": [{"name": "A", "bars": 4, "key": "C"}]}, "/params/structure/0/key", "unknown field"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(params: JsonObject, pointer: str, words: str) -> None:
    problems = refusal(**params)
    assert list(problems) == [pointer]
    assert words in problems[pointer]


def test_samples_are_valid_and_parsing_again_changes_nothing() -> None:
    samples = KIND.samples()
    assert len(samples) == 3
    for sample in samples:
        once = parse_brief(sample.brief)
        assert parse_brief(once) == once
        assert KIND.contract(once) == KIND.contract(parse_brief(once))


def test_the_contract_says_what_the_brief_asks() -> None:
    brief = brief_of({"key": "F# minor", "meter": "6/8", "bpm": {"min": 60, "max": 75}, "structure": bars(12)})
    checks = {check.id: check for check in KIND.contract(brief).checks}
    assert checks["midi.key"].args == {"file": "composition.mid", "tonic": 6, "minor": True}
    assert checks["midi.tempo"].args["beat_quarters"] == 1.5
    assert (checks["midi.bars"].args["bars"], checks["midi.bars"].args["unit"]) == (12, 8)
    should = {check.id for check in checks.values() if check.severity == "should"}
    assert should == {"midi.playable", "text.present"}
    assert all(check.expected for check in checks.values())


def test_a_model_is_told_all_that_is_judged() -> None:
    brief = parse_brief(KIND.samples()[1].brief)
    prompt = KIND.prompt(brief)
    assert brief.prompt in prompt
    for check in KIND.contract(brief).checks:
        assert f"- {check.id}: {check.expected}" in prompt


def test_every_field_of_the_form_has_a_title() -> None:
    schema = KIND.params_model.model_json_schema()
    for model in [schema, *schema["$defs"].values()]:
        assert all("title" in field or "$ref" in field for field in model["properties"].values())
