"""Starting one sandbox on this machine, and what is known of it while it runs."""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from studio.errors import ConfigurationError, SandboxLost
from studio.sandboxes import bubblewrap, cgroups, seccomp
from studio.sandboxes.accounting import resident, written
from studio.sandboxes.connection import Connection, Lost
from studio.sandboxes.records import Records
from studio.sandboxes.starter import starter
from studio.sandboxes.types import ResourceUse, SandboxSpec
from studio.sandboxes.watching import WATCH, Watched, family

NAME = "local"
PIPE_BYTES = 1 << 20
F_SETPIPE_SZ = 1031
ERROR_BYTES = 4000
# A launcher that is not fit for this machine ends with a status, or by SIGSYS or a fault of memory.
FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class LocalProcess:
    """One running bubblewrap with its tool host."""

    engine = NAME

    def __init__(
        self, name: str, process: subprocess.Popen[bytes], connection: Connection, errors: int, info: int
    ) -> None:
        self.id = name
        self.connection = connection
        self.process = process
        self.group = cgroups.NO_GROUP
        self.on_gone: Callable[[], None] = lambda: None
        self._errors = errors
        self._info = info
        self._told = b""  # the JSON that bubblewrap writes there, piece by piece
        self._inner: int | None = None
        self._over: str | None = None  # what the watcher found
        self._ended: int | None = None  # its status when it was to be killed, if it had ended before

    @property
    def inner(self) -> int | None:
        """Process 1 of the sandbox, as this machine numbers it; None before bubblewrap has named it."""
        if self._inner is None and self._info >= 0 and select.select([self._info], [], [], 0)[0]:
            self._told += os.read(self._info, 4096)
            if found := re.search(rb'"child-pid": (\d+)\D', self._told):
                self._inner = int(found[1])
        return self._inner

    def kill(self) -> None:
        """End every process at once and remove the control group; never raises; idempotent."""
        if self._errors >= 0:
            self._ended = self.process.poll()
        if self.inner is not None and self.process.poll() is None:
            with contextlib.suppress(OSError):
                os.kill(self.inner, signal.SIGKILL)
        self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10.0)
        with contextlib.suppress(OSError):
            self.group.remove()
        WATCH.remove(self.id)
        if self._errors >= 0:
            os.close(self._errors)
            os.close(self._info)
            self._errors = self._info = -1
        self.on_gone()

    def why(self) -> str | None:
        """Why it ended, where that can be told."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)
        if self._over is not None:
            return self._over
        killed = self.process.poll() in (-signal.SIGKILL, 128 + signal.SIGKILL)
        if killed and self.group.kills():
            return "its memory limit was reached and the system killed it"
        said = self.said()
        if said:
            return said
        code = self.process.poll()
        return None if code is None else f"its main process ended ({code})"

    @property
    def was_killed(self) -> bool:
        """Did it end by a signal that others send, and not by `kill`? bubblewrap passes its child's on as 128 + n."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.0)
        code = self._ended if self._errors < 0 else self.process.returncode
        return code is not None and (-code if code < 0 else code - 128) in FROM_OUTSIDE

    def said(self) -> str:
        """What the launcher wrote to its standard error."""
        if self._errors < 0 or not select.select([self._errors], [], [], 0)[0]:
            return ""
        return os.read(self._errors, ERROR_BYTES).decode("utf-8", "replace").strip()

    def kills(self) -> int:
        """How many processes the memory limit has cost."""
        return self.group.kills()

    def use(self) -> ResourceUse:
        """What the control group has counted, or the watcher seen."""
        used = self.group.use()
        peak = used.peak_memory_bytes if used.peak_memory_bytes is not None else WATCH.peak(self.id)
        return ResourceUse(peak, used.cpu_s, self._written())

    def _written(self) -> int | None:
        return written(self.group.processes() or set(family(self.inner or self.process.pid)))

    def resident(self) -> int | None:
        """The memory of all its processes, shared pages counted by share (PSS), in bytes."""
        return resident(self.group.processes() or {self.process.pid, *family(self.inner or self.process.pid)})

    def watch(self, limit: int) -> None:
        """Have the watcher hold the memory limit where no control group does. Not before the tool host has answered:
        until then the folders that are looked at are still those of this machine.
        """
        if self.group.holds("memory"):
            return

        def over() -> None:
            self._over = f"it was killed above its memory limit of {limit >> 20} MiB"
            if self.inner is not None:
                with contextlib.suppress(OSError):
                    os.kill(self.inner, signal.SIGKILL)

        if self.inner is not None:
            WATCH.add(self.id, Watched(self.inner, limit, over))


def launch(name: str, spec: SandboxSpec, image: Path, records: Records, keep: tuple[int, ...] = ()) -> LocalProcess:
    """Start bubblewrap with the tool host in it, in its control group; it inherits the descriptors `keep` too.

    Raises ConfigurationError with the remedy, SandboxLost when it was killed meanwhile.
    """
    place = bubblewrap.place(image, spec.outputs)
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    errors, theirs_err = os.pipe()
    info, theirs_info = os.pipe()
    rules = os.memfd_create("seccomp", 0)
    theirs = (theirs_in, theirs_out, theirs_err, theirs_info, rules)
    try:
        _widen(theirs_in, theirs_out)
        os.write(rules, seccomp.program())
        os.lseek(rules, 0, os.SEEK_SET)
        argv = bubblewrap.arguments(place, spec, rules, theirs_info)
        keep = (rules, theirs_info, *keep)
        popen = starter().start(argv, stdin=theirs_in, stdout=theirs_out, stderr=theirs_err, keep=keep)
    except BaseException as error:
        for descriptor in (ours_in, ours_out, errors, info):
            os.close(descriptor)
        if isinstance(error, FileNotFoundError):
            raise ConfigurationError(f"{error.filename} is missing; see `studio doctor`") from None
        raise
    finally:
        for descriptor in theirs:
            os.close(descriptor)
    process = LocalProcess(name, popen, Connection(ours_in, ours_out), errors, info)
    process.on_gone = lambda: records.drop(name)
    try:
        records.keep(name, spec.owner, popen.pid)  # first: a group without a record is a killed worker's
        process.group = cgroups.create(records.studio, name, spec)
        process.group.add(popen.pid)
        os.sched_setaffinity(popen.pid, _processors(spec.cpus))
        process.connection.write(b"go\n", time.monotonic() + 5.0)
    except (OSError, Lost) as error:
        said = process.why() or str(error)
        process.kill()
        process.connection.close()
        if process.was_killed:
            raise SandboxLost(f"the sandbox was killed while it started: {said}") from None
        raise ConfigurationError(f"a sandbox cannot be started here: {said}; see `studio doctor`") from None
    return process


def _processors(count: int) -> list[int]:
    """Which processors a sandbox gets: drawn, so that not all sandboxes share the first ones."""
    usable = sorted(os.sched_getaffinity(0))
    return random.SystemRandom().sample(usable, min(count, len(usable)))


def _widen(*pipes: int) -> None:
    """Larger pipes, where the user's allowance for them is not used up."""
    for pipe in pipes:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES)
