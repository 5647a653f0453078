"""Another one like it, and the same once more: over the API, by the pages, by the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from studio import gallery, jobs
from studio.jobs import ComparedFile, JobEnd, JobView
from studio.jobs.recipes import keep_reproduction
from tests.web.reading import page, send, text_of, typed, value_of
from tests.web.seeding import brief
from tests.web.served import Served, served

MODEL = "openai:scripted"
STUDIO = Path(sys.executable).with_name("studio")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("again")
    with served(folder, openai_base_url="http://127.0.0.1:9/v1") as studio:
        yield studio


@pytest.fixture(scope="module")
def made(site: Served) -> JobView:
    """An accepted poster that a model made."""
    request = {"brief": brief("Harbour Concert"), "run": {"model": MODEL, "seed": 11}, "tags": ["spring"]}
    job = JobView.model_validate(site.http.post("/api/v1/jobs", json=request).json() | {"content_token": ""})
    claim = jobs.claim(site.db, job.id, "worker-test", 3600.0)
    assert claim is not None
    site.seed.work(claim, model=MODEL)
    end = JobEnd("published", report=site.seed.report(claim), files=site.seed.files(job.title))
    assert gallery.publish(site.db, claim, end)
    return jobs.get(site.db, job.id)


def post(site: Served, path: str, body: Any) -> httpx.Response:
    return site.http.post(f"/api/v1{path}", json=body)


def test_a_patch_of_the_brief_becomes_a_job_by_its_recipe(site: Served, made: JobView) -> None:
    answer = post(site, f"/jobs/{made.id}/remix", {"patch": {"params": {"event": {"venue": "Town Hall"}}}})
    assert answer.status_code == 202, answer.text
    job = answer.json()
    assert answer.headers["Location"] == f"/api/v1/jobs/{job['id']}"
    assert job["brief"]["params"]["event"]["venue"] == "Town Hall"
    assert job["brief"]["params"]["event"]["name"] == "Harbour Concert"
    assert (job["run"]["model"], job["run"]["seed"], job["tags"]) == (f"recipe:{made.id}", 11, ["spring"])
    assert job["made_by"] == {"model": None, "recipe": f"job:{made.id}", "replay_of": None}
    assert (job["parent"], job["purpose"]) == (made.id, "make")
    site.publish(job["id"])
    artifact = jobs.get(site.db, job["id"]).artifact
    shown = text_of(page(site, f"/artifacts/{artifact}"))
    assert "Rendered by prepared programs; no model took part" in shown
    assert "Rendered by the programs of an earlier job" in shown


def test_what_cannot_be_made_another_of_is_refused_with_what_is_wrong(site: Served, made: JobView) -> None:
    refused = post(site, f"/jobs/{made.id}/remix", {"patch": {"params": {"event": {"name": None}}}})
    assert refused.status_code == 422
    assert [item["pointer"] for item in refused.json()["errors"]] == ["/brief/params/event/name"]
    refused = post(site, f"/jobs/{made.id}/remix", {"patch": {}, "brief": brief()})
    assert [item["pointer"] for item in refused.json()["errors"]] == ["/patch"]
    queued = post(site, "/jobs", brief()).json()
    for path in (f"/jobs/{queued['id']}/remix", f"/jobs/{queued['id']}/reproduce"):
        refused = post(site, path, {})
        assert refused.status_code == 409
        assert "queued" in refused.json()["detail"]
    other = {"kind": "piano_piece", "title": "A piece", "params": {}}
    refused = post(site, "/jobs", {"brief": other, "run": {"model": f"recipe:{made.id}"}})
    assert "made a poster" in refused.json()["errors"][0]["detail"]


def test_a_house_recipes_work_is_made_again_by_the_house_recipe(site: Served) -> None:
    old = jobs.get(site.db, gallery.get(site.db, site.seed.published(brief("By the house"))).job_id)
    job = post(site, f"/jobs/{old.id}/remix", {"brief": brief("Another")}).json()
    assert (job["run"]["model"], job["title"], job["parent"]) == ("recipe", "Another", old.id)
    assert site.http.get(f"/api/v1/jobs/{old.id}/recipe").status_code == 404


def test_a_reproduction_and_its_badge(site: Served, made: JobView) -> None:
    assert site.http.get(f"/api/v1/jobs/{made.id}/reproductions").json() == {"data": []}
    job = post(site, f"/jobs/{made.id}/reproduce", {}).json()
    assert (job["purpose"], job["run"]["model"], job["parent"]) == ("reproduce", f"replay:{made.id}", made.id)
    claim = jobs.claim(site.db, job["id"], "worker-test", 3600.0)
    assert claim is not None
    files = [
        ComparedFile(path="poster.png", verdict="alike", detail="alike by 0.998 (structural similarity)"),
        ComparedFile(path="poster.svg", verdict="same"),
    ]
    keep_reproduction(site.db, claim, files)
    jobs.finish(site.db, claim, JobEnd("accepted", message="looks and sounds the same"))
    (found,) = site.http.get(f"/api/v1/jobs/{made.id}/reproductions").json()["data"]
    assert (found["job"], found["source"], found["verdict"]) == (job["id"], made.id, "alike")
    assert site.http.get(f"/api/v1/jobs/{job['id']}/reproduction").json() == found
    shown = text_of(page(site, f"/artifacts/{made.artifact}"))
    assert "Reproduced: it looks and sounds the same on" in shown
    assert "poster.png alike by 0.998" in shown
    shown = text_of(page(site, f"/jobs/{job['id']}"))
    assert "Accepted" in shown
    assert "Reproduces an earlier job : poster.png alike" in shown
    listed = site.http.get("/api/v1/artifacts").json()["data"]
    assert job["id"] not in [item["job_id"] for item in listed]
    assert jobs.list_jobs(site.db, state="accepted").data[0].id == job["id"]


def test_the_form_of_another_one_is_filled_and_makes_it(site: Served, made: JobView) -> None:
    assert f"/new/poster?remix={made.id}" in page(site, f"/artifacts/{made.artifact}")
    form = page(site, f"/new/poster?remix={made.id}")
    assert value_of(form, "/brief/params/event/name") is None or "Harbour Concert" in form
    assert f'value="recipe:{made.id}"' in form
    assert "no model takes part" in text_of(form)
    fields = typed(**{"/run/model": f"recipe:{made.id}", "do": "make"})
    sent = send(site, fields, path=f"/new/poster?remix={made.id}")
    assert sent.status_code == 303, text_of(sent.text)
    job = jobs.get(site.db, sent.headers["Location"].rsplit("/", 1)[1])
    assert (job.parent, job.made_by.derived_from) == (made.id, made.id)


def test_the_command_line_takes_a_job_or_its_artifact(site: Served, made: JobView) -> None:
    def studio(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "STUDIO_URL": site.url}
        return subprocess.run([STUDIO, *words], env=environment, text=True, capture_output=True, timeout=120)

    assert made.artifact is not None
    done = studio("remix", made.artifact, "--set", "params.event.name=Moon Night", "--seed", "5", "--json")
    assert done.returncode == 0, done.stderr
    job = json.loads(done.stdout)
    assert (job["title"], job["made_by"]["recipe"]) == ("Moon Night", f"job:{made.id}")
    assert jobs.get(site.db, job["id"]).run.seed == 5
    refused = studio("remix", made.id, "--set", "params.event.name=")
    assert refused.returncode == 2
    assert "/brief/params/event/name" in refused.stderr
    done = studio("reproduce", made.id)
    assert done.returncode == 0, done.stderr
    assert jobs.get(site.db, done.stdout.strip()).purpose == "reproduce"
