"""A worker with four running jobs is killed by SIGKILL: nothing of them is left, and each is published once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from studio import gallery, jobs
from studio.brief import JobRequest, RunOptions
from studio.database import Database
from studio.jobs import JobEnd, JobView
from studio.kinds import parse_brief
from studio.sandboxes import cgroups
from studio.sandboxes.housekeeping import Housekeeping
from studio.sandboxes.records import Records
from studio.settings import Settings
from studio.trajectory import Call, ToolCalled
from tasks.generate import enqueue
from tests.jobs.making import claimed, request_for
from tests.sandboxes.conftest import ENGINES
from tests.tasks.making import House, bash, marker, running, submit, wait_for

LEFT_S = 60.0
BRIEF = parse_brief(
    {
        "kind": "open",
        "title": "Tides",
        "prompt": "How tides come about, in a few words.",
        "params": {"deliverables": [{"path": "tides.md", "media_type": "text/markdown"}]},
    }
)
WORDS = "The moon and the sun draw the sea, and the earth turns beneath. " * 12
GOOD = f"printf '# Tides\\n\\n{WORDS}\\n' > /testbed/output/tides.md"
pytestmark = pytest.mark.slow


@pytest.fixture(params=ENGINES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    times = {"lease_s": 20.0, "heartbeat_s": 1.0, "sweep_s": 2.0}
    return Settings(data_dir=tmp_path / "data", engine=request.param, workers=4, **times)  # type: ignore[arg-type]


@pytest.fixture
def calm(settings: Settings, db: Database) -> Iterator[House]:
    """One that works jobs one after the other, so that a busy machine judges each in time."""
    found = House(settings.model_copy(update={"workers": 1}))
    yield found
    found.end()


def small_text(calls: Sequence[Call], db: Database, settings: Settings) -> JobView:
    """A queued job of a small text that will make these calls."""
    source = jobs.create(db, request_for(), settings, caller="test")
    claim = claimed(db, source)
    for call in calls:
        jobs.record_event(db, claim, ToolCalled(id=call.id, name=call.name, arguments=json.loads(call.arguments)))
    jobs.finish(db, claim, JobEnd("failed", "no_output"))
    request = JobRequest(brief=BRIEF, run=RunOptions(model=f"replay:{source.id}"))
    return jobs.create(db, request, settings, caller="test")


def test_after_kill_9_of_a_worker_with_four_jobs_nothing_is_left_and_four_are_published_once(
    settings: Settings, db: Database, house: House, calm: House
) -> None:
    marks = [marker() for _ in range(4)]
    made = [small_text([bash(f"sleep 30.{mark}"), bash(GOOD), submit()], db, settings) for mark in marks]
    worker = house.worker()
    house.upkeep()
    for job in made:
        enqueue(job.id, db, settings)
    wait_for(lambda: all(running(mark) for mark in marks), "four commands in four sandboxes")
    keeping = Housekeeping(settings)
    assert len(keeping.listed().started) == 4
    worker.kill()
    worker.wait()
    killed = time.monotonic()

    def nothing_left() -> bool:
        folders = [*(settings.data_dir / "work").glob("*"), *(settings.data_dir / "sandboxes").glob("*")]
        groups = cgroups.remains(Records(settings.data_dir).studio)
        return not (keeping.listed().started or folders or groups or any(running(mark) for mark in marks))

    wait_for(nothing_left, "the end of all that they had")
    assert time.monotonic() - killed < LEFT_S
    calm.worker()
    for job in made:
        wait_for(lambda job=job: jobs.get(db, job.id).ended, "the end of a job", 600.0)  # type: ignore[misc]
    states = [(found.state, found.attempt) for found in (jobs.get(db, job.id) for job in made)]
    assert states == [("published", 2)] * 4
    assert sorted(item.job_id for item in gallery.list_artifacts(db).data) == sorted(job.id for job in made)
    wait_for(nothing_left, "the end of the second attempts")
