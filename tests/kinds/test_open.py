"""Open briefs: which files may be asked for, what is refused and where, and the contract that follows."""

from __future__ import annotations

import json

import pytest

from studio.brief import Brief, JsonObject
from studio.contract import Check, Contract
from studio.errors import BriefError
from studio.kinds import get_kind, parse_brief
from studio.kinds.open.contract import CHECKS
from studio.kinds.open.media import MEDIA_TYPES
from studio.kinds.open.params import OpenParams

KIND = get_kind("open")


def brief(*deliverables: JsonObject, prompt: str = "A page about tides.") -> Brief:
    value = {"kind": "open", "title": "Tides", "prompt": prompt, "params": {"deliverables": list(deliverables)}}
    return parse_brief(value)


def one(path: str, media_type: str, **more: object) -> JsonObject:
    return {"path": path, "media_type": media_type, **more}


def refused(*deliverables: JsonObject, prompt: str = "A page about tides.") -> dict[str, str]:
    with pytest.raises(BriefError) as error:
        brief(*deliverables, prompt=prompt)
    return {problem.pointer: problem.message for problem in error.value.problems}


@pytest.mark.parametrize("media", MEDIA_TYPES.values(), ids=lambda media: media.label)
def test_every_type_in_all_its_spellings(media: object) -> None:
    found = MEDIA_TYPES[getattr(media, "name")]  # noqa: B009
    for spelling in (found.name, *found.aliases, found.name.upper(), f"{found.name}; charset=utf-8"):
        for ending in found.endings:
            (made,) = brief(one(f"a{ending}", spelling)).params["deliverables"]
            assert made == {"path": f"a{ending}", "media_type": found.name, "must": True}


@pytest.mark.parametrize(
    "spelling", ["image/webp", "html", "", "text/html2", "text", "application/zip", "text/csv; charset=iso-8859-1"]
)
def test_another_type_is_refused_with_those_that_are_known(spelling: str) -> None:
    said = refused(one("a.html", "text/html"), one("b.csv", spelling))["/params/deliverables/1/media_type"]
    if "charset" not in spelling:
        assert all(f"{media.name} ({media.label})" in said for media in MEDIA_TYPES.values())
    else:
        assert "UTF-8" in said


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/etc/a.txt", "starts with a slash"),
        ("../a.txt", "'..'"),
        ("a/./b.txt", "'.'"),
        ("a//b.txt", "empty part"),
        ("a\\b.txt", "backslash"),
        ("a\u202eb.txt", "U+202E"),
        ("a\nb.txt", "U+000A"),
        ("a /b.txt", "space"),
        ("a./b.txt", "full stop"),
        ("_previews/a.txt", "studio's own"),
        ("a/b/c/d/e/f/g/h/i.txt", "too long"),
        ("ä" * 101 + ".txt", "too long"),
        ("", "at least 1"),
    ],
)
def test_a_path_that_no_file_may_have(path: str, words: str) -> None:
    assert words in refused(one(path, "text/plain"))["/params/deliverables/0/path"]


@pytest.mark.parametrize("path", ["a.txt", "data/潮 汐.txt", "LICENSE", "notes.tex", ".hidden", "ä" * 90 + ".txt"])
def test_paths_of_text_that_are_fine(path: str) -> None:
    assert brief(one(path, "text/plain")).params["deliverables"][0]["path"] == path


@pytest.mark.parametrize(
    ("path", "media_type", "words"),
    [
        ("chart.jpg", "image/png", "or say image/jpeg"),
        ("chart", "image/png", "has no ending"),
        ("chart.gif", "image/png", "ends in .gif"),
        ("page.html", "text/plain", "or say text/html"),
    ],
)
def test_an_ending_that_belongs_to_another_type(path: str, media_type: str, words: str) -> None:
    assert words in refused(one(path, media_type))["/params/deliverables/0/path"]


def test_names_that_would_meet() -> None:
    said = refused(
        one("A.txt", "text/plain"),
        one("a.TXT", "text/plain"),
        one("a.txt/b.csv", "text/csv"),
        one("A.txt", "text/plain"),
    )
    assert "some file systems" in said["/params/deliverables/1/path"]
    assert "is a file of this brief" in said["/params/deliverables/2/path"]
    assert "stands twice" in said["/params/deliverables/3/path"]


def test_a_brief_without_words_or_files_is_refused() -> None:
    assert "say in words" in refused(one("a.txt", "text/plain"), prompt=" \n")["/prompt"]
    both = refused(prompt="")
    assert set(both) == {"/prompt", "/params/deliverables"}
    many = refused(*(one(f"{number}.txt", "text/plain") for number in range(21)))
    assert "20" in many["/params/deliverables"]
    unknown = refused(one("a.txt", "text/plain", size=3))
    assert "unknown field" in unknown["/params/deliverables/0/size"]


def test_the_contract_has_each_types_checks_once_for_each_file() -> None:
    made = brief(
        one("index.html", "text/html"), one("a.csv", "text/csv", must=True), one("b.csv", "text/csv"),
        one("notes.md", "text/markdown"),
    )  # fmt: skip
    contract = KIND.contract(made)
    assert (contract.kind, contract.entry) == ("open", "index.html")
    present, safe, *others = contract.checks
    assert present.args["required"] == ["index.html", "a.csv"]
    assert safe.id == "files.safe"
    asked = [(check.id, check.file, check.if_present is not None) for check in others]
    pages = [(generic.id, "index.html", False) for generic in CHECKS["text/html"]]
    assert asked == [
        *pages, ("csv.parses", "a.csv", False), ("csv.parses", "b.csv", True), ("text.readable", "notes.md", True),
    ]  # fmt: skip
    assert all(check.file is not None and check.expected.startswith(check.file) for check in others)
    assert contract == KIND.contract(made)
    assert (KIND.entry_of(made), KIND.text_equivalent_of(made)) == ("index.html", "notes.md")


def test_no_two_checks_of_a_contract_can_be_taken_for_each_other() -> None:
    twice = Check(id="csv.parses", expected="", args={"file": "a.csv"})
    with pytest.raises(ValueError, match="same id and the same file"):
        Contract(kind="open", entry="a.csv", checks=(twice, twice))


def test_the_model_is_told_the_wish_the_files_and_the_checks() -> None:
    made = brief(one("index.html", "text/html"), one("a.csv", "text/csv"), prompt="Tides at {place}.")
    told = KIND.prompt(made)
    assert "Tides at {place}." in told
    assert "- index.html: HTML (text/html), required" in told
    assert "- a.csv: CSV (text/csv), optional" in told
    for check in KIND.contract(made).checks:
        assert f"- {check.id}: {check.expected}" in told


def test_there_is_no_recipe_and_the_samples_hold() -> None:
    assert not KIND.has_recipe
    for sample in KIND.samples():
        assert KIND.recipe(parse_brief(sample.brief)) is None
    assert {sample.brief.language for sample in KIND.samples()} == {"en", "zh-Hans"}


def test_the_schema_lists_the_types() -> None:
    schema = json.dumps(OpenParams.model_json_schema())
    assert '"enum": ["text/html", "image/svg+xml"' in schema
    assert '"maxItems": 20' in schema
