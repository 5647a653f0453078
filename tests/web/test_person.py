"""A person in it, over HTTP: revise, note, send back, publish anyway; by forms and by the API."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from studio import gallery, jobs, keys
from studio.jobs import JobEnd, RevisionRequest
from tests.web.reading import page, text_of, token
from tests.web.seeding import brief
from tests.web.served import Served, served

MODEL = "openai:some-model"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("studio"), openai_base_url="http://127.0.0.1:9/v1") as found:
        yield found


def post(site: Served, path: str, **fields: str) -> httpx.Response:
    return site.http.post(path, data={"csrf_token": token(site), **fields}, headers={"Accept": "text/html"})


def api(site: Served, path: str, **body: object) -> httpx.Response:
    return site.http.post(f"/api/v1{path}", json=body)


def test_an_artifact_page_takes_words_and_shows_both_versions(site: Served) -> None:
    first = gallery.get(site.db, site.seed.published(brief("Harbour Lights"), model="m:some-model"))
    assert "What shall be different?" in text_of(page(site, f"/artifacts/{first.id}"))
    answer = post(site, f"/jobs/{first.job_id}/revise", note="Darker <b>ground</b>", model=MODEL)
    assert answer.status_code == 303, text_of(answer.text)
    job_id = answer.headers["Location"].rpartition("/")[2]
    assert (jobs.get(site.db, job_id).note, jobs.get(site.db, job_id).run.model) == ("Darker <b>ground</b>", MODEL)
    running = text_of(page(site, f"/jobs/{job_id}"))
    assert "Version 2" in running
    assert "Darker <b>ground</b>" in running
    claim = jobs.claim(site.db, job_id, "w", 3600.0)
    assert claim is not None
    site.seed.work(claim)
    end = JobEnd(
        "published", report=site.seed.report(claim, {"poster.contrast": "Pale."}), files=site.seed.files("Other")
    )
    second = gallery.publish(site.db, claim, end)
    for artifact in (first.id, second):
        shown = page(site, f"/artifacts/{artifact}")
        said = text_of(shown)
        assert "Versions Version 1 Version 2 Darker <b>ground</b>" in said
        assert shown.count('class="side"') == 2
        assert "What changed in the report" in said
        assert "Text can be read on its ground Pass 7.4 Fail 2.1" in said
        assert "Rewritten files:" in said
    assert "version 2" in text_of(page(site, "/gallery"))
    listed = site.http.get(f"/api/v1/jobs/{job_id}/versions").json()["data"]
    assert [(item["version"], item["artifact"]) for item in listed] == [(1, first.id), (2, second)]


def test_a_refused_revision_keeps_the_words(site: Served) -> None:
    made = gallery.get(site.db, site.seed.published(brief("By Programs Alone")))
    refused = post(site, f"/jobs/{made.job_id}/revise", note="Words not to lose", model="recipe")
    assert refused.status_code == 422
    assert "Words not to lose" in refused.text
    assert "Model: Prepared programs never read words" in text_of(refused.text)
    problem = api(site, f"/jobs/{made.job_id}/revise", note="Larger")
    assert problem.status_code == 422
    assert problem.json()["errors"][0]["pointer"] == "/run/model"
    assert api(site, f"/jobs/{made.job_id}/revise", note="").json()["errors"][0]["pointer"] == "/note"
    assert api(site, f"/jobs/{made.job_id}/revise", note="Larger", run={"model": MODEL}).status_code == 202


def test_a_note_waits_on_the_live_page(site: Served) -> None:
    job, claim = site.seed.running(brief("Under Way"), run={"model": MODEL})
    assert "A word to the model" in text_of(page(site, f"/jobs/{job.id}"))
    assert post(site, f"/jobs/{job.id}/notes", text="Use a darker ground").status_code == 303
    progress = site.http.get(f"/jobs/{job.id}/progress").json()
    assert "Use a darker ground" in progress["notes"]
    assert "told at its next step" in progress["notes"]
    given = api(site, f"/jobs/{job.id}/notes", text="And larger")
    assert (given.status_code, given.json()["seq"]) == (202, None)
    for note in jobs.notes_waiting(site.db, claim):
        jobs.record_event(site.db, claim, note)
    assert site.http.get(f"/jobs/{job.id}/progress").json()["notes"].strip() == ""
    assert "A person: Use a darker ground" in text_of(page(site, f"/jobs/{job.id}"))
    jobs.finish(site.db, claim, JobEnd("failed", "no_output"))
    late = api(site, f"/jobs/{job.id}/notes", text="Too late")
    assert (late.status_code, "reads nothing more" in late.json()["detail"]) == (409, True)
    assert "A word to the model" not in text_of(page(site, f"/jobs/{job.id}"))


def test_prepared_programs_have_no_field_for_words(site: Served) -> None:
    job, _ = site.seed.running(brief("Programs at Work"))
    assert "A word to the model" not in text_of(page(site, f"/jobs/{job.id}"))
    assert api(site, f"/jobs/{job.id}/notes", text="Hello").status_code == 409


def test_a_rejected_job_is_sent_back_with_a_note(site: Served) -> None:
    job = site.seed.rejected(brief("Pale Letters"))
    assert "Send back with a note" in text_of(page(site, f"/jobs/{job.id}"))
    answer = post(site, f"/jobs/{job.id}/revise", note="Darker letters", model=MODEL)
    again = jobs.get(site.db, answer.headers["Location"].rpartition("/")[2])
    assert (again.parent, again.version, again.note) == (job.id, 2, "Darker letters")


def test_a_rejected_work_is_shown_all_the_same_and_says_so(site: Served) -> None:
    job = site.seed.rejected(brief("Shown With Faults"))
    assert "Publish anyway" in text_of(page(site, f"/jobs/{job.id}"))
    short = post(site, f"/jobs/{job.id}/publish", reason="x")
    assert short.status_code == 422
    answer = post(site, f"/jobs/{job.id}/publish", reason="The <i>director</i> likes it")
    assert answer.status_code == 303, text_of(answer.text)
    said = text_of(page(site, answer.headers["Location"]))
    assert "1 check that must hold does not. Shown all the same by local" in said
    assert "The <i>director</i> likes it" in said
    assert "1 check that must hold does not" in text_of(page(site, "/gallery?q=Faults"))
    assert "Publish anyway" not in text_of(page(site, f"/jobs/{job.id}"))
    listed = site.http.get("/api/v1/artifacts", params={"q": "Faults"}).json()["data"]
    assert listed[0]["shown_anyway"] == {"by": "local", "reason": "The <i>director</i> likes it", "failed": 1}
    assert api(site, f"/jobs/{job.id}/publish", reason="Again please").status_code == 409
    without_token = site.http.post(f"/jobs/{job.id}/publish", data={"reason": "No token"})
    assert without_token.status_code == 400


def test_only_an_operator_may_show_a_rejected_work(tmp_path_factory: pytest.TempPathFactory) -> None:
    made: list[str] = []
    with served(
        tmp_path_factory.mktemp("keyed"), prepare=lambda db: made.append(keys.create(db, "maker", ["create"])[1])
    ) as keyed:
        job = keyed.seed.rejected(brief("Not By Everyone"))
        head = {"Authorization": f"Bearer {made[0]}"}
        answer = keyed.http.post(f"/api/v1/jobs/{job.id}/publish", json={"reason": "I like it"}, headers=head)
        assert answer.status_code == 403
        assert jobs.get(keyed.db, job.id).artifact is None


def test_a_sentence_becomes_a_brief_over_the_api(site: Served) -> None:
    answer = api(site, "/drafts", sentence="Plan three days in Lisbon")
    assert answer.status_code == 201
    found = answer.json()
    assert (found["kind"], found["by"]) == ("travel_map", "rule")
    assert found["brief"]["params"] == {"destination": "Lisbon", "days": 3}


def test_a_revision_of_a_revision_can_be_put_beside_any_version(site: Served) -> None:
    first = gallery.get(site.db, site.seed.published(brief("Three Times"), model="m:x"))
    job_id, artifact = first.job_id, first.id
    for words in ("One", "Two"):
        wanted = RevisionRequest.model_validate({"note": words, "run": {"model": MODEL}})
        job = jobs.revise(site.db, job_id, wanted, site.settings, caller="test")
        claim = jobs.claim(site.db, job.id, "w", 3600.0)
        assert claim is not None
        end = JobEnd("published", report=site.seed.report(claim), files=site.seed.files(words))
        artifact, job_id = gallery.publish(site.db, claim, end) or "", job.id
    said = page(site, f"/artifacts/{artifact}")
    assert 'data-version="2"' in said
    beside = page(site, f"/artifacts/{artifact}?beside={first.job_id}")
    assert 'data-version="1"' in beside
    assert 'data-version="3"' in beside
    assert "Nothing: every check has the verdict and the measured value that it had." in text_of(beside)
