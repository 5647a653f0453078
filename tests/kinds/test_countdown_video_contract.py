"""The countdown's contract follows from the brief alone; prompt and seed as a person would expect them."""

from __future__ import annotations

import json

from studio.contract import Check
from studio.kinds import parse_brief
from tests.kinds.video_making import KIND, brief_of, short


def checks_of(name: str) -> dict[str, Check]:
    return {check.id: check for check in KIND.contract(brief_of(name)).checks}


def test_the_same_brief_gives_the_same_contract() -> None:
    for sample in KIND.samples():
        brief = parse_brief(sample.brief)
        again = parse_brief(json.loads(brief.model_dump_json()))
        assert KIND.contract(brief) == KIND.contract(again)


def test_what_the_brief_asks_is_what_is_measured() -> None:
    checks = checks_of("03-new-year-upright")
    assert checks["files.present"].args["required"] == ["countdown.mp4", "description.md"]
    assert (checks["video.size"].args["width"], checks["video.size"].args["height"]) == (720, 1280)
    assert checks["video.duration"].args["seconds"] == 15
    assert checks["video.counts"].args["numbers"] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert checks["video.finale"].args["text"] == "2027"
    shoulds = {name for name, check in checks.items() if check.severity == "should"}
    assert shoulds == {"video.fps", "text.present"}


def test_a_name_that_ocr_cannot_read_does_not_block_and_says_so() -> None:
    for name, script in (("he-soft", "Hebrew"), ("hi-no-name-in-finale", "Devanagari")):
        finale = checks_of(name)["video.finale"]
        assert finale.severity == "should"
        assert script in finale.expected
    for name in ("ja-square", "ko-upright", "ar-lanterns", "ru-long-name", "zh-hant-upright-silent"):
        assert checks_of(name)["video.finale"].severity == "must"


def test_a_model_is_told_all_that_is_judged() -> None:
    brief = brief_of("02-grandmother-zh")
    prompt = KIND.prompt(brief)
    assert brief.prompt in prompt
    assert "奶奶，生日快乐！" in prompt
    for check in KIND.contract(brief).checks:
        assert f"- {check.id}: {check.expected}" in prompt


def test_another_name_keeps_the_seed_and_another_shape_or_colour_does_not() -> None:
    one = short()
    assert KIND.default_seed(one) == KIND.default_seed(short(name="Bo", finale="Hi {name}"))
    assert KIND.default_seed(one) != KIND.default_seed(short(width=136, height=240))
    assert KIND.default_seed(one) != KIND.default_seed(short(colors={"accent": "#00FF00"}))


def test_the_recipe_reads_the_brief_instead_of_holding_it() -> None:
    first, second = (KIND.recipe(brief_of(name)) for name in ("01-luna-birthday", "ar-lanterns"))
    assert first is not None
    assert first == second
    assert [call.name for call in first.calls[-2:]] == ["execute_bash", "submit"]
