"""Running something slow while somebody looks out: for a cancel, for the end of the time, and for what is printed."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from studio.agent.recorder import Recorder
from studio.errors import LimitReached
from studio.sandboxes.types import OnOutput

T = TypeVar("T")

CHECK_S = 0.5  # a cancel is seen within a second
JOIN_S = 10.0  # how long an interrupted piece of work is waited for
WAITING_CHUNKS = 256


class Attendant:
    """Runs a piece of work in a thread of its own and watches from this one.

    Whatever ends the wait early (a cancel, a lost lease, Ctrl-C, the deadline) calls `interrupt`, which must make the
    work end. All calls of the recorder come from the watching thread.
    """

    def __init__(
        self,
        recorder: Recorder,
        interrupt: Callable[[], None],
        *,
        call_id: str = "",
        deadline: float | None = None,
        join_s: float = JOIN_S,
    ) -> None:
        self._recorder = recorder
        self._interrupt = interrupt
        self._call_id = call_id
        self._deadline = deadline  # by time.monotonic
        self._join_s = join_s

    def __call__(self, work: Callable[[OnOutput], T], /) -> T:
        """What `work` returns or raises. Raises Canceled, LeaseLost, or LimitReached at the deadline."""
        running = _Running(work)
        try:
            self._watch(running)
        except BaseException:
            self._interrupt()
            running.thread.join(self._join_s)
            raise
        return running.result()

    def _watch(self, running: _Running[T]) -> None:
        checked = time.monotonic()
        while not running.over():
            chunk = running.next_chunk(CHECK_S)
            if chunk:
                self._recorder.live(self._call_id, chunk)
            now = time.monotonic()
            if now - checked >= CHECK_S:
                self._recorder.check()
                checked = now
            if self._deadline is not None and now > self._deadline and not running.over():
                raise LimitReached("limit_time", "the time for this run is used up")


class _Running(Generic[T]):
    """Work in a daemon thread. Chunks that nobody takes in time are dropped: they are for the live view only."""

    def __init__(self, work: Callable[[OnOutput], T]) -> None:
        self._work = work
        self._chunks: queue.Queue[str] = queue.Queue(WAITING_CHUNKS)
        self._done = threading.Event()
        self._value: list[T] = []
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._body, daemon=True)
        self.thread.start()

    def _body(self) -> None:
        try:
            self._value.append(self._work(self._put))
        except BaseException as error:  # handed to the watching thread
            self._error = error
        self._done.set()
        self._put("")  # wakes the watcher

    def _put(self, chunk: str) -> None:
        try:
            self._chunks.put_nowait(chunk)
        except queue.Full:
            return

    def over(self) -> bool:
        """The work has ended and all that it printed was taken."""
        return self._done.is_set() and self._chunks.empty()

    def next_chunk(self, timeout_s: float) -> str:
        try:
            return self._chunks.get(timeout=timeout_s)
        except queue.Empty:
            return ""

    def result(self) -> T:
        self.thread.join()
        if self._error is not None:
            raise self._error
        return self._value[0]
