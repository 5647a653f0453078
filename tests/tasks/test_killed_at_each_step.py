"""kill -9 at the boundaries of a ten-step run: it is published in the end, and no recorded reply is paid for twice."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from studio import jobs
from studio.blobs import open_blobs
from studio.brief import JobRequest
from studio.database import Database
from studio.database.tables import JobRow
from studio.jobs import JobView, sweeping
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import Event, ModelReply, ModelRequest, Note, ToolResult, now
from tests.support.command import ROOT
from tests.support.openai_server import Answer, OpenAIServer, bash, says
from tests.support.posters import BRIEF, GOOD
from tests.tasks.making import wait_for

pytestmark = pytest.mark.thorough

STEPS = 10
CHANGING = 3  # the step that prints another thing each time


def script() -> list[Answer]:
    """Nine commands, each of which leaves a line, and a submit."""
    commands = [f"echo step {number} | tee -a log" for number in range(1, STEPS)]
    commands[CHANGING - 1] += "; date +%s%N"
    commands[6] += "; wc -l < log"
    commands[8] += f"\n{GOOD}"
    return [*(says(f"Step {n}.", bash(text)) for n, text in enumerate(commands, 1)), says(None, ("submit", {}))]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(script()) as found:
        yield found


@pytest.fixture
def settings(tmp_path: Path, server: OpenAIServer) -> Settings:
    return Settings(data_dir=tmp_path / "data", openai_base_url=server.url, lease_s=60.0, heartbeat_s=5.0)


def ordered(db: Database, settings: Settings) -> JobView:
    request = JobRequest.model_validate({"brief": BRIEF.model_dump(), "run": {"model": "openai:scripted"}})
    return jobs.create(db, request, settings, caller="test")


def killed(job: JobView, settings: Settings, kind: str, count: int) -> None:
    """A worker that dies when so many events of the kind are committed; then what upkeep does about it, at once."""
    argv = [sys.executable, "-m", "tests.tasks.dying_worker", job.id, kind, str(count)]
    base_url = settings.openai_base_url or ""
    environment = settings.environment(openai_base_url=base_url, lease_s="60", heartbeat_s="5") | {
        "PYTHONPATH": str(ROOT)
    }
    done = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180)
    assert done.returncode == -signal.SIGKILL, done.stderr


def given_back(db: Database, job: JobView) -> None:
    over = now() - timedelta(seconds=1)
    with db.session() as session:
        session.execute(update(JobRow).where(JobRow.id == job.id).values(lease_until=over))
    (lost,) = sweeping.lost(db)
    assert sweeping.take_back(db, lost, attempts=3) == "queued"


def worked(db: Database, job: JobView, settings: Settings) -> JobView:
    run_job(job.id, db, open_blobs(settings), engine_for(settings), settings, "test")
    return jobs.get(db, job.id)


def of_last_attempt(db: Database, job: JobView) -> list[Event]:
    return [event for event in jobs.events(db, job.id) if event.attempt == 2]


def check(db: Database, made: JobView, server: OpenAIServer, done: int) -> None:
    """Published; every reply was asked for once; what was done before was repeated, and what differs was told."""
    assert (made.state, made.attempt) == ("published", 2), made.message
    assert len(server.requests) == STEPS
    assert made.usage is not None
    assert (made.usage.steps, made.usage.prompt_tokens) == (STEPS, 100 * STEPS), "sums go on over the attempts"
    events = of_last_attempt(db, made)
    replies = [event for event in events if isinstance(event, ModelReply)]
    assert [event.replayed is not None for event in replies] == [number <= done for number in range(1, STEPS + 1)]
    assert all(event.usage is None for event in replies[:done])
    results = [event for event in events if isinstance(event, ToolResult)]
    assert len(results) == STEPS, "the last attempt's record is whole"
    assert results[6].output.split() == ["step", "7", "7"], "each command ran once on the computer that counts"
    told = [event.text for event in events if isinstance(event, Note) and "you worked on was lost" in event.text]
    if 0 < done < STEPS:
        assert len(told) == 1
        assert told[0] == server.requests[done]["messages"][-1]["content"], "the model is told, once"
        named = [int(number) for number in re.findall(r"^- call (\d+),", told[0], re.MULTILINE)]
        before = [event for event in jobs.events(db, made.id) if isinstance(event, ToolResult) and event.attempt == 1]
        assert named == ([CHANGING] if len(before) >= CHANGING else []), "what has a record to differ from"


@pytest.mark.parametrize("step", [1, 5, 10])
def test_a_worker_killed_between_steps_is_gone_on_from(
    db: Database, settings: Settings, server: OpenAIServer, step: int
) -> None:
    job = ordered(db, settings)
    killed(job, settings, "tool.result", step)
    assert len(server.requests) == step
    given_back(db, job)
    check(db, worked(db, job, settings), server, done=step)


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 3, 4, 6, 7, 8, 9])
def test_every_other_boundary(db: Database, settings: Settings, server: OpenAIServer, step: int) -> None:
    test_a_worker_killed_between_steps_is_gone_on_from(db, settings, server, step)


@pytest.mark.slow
@pytest.mark.parametrize("event", range(2, 18))
def test_every_event_of_the_first_steps(db: Database, settings: Settings, server: OpenAIServer, event: int) -> None:
    job = ordered(db, settings)
    killed(job, settings, "", event)
    known = [item for item in jobs.events(db, job.id) if isinstance(item, ModelReply)]
    assert len(server.requests) == len(known), "the worker died before it asked, or after it knew"
    given_back(db, job)
    check(db, worked(db, job, settings), server, done=len(known))


def test_a_reply_lost_on_its_way_is_marked_and_asked_for_again(
    db: Database, settings: Settings, server: OpenAIServer
) -> None:
    server.answers.insert(2, Answer("", hold=True))
    job = ordered(db, settings)
    argv = [sys.executable, "-m", "tests.tasks.dying_worker", job.id, "", "1000"]
    base_url = settings.openai_base_url or ""
    environment = settings.environment(openai_base_url=base_url, lease_s="60") | {"PYTHONPATH": str(ROOT)}
    worker = subprocess.Popen(argv, cwd=ROOT, env=environment)
    wait_for(lambda: len(server.requests) == 3, "the request that will have no answer")
    worker.kill()
    worker.wait()
    given_back(db, job)
    made = worked(db, job, settings)
    assert made.state == "published"
    assert len(server.requests) == STEPS + 1
    (asked,) = [e.seq for e in jobs.events(db, job.id) if isinstance(e, ModelRequest) and e.attempt == 1][2:]
    first = next(event for event in of_last_attempt(db, made) if isinstance(event, Note))
    assert f"event {asked} was lost on its way" in first.text
