"""One `execute_bash`: feeding the shell, reading what it prints, and stopping what takes too long."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import select
import sys
import time

from sandbox_image.toolhost import children as processes
from sandbox_image.toolhost.shell import READ, Shell
from sandbox_image.toolhost.text import Capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPT_EVERY_S = 0.5
KILL_AFTER_S = 2.0  # since the first interrupt
GIVE_UP_AFTER_S = 3.0  # then the shell goes too
LIVE_INTERVAL_S = 0.1
LIVE_CHARS = 32 << 10


class Execution:
    """A command on its way through the shell."""

    def __init__(self, shell: Shell, pipe: int, timeout_s: float, watch: Callable[[str], None]) -> None:
        self._shell = shell
        self._pipe = pipe  # the studio's end: when that is closed, all ends
        self._timeout_s = timeout_s
        self._watch = watch
        self.status: int | None = None
        self.timed_out = False
        self.restarted = False
        self.notes: list[str] = []
        self._stopping = 0.0  # when the first interrupt was sent
        self._interrupts = 0
        self._killed = self._gave_up = False
        self._live = ""
        self._live_sent = 0.0

    def run(self, command: str) -> Capture:
        """Carry the command out; afterwards `status`, `timed_out`, `restarted` and `notes` hold."""
        shell = self._shell
        if not shell.alive():
            self.restarted = True
            self.notes.append(self._words("The shell had ended since the last call"))
            shell.restart()
        self._capture = Capture(shell.number + 1)
        self._take(bytes(shell.early))
        shell.early.clear()
        started = time.monotonic()
        shell.submit(command)
        while True:
            self._wait(started)
            self.status = shell.status()
            if self.status is not None:
                break
            if not shell.alive():
                self._shell_ended()
                break
            if time.monotonic() - started >= self._timeout_s:
                self._stop()
        self._take_rest()
        self._show(force=True)
        if self.timed_out:
            self.status = None
        return self._capture

    def _wait(self, started: float) -> None:
        shell = self._shell
        poll = processes.poller(shell.output, shell.report, shell.children.wake)
        poll.register(self._pipe, 0)
        if shell.flush():
            poll.register(shell.commands, select.POLLOUT)
        left = self._timeout_s - (time.monotonic() - started)
        wait = left if left > 0 else 0.1
        if self._live:
            wait = min(wait, LIVE_INTERVAL_S)
        for descriptor, event in poll.poll(max(1, int(min(wait, 60.0) * 1000))):
            if descriptor == self._pipe and event & (select.POLLHUP | select.POLLERR):
                sys.exit(0)
            if descriptor == shell.output:
                self._take(os.read(shell.output, READ))
            elif descriptor == shell.children.wake:
                shell.children.reap()
        self._show()

    def _take(self, data: bytes) -> None:
        if data:
            self._live = (self._live + self._capture.feed(data))[-LIVE_CHARS:]

    def _take_rest(self) -> None:
        """What was printed before the report lies in the pipe; what comes later is a background process's."""
        rest = processes.waiting_bytes(self._shell.output)
        while rest > 0:
            try:
                data = os.read(self._shell.output, min(rest, READ))
            except BlockingIOError:
                return
            rest -= len(data)
            self._take(data)

    def _show(self, force: bool = False) -> None:
        now = time.monotonic()
        if self._live and (force or now - self._live_sent >= LIVE_INTERVAL_S):
            self._watch(self._live)
            self._live, self._live_sent = "", now

    def _stop(self) -> None:
        """Interrupt, then kill what did not listen, then everything."""
        now = time.monotonic()
        shell = self._shell
        if not self.timed_out:
            self.timed_out = True
            self._stopping = now
            self.notes.append(f"[Stopped after {self._timeout_s:g} s, the time limit of this command.]")
        waited = now - self._stopping
        if waited >= GIVE_UP_AFTER_S:
            if not self._gave_up:
                self._gave_up = True
                self.notes.append("[It could not be stopped alone: every process was killed.]")
            os.kill(-1, _signal.SIGKILL)
        elif waited >= KILL_AFTER_S and not self._killed:
            self._killed = True
            processes.kill_members(shell.pid, spare=shell.pid)
            self._interrupt()
        elif waited >= self._interrupts * INTERRUPT_EVERY_S and not self._killed:
            self._interrupts += 1
            self._interrupt()

    def _interrupt(self) -> None:
        processes.signal_group(self._shell.pid, _signal.SIGINT)
        self._shell.ask()  # the interrupt may have cost the first request

    def _shell_ended(self) -> None:
        code = self._shell.children.status(self._shell.pid)
        self.restarted = True
        if code is not None and code >= 0:
            self.status = code
            self.notes.append(self._words(f"The shell ended with status {code}"))
        else:
            self.notes.append(self._words(f"The shell was killed by signal {-(code or 0)}"))
        self._shell.restart()

    def _words(self, what: str) -> str:
        return (
            f"[{what}; a new one was started in {os.fsencode(self._shell.cwd).decode('utf-8', 'replace')}. "
            "Variables, functions and options of the old one are gone.]"
        )
