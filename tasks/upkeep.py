"""Upkeep: puts right what a killed worker or a lost message left behind. Idempotent; several may run at once."""

from __future__ import annotations

import logging
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from studio import batches, gallery
from studio.blobs import open_blobs
from studio.database import Database, open_database
from studio.jobs import sweeping
from studio.pipeline.run import work_folders
from studio.sandboxes.housekeeping import Housekeeping
from studio.settings import Settings
from tasks.app import queue_folder
from tasks.batches import feed_window
from tasks.folder import remove_leftovers
from tasks.generate import enqueue
from tasks.logs import set_up_logs

log = logging.getLogger(__name__)

TIDY_S = 600.0


@dataclass
class Swept:
    """What one sweep did: ids of jobs, and names of what was removed."""

    taken_back: dict[str, str] = field(default_factory=dict)  # id → state now
    expired: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    batches: dict[str, str] = field(default_factory=dict)  # id → state now

    def __bool__(self) -> bool:
        return bool(self.taken_back or self.expired or self.sent or self.removed or self.batches)


class Reaper(Protocol):
    """Who removes sandboxes: all engines of a studio, or one."""

    def reap(self, owned_by_living_job: Callable[[str], bool]) -> list[str]:
        """Remove what no live owner has; the names of what was removed."""
        ...


def sweep(db: Database, settings: Settings, engine: Reaper | None) -> Swept:
    """One round. `engine` None: sandboxes are left alone.

    What a lost job's worker left is removed first, so that a job is only `canceled` when its sandbox is gone.
    """
    done = Swept()
    lost = sweeping.lost(db)
    done.removed += _remove_orphans(db, settings, engine)
    for job in lost:
        if state := sweeping.take_back(db, job, settings.attempts):
            done.taken_back[job.job_id] = state
            if state == "queued":
                enqueue(job.job_id, db, settings)
    done.expired += sweeping.expire(db, settings.queue_hours)
    done.sent += feed_window(db, settings)
    done.batches = batches.advance(db)
    gallery.index_texts(db, open_blobs(settings))
    for job_id in sweeping.unsent(db, settings.sweep_s):
        enqueue(job_id, db, settings)
        done.sent.append(job_id)
    return done


def _remove_orphans(db: Database, settings: Settings, engine: Reaper | None) -> list[str]:
    """Sandboxes and work folders that no living job has."""
    removed = []
    if engine:
        removed += engine.reap(lambda owner: bool(sweeping.living(db, [owner])))
    folders = work_folders(settings)
    living = sweeping.living(db, {job_id for job_id, _ in folders})
    for (job_id, fence), folder in folders.items():
        if living.get(job_id) != fence:
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
    return removed


def run_forever(settings: Settings, stop: threading.Event) -> None:
    """Sweep every `sweep_s` seconds until `stop` is set. A sweep that fails is logged, and the next one tries again."""
    db = open_database(settings)
    housekeeping = Housekeeping(settings)
    tidied: float | None = None
    while not stop.is_set():
        try:
            if tidied is None or time.monotonic() - tidied > TIDY_S:
                db.tidy()
                remove_leftovers(queue_folder(settings))
                tidied = time.monotonic()
            if done := sweep(db, settings, housekeeping):
                log.info("swept: %s", done)
        except Exception:
            log.exception("a sweep failed; the next one tries again")
        stop.wait(settings.sweep_s)
    db.close()


def upkeep_argv(settings: Settings) -> list[str]:
    """The command that runs upkeep, in an environment made by `settings.environment()`; SIGTERM ends it."""
    return [sys.executable, "-m", "tasks.upkeep"]


def main() -> None:
    """`python -m tasks.upkeep`."""
    settings = Settings()
    set_up_logs(settings)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    run_forever(settings, stop)


if __name__ == "__main__":
    main()
