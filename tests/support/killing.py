"""Killing a sandbox of a studio from outside while it starts."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from studio.sandboxes.records import Records, runs


@contextlib.contextmanager
def first_is_killed(data_dir: Path) -> Iterator[list[str]]:
    """The next sandbox of the studio in `data_dir` gets SIGKILL as soon as it is on record; yields those killed."""
    records = Records(data_dir)
    known = {record.id for record in records.all()}
    killed: list[str] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set() and not killed:
            for record in records.all():
                if record.id not in known and not killed and runs(record.process, record.process_began):
                    os.kill(record.process, signal.SIGKILL)
                    killed.append(record.id)
            time.sleep(0.0005)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()
