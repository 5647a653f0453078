"""One sweep, and the process that sweeps."""

from __future__ import annotations

import signal
import threading

import pytest

from studio import jobs
from studio.database import Database
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
from tasks.app import queue_folder
from tasks.generate import enqueue
from tasks.upkeep import run_forever, sweep
from tests.conftest import EMBEDDED
from tests.jobs.making import claimed, request_for
from tests.tasks.making import House, wait_for


def test_a_sandbox_and_a_folder_without_a_living_job_are_removed(db: Database, settings: Settings) -> None:
    engine = engine_for(settings)
    living, dead = (jobs.create(db, request_for(), settings, caller="test") for _ in range(2))
    kept = claimed(db, living)
    claimed(db, dead, lease_s=-1)
    sandboxes = {job.id: engine.start(SandboxSpec(owner=job.id)) for job in (living, dead)}
    work = settings.data_dir / "work"
    for name in (f"{living.id}.{kept.fence}", f"{living.id}.{kept.fence - 1}", f"{dead.id}.1"):
        (work / name / "output").mkdir(parents=True)
    try:
        done = sweep(db, settings, engine)
        assert sandboxes[dead.id].id in done.removed
        assert sandboxes[living.id].id not in done.removed
        assert done.taken_back == {dead.id: "queued"}
        assert [folder.name for folder in work.iterdir()] == [f"{living.id}.{kept.fence}"]
        assert sandboxes[living.id].execute("echo still here").output == "still here\n"
        assert not sweep(db, settings, engine), "a second sweep finds nothing to do"
    finally:
        for sandbox in sandboxes.values():
            sandbox.kill()


def test_a_sweep_without_an_engine_still_looks_after_the_queue(db: Database, settings: Settings) -> None:
    impatient = settings.model_copy(update={"queue_hours": 1e-9})
    job = jobs.create(db, request_for(), settings, caller="test")
    assert sweep(db, impatient, None).expired == [job.id]
    assert jobs.get(db, job.id).state == "expired"


def test_three_lost_attempts_end_the_job(db: Database, settings: Settings) -> None:
    job = jobs.create(db, request_for(), settings, caller="test")
    for _ in range(3):
        claimed(db, job, lease_s=-1)
        sweep(db, settings, None)
    found = jobs.get(db, job.id)
    assert (found.state, found.reason, found.attempt) == ("failed", "attempts", 3)


@pytest.mark.parametrize("stores", [EMBEDDED], indirect=True)  # looks into the folder of the queue
def test_a_queue_that_cannot_be_written_does_not_reach_the_caller(db: Database, settings: Settings) -> None:
    eager = settings.model_copy(update={"sweep_s": 0.0})
    folder = queue_folder(eager)
    enqueue(jobs.create(db, request_for(), eager, caller="test").id, db, eager)
    (message,) = folder.iterdir()
    message.unlink()
    folder.rmdir()
    job = jobs.create(db, request_for(), eager, caller="test")
    enqueue(job.id, db, eager)
    assert jobs.get(db, job.id).state == "queued"
    folder.mkdir()
    assert job.id in sweep(db, eager, None).sent
    assert any(job.id in message.read_text() for message in folder.iterdir())


@pytest.mark.parametrize("stores", [EMBEDDED], indirect=True)  # looks into the folder of the queue
def test_upkeep_goes_on_after_a_sweep_that_failed_and_stops_when_told(
    db: Database, settings: Settings, house: House
) -> None:
    quick = settings.model_copy(update={"sweep_s": 0.05})
    job = jobs.create(db, request_for(), settings, caller="test")
    claimed(db, job, lease_s=-1)
    queue_folder(quick).parent.joinpath("work").write_text("no folder: each sweep that looks for folders fails")
    (settings.data_dir / "sandboxes").write_text("no folder either")
    stop = threading.Event()
    thread = threading.Thread(target=run_forever, args=(quick, stop))
    thread.start()
    (settings.data_dir / "sandboxes").unlink()
    (settings.data_dir / "work").unlink()
    wait_for(lambda: jobs.get(db, job.id).state == "queued", "the sweep that takes the job back")
    stop.set()
    thread.join()
    for message in queue_folder(settings).glob("*.msg"):
        message.unlink()
    process = house.upkeep()
    wait_for(lambda: any(job.id in m.read_text() for m in queue_folder(settings).glob("*.msg")), "a message of the job")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
