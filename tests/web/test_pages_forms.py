"""Forms made from models: what is asked, what a posted form means, and where a problem is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, JsonValue

from studio.errors import Problem
from studio.kinds import ArtifactKind, all_kinds
from web.forms import Node, fill, initial_of, leaves, read, shape_of, unmatched, without_row


class Stop(BaseModel):
    name: str
    lat: float | None = None
    first: bool = False


class Trip(BaseModel):
    where: str = Field(title="Where to", description="A city.", examples=["Kyōto"])
    days: int = Field(default=3, ge=1, le=14)
    pace: Literal["slow", "quick"] = "slow"
    width_mm: float = 420
    color: str = Field(default="#336699", pattern=r"^#[0-9A-Fa-f]{6}$")
    notes: str = Field(default="", max_length=8000)
    stops: list[Stop] = Field(default_factory=lambda: [Stop(name="Gate")])
    tags: list[str] | None = None


SHAPE = shape_of(Trip)


def posted_from(node: Node) -> dict[str, list[str]]:
    """What a browser posts of a form: every control by its name."""
    found: dict[str, list[str]] = {}
    for item in leaves(node):
        if item.shape.control == "list":
            found.setdefault(item.pointer, []).append("")
        elif item.shape.control == "flag":
            found[item.pointer] = ["false", "true"] if item.value == "true" else ["false"]
        elif item.shape.control not in ("group", "pairs"):
            found[item.pointer] = [item.value]
    return found


def find(node: Node, pointer: str) -> Node:
    return next(item for item in leaves(node) if item.pointer == pointer)


def test_each_type_gets_its_control() -> None:
    controls = {child.name: child.control for child in SHAPE.children}
    assert controls == {
        "where": "text",
        "days": "integer",
        "pace": "choice",
        "width_mm": "number",
        "color": "color",
        "notes": "area",
        "stops": "list",
        "tags": "list",
    }


def test_labels_hints_units_and_bounds_come_from_the_model() -> None:
    where, days = SHAPE.children[0], SHAPE.children[1]
    assert (where.label, where.hint, where.example, where.required) == ("Where to", "A city.", "Kyōto", True)
    assert (days.label, days.minimum, days.maximum, days.required) == ("Days", 1, 14, False)
    width = SHAPE.children[3]
    assert (width.label, width.unit) == ("Width", "mm")


def test_an_untouched_form_holds_the_defaults() -> None:
    value = initial_of(Trip)
    node = fill(SHAPE, value)
    assert find(node, "/days").value == "3"
    assert find(node, "/width_mm").value == "420"
    assert find(node, "/stops/0/name").value == "Gate"
    assert read(SHAPE, posted_from(node)) == {
        "days": 3,
        "pace": "slow",
        "width_mm": 420,
        "color": "#336699",
        "stops": [{"name": "Gate", "first": False}],
    }


@pytest.mark.parametrize("kind", all_kinds().values(), ids=all_kinds())
def test_every_sample_survives_the_form(kind: ArtifactKind) -> None:
    shape = shape_of(kind.params_model)
    for sample in kind.samples():
        brief = kind.parse(sample.brief)
        typed = read(shape, posted_from(fill(shape, brief.params)))
        assert isinstance(typed, dict)
        again = kind.parse(brief.model_copy(update={"params": typed}))
        assert again == brief


def test_what_is_no_number_stays_as_it_was_typed() -> None:
    typed = read(SHAPE, {"/days": ["a few"], "/width_mm": ["1e999"], "/where": [" Rome "]})
    assert typed == {"days": "a few", "width_mm": "1e999", "where": " Rome "}
    assert find(fill(SHAPE, typed), "/days").value == "a few"


def test_empty_fields_are_left_out_and_empty_rows_are_dropped() -> None:
    typed = read(
        SHAPE,
        {
            "/where": [""],
            "/notes": ["  "],
            "/stops": [""],
            "/stops/0/name": [""],
            "/stops/0/first": ["false"],
            "/stops/7/name": ["Temple"],
            "/stops/7/first": ["false", "true"],
        },
    )
    assert typed == {"stops": [{"name": "Temple", "first": True}]}


def test_a_list_without_rows_is_empty_and_one_that_may_be_absent_is_absent() -> None:
    assert read(SHAPE, {"/stops": [""], "/tags": [""]}) == {"stops": []}


def test_names_that_the_form_does_not_have_are_not_looked_at() -> None:
    assert read(SHAPE, {"/where": ["Rome"], "/evil": ["x"], "/stops/x/name": ["y"], "/stops/-/name": ["z"]}) == {
        "where": "Rome"
    }


def test_a_problem_is_shown_at_its_field_and_the_first_gets_the_focus() -> None:
    value: JsonValue = {"where": "", "stops": [{"name": "a"}, {"name": ""}]}
    problems = [Problem("/stops/1/name", "too short"), Problem("/days", "too many"), Problem("/elsewhere", "odd")]
    node = fill(SHAPE, value, problems)
    assert find(node, "/stops/1/name").problems == ("too short",)
    assert [item.pointer for item in leaves(node) if item.focus] == ["/days"]
    assert unmatched(node, problems) == [problems[2]]


def test_an_added_row_is_empty_and_gets_the_focus() -> None:
    node = fill(SHAPE, {"stops": [{"name": "a"}]}, extra_row="/stops")
    assert find(node, "/stops/1/name").value == ""
    assert [item.pointer for item in leaves(node) if item.focus] == ["/stops/1/name"]


def test_a_removed_row_takes_nothing_else_with_it() -> None:
    posted = {"/stops/1/name": ["b"], "/stops/10/name": ["k"], "/stops/1/first": ["false"]}
    assert without_row(posted, "/stops/1") == {"/stops/10/name": ["k"]}


class Ways(BaseModel, extra="allow"):
    email: str | None = None


def test_further_fields_are_rows_of_name_and_value() -> None:
    shape = shape_of(Ways)
    node = fill(shape, {"email": "a@example.org", "radio": "FM 98"}, [Problem("/radio", "not now")])
    row = find(node, "/+/0/value")
    assert (row.value, row.problems) == ("FM 98", ("not now",))
    assert read(shape, posted_from(node)) == {"email": "a@example.org", "radio": "FM 98"}


def test_of_two_further_fields_with_one_name_none_is_lost() -> None:
    posted = {"/+/0/key": ["fax"], "/+/0/value": ["1"], "/+/1/key": ["fax"], "/+/1/value": ["2"]}
    assert read(shape_of(Ways), posted) == {"fax": "1", "fax 2": "2"}


names: Iterable[str] = (
    "/where",
    "/days",
    "/stops",
    "/stops/0",
    "/stops/0/name",
    "/stops/999999/name",
    "/tags/3",
    "/+/0",
)


@given(st.dictionaries(st.sampled_from(list(names)) | st.text(max_size=20), st.lists(st.text(), max_size=3)))
def test_nothing_that_is_posted_breaks_it(posted: dict[str, list[str]]) -> None:
    typed = read(SHAPE, posted)
    node = fill(SHAPE, typed)
    assert read(SHAPE, posted_from(node)) is not None
