"""The form of a brief over HTTP: nothing typed is lost, and every refusal stands at its field."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from studio import jobs
from tests.web.reading import NASTY, page, send, text_of, typed, value_of
from tests.web.seeding import brief
from tests.web.served import Served, served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("studio")) as found:
        yield found


def test_a_good_brief_becomes_a_job(site: Served) -> None:
    answer = send(site, typed(do="make"))
    assert answer.status_code == 303
    job = jobs.get(site.db, answer.headers["Location"].rsplit("/", 1)[1])
    assert job.state == "queued"
    assert job.brief.params["event"]["venue"] == "The Old Mill"


def test_checking_shows_the_contract_and_sends_nothing(site: Served) -> None:
    before = len(jobs.list_jobs(site.db, limit=100).data)
    answer = send(site, typed(do="check", **{"/brief/params/raster_height": "1000"}))
    assert answer.status_code == 200
    assert "poster.png 707 × 1000 px" in text_of(answer.text)
    assert "Nobody measures whether it follows the prompt" in text_of(answer.text)
    assert "No past runs of this kind and model yet." in text_of(answer.text)
    assert len(jobs.list_jobs(site.db, limit=100).data) == before


def test_a_wrong_brief_keeps_every_word_and_says_what_is_wrong_beside_its_field(site: Served) -> None:
    fields = typed(
        do="make",
        **{
            "/brief/title": "",
            "/brief/prompt": "Line one\r\nline two " + NASTY,
            "/brief/params/raster_height": "very tall",
            "/brief/params/palette/primary": "blue",
            "/brief/params/speakers/0/name": "",
            "/brief/params/speakers/0/topic": "Only a topic",
            "/brief/params/contact/+/0/key": "fax",
            "/brief/params/contact/+/0/value": "12 34",
            "/run/seed": "seven",
            "/tags/0": "keep me",
        },
    )
    answer = send(site, fields)
    assert answer.status_code == 422
    shown, words = answer.text, text_of(answer.text)
    for name, wanted in fields.items():
        if name not in ("do", "/brief/title", "/brief/prompt", "/brief/params/speakers/0/name"):
            assert value_of(shown, name) == wanted, name
    assert (
        html.escape("Line one\nline two " + NASTY, quote=True).replace("&#x27;", "&#39;").replace("&quot;", "&#34;")
        in shown
    )
    assert "5 things to mend" in words
    assert "Title : Fill this in." in words
    assert "Speaker 1, Name : Fill this in." in words
    assert "Palette, Primary : Give a colour as #RRGGBB." in words
    assert "Height of the PNG in pixels : Give a whole number." in words
    wrong = re.findall(r'id="f([^"]+)" name="[^"]+"[^>]*aria-invalid="true"', shown)
    assert wrong == [
        "/brief/title",
        "/brief/params/speakers/0/name",
        "/brief/params/raster_height",
        "/brief/params/palette/primary",
        "/run/seed",
    ]
    assert re.findall(r'name="([^"]+)"[^>]* autofocus', shown) == ["/brief/title"]
    for pointer in wrong:
        assert f'id="f{pointer}-problem"' in shown
        assert f'href="#f{pointer}"' in shown


def test_a_contradiction_is_told_with_its_arithmetic(site: Served) -> None:
    answer = send(
        site, typed(do="make", **{"/brief/params/page/width_mm": "50", "/brief/params/page/height_mm": "900"})
    )
    assert answer.status_code == 422
    assert "18.0 times as long as it is short" in text_of(answer.text)


def test_rows_can_be_added_and_removed_without_a_script(site: Served) -> None:
    fields = typed(**{"/brief/params/highlights/0": "One", "/brief/params/highlights/1": "Two", "/brief/title": ""})
    added = send(site, {**fields, "add": "/brief/params/highlights"})
    assert added.status_code == 200
    assert [value_of(added.text, f"/brief/params/highlights/{n}") for n in range(3)] == ["One", "Two", ""]
    assert re.findall(r'name="([^"]+)"[^>]* autofocus', added.text) == ["/brief/params/highlights/2"]
    removed = send(site, {**fields, "remove": "/brief/params/highlights/0"})
    assert value_of(removed.text, "/brief/params/highlights/0") == "Two"
    assert value_of(removed.text, "/brief/params/highlights/1") is None
    assert "mend" not in text_of(removed.text)


def test_attached_files_stay_while_the_brief_is_mended(site: Served) -> None:
    wrong = send(
        site, typed(do="make", **{"/brief/title": ""}), [("Müller & Söhne.png", b"not looked into"), ("a/b.png", b"x")]
    )
    assert wrong.status_code == 422
    assert "must not be empty, '.', '..' or contain a slash" in text_of(wrong.text)
    kept = {name: value_of(wrong.text, f"/attachments/0/{name}") or "" for name in ("upload", "name")}
    assert kept["name"] == "Müller & Söhne.png"
    right = send(site, typed(do="make", **{f"/attachments/0/{name}": value for name, value in kept.items()}))
    assert right.status_code == 303
    job_id = right.headers["Location"].rsplit("/", 1)[1]
    assert [(file.name, file.size) for file in jobs.inputs(site.db, job_id)] == [("Müller & Söhne.png", 15)]


def test_fields_that_the_recipe_ignores_are_marked(site: Served) -> None:
    shown = page(site, "/new/poster")
    assert re.findall(r'id="f([^"]+)-ignored"', shown) == ["/brief/prompt"]


def test_a_brief_can_be_taken_from_an_earlier_job(site: Served) -> None:
    job = site.seed.queued(brief("Old One", highlights=["Fireworks"]), tags=["old"], run={"seed": 77})
    shown = page(site, f"/new/poster?job={job.id}")
    assert value_of(shown, "/brief/params/highlights/0") == "Fireworks"
    assert value_of(shown, "/run/seed") == "77"
    assert value_of(shown, "/tags/0") == "old"


def test_a_replay_of_a_file_is_refused_at_its_field(site: Served) -> None:
    answer = send(site, typed(do="make", **{"/run/model": "replay:/etc/passwd"}))
    assert answer.status_code == 422
    assert 'id="f/run/model-problem"' in answer.text


def test_a_form_without_its_token_is_refused(site: Served) -> None:
    answer = site.http.post("/new/poster", data=typed(do="make"), headers={"Accept": "text/html"})
    assert answer.status_code == 400
    assert "Reload the page" in text_of(answer.text)
