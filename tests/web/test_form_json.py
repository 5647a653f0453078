"""The brief as JSON instead of a form, over HTTP: both ways nothing is lost, and places become rows."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator

import pytest

from studio import jobs
from tests.web.reading import page, send, text_of, token, typed, value_of
from tests.web.served import Served, served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("studio")) as found:
        yield found


def written(markup: str) -> str:
    found = re.search(r'<textarea id="json"[^>]*>\n(.*?)</textarea>', markup, re.DOTALL)
    assert found, text_of(markup)
    return html.unescape(found[1])


def post_json(site: Served, text: str, do: str, kind: str = "poster") -> tuple[int, str, str]:
    fields = {"csrf_token": token(site), "json": text, "do": do}
    answer = site.http.post(f"/new/{kind}", data=fields, headers={"Accept": "text/html"})
    return answer.status_code, answer.text, answer.headers.get("Location", "")


def test_a_form_as_json_and_back_keeps_every_value_also_wrong_ones(site: Served) -> None:
    fields = typed(
        do="json",
        **{
            "/brief/params/raster_height": "very tall",
            "/brief/params/highlights/0": "Fireworks",
            "/brief/params/contact/+/0/key": "fax",
            "/brief/params/contact/+/0/value": "12 34",
            "/run/seed": "77",
            "/tags/0": "kept",
        },
    )
    shown = send(site, fields)
    assert shown.status_code == 200
    value = json.loads(written(shown.text))
    assert value["brief"]["params"]["raster_height"] == "very tall"
    assert value["run"]["seed"] == 77
    status, again, _ = post_json(site, written(shown.text), "form")
    assert status == 200
    for name, wanted in fields.items():
        if name != "do":
            assert value_of(again, name) == wanted, name


def test_a_brief_alone_can_be_pasted_and_made(site: Served) -> None:
    sample = {
        "kind": "piano_piece",
        "title": "Pasted",
        "language": "en",
        "params": {"mood": "calm", "key": "E minor", "duration_s": {"min": 25, "max": 40}},
    }
    status, _, where = post_json(site, json.dumps(sample), "make")
    assert status == 303
    job = jobs.get(site.db, where.rsplit("/", 1)[1])
    assert (job.kind, job.title, job.brief.params["key"]) == ("piano_piece", "Pasted", "E minor")


def test_what_the_form_has_no_place_for_is_said_and_stays(site: Served) -> None:
    text = '{"kind": "poster", "title": "T", "params": {"event": {"name": "N"}, "unicorn": 3}, "speed": 1}'
    status, shown, _ = post_json(site, text, "form")
    assert status == 422
    assert written(shown) == text
    words = text_of(shown)
    assert "/brief/params/unicorn : the form has no place for this" in words
    assert "/brief/speed : the form has no place for this" in words


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"brief": 3}', '{"a": 1, "a": 2}'])
@pytest.mark.parametrize("do", ["form", "make"])
def test_what_is_no_brief_is_refused_with_every_word_kept(site: Served, text: str, do: str) -> None:
    status, shown, _ = post_json(site, text, do)
    assert status == 422
    assert written(shown) == text


def test_pasted_places_become_stops_after_those_that_are_there(site: Served) -> None:
    fields = {
        "/brief/title": "Trip",
        "/brief/params/destination": "Tokyo",
        "/brief/params/stops/0/name": "First",
        "/brief/params/stops/0/day": "1",
        "places": "name,lat,lon,day\nSenso-ji,35.7148,139.7967,2",
        "do": "places",
    }
    shown = send(site, fields, path="/new/travel_map")
    assert shown.status_code == 200
    assert value_of(shown.text, "/brief/params/stops/0/name") == "First"
    assert value_of(shown.text, "/brief/params/stops/1/name") == "Senso-ji"
    assert value_of(shown.text, "/brief/params/stops/1/lat") == "35.7148"
    refused = send(site, {**fields, "places": "only words"}, path="/new/travel_map")
    assert refused.status_code == 422
    assert "No place was found" in text_of(refused.text)
    assert "only words</textarea>" in refused.text


def test_what_a_browser_kept_is_shown_again(site: Served) -> None:
    shown = send(site, typed(do="keep", **{"/brief/params/highlights/3": "Kept"}))
    assert shown.status_code == 200
    assert value_of(shown.text, "/brief/params/highlights/0") == "Kept"
    assert "mend" not in text_of(shown.text)


def test_a_form_leads_to_json(site: Served) -> None:
    assert 'name="do" value="json"' in page(site, "/new/poster")
