"""The record of a job under way: events, live output, and the watch over lease and cancel."""

from __future__ import annotations

import logging
import threading
import time
from types import TracebackType

from studio import jobs
from studio.database import Database
from studio.errors import Canceled, Ending, LeaseLost
from studio.jobs import Claim
from studio.jobs.work import ENDS_LIVE
from studio.sandboxes.types import Sandbox
from studio.settings import Settings
from studio.trajectory import Event, StateChanged, ToolResult

log = logging.getLogger(__name__)

TICK_S = 0.25  # how often live output is written at most, and a cancel is looked for
LINGER_S = 3.0
KEPT = 64 * 1024  # characters of running output at hand; the row keeps as many bytes


class JobRecorder:
    """Writes what a run tells, and watches the job's row beside it. A context manager, for its thread.

    Once the job is canceled or lost, or the worker is to stop, every further call raises that ending; the run looks
    each half second. While it winds down the lease is kept: the job is only `canceled` when its sandbox is gone.
    """

    def __init__(self, db: Database, claim: Claim, settings: Settings, stopping: threading.Event) -> None:
        self._db, self._claim, self._settings, self._stopping = db, claim, settings, stopping
        self._secrets = settings.secrets
        self._ending: Ending | None = None
        self._sandbox: Sandbox | None = None
        self._lock = threading.Lock()  # guards the sandbox and the live output
        self._call_id, self._text, self._fresh = "", "", False
        self._done = threading.Event()
        self._beaten = self._ended_at = time.monotonic()
        self._lease_until = self._beaten + settings.lease_s
        self._thread = threading.Thread(target=self._watch, name=f"watch-{claim.job_id}", daemon=True)

    def __enter__(self) -> JobRecorder:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def record(self, event: Event) -> None:
        """Commit an event, which gets its number here. Raises Canceled or LeaseLost."""
        if not isinstance(event, ToolResult):  # the result of a command that a cancel cut short is kept
            self.check()
        with self._lock:
            jobs.record_event(self._db, self._claim, event, self._secrets)
            if isinstance(event, ENDS_LIVE):
                self._call_id, self._text, self._fresh = "", "", False

    def live(self, call_id: str, text: str) -> None:
        """A chunk of what the running command prints, or the model says; shown within a quarter of a second."""
        with self._lock:
            before = self._text if call_id == self._call_id else ""
            self._call_id, self._text, self._fresh = call_id, (before + text)[-KEPT:], True

    def check(self) -> None:
        """Raises Canceled or LeaseLost when the run must end."""
        if self._ending is not None:
            raise type(self._ending)(str(self._ending))

    def opened(self, sandbox: Sandbox) -> None:
        """The run has this sandbox now."""
        with self._lock:
            self._sandbox = sandbox

    def closed(self) -> None:
        """The run has no sandbox now."""
        with self._lock:
            self._sandbox = None

    @property
    def released(self) -> bool:
        """The run was ended because the worker is to stop; the job is still ours to give back."""
        return self._stopping.is_set() and time.monotonic() < self._lease_until

    def publishing(self) -> None:
        """Say that the work is accepted and being stored."""
        self.record(StateChanged(state="publishing"))

    def _watch(self) -> None:
        """The thread: live output and a look at the row with each tick, the lease in time."""
        while not self._done.wait(TICK_S):
            try:
                self._tick()
            except LeaseLost as error:
                self._end(error)
            except Exception:
                log.exception("job %s: the watch could not reach the database", self._claim.job_id)
            if time.monotonic() > self._lease_until:
                self._end(LeaseLost("the lease could not be prolonged"))
            self._kill_what_lingers()

    def _tick(self) -> None:
        moment = time.monotonic()
        if isinstance(self._ending, LeaseLost) and not self.released:
            return  # nothing here is ours any more
        if moment - self._beaten >= self._settings.heartbeat_s:
            state = jobs.heartbeat(self._db, self._claim, self._settings.lease_s)
            self._beaten = moment
            self._lease_until = moment + self._settings.lease_s
        elif self._ending is None:
            state = jobs.look(self._db, self._claim)
        else:
            state = ""
        if state == "canceling":
            self._end(Canceled("canceled on request"))
        if self._stopping.is_set():
            self._end(LeaseLost("the worker was told to stop"))
        if self._ending is None:
            self._write_live()

    def _end(self, ending: Ending) -> None:
        if self._ending is None:
            self._ending, self._ended_at = ending, time.monotonic()

    def _kill_what_lingers(self) -> None:
        """The run kills its sandbox itself when `check` raises. One that has not got so far in time is helped."""
        if self._ending is not None and time.monotonic() - self._ended_at > LINGER_S:
            with self._lock:
                sandbox = self._sandbox
            if sandbox:
                sandbox.kill()

    def _write_live(self) -> None:
        with self._lock:
            if self._fresh:
                self._fresh = False
                jobs.set_live(self._db, self._claim, self._call_id, self._text, self._secrets)
