"""A queue in Redis: messages that are lost or doubled, and a server that does not answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from studio import jobs
from studio.database import Database, open_database
from studio.errors import ConfigurationError
from studio.settings import Settings
from tasks.app import app_for
from tasks.generate import enqueue
from tasks.upkeep import sweep
from tests.conftest import SERVERS
from tests.jobs.making import request_for
from tests.tasks.making import House, bash, replaying, wait_for

servers_only = pytest.mark.parametrize("stores", [pytest.param(SERVERS, marks=pytest.mark.thorough)], indirect=True)


def queue_of(settings: Settings) -> Redis:
    assert settings.broker_url is not None
    path, _, number = settings.broker_url.removeprefix("redis+socket://").partition("?virtual_host=")
    return Redis(unix_socket_path=path, db=int(number))


@servers_only
def test_lost_and_doubled_messages_change_nothing(db: Database, settings: Settings, house: House) -> None:
    calls = [bash("true")]
    lost, doubled, unsent = (replaying(calls, db, settings) for _ in range(3))
    enqueue(lost.id, db, settings)
    queue = queue_of(settings)
    assert queue.llen("jobs") == 1
    queue.flushdb()
    for _ in range(3):
        enqueue(doubled.id, db, settings)
    assert queue.llen("jobs") == 3
    house.worker()
    house.upkeep()
    for job in (lost, doubled, unsent):
        found = wait_for(lambda job=job: (seen := jobs.get(db, job.id)).ended and seen, f"the end of {job.id}")  # type: ignore[misc]
        assert (found.state, found.reason, found.attempt) == ("failed", "no_output", 1)
    wait_for(lambda: not queue.llen("jobs"), "the end of the messages")
    queue.close()


def test_a_broker_that_does_not_answer_does_not_reach_the_caller(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path / "data", sweep_s=0.001, broker_url=f"redis+socket://{tmp_path}/none.sock?virtual_host=0"
    )
    db = open_database(settings)
    db.migrate()
    job = jobs.create(db, request_for(), settings, caller="test")
    enqueue(job.id, db, settings)
    assert jobs.get(db, job.id).state == "queued"
    assert job.id in sweep(db, settings, None).sent  # tried again by each sweep
    db.close()


def test_the_brokers_password_may_stand_apart_from_its_address(tmp_path: Path) -> None:
    settings = Settings.model_validate(
        {"data_dir": tmp_path, "broker_url": "redis://queue.example:6379/0", "broker_password": "a/b@c"}
    )
    assert app_for(settings).connection_for_write().password == "a/b@c"
    assert app_for(settings).connection_for_write().hostname == "queue.example"
    assert "a/b@c" in settings.secrets


def test_an_address_of_no_broker_is_refused_with_the_setting_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="STUDIO_BROKER_URL"):
        app_for(Settings(data_dir=tmp_path, broker_url="queue.example:6379"))
