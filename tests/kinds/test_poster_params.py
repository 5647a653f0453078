"""Poster briefs: what is filled in, what works though it looks odd, and what is refused with its pointer."""

from __future__ import annotations

from typing import Any

import pytest

from studio.brief import JsonObject
from studio.errors import BriefError
from studio.kinds import get_kind, parse_brief

EVENT: JsonObject = {"name": "Night Swim", "date": "Friday", "venue": "Old Lido"}


def parsed(**params: Any) -> JsonObject:
    given = {"event": EVENT, **params}
    return parse_brief({"kind": "poster", "title": "Night Swim", "params": given}).params


def refusal(**params: Any) -> dict[str, str]:
    with pytest.raises(BriefError) as caught:
        parsed(**params)
    return {problem.pointer: problem.message for problem in caught.value.problems}


def test_name_date_and_venue_are_enough() -> None:
    params = parsed()
    assert params["page"] == {"width_mm": 420, "height_mm": 594, "bleed_mm": 0}
    assert params["raster_height"] == 1920
    assert [(v["name"], v["width"], v["height"]) for v in params["social"]] == [
        ("instagram", 1080, 1080),
        ("twitter", 1200, 675),
    ]
    assert set(params["palette"]) == {"primary", "secondary", "accent", "background", "text"}
    assert (params["speakers"], params["highlights"]) == ([], [])


@pytest.mark.parametrize("field", ["name", "date", "venue"])
def test_each_of_the_three_is_required(field: str) -> None:
    event = {key: value for key, value in EVENT.items() if key != field}
    assert refusal(event=event) == {f"/params/event/{field}": "required field is missing"}


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("The \"Night\" of <Swim> & 'Sun'", "The \"Night\" of <Swim> & 'Sun'"),
        ("../../etc/passwd", "../../etc/passwd"),
        ("Nacht 🌊 👩‍👩‍👧", "Nacht 🌊 👩‍👩‍👧"),
        ("Night\nSwim\tNow", "Night Swim Now"),
        ("سباحة ليلية", "سباحة ليلية"),
        ("שחייה\u200f 2026", "שחייה\u200f 2026"),
        ("می‌خواهم", "می‌خواهم"),
    ],
)
def test_odd_names_are_names(name: str, printed: str) -> None:
    assert parsed(event={**EVENT, "name": name})["event"]["name"] == printed


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "at least 1 character"),
        (" \n ", "at least 1 character"),
        ("x" * 301, "at most 300 characters"),
        ("Night\x00Swim", "U+0000"),
        ("Night\u202eSwim", "U+202E"),
        ("\ue000", "private-use"),
        ("\u200b\u200d", "visible"),
        (7, "string"),
    ],
)
def test_names_that_cannot_be_printed_are_refused(name: object, reason: str) -> None:
    problems = refusal(event={**EVENT, "name": name})
    assert list(problems) == ["/params/event/name"]
    assert reason in problems["/params/event/name"]


@pytest.mark.parametrize(("title", "reason"), [("Night\u202emiws", "U+202E"), ("\u200b\u200d", "visible")])
def test_titles_that_cannot_be_printed_are_refused(title: str, reason: str) -> None:
    with pytest.raises(BriefError) as caught:
        parse_brief({"kind": "poster", "title": title, "params": {"event": EVENT}})
    assert [(problem.pointer, reason in problem.message) for problem in caught.value.problems] == [("/title", True)]


def test_an_empty_optional_field_of_a_form_means_not_given() -> None:
    params = parsed(event={**EVENT, "slogan": " "}, registration={"url": ""}, contact={"email": ""})
    assert params["event"]["slogan"] is None
    assert params["registration"]["url"] is None
    assert params["contact"]["email"] is None


def test_unknown_fields_are_refused_where_they_are() -> None:
    problems = refusal(colour="red", speakers=[{"name": "Ada", "role": "CEO"}])
    assert set(problems) == {"/params/colour", "/params/speakers/0/role"}
    assert all("unknown field" in message for message in problems.values())


def test_contact_takes_further_names() -> None:
    assert parsed(contact={"email": "a@b.example", "twitter": "@a"})["contact"]["twitter"] == "@a"
    assert list(refusal(contact={"twitter": 3})) == ["/params/contact/twitter"]
    assert list(refusal(contact={f"way {n}": "x" for n in range(9)})) == ["/params/contact"]


@pytest.mark.parametrize(
    ("params", "pointer", "words"),
    [
        ({"page": {"width_mm": 49}}, "/params/page/width_mm", "50"),
        ({"page": {"width_mm": 2000, "height_mm": 100}}, "/params/page", "20.0 times"),
        ({"raster_height": 199}, "/params/raster_height", "200"),
        (
            {"raster_height": 8000, "page": {"width_mm": 594, "height_mm": 420}},
            "/params/raster_height",
            "8000 px × 594 mm ÷ 420 mm makes the PNG 11314 × 8000 px, 90.5 million pixels; at most 50 are allowed",
        ),
        (
            {"raster_height": 400, "page": {"width_mm": 100, "height_mm": 1000}},
            "/params/raster_height",
            "400 px × 100 mm ÷ 1000 mm makes the PNG 40 × 400 px; it must be at least 100 px wide",
        ),
        (
            {"raster_height": 200, "highlights": ["x" * 280] * 2},
            "/params/raster_height",
            "words are 584 characters (ideographs count twice); on 141 × 200 px each has 48 px², and 80 are needed "
            "for letters 4 px high: ask for a raster_height of 260 or more, or shorten the texts",
        ),
        ({"palette": {"primary": "red"}}, "/params/palette/primary", "pattern"),
        ({"social": [{"name": "../x", "width": 100, "height": 100}]}, "/params/social/0/name", "pattern"),
        ({"social": [{"name": "x", "width": 2000, "height": 100}]}, "/params/social/0", "20.0 times"),
        (
            {"social": [{"name": "x", "width": 100, "height": 100}, {"name": "x", "width": 200, "height": 100}]},
            "/params/social/1/name",
            "unique",
        ),
        ({"registration": {"url": "javascript:alert(1)"}}, "/params/registration/url", "https://"),
        ({"registration": {"url": "https://a b"}}, "/params/registration/url", "%20"),
        ({"speakers": [{"name": "Ada", "photo": "../ada.jpg"}]}, "/params/speakers/0/photo", "slash"),
        ({"speakers": [{"name": "Ada"}] * 41}, "/params/speakers", "40"),
        ({"highlights": ["x"] * 31}, "/params/highlights", "30"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(params: JsonObject, pointer: str, words: str) -> None:
    problems = refusal(**params)
    assert list(problems) == [pointer]
    assert words in problems[pointer]


def test_a_palette_of_one_colour_is_taken() -> None:
    palette = dict.fromkeys(("primary", "secondary", "accent", "background", "text"), "#777777")
    assert parsed(palette=palette)["palette"] == palette


def test_parsing_again_changes_nothing() -> None:
    for sample in get_kind("poster").samples():
        once = parse_brief(sample.brief)
        assert parse_brief(once) == once


def test_every_field_of_the_form_has_a_title() -> None:
    schema = get_kind("poster").params_model.model_json_schema()
    models = [schema, *schema["$defs"].values()]
    for model in models:
        for name, field in model.get("properties", {}).items():
            assert field.get("title") or "$ref" in field, f"{model['title']}.{name}"
