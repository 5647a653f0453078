"""Real workers and upkeep: killed, stopped, canceled, with lost and doubled messages."""

from __future__ import annotations

import signal

import pytest

from studio import gallery, jobs
from studio.database import Database
from studio.jobs import JobView
from studio.settings import Settings
from studio.trajectory import JobStarted
from tasks.app import queue_folder
from tasks.generate import enqueue
from tests.conftest import EMBEDDED
from tests.tasks.making import House, bash, marker, recipe_calls, replaying, running, submit, wait_for


def ended(db: Database, job: JobView) -> JobView:
    def look() -> JobView | None:
        found = jobs.get(db, job.id)
        return found if found.ended else None

    return wait_for(look, "the end of the job")


def test_a_worker_killed_in_the_middle_costs_an_attempt_and_never_makes_two_artifacts(
    db: Database, settings: Settings, hasty_house: House
) -> None:
    mark = marker()
    job = replaying([bash(f"sleep 2.{mark}"), *recipe_calls()], db, settings)
    worker = hasty_house.worker()
    hasty_house.upkeep()
    hasty_house.upkeep()  # two of them do no more harm than one
    enqueue(job.id, db, settings)
    wait_for(lambda: running(mark), "the command in the sandbox")

    worker.kill()  # SIGKILL
    worker.wait()
    wait_for(lambda: not running(mark), "the end of what ran in the sandbox")
    hasty_house.worker()

    found = ended(db, job)
    assert (found.state, found.attempt) == ("published", 2), found.message
    assert [item.job_id for item in gallery.list_artifacts(db).data] == [job.id]
    events = jobs.events(db, job.id, limit=1000)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert [event.attempt for event in events if isinstance(event, JobStarted)] == [1, 2]
    wait_for(lambda: not list((settings.data_dir / "work").iterdir()), "the removal of the first attempt's folder")
    wait_for(lambda: not list((settings.data_dir / "sandboxes").glob("*")), "the removal of its sandbox's record")


def test_cancel_in_the_middle_of_a_command_ends_the_sandbox_first(
    db: Database, settings: Settings, house: House
) -> None:
    mark = marker()
    job = replaying([bash(f"echo begun; sleep 600.{mark}"), submit()], db, settings)
    house.worker()
    enqueue(job.id, db, settings)
    wait_for(lambda: running(mark), "the command in the sandbox")

    def begun() -> bool:
        live = jobs.live(db, job.id)
        return live is not None and "begun" in live.text

    wait_for(begun, "the command's live output")
    assert jobs.cancel(db, job.id).state == "canceling"
    found = ended(db, job)
    assert not running(mark), "canceled, and the sandbox still ran"
    assert (found.state, found.reason) == ("canceled", "canceled")
    assert jobs.live(db, job.id) is None
    assert jobs.cancel(db, job.id) == found


def test_a_job_canceled_while_its_worker_is_dead_is_canceled_by_upkeep(
    db: Database, settings: Settings, hasty_house: House
) -> None:
    mark = marker()
    job = replaying([bash(f"sleep 600.{mark}"), submit()], db, settings)
    worker = hasty_house.worker()
    enqueue(job.id, db, settings)
    wait_for(lambda: running(mark), "the command in the sandbox")
    worker.kill()
    worker.wait()
    assert jobs.cancel(db, job.id).state == "canceling"
    hasty_house.upkeep()
    found = ended(db, job)
    assert not running(mark)
    assert (found.state, found.attempt) == ("canceled", 1)


def test_a_worker_that_is_told_to_stop_gives_its_job_back(db: Database, settings: Settings, house: House) -> None:
    mark = marker()
    job = replaying([bash(f"sleep 3.{mark}"), submit()], db, settings)
    worker = house.worker()
    enqueue(job.id, db, settings)
    wait_for(lambda: running(mark), "the command in the sandbox")
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(30) == 0
    assert not running(mark)
    assert jobs.get(db, job.id).state == "queued"
    house.worker()
    house.upkeep()
    found = ended(db, job)
    assert found.attempt == 2
    assert found.state == "rejected"


@pytest.mark.parametrize("stores", [EMBEDDED], indirect=True)  # looks into the folder of the queue
def test_lost_and_doubled_messages_change_nothing(db: Database, settings: Settings, house: House) -> None:
    calls = [bash("true")]
    lost, doubled, unsent = (replaying(calls, db, settings) for _ in range(3))
    enqueue(lost.id, db, settings)
    for message in queue_folder(settings).iterdir():
        message.unlink()
    for _ in range(3):
        enqueue(doubled.id, db, settings)
    (queue_folder(settings) / f"{0:020d}_broken.jobs.msg").write_text("{", encoding="utf-8")
    house.worker()
    house.upkeep()
    for job in (lost, doubled, unsent):
        found = ended(db, job)
        assert (found.state, found.reason, found.attempt) == ("failed", "no_output", 1)
    wait_for(lambda: not list(queue_folder(settings).glob("*.msg")), "the end of the messages")
    for job in (lost, doubled, unsent):
        assert jobs.get(db, job.id).attempt == 1
