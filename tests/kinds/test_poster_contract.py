"""The poster's contract follows from the brief alone; prompt and seed as a person would expect them."""

from __future__ import annotations

import json

from studio.contract import Check
from studio.kinds import get_kind, parse_brief
from tests.kinds.conftest import brief_of, small

KIND = get_kind("poster")


def checks_of(name: str) -> dict[str, Check]:
    return {check.id: check for check in KIND.contract(brief_of(name)).checks}


def test_the_same_brief_gives_the_same_contract() -> None:
    for sample in KIND.samples():
        brief = parse_brief(sample.brief)
        again = parse_brief(json.loads(brief.model_dump_json()))
        assert KIND.contract(brief) == KIND.contract(again)


def test_every_deliverable_is_required_and_measured() -> None:
    checks = checks_of("en-banner-wide")
    social = [f"social_media_versions/{name}.png" for name in ("story", "header", "leaderboard", "avatar")]
    assert checks["files.present"].args["required"] == ["poster.svg", "poster.png", "design_specs.md", *social]
    assert checks["png.size"].args["files"] == [
        {"path": "poster.png", "width": 2700, "height": 600, "tolerance_px": 1},
        {"path": social[0], "width": 1080, "height": 1920, "tolerance_px": 0},
        {"path": social[1], "width": 1500, "height": 500, "tolerance_px": 0},
        {"path": social[2], "width": 728, "height": 90, "tolerance_px": 0},
        {"path": social[3], "width": 200, "height": 200, "tolerance_px": 0},
    ]
    assert all(check.expected for check in checks.values())
    assert {name for name, check in checks.items() if check.severity == "should"} == {
        "poster.palette",
        "text.present",
    }


def test_name_date_venue_and_speakers_must_be_readable() -> None:
    strings = checks_of("01-ai-conference")["poster.text"].args["strings"]
    assert isinstance(strings, list)
    found = {item["pointer"]: item["text"] for item in strings if isinstance(item, dict)}
    assert found["/params/event/name"] == "AGI Summit 2026"
    assert found["/params/speakers/3/topic"] == "Embodied AI: Latest Advances"
    assert "/params/event/slogan" not in found
    assert len(found) == 3 + 4 * 4


def test_a_model_is_told_all_that_is_judged() -> None:
    brief = brief_of("02-harbour-concerts-zh")
    prompt = KIND.prompt(brief)
    assert brief.prompt in prompt
    for check in KIND.contract(brief).checks:
        assert f"- {check.id}: {check.expected}" in prompt


def test_another_name_keeps_the_seed_and_another_page_does_not() -> None:
    one = small()
    named = small(event={"name": "Day Run", "date": "Sunday", "venue": "Park"})
    wide = small(page={"width_mm": 594, "height_mm": 420})
    assert KIND.default_seed(one) == KIND.default_seed(named)
    assert KIND.default_seed(one) != KIND.default_seed(wide)


def test_the_recipe_reads_the_brief_instead_of_holding_it() -> None:
    first, second = (KIND.recipe(brief_of(name)) for name in ("01-ai-conference", "ar-poetry-night"))
    assert first is not None
    assert first == second
    assert [call.name for call in first.calls[-2:]] == ["execute_bash", "submit"]


def test_a_bleed_asks_for_the_pdf_and_keeps_the_design() -> None:
    page = {"width_mm": 420, "height_mm": 594}
    plain, bled = small(page=page), small(page={**page, "bleed_mm": 3})
    for brief, wanted in ((plain, False), (bled, True)):
        checks = {check.id: check for check in KIND.contract(brief).checks}
        required = checks["files.present"].args["required"]
        assert isinstance(required, list)
        assert ("poster.pdf" in required) == wanted
        assert checks["pdf.page"].if_present == (None if wanted else "poster.pdf")
        assert checks["pdf.page"].args.get("bleed_mm") == (3 if wanted else None)
        assert ("3 mm on every side" in KIND.prompt(brief)) == wanted
    assert KIND.default_seed(plain) == KIND.default_seed(bled)
