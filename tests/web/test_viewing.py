"""What the pages say of works of all kinds: facts out of a report are bounded, forms have the right controls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import jobs
from studio.contract import Report
from studio.errors import ConfigurationError
from studio.settings import Settings
from tests.web.reading import page, text_of
from tests.web.served import Served, served
from web.pages.facts import chapters_of, film_size, roll_of
from web.security_hosts import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("viewing")) as found:
        yield found


def report(**facts: object) -> Report:
    return Report.model_validate({"kind": "open", "verdict": "accept", "checks": [], "facts": facts})


GOOD = [0.5, 1.0, 60, 80, 1]


@pytest.mark.parametrize(
    "bad",
    [
        "note",
        [],
        [0, 1, 60, 80],
        [0, 1, 60, 80, 2],
        [-1, 1, 60, 80, 0],
        [0, 1, 128, 80, 0],
        [0, "1", 60, 80, 0],
        [1e300, 1, 60, 80, 0],
        [True, 1, 60, 80, 0],
        [0, None, 60, 80, 0],
    ],
)
def test_a_note_that_cannot_be_is_not_drawn(bad: object) -> None:
    roll = roll_of(report(midi={"notes": [bad, GOOD]}))
    assert roll is not None
    assert roll.json == '{"notes":[[0.5,1.0,60,80,1]],"bars":[],"end":1.5}'
    assert roll_of(report(midi={"notes": [bad]})) is None


@pytest.mark.parametrize(
    "facts", [{}, {"midi": 3}, {"midi": {"notes": "all"}}, {"video": []}, {"video": {"numbers": 3}}]
)
def test_facts_of_another_form_show_nothing(facts: dict[str, object]) -> None:
    told = report(**facts)
    assert roll_of(told) is None
    assert chapters_of(told) == ()
    assert film_size(told) is None


def test_so_many_notes_are_drawn_and_no_more() -> None:
    roll = roll_of(report(midi={"notes": [GOOD] * 9000, "bar_lines": [3, 1, "x", 2], "meter": "<3/4>", "bars": 4}))
    assert roll is not None
    assert len(roll.notes) == 6000
    assert roll.bar_lines == (1, 2, 3)
    assert (roll.meter, roll.bars) == (None, 4)


def test_chapters_come_in_their_order() -> None:
    numbers = [{"n": 2, "time_s": 1.5}, {"n": 3, "time_s": 0.5}, {"n": "<b>", "time_s": 1}, {"n": 1}, 7]
    found = chapters_of(report(video={"numbers": numbers, "finale_s": 3.25}))
    assert [(chapter.label, chapter.time_s) for chapter in found] == [("3", 0.5), ("2", 1.5), ("Finale", 3.25)]


@pytest.mark.parametrize(
    "source", ["https://t.example; script-src *", "*", "data:", "https://t.example/path", "'self'"]
)
def test_a_tile_source_is_an_origin(source: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="STUDIO_TILE_SOURCES"):
        Site.of(Settings(data_dir=tmp_path, tile_sources=source))


def test_a_map_may_load_tiles_and_says_where_it_is_from(site: Served) -> None:
    _, claim = site.seed.running()
    files = [site.seed.stored("map.html", b"<title>map</title>", "text/html")]
    job = jobs.finish(site.db, claim, jobs.JobEnd("rejected", "checks_failed", files=files))
    host = f"{job.content_token}.localhost:{site.port}"
    headers = site.http.get("/map.html", headers={"Host": host}).headers
    policy = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
    assert policy["img-src"] == ("'self' https://tile.openstreetmap.org https://*.tile.openstreetmap.org data: blob:")
    assert policy["connect-src"] == "'self'"
    assert "[" not in policy["frame-ancestors"], "browsers know no IPv6 address here"
    assert headers["Referrer-Policy"] == "strict-origin"


def test_the_style_sheet_is_one_and_free(site: Served) -> None:
    markup = page(site, "/")
    href = markup.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    assert markup.count('rel="stylesheet"') == 1
    answer = site.http.get(href)
    assert answer.headers["Content-Type"].startswith("text/css")
    assert "immutable" in answer.headers["Cache-Control"]
    for part in (":root", ".roll", ".wall"):
        assert part in answer.text


def test_forms_of_the_kinds_have_fitting_controls(site: Served) -> None:
    piano = page(site, "/new/piano_piece?sample=01-calm-in-a-minor")
    assert "<legend>Tempo</legend>" in piano
    assert '<option value="A minor" selected>A minor</option>' in piano
    assert '<option value="3/4" selected>3/4</option>' in piano
    film = page(site, "/new/countdown_video?sample=01-luna-birthday")
    assert 'name="/brief/params/music" value="true" checked' in film
    assert film.count('type="color"') == 4
    trip = page(site, "/new/travel_map?sample=01-tokyo")
    words = text_of(trip)
    assert "\u221290 to 90" in words
    assert "above 0, up to 20,040" in trip
    assert trip.index("/brief/params/stops/0/name") < trip.index("/brief/params/stops/0/lat"), "the name comes first"
