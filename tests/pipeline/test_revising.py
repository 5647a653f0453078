"""A revision and notes in real sandboxes: the model finds the old files there, and is told what a person said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from studio import gallery, jobs
from studio.blobs import open_blobs
from studio.brief import JobRequest
from studio.database import Database, open_database
from studio.jobs import JobView, RevisionRequest
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import Note, ToolCalled, ToolResult
from tests.support.openai_server import Answer, OpenAIServer, bash, says
from tests.support.posters import BRIEF, INCOMPLETE, MEND

SUBMIT = ("submit", {"summary": "Done."})


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", openai_api_key=SecretStr("sk-scripted-0123"), openai_base_url="unset")


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


def work(job: JobView, db: Database, settings: Settings) -> JobView:
    run_job(job.id, db, open_blobs(settings), engine_for(settings), settings, "test")
    return jobs.get(db, job.id)


def words(request: dict[str, Any]) -> list[str]:
    return [message["content"] for message in request["messages"] if message["role"] == "user"]


def test_a_note_a_rejection_and_the_next_version(db: Database, settings: Settings) -> None:
    request = JobRequest(brief=BRIEF, run={"model": "openai:scripted", "repairs": 0})  # type: ignore[arg-type]
    job_ids: list[str] = []
    script = [
        says("I draw it.", bash(INCOMPLETE), bash("echo second call")),
        says("I hand it in.", SUBMIT),
        says("I look.", bash("cd /testbed && cat programs/make.sh | head -1; ls output; " + MEND)),
        says("Done.", SUBMIT),
    ]

    def answer(_: dict[str, Any]) -> Answer:
        if len(script) == 4:  # while the model thinks about its first step
            jobs.give_note(db, job_ids[0], "Use a darker ground", caller="key:ann")
        return script.pop(0)

    with OpenAIServer(answer) as server:
        settings = settings.model_copy(update={"openai_base_url": server.url})
        job = jobs.create(db, request, settings, caller="test")
        job_ids.append(job.id)
        first = work(job, db, settings)
        assert (first.state, first.reason) == ("rejected", "checks_failed"), first.message
        assert "Use a darker ground" in words(server.requests[1])[-1]
        assert server.requests[1]["messages"][-1]["role"] == "user", "after the results of both calls"
        assert all("darker" not in text for text in words(server.requests[0]))
        order = [e for e in jobs.events(db, job.id) if isinstance(e, ToolCalled | ToolResult | Note)]
        note = next(index for index, event in enumerate(order) if isinstance(event, Note) and event.given)
        assert [type(event) for event in order[note - 2 : note]] == [ToolCalled, ToolResult]
        assert jobs.notes(db, job.id)[0].seq == order[note].seq

        wanted = RevisionRequest(note="The sheet of colours is missing")
        second = work(jobs.revise(db, first.id, wanted, settings, caller="test"), db, settings)
        assert second.state == "published", second.message
        told = words(server.requests[2])[0]
    assert "> The sheet of colours is missing" in told
    assert "version 2 of a work that is there already" in told
    assert "programs/make.sh" in told
    assert "poster.svg" in told
    assert "files.present" in told, "how the version before was judged"
    assert "wrote output/poster.png, output/poster.svg, programs/make.sh" in told
    looked = next(e for e in jobs.events(db, second.id) if isinstance(e, ToolResult))
    assert "poster.svg" in looked.output
    assert second.artifact is not None
    assert {"poster.svg", "design_specs.md"} <= {file.path for file in gallery.get(db, second.artifact).files}
    assert second.version == 2

    replayed = JobRequest(brief=BRIEF, run={"model": f"replay:{second.id}"})  # type: ignore[arg-type]
    again = work(jobs.create(db, replayed, settings, caller="test"), db, settings)
    assert again.state == "published", f"a replay of a revision starts from the same files: {again.message}"
    assert json.dumps(jobs.get(db, again.id).made_by.model_dump()).count(second.id) == 1
