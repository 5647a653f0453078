"""Tests of models within a worker: beside its jobs, so that a busy worker does not keep anybody waiting."""

from __future__ import annotations

import logging
import threading

from studio import model_tests
from studio.database import Database
from studio.settings import Settings

PAUSE_S = 1.0

log = logging.getLogger(__name__)


def follow(db: Database, settings: Settings, stopping: threading.Event) -> threading.Thread:
    """A thread that carries out what is asked for, one test at a time, until `stopping` is set."""
    thread = threading.Thread(target=_follow, args=(db, settings, stopping), name="model-tests", daemon=True)
    thread.start()
    return thread


def _follow(db: Database, settings: Settings, stopping: threading.Event) -> None:
    while not stopping.is_set():
        try:
            if model_tests.work_next(db, settings):
                continue
        except Exception:
            log.exception("a test of a model could not be carried out")
        stopping.wait(PAUSE_S)
