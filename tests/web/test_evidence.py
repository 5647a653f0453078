"""Places out of a report, before they are drawn: bounded, numbered, and apart; and measured values in words."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from studio.contract import Finding, Place, Report
from web.pages.evidence import evidence_of
from web.pages.values import value_of
from web.said import isolated

PAGE = (0.0, 0.0, 400.0, 600.0)


def report(*findings: Finding) -> Report:
    return Report(kind="poster", verdict="reject", checks=list(findings))


def finding(check: str = "poster.overlap", verdict: str = "fail", **more: object) -> Finding:
    return Finding.model_validate({"id": check, "severity": "must", "verdict": verdict, **more})


def boxes(*places: Place) -> list[tuple[float, float, float, float]]:
    marks = evidence_of(report(finding(places=list(places)))).marks
    return [(m.box.left, m.box.top, m.box.width, m.box.height) for m in marks if m.box]


def test_a_box_is_a_share_of_its_page_whatever_the_units() -> None:
    assert boxes(Place(file="a.svg", box=(150, 200, 20, 30), page=(100, 50, 200, 300))) == [(25, 50, 10, 10)]


@pytest.mark.parametrize(
    ("box", "page"),
    [
        ((0, 0, 10, 10), None),
        ((0, 0, 10, 10), (0, 0, 0, 600)),
        ((0, 0, -10, 10), PAGE),
        ((1e12, 0, 10, 10), PAGE),
        ((0, 0, 10, 10), (0, 0, -400, 600)),
    ],
)
def test_a_place_that_cannot_be_is_not_drawn(
    box: tuple[float, float, float, float], page: tuple[float, float, float, float] | None
) -> None:
    assert boxes(Place(file="a.svg", box=box, page=page)) == []


def test_what_lies_beyond_the_page_is_drawn_at_its_edge() -> None:
    assert boxes(Place(file="a.svg", box=(300, 0, 900, 60), page=PAGE)) == [(75, 0, 25, 10)]
    ((left, top, width, height),) = boxes(Place(file="a.svg", box=(900, 900, 5, 5), page=PAGE))
    assert left + width == pytest.approx(100)
    assert top + height == pytest.approx(100)


def test_the_same_place_has_one_number_and_what_fails_comes_first() -> None:
    spot = Place(file="a.svg", box=(10, 10, 40, 40), page=PAGE)
    held = finding("poster.text", "pass", place=spot)
    found = evidence_of(report(held, finding(place=spot), finding("poster.contrast", place=spot)))
    assert [(mark.number, mark.look, mark.checks) for mark in found.marks] == [
        (1, "fail", ("poster.overlap", "poster.contrast")),
        (2, "pass", ("poster.text",)),
    ]


def test_numbers_of_near_places_do_not_cover_one_another() -> None:
    near = [Place(file="a.svg", box=(20, 20 + n, 200, 40), page=PAGE) for n in range(4)]
    marks = evidence_of(report(finding(places=near))).marks
    spots = {(mark.box.badge_left, mark.box.badge_top) for mark in marks if mark.box}
    assert all(
        abs(a[0] - b[0]) >= 4 or abs(a[1] - b[1]) * 1.5 >= 4 for a in spots for b in spots if a != b
    )  # a percent of the height is half as much again
    assert len(spots) == 4


def test_stretches_of_time_that_overlap_lie_below_one_another() -> None:
    stretches = [(0.0, 5.0), (1.0, 2.0), (6.0, None), (9e9, None), (3.0, 2.0)]
    places = [Place(file="a.mp4", time_s=a, until_s=b) for a, b in stretches]
    ticks = evidence_of(report(finding(places=places))).timeline(10.0)
    assert [(tick.left, tick.width, tick.lane) for tick in ticks] == [
        (0, 50, 0), (10, 10, 1), (30, 0.4, 1), (60, 0.4, 0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "measured", "words"),
    [
        ("poster.contrast", 2.1, ["2.1\u00a0: 1"]),
        ("audio.audible", -23.4, ["\u221223.4\u00a0LUFS"]),
        ("midi.bars", 1, ["1\u00a0bar"]),
        ("files.safe", {"files": 3, "bytes": 109089}, ["3", "109,089\u00a0bytes"]),
        ("video.moves", {"still_s": 3.4, "black_s": 0.0}, ["3.4\u00a0s", "0\u00a0s"]),
        ("png.not_blank", {"poster.png": 0.375}, ["37.5\u00a0% in one colour"]),
        ("poster.text", None, ["—"]),
    ],
)
def test_numbers_have_their_units(check: str, measured: JsonValue, words: list[str]) -> None:
    assert [row.text for row in value_of(finding(check, measured=measured)).rows] == words


def test_long_values_are_folded_and_nothing_of_them_is_lost() -> None:
    long = value_of(finding(measured="word " * 100))
    assert len(long.rows[0].text) < 150
    assert long.folded[0].text == "word " * 100
    many = value_of(finding(measured={f"file {n}": n for n in range(20)}))
    assert len(many.rows) + len(many.folded) == 20


def test_quotations_keep_their_direction_and_are_text() -> None:
    assert isolated('"<b>שלום</b>" lies here.') == "<bdi>&#34;&lt;b&gt;שלום&lt;/b&gt;&#34;</bdi> lies here."
    assert isolated("It doesn't, 'مرحبا' does.") == "It doesn&#39;t, <bdi>&#39;مرحبا&#39;</bdi> does."
