"""The disk limit of a container that may write its root: a watcher, as no engine bounds that layer everywhere."""

from __future__ import annotations

import threading

from studio.sandboxes.docker import DockerHost

INTERVAL_S = 1.0


class LayerWatch:
    """A thread that asks the engine each second what a container has written, and kills it above `limit` bytes.

    Between two looks more may be written; the limit of one file's size holds meanwhile.
    """

    def __init__(self, host: DockerHost, container: str, limit: int) -> None:
        self.over: str | None = None  # why it was killed
        self._host, self._container, self._limit = host, container, limit
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"layer-{container[:12]}", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Look no more."""
        self._ended.set()

    def _work(self) -> None:
        while not self._ended.wait(INTERVAL_S):
            written = self._host.layer_bytes(self._container)
            if written is not None and written > self._limit:
                self.over = f"it was killed above its disk limit of {self._limit >> 20} MiB for its root"
                self._host.kill(self._container)
                return
