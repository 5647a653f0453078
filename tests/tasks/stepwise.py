"""A ten-step run of a scripted model, whose worker is killed when so many events are committed, and what follows."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta

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
from studio.trajectory import Event, now
from tests.support.command import ROOT
from tests.support.openai_server import Answer, bash, says
from tests.support.posters import BRIEF, GOOD

STEPS = 10
CHANGING = 3  # the step that prints another thing each time


def script() -> list[Answer]:
    """Nine commands, each of which leaves a line, and a submit."""
    commands = [f"echo step {number} | tee -a log" for number in range(1, STEPS)]
    commands[CHANGING - 1] += "; date +%s%N"
    commands[6] += "; wc -l < log"
    commands[8] += f"\n{GOOD}"
    return [*(says(f"Step {n}.", bash(text)) for n, text in enumerate(commands, 1)), says(None, ("submit", {}))]


def ordered(db: Database, settings: Settings) -> JobView:
    request = JobRequest.model_validate({"brief": BRIEF.model_dump(), "run": {"model": "openai:scripted"}})
    return jobs.create(db, request, settings, caller="test")


def environment(settings: Settings) -> dict[str, str]:
    """That of a worker of its own."""
    given = settings.environment(openai_base_url=settings.openai_base_url or "", lease_s="60", heartbeat_s="5")
    return given | {"PYTHONPATH": str(ROOT)}


def dying(job: JobView, kind: str, count: int) -> list[str]:
    """The command of a worker that dies at the moment when so many events of the kind are committed."""
    return [sys.executable, "-m", "tests.tasks.dying_worker", job.id, kind, str(count)]


def killed(job: JobView, settings: Settings, kind: str, count: int) -> None:
    """Such a worker, to its death."""
    argv = dying(job, kind, count)
    done = subprocess.run(
        argv, cwd=ROOT, env=environment(settings), capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def given_back(db: Database, job: JobView) -> None:
    """What upkeep does about it, at once."""
    over = now() - timedelta(seconds=1)
    with db.session() as session:
        session.execute(update(JobRow).where(JobRow.id == job.id).values(lease_until=over))
    (lost,) = sweeping.lost(db)
    assert sweeping.take_back(db, lost, attempts=3) == "queued"


def worked(db: Database, job: JobView, settings: Settings) -> JobView:
    run_job(job.id, db, open_blobs(settings), engine_for(settings), settings, "test")
    return jobs.get(db, job.id)


def of_attempt(db: Database, job: JobView, attempt: int) -> list[Event]:
    return [event for event in jobs.events(db, job.id) if event.attempt == attempt]
