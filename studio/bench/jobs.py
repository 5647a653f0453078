"""What a studio gets done: recipe jobs a minute by number of workers, and what it takes for itself of a job's time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from studio import jobs
from studio.brief import JobRequest
from studio.database import Database
from studio.errors import StudioError
from studio.jobs import JobView
from studio.kinds import get_kind
from studio.settings import Settings

KIND = "countdown_video"  # its sample is 12 s long
WORKERS = (1, 2)
JOBS = 2  # for each worker
GOAL_SHARE = 0.03
LOOK_S = 0.1

Enqueue = Callable[[str], None]
Working = Callable[[Settings], AbstractContextManager[object]]


@dataclass(frozen=True)
class Pace:
    """Of `jobs` jobs at once on `workers` workers. Times in seconds, of one job, as medians.

    `own_s` is the time between a job's claim and its end that is neither a tool call nor an inspection nor a model's
    reply: starting and removing its sandbox, writing its record, fetching, storing and publishing its files.
    """

    workers: int
    jobs: int
    per_minute: float
    wall_s: float
    tool_s: float
    inspect_s: float
    own_s: float
    own_share: float


class NotPublished(StudioError):
    """A job of the measurement gave no accepted work, so its time says nothing."""


def measure(
    db: Database,
    settings: Settings,
    kind: str,
    count: int,
    working: Working,
    enqueue: Enqueue,
    say: Callable[[str], None],
) -> Pace:
    """Work `count` jobs of the kind's first sample with `settings.workers` workers; one more before, which warms up.

    `working` runs a worker for the time of a block, `enqueue` puts a job's id on the queue. Raises NotPublished.
    """
    with working(settings):
        _ended(db, [_made(db, settings, kind, enqueue)])
        ids = [_made(db, settings, kind, enqueue) for _ in range(count)]
        found = _ended(db, ids)
    say(f"{settings.workers} workers: {count} jobs done")
    return pace(found, settings.workers)


def pace(done: Sequence[JobView], workers: int) -> Pace:
    """The figures of published jobs."""
    spans = [(job.started_at, job.finished_at, job.usage) for job in done]
    known = [(begun, ended, usage) for begun, ended, usage in spans if begun and ended and usage]
    walls = [(ended - begun).total_seconds() for begun, ended, _ in known]
    owns = [
        wall - usage.tool_s - usage.inspect_s - usage.model_s for wall, (_, _, usage) in zip(walls, known, strict=True)
    ]
    whole = (max(ended for _, ended, _ in known) - min(begun for begun, _, _ in known)).total_seconds()
    return Pace(
        workers=workers,
        jobs=len(done),
        per_minute=60 * len(done) / whole,
        wall_s=statistics.median(walls),
        tool_s=statistics.median(usage.tool_s for _, _, usage in known),
        inspect_s=statistics.median(usage.inspect_s for _, _, usage in known),
        own_s=statistics.median(owns),
        own_share=statistics.median(own / wall for own, wall in zip(owns, walls, strict=True)),
    )


def _made(db: Database, settings: Settings, kind: str, enqueue: Enqueue) -> str:
    request = JobRequest(brief=get_kind(kind).samples()[0].brief)
    job = jobs.create(db, request, settings, caller="bench")
    enqueue(job.id)
    return job.id


def _ended(db: Database, ids: Sequence[str]) -> list[JobView]:
    while True:
        found = [jobs.get(db, job_id) for job_id in ids]
        bad = [job for job in found if job.ended and job.state != "published"]
        if bad:
            raise NotPublished(f"job {bad[0].id} is {bad[0].state} ({bad[0].reason}): {bad[0].message}")
        if all(job.ended for job in found):
            return found
        time.sleep(LOOK_S)


def table(kind: str, paces: Sequence[Pace]) -> str:
    """The figures for a person."""
    lines = [
        f"{kind}, made by the house recipe",
        "workers   jobs/min    a job s   tools s  inspect s    own s   own share",
    ]
    for one in paces:
        lines.append(
            f"{one.workers:7d} {one.per_minute:10.2f} {one.wall_s:10.2f} {one.tool_s:9.2f} {one.inspect_s:10.2f} "
            f"{one.own_s:8.3f} {one.own_share:10.1%}"
        )
    lines.append(f"own share to reach with one worker: {GOAL_SHARE:.0%}")
    return "\n".join(lines)
