"""Keeps batches going: a window of their lines on the queue."""

from __future__ import annotations

import logging

from studio import batches
from studio.database import Database
from studio.settings import Settings
from tasks.generate import enqueue

log = logging.getLogger(__name__)


def feed_window(db: Database, settings: Settings) -> list[str]:
    """Make jobs of waiting lines while the window has room, and put them on the queue; their ids.

    Called when a batch was stored and by every sweep. Never raises: the next sweep tries again.
    """
    try:
        made = batches.feed(db, settings)
    except Exception:
        log.exception("the window of batches could not be filled; the next sweep tries again")
        return []
    for job_id in made:
        enqueue(job_id, db, settings)
    return made
