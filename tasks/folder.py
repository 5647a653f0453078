"""The embedded broker: Kombu's filesystem transport, with messages that are never seen half-written.

Kombu opens a message under its final name before it has written it, and keeps its table of queues in a file that is
empty for a moment; a worker that reads at that moment fails. Here a message is written aside and renamed, taken by a
rename, and the table is a constant, for the studio has one queue.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.transport.filesystem import exchange_queue_t

log = logging.getLogger(__name__)

QUEUE = "jobs"
LEFT_S = 60.0


class Channel(filesystem.Channel):  # type: ignore[misc]  # Kombu has no types
    """One folder, one queue; a file is a message, and its name is its place in line."""

    def get_table(self, exchange: str) -> list[Any]:
        return [exchange_queue_t(QUEUE, "", QUEUE)]

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        pass

    def _delete(self, queue: str, *args: Any, **kwargs: Any) -> None:
        self._purge(queue)

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns():020d}_{uuid.uuid4()}.{queue}.msg"
        aside = folder / f".{name}"
        aside.write_text(json.dumps(payload), encoding="utf-8")
        aside.rename(folder / name)

    def _get(self, queue: str) -> Any:
        for message in sorted(Path(self.data_folder_in).glob(f"[0-9]*.{queue}.msg")):
            taken = message.with_name(f".taken_{message.name}")
            try:
                message.rename(taken)
            except FileNotFoundError:
                continue  # another worker was quicker
            text = taken.read_bytes()
            taken.unlink()
            try:
                return json.loads(text)
            except ValueError:
                log.warning("a broken message was thrown away: %s", message.name)
        raise Empty


def remove_leftovers(folder: Path) -> None:
    """Remove what processes that were killed while they wrote or took a message left behind a minute ago or earlier."""
    for path in folder.glob(".*.msg"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > LEFT_S:
                path.unlink()


class Transport(filesystem.Transport):  # type: ignore[misc]
    """Named in Celery's `broker_transport`."""

    Channel = Channel
