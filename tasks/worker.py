"""`python -m tasks.worker`: works jobs on this machine, `workers` at once, each in a thread of this one process.

Threads, because a job mostly waits for its sandbox or its provider; and because then one SIGKILL ends everything: the
kernel ends the sandboxes with the process that started them.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import warnings
from typing import Any

from celery.platforms import SecurityWarning
from celery.signals import worker_shutting_down

from studio.blobs import open_blobs
from studio.database import open_database
from studio.jobs import next_in_line
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from tasks.app import TASK, app_for
from tasks.logs import set_up_logs
from tasks.model_tests import follow

log = logging.getLogger(__name__)


def main() -> None:
    """Run until SIGTERM or SIGINT; the jobs under way go back to the queue then."""
    settings = Settings()
    set_up_logs(settings)
    app = app_for(settings)
    db, blobs, engine = open_database(settings), open_blobs(settings), engine_for(settings, settings.engine)
    name = f"{socket.gethostname()}:{os.getpid()}"
    stopping = threading.Event()

    @app.task(name=TASK)  # type: ignore[untyped-decorator]  # Celery has no types
    def generate(job_id: str) -> None:
        # A batch's message is given to whoever waits alone first, and comes to its own job after that.
        while not stopping.is_set():
            first = next_in_line(db, job_id)
            run_job(first, db, blobs, engine, settings, name, stopping=stopping)
            if first == job_id:
                break

    def stop(**_: Any) -> None:
        stopping.set()

    worker_shutting_down.connect(stop, weak=False)
    follow(db, settings, stopping)
    # Started by root it stays root: sandboxes are what drops to other users.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    options = f"--pool threads --concurrency {settings.workers} --without-gossip --without-mingle --without-heartbeat"
    app.worker_main(["--quiet", "worker", *options.split(), "--loglevel", settings.log_level, "--hostname", name])


if __name__ == "__main__":
    main()
