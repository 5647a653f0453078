"""Puts the id of a committed job on the queue."""

from __future__ import annotations

import logging

from studio.database import Database
from studio.jobs import JobView, sweeping
from studio.settings import Settings
from tasks.app import TASK, app_for

log = logging.getLogger(__name__)


def enqueue(job_id: str, db: Database, settings: Settings) -> None:
    """Send the job's id to the workers; called after the commit.

    Never raises: a job whose message cannot be sent now is sent by upkeep's next sweep.
    """
    try:
        app_for(settings).send_task(TASK, args=[job_id], retry=False)
        sweeping.sent(db, job_id)
    except Exception:
        log.warning("job %s could not be put on the queue; upkeep will do it", job_id, exc_info=True)


def enqueue_all(job: JobView, db: Database, settings: Settings) -> None:
    """The same for a new job and the other variants of its brief."""
    for job_id in (job.id, *job.siblings):
        enqueue(job_id, db, settings)
