"""The memory limit where no control group can be made: one thread that looks at every sandbox four times a second.

It counts anonymous memory and swap of its processes (proc(5), status) and what lies in its folders, and kills it above
the limit. It is coarser than a control group: between two looks more may be taken, and memory in files without a name
(memfd_create) that nobody has mapped is not seen.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

INTERVAL_S = 0.25
FOLDERS = ("testbed", "tmp", "home/studio", "dev/shm")
COUNTED = ("RssAnon:", "VmSwap:")


@dataclass(frozen=True)
class Watched:
    """Process 1 of a sandbox, its limit in bytes, and whom to tell when it is above that."""

    inner: int
    limit: int
    over: Callable[[], None]


class Watch:
    """The sandboxes that are looked at; the thread ends when there is none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[str, Watched] = {}
        self._peaks: dict[str, int] = {}
        self._thread: threading.Thread | None = None

    def add(self, name: str, watched: Watched) -> None:
        """Look at this one from now on."""
        with self._lock:
            self._watched[name] = watched
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="sandbox-memory", daemon=True)
                self._thread.start()

    def remove(self, name: str) -> None:
        """Look at it no more."""
        with self._lock:
            self._watched.pop(name, None)
            self._peaks.pop(name, None)

    def peak(self, name: str) -> int | None:
        """The most that was seen, in bytes."""
        with self._lock:
            return self._peaks.get(name)

    def _work(self) -> None:
        while True:
            with self._lock:
                watched = dict(self._watched)
                if not watched:
                    self._thread = None
                    return
            for name, one in watched.items():
                used = memory_of(one.inner)
                with self._lock:
                    if name in self._watched:
                        self._peaks[name] = max(used, self._peaks.get(name, 0))
                if used > one.limit:
                    one.over()
            time.sleep(INTERVAL_S)


def memory_of(inner: int) -> int:
    """Bytes that the processes below `inner`, itself included, and its folders hold."""
    total = 0
    for pid in family(inner):
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith(COUNTED):
                    total += int(line.split()[1]) << 10
    for folder in FOLDERS:
        with contextlib.suppress(OSError):
            status = os.statvfs(f"/proc/{inner}/root/{folder}")
            total += (status.f_blocks - status.f_bfree) * status.f_frsize
    return total


def family(pid: int) -> Iterator[int]:
    """A process and all below it: in a process namespace of its own whoever is orphaned falls to its first one."""
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        yield one
        with contextlib.suppress(OSError):
            for thread in Path(f"/proc/{one}/task").iterdir():
                with contextlib.suppress(OSError):
                    waiting.extend(int(child) for child in (thread / "children").read_text().split())


WATCH = Watch()
