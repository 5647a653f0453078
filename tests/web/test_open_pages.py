"""Open work on the pages: its form, what is refused where, and a viewer for every type of entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from studio import gallery, jobs
from studio.brief import JobRequest, JsonObject
from studio.errors import BriefError
from studio.jobs import JobEnd
from tests.web.reading import NASTY, page, text_of, token
from tests.web.served import Served, served

MODEL = "openai:some-model"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("open"), openai_base_url="http://127.0.0.1:9/v1") as found:
        yield found


def brief(path: str, media_type: str, *more: JsonObject) -> JsonObject:
    files = [{"path": path, "media_type": media_type}, *more]
    return {"kind": "open", "title": "Tides", "prompt": "Tides, please.", "params": {"deliverables": files}}


def shown(site: Served, path: str, media_type: str, content: bytes, *more: JsonObject, **others: bytes) -> str:
    """The page of an artifact with this entry, and a thumbnail."""
    _, claim = site.seed.running(brief(path, media_type, *more), run={"model": MODEL})
    files = [site.seed.stored(path, content, media_type)]
    files += [site.seed.stored(name.replace("_", "."), each, "text/plain") for name, each in others.items()]
    picture = {"role": "preview", "width": 640, "height": 400}
    files += [site.seed.stored(f"{name}.webp", b"RIFF", "image/webp", **picture) for name in ("thumbnail", "waveform")]
    end = JobEnd("published", report=site.seed.report(claim), files=files)
    return page(site, f"/artifacts/{gallery.publish(site.db, claim, end)}")


def typed(**more: str) -> dict[str, str]:
    row = "/brief/params/deliverables/0"
    fields = {"/brief/title": "Tides", "/brief/language": "en", "/brief/prompt": "Tides.", "/run/model": MODEL}
    return {**fields, f"{row}/path": "index.html", f"{row}/media_type": "text/html", **more}


def send(site: Served, fields: dict[str, str]) -> httpx.Response:
    fields = {"csrf_token": token(site, "/new/open"), "do": "make", **fields}
    return site.http.post("/new/open", data=fields, headers={"Accept": "text/html"})


def test_the_form_has_rows_of_files_and_says_that_a_model_is_needed(site: Served) -> None:
    form = page(site, "/new/open?sample=01-sunrise-page")
    assert "No prepared programs make this: name a model" in text_of(form)
    row = 'name="/brief/params/deliverables/1/media_type"'
    assert re.search(rf"<select [^>]*{row}", form)
    assert '<option value="text/csv" selected>text/csv</option>' in form
    assert 'name="/brief/params/deliverables/0/must" value="true" checked' in form
    assert re.search(r'name="/run/model" value=""', form)
    assert "Prepared programs do not read this" not in form


def test_a_good_form_becomes_a_job_and_what_is_wrong_stands_at_its_field(site: Served) -> None:
    answer = send(site, typed())
    assert answer.status_code == 303, text_of(answer.text)
    job = jobs.get(site.db, answer.headers["Location"].rsplit("/", 1)[1])
    assert job.brief.params["deliverables"] == [{"path": "index.html", "media_type": "text/html", "must": True}]
    row = "/brief/params/deliverables/1"
    wrong = send(
        site,
        typed(
            **{"/brief/prompt": "", "/run/model": "recipe", f"{row}/path": "../a.png", f"{row}/media_type": "text/csv"}
        ),
    )
    assert wrong.status_code == 422
    assert re.findall(r'id="f([^"]+)" name="[^"]+"[^>]*aria-invalid="true"', wrong.text) == [
        "/brief/prompt",
        f"{row}/path",
    ]
    unmade = send(site, typed(**{"/run/model": ""}))
    assert unmade.status_code == 422
    assert "Made by" in text_of(unmade.text) or "Model" in text_of(unmade.text)
    assert "This kind has no recipe, so prepared programs cannot make it; name a model" in text_of(unmade.text)


def test_a_recipe_is_refused_before_it_is_queued(site: Served) -> None:
    before = len(jobs.list_jobs(site.db, limit=100).data)
    request = JobRequest.model_validate({"brief": brief("a.txt", "text/plain")})
    with pytest.raises(BriefError) as error:
        jobs.create(site.db, request, site.settings, caller="test")
    assert [problem.pointer for problem in error.value.problems] == ["/run/model"]
    answer = site.http.post("/api/v1/jobs", json={"brief": brief("a.txt", "text/plain")})
    assert answer.status_code == 422
    assert [item["pointer"] for item in answer.json()["errors"]] == ["/run/model"]
    assert "openai:MODEL" in answer.json()["errors"][0]["detail"]
    assert len(jobs.list_jobs(site.db, limit=100).data) == before


def test_the_kind_is_described_with_its_types(site: Served) -> None:
    found = site.http.get("/api/v1/kinds/open").json()
    assert (found["entry"], found["has_recipe"]) == ("", False)
    assert "application/json" in found["params"]["$defs"]["Deliverable"]["properties"]["media_type"]["enum"]
    assert len(found["samples"]) == 2
    start = page(site, "/")
    assert "Open work" in text_of(start)


def test_words_are_shown_as_text(site: Served) -> None:
    markup = shown(site, "tides.md", "text/markdown", f"# Tides\n\n{NASTY}\n".encode())
    assert "<script>alert(1)" not in markup
    assert "# Tides" in markup
    assert 'class="viewer text-viewer"' in markup
    table = shown(site, "tides.csv", "text/csv", b"day,height\n1,<b>2</b>\n")
    assert "1,&lt;b&gt;2&lt;/b&gt;" in table
    assert "Open work, CSV" in text_of(page(site, "/gallery"))


def test_a_document_is_shown_by_its_picture_and_taken_away(site: Served) -> None:
    markup = shown(site, "tides.pdf", "application/pdf", b"%PDF-1.4")
    assert re.search(r'<img src="[^"]+_previews/thumbnail.webp" alt="Tides: how it begins" width="640"', markup)
    assert re.search(r'<a href="[^"]+/tides.pdf" download>', markup)
    assert "<iframe" not in markup


def test_pages_pictures_films_and_sounds_have_their_viewers(site: Served) -> None:
    framed = shown(site, "index.html", "text/html", b"<!doctype html>")
    assert re.search(r'<iframe src="http://[0-9a-f]+\.localhost:\d+/index.html"', framed)
    assert 'class="viewer"' in shown(site, "chart.png", "image/png", b"\x89PNG")
    assert "<video " in shown(site, "film.mp4", "video/mp4", b"ftyp")
    sound = shown(site, "rain.mp3", "audio/mpeg", b"ID3")
    assert re.search(r'<audio [^>]*src="[^"]+/rain.mp3"', sound)
    assert "waveform.webp" in sound
    assert "thumbnail.webp" not in sound
    music = shown(
        site, "song.mid", "audio/midi", b"MThd", {"path": "song.wav", "media_type": "audio/wav"}, song_wav=b"RIFF"
    )
    assert re.search(r'<audio [^>]*src="[^"]+/song.wav"', music)


def test_a_check_that_stands_for_several_files_names_each(site: Served) -> None:
    more: JsonObject = {"path": "b.csv", "media_type": "text/csv", "must": True}
    markup = shown(site, "a.csv", "text/csv", b"a\n", more, b_csv=b"b\n")
    assert "b.csv is a UTF-8 table" in text_of(markup)
    assert len(re.findall(r"<code>csv.parses</code>", markup)) == 2
