"""The one thread from which sandboxes are started.

A process asks the kernel to be killed when its parent ends (`bwrap --die-with-parent`); the kernel takes the *thread*
that started it for the parent. So all are started from one that lives as long as the process.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue

_Order = tuple[Callable[[], "subprocess.Popen[bytes]"], "Future[subprocess.Popen[bytes]]"]


class Starter:
    """A thread that starts processes, one at a time."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._orders: SimpleQueue[_Order] = SimpleQueue()
        threading.Thread(target=self._work, name="sandbox-starter", daemon=True).start()

    def start(
        self, argv: Sequence[str], *, stdin: int, stdout: int, stderr: int, keep: Sequence[int]
    ) -> subprocess.Popen[bytes]:
        """Start a program in a session of its own; `keep` are the descriptors that it inherits. Raises OSError."""
        future: Future[subprocess.Popen[bytes]] = Future()
        self._orders.put(
            (
                lambda: subprocess.Popen(
                    argv,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    pass_fds=tuple(keep),
                    cwd="/",
                    env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
                    start_new_session=True,
                ),
                future,
            )
        )
        return future.result()

    def _work(self) -> None:
        while True:
            order, future = self._orders.get()
            try:
                future.set_result(order())
            except BaseException as error:
                future.set_exception(error)


_starter: Starter | None = None
_making = threading.Lock()


def starter() -> Starter:
    """The starter of this process; a forked child gets its own."""
    global _starter
    with _making:
        if _starter is None or _starter.pid != os.getpid():
            _starter = Starter()
        return _starter
