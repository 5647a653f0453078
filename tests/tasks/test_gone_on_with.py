"""What a job whose worker was killed goes on with: a person's words, and what is left of its time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from studio import jobs
from studio.database import Database
from studio.database.tables import EventRow
from studio.jobs import JobView
from studio.settings import Settings
from studio.trajectory import Note
from tests.support.openai_server import OpenAIServer
from tests.tasks.stepwise import STEPS, given_back, killed, of_attempt, ordered, script, worked

pytestmark = pytest.mark.thorough

BLUE, LARGER = "Make it blue, please.", "And the name larger."


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(script()) as found:
        yield found


@pytest.fixture
def settings(tmp_path: Path, server: OpenAIServer) -> Settings:
    return Settings(data_dir=tmp_path / "data", openai_base_url=server.url, lease_s=60.0, heartbeat_s=5.0)


def places(request: dict[str, Any], words: str) -> list[int]:
    """Which messages of a request hold the words."""
    return [at for at, message in enumerate(request["messages"]) if words in str(message["content"])]


def told(db: Database, job: JobView, words: str, attempt: int) -> list[Note]:
    found = (event for event in of_attempt(db, job, attempt) if isinstance(event, Note))
    return [note for note in found if note.text == words]


@pytest.mark.parametrize("seen_by_model", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_words_given_just_before_a_kill_reach_the_model_once(
    db: Database, settings: Settings, server: OpenAIServer, seen_by_model: bool
) -> None:
    job = ordered(db, settings)
    jobs.give_note(db, job.id, BLUE, caller="test")
    # Its worker dies when the words are on record and before it asks; or when a reply to them is there.
    killed(job, settings, *(("model.reply", 1) if seen_by_model else ("note", 1)))
    assert len(server.requests) == int(seen_by_model)
    jobs.give_note(db, job.id, LARGER, caller="test")  # while nobody works it
    given_back(db, job)
    made = worked(db, job, settings)
    assert (made.state, made.attempt, len(server.requests)) == ("published", 2, STEPS)
    first = server.requests[int(seen_by_model)]
    for words in (BLUE, LARGER):
        assert len(places(first, words)) == 1, "the next request tells them"
        assert [places(request, words) for request in server.requests[1:]] == [places(first, words)] * (STEPS - 1)
    (again,) = told(db, made, BLUE, attempt=2)
    assert again.replayed == told(db, made, BLUE, attempt=1)[0].seq
    (new,) = told(db, made, LARGER, attempt=2)
    assert new.replayed is None
    assert [note.seq for note in jobs.notes(db, job.id)] == [told(db, made, BLUE, attempt=1)[0].seq, new.seq]


@pytest.mark.slow
def test_words_given_before_two_kills_reach_the_model_once(
    db: Database, settings: Settings, server: OpenAIServer
) -> None:
    job = ordered(db, settings)
    jobs.give_note(db, job.id, BLUE, caller="test")
    for count in (2, 5):  # the second dies while it repeats what the first did
        killed(job, settings, "tool.result", count)
        given_back(db, job)
    made = worked(db, job, settings)
    assert (made.state, made.attempt, len(server.requests)) == ("published", 3, STEPS)
    assert {len(places(request, BLUE)) for request in server.requests} == {1}
    assert len(told(db, made, BLUE, attempt=3)) == 1


def test_the_time_of_attempts_before_counts(db: Database, settings: Settings, server: OpenAIServer) -> None:
    job = ordered(db, settings)
    killed(job, settings, "tool.result", 4)
    began_earlier(db, job, seconds=job.run.limits.time_s - 90)
    given_back(db, job)
    made = worked(db, job, settings)
    assert made.state == "published", made.message
    assert made.usage is not None
    assert made.usage.wall_s > made.run.limits.time_s - 90
    assert made.usage.steps == STEPS
    warned = [note.text for note in of_attempt(db, made, 2) if isinstance(note, Note) and "Budget left" in note.text]
    assert warned, "the model is told how little is left"


@pytest.mark.slow
def test_no_time_is_left_after_attempts_that_used_it_up(db: Database, settings: Settings, server: OpenAIServer) -> None:
    job = ordered(db, settings)
    killed(job, settings, "tool.result", 4)
    began_earlier(db, job, seconds=job.run.limits.time_s + 60)
    given_back(db, job)
    made = worked(db, job, settings)
    assert (made.state, made.reason) == ("failed", "limit_time"), made.message
    assert len(server.requests) == 4, "nothing more is asked for"
    assert made.usage is not None
    assert made.usage.prompt_tokens == 400, "what was paid stays counted"


def began_earlier(db: Database, job: JobView, seconds: float) -> None:
    """As if the first attempt had begun so much earlier."""
    query = select(EventRow).where(EventRow.job_id == job.id, EventRow.type == "job.started")
    with db.session() as session:
        row = session.scalars(query).one()
        (first,) = [event for event in jobs.events(db, job.id) if event.seq == row.seq]
        body = json.loads(row.body)
        body["at"] = (first.at - timedelta(seconds=seconds)).isoformat()
        row.body = json.dumps(body)
