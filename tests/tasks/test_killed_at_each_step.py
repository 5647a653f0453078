"""kill -9 at the boundaries of a ten-step run: it is published in the end, and no recorded reply is paid for twice."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import jobs
from studio.database import Database
from studio.jobs import JobView
from studio.settings import Settings
from studio.trajectory import ModelReply, ModelRequest, Note, ToolResult
from tests.support.command import ROOT
from tests.support.openai_server import Answer, OpenAIServer
from tests.tasks.making import wait_for
from tests.tasks.stepwise import (
    CHANGING,
    STEPS,
    dying,
    environment,
    given_back,
    killed,
    of_attempt,
    ordered,
    script,
    worked,
)

pytestmark = pytest.mark.thorough


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(script()) as found:
        yield found


@pytest.fixture
def settings(tmp_path: Path, server: OpenAIServer) -> Settings:
    return Settings(data_dir=tmp_path / "data", openai_base_url=server.url, lease_s=60.0, heartbeat_s=5.0)


def check(db: Database, made: JobView, server: OpenAIServer, done: int) -> None:
    """Published; every reply was asked for once; what was done before was repeated, and what differs was told."""
    assert (made.state, made.attempt) == ("published", 2), made.message
    assert len(server.requests) == STEPS
    assert made.usage is not None
    assert (made.usage.steps, made.usage.prompt_tokens) == (STEPS, 100 * STEPS), "sums go on over the attempts"
    events = of_attempt(db, made, 2)
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
    worker = subprocess.Popen(dying(job, "", 1000), cwd=ROOT, env=environment(settings))
    wait_for(lambda: len(server.requests) == 3, "the request that will have no answer")
    worker.kill()
    worker.wait()
    given_back(db, job)
    made = worked(db, job, settings)
    assert made.state == "published"
    assert len(server.requests) == STEPS + 1
    (asked,) = [e.seq for e in jobs.events(db, job.id) if isinstance(e, ModelRequest) and e.attempt == 1][2:]
    first = next(event for event in of_attempt(db, made, 2) if isinstance(event, Note))
    assert f"event {asked} was lost on its way" in first.text
