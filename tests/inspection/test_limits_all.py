"""Every check has a limit that is held on both sides, a docstring with its source, and a row in docs/checks.md."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from sandbox_image.inspector import registry
from studio.brief import Brief
from studio.contract import Check
from studio.kinds import all_kinds, get_kind, parse_brief
from studio.kinds.open.media import MEDIA_TYPES
from tests.inspection.boundaries import of_files, of_films, of_pages, of_pictures, of_pieces, of_posters
from tests.inspection.pages import STOPS, brief
from tests.kinds.conftest import small

ALL = [
    *of_files.BOUNDARIES,
    *of_pictures.BOUNDARIES,
    *of_pieces.BOUNDARIES,
    *of_posters.BOUNDARIES,
    *of_films.BOUNDARIES,
    *of_pages.BOUNDARIES,
]
DOCUMENT = Path(__file__).parents[2] / "docs" / "checks.md"


def rows() -> dict[str, list[str]]:
    """The table's rows by check: what it measures, limit, source, kinds."""
    lines = [line for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    assert all(len(row) == 5 for row in cells)
    return {row[0].strip(" |`"): row[1:] for row in cells}


def test_every_check_has_limits_on_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        print()  # noqa: T201
        for each in sorted(ALL, key=lambda boundary: boundary.check):
            print(f"{each.check:24} {each.limit:56} {each.inside.shown:36} {each.outside.shown}")  # noqa: T201
    assert {each.check for each in ALL} == set(registry.all_checks())
    assert all(each.inside != each.outside and each.words for each in ALL)


def test_every_check_is_described() -> None:
    assert set(rows()) == set(registry.all_checks())


@pytest.mark.parametrize("check", registry.all_checks())
def test_its_docstring_names_what_it_goes_by(check: str) -> None:
    told = " ".join((registry.all_checks()[check].measure.__doc__ or "").split())
    assert len(told) >= 60
    source = rows()[check][2]
    if not source.startswith("our own: "):
        lacking = [each for each in source.split("; ") if each not in told]
        assert not lacking, f"{lacking} not in: {told}"


def asked_for() -> dict[str, list[Check]]:
    """By kind, all checks that its contracts may have."""
    poster = small(
        registration={"url": "https://lido.example/"}, organizers={"host": ["Lido"], "sponsors": [], "logos": ["a.png"]}
    )
    film = Brief(kind="countdown_video", title="T", params={"name": "Mia", "photo": "a.png"})
    every = [
        {"path": f"file{media.endings[0]}", "media_type": name, "must": True} for name, media in MEDIA_TYPES.items()
    ]
    more = [
        poster,
        film,
        brief([{**STOPS[0], "photo": "a.png"}, *STOPS[1:]]),
        Brief(kind="open", title="T", prompt="W", params={"deliverables": every}),
    ]
    found: dict[str, list[Check]] = defaultdict(list)
    for each in [*more, *(sample.brief for kind in all_kinds().values() for sample in kind.samples())]:
        parsed = parse_brief(each)
        found[parsed.kind] += get_kind(parsed.kind).contract(parsed).checks
    return found


def test_severities_and_kinds_are_as_described() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for kind, checks in asked_for().items():
        for check in checks:
            found[check.id].add(f"{kind} {check.severity}")
    told = {}
    for check, (*_, kinds) in rows().items():
        severity = re.fullmatch(r"all (must|should)", kinds)
        each = {f"{kind} {severity[1]}" for kind in all_kinds()} if severity else set(kinds.split(", "))
        told[check] = each
    assert told == dict(found)
