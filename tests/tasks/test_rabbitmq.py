"""A queue in RabbitMQ, chosen by the settings alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import gallery, jobs
from studio.database import Database, open_database
from studio.settings import Settings
from tasks.app import reach
from tasks.generate import enqueue
from tests.support.rabbitmq import MISSING, PROGRAM, rabbitmq
from tests.tasks.making import House, bash, marker, recipe_calls, replaying, running, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not PROGRAM.exists(), reason=MISSING)]


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    times = {"lease_s": 8.0, "heartbeat_s": 1.0, "sweep_s": 0.5}
    with rabbitmq() as url:
        yield Settings.model_validate({"data_dir": tmp_path / "data", "broker_url": url, **times})


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


def test_jobs_are_worked_once_though_messages_are_doubled_and_a_worker_is_killed(
    db: Database, settings: Settings, house: House
) -> None:
    reach(settings)
    mark = marker()
    job = replaying([bash(f"sleep 2.{mark}"), *recipe_calls()], db, settings)
    worker = house.worker()
    house.upkeep()
    for _ in range(3):
        enqueue(job.id, db, settings)
    wait_for(lambda: running(mark), "the command in the sandbox")
    worker.kill()
    worker.wait()
    wait_for(lambda: not running(mark), "the end of what ran in the sandbox")
    house.worker()
    other = replaying([bash("true")], db, settings)
    enqueue(other.id, db, settings)
    for one in (job, other):
        wait_for(lambda one=one: jobs.get(db, one.id).ended, "the end of a job", 600.0)  # type: ignore[misc]
    told = [(found.state, found.attempt) for found in (jobs.get(db, one.id) for one in (job, other))]
    assert told == [("published", 2), ("failed", 1)]
    assert [item.job_id for item in gallery.list_artifacts(db).data] == [job.id]
