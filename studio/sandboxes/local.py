"""The local engine: a Debian root file system, bubblewrap, and the limits that this machine can hold."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
import uuid
from collections.abc import Callable

from studio.errors import ConfigurationError, SandboxError
from studio.sandboxes import bubblewrap, cgroups, seccomp
from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.connection import Connection, Lost
from studio.sandboxes.image import Image, require
from studio.sandboxes.payload import payload
from studio.sandboxes.records import COMMAND_LINE, Record, Records, runs
from studio.sandboxes.starter import starter
from studio.sandboxes.types import DOCUMENTS, INPUT, OUTPUT, Protection, ResourceUse, Sandbox, SandboxSpec
from studio.sandboxes.watching import WATCH, Watched
from studio.settings import Settings

NAME = "local"
PIPE_BYTES = 1 << 20
F_SETPIPE_SZ = 1031
OWN_BYTES = 512 << 20  # what the programs of a sandbox need beside its files
ERROR_BYTES = 4000


class LocalProcess:
    """One running bubblewrap with its tool host."""

    engine = NAME

    def __init__(self, name: str, process: subprocess.Popen[bytes], connection: Connection, errors: int) -> None:
        self.id = name
        self.connection = connection
        self.process = process
        self.group = cgroups.NO_GROUP
        self.inner: int | None = None  # process 1 of the sandbox, as this machine numbers it
        self.on_gone: Callable[[], None] = lambda: None
        self._errors = errors
        self._over: str | None = None  # what the watcher found

    def kill(self) -> None:
        """End every process at once and remove the control group; never raises; idempotent."""
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
            self._errors = -1
        self.on_gone()

    def why(self) -> str | None:
        """Why it ended, where that can be told."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1.0)
        if self._over is not None:
            return self._over
        if self.group.kills():
            return "its memory limit was reached and the system killed it"
        said = self.said()
        if said:
            return said
        code = self.process.poll()
        return None if code is None else f"its main process ended ({code})"

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
        return used if used.peak_memory_bytes is not None else ResourceUse(WATCH.peak(self.id), used.cpu_s)

    def watch(self, limit: int) -> None:
        """Have the watcher hold the memory limit, since no control group does."""

        def over() -> None:
            self._over = f"it was killed above its memory limit of {limit >> 20} MiB"
            if self.inner is not None:
                with contextlib.suppress(OSError):
                    os.kill(self.inner, signal.SIGKILL)

        if self.inner is not None:
            WATCH.add(self.id, Watched(self.inner, limit, over))


class LocalEngine:
    """Starts sandboxes on this machine."""

    name = NAME

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._records = Records(settings.data_dir)
        self._image: Image | None = None

    def start(self, spec: SandboxSpec) -> Sandbox:
        """Start a sandbox. Raises ConfigurationError (ImageMissing, …) with the remedy."""
        check(spec)
        if self._image is None:
            self._image = require(self._settings.image_dir)
        name = f"sb-{uuid.uuid4().hex[:12]}"
        process = self._launch(name, spec, self._image)
        sandbox = ToolHostSandbox(process, spec)
        folders = [str(OUTPUT)] if spec.outputs else [str(INPUT), str(DOCUMENTS), str(OUTPUT)]
        try:
            sandbox.begin(payload(self._image.python), folders)
        except SandboxError as error:
            raise ConfigurationError(f"a sandbox cannot be started here: {error}; see `studio doctor`") from None
        return sandbox

    def _launch(self, name: str, spec: SandboxSpec, image: Image) -> LocalProcess:
        place = bubblewrap.place(image.path, spec.outputs)
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
            argv = bubblewrap.arguments(place, spec, name, rules, theirs_info)
            popen = starter().start(
                argv, stdin=theirs_in, stdout=theirs_out, stderr=theirs_err, keep=(rules, theirs_info)
            )
        except FileNotFoundError as error:
            for descriptor in (ours_in, ours_out, errors, info):
                os.close(descriptor)
            raise ConfigurationError(f"{error.filename} is missing; see `studio doctor`") from None
        except BaseException:
            for descriptor in (ours_in, ours_out, errors, info):
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        process = LocalProcess(name, popen, Connection(ours_in, ours_out), errors)
        process.on_gone = lambda: self._records.drop(name)
        try:
            self._records.keep(name, spec.owner, popen.pid)  # first: a group without a record is a killed worker's
            process.group = cgroups.create(self._records.studio, name, spec)
            process.group.add(popen.pid)
            os.sched_setaffinity(popen.pid, sorted(os.sched_getaffinity(0))[: spec.cpus])
            process.connection.write(b"go\n", time.monotonic() + 5.0)
            process.inner = _child(info)
            if not process.group.holds("memory"):
                process.watch(spec.memory_bytes)
        except (OSError, Lost) as error:
            said = process.why() or str(error)
            process.kill()
            process.connection.close()
            raise ConfigurationError(f"a sandbox cannot be started here: {said}; see `studio doctor`") from None
        finally:
            os.close(info)
        return process

    def protections(self) -> list[Protection]:
        """Which protections and limits hold on this machine."""
        return []

    def reap(self, owned_by_living_job: Callable[[str], bool]) -> list[str]:
        """Remove what no live owner has; only what this studio started."""
        known = list(self._records.all())
        living = {record.id for record in known if self._lives(record, owned_by_living_job)}
        removed = []
        for record in known:
            if record.id not in living and runs(record.process, record.process_began):
                with contextlib.suppress(OSError):
                    os.kill(record.process, signal.SIGKILL)
        remains = {record.id for record in known} | set(cgroups.remains(self._records.studio))
        for name in sorted(remains - living):
            with contextlib.suppress(OSError):
                if cgroups.existing(self._records.studio, name).remove():
                    self._records.drop(name)
                    removed.append(name)
        return removed

    @staticmethod
    def _lives(record: Record, owned_by_living_job: Callable[[str], bool]) -> bool:
        if not runs(record.starter, record.starter_began):
            return False
        return record.owner == COMMAND_LINE or owned_by_living_job(record.owner)


def check(spec: SandboxSpec) -> None:
    """Refuse limits under which a full disk would be a kill for lack of memory. Raises ConfigurationError."""
    files = spec.workspace_bytes + spec.tmp_bytes + spec.shm_bytes + spec.home_bytes
    if files + OWN_BYTES > spec.memory_bytes:
        raise ConfigurationError(
            f"the sandbox's folders may hold {files >> 20} MiB, which with {OWN_BYTES >> 20} MiB for programs is more "
            f"than its memory of {spec.memory_bytes >> 20} MiB: lower limits.workspace_mb or raise limits.memory_mb"
        )


def _widen(*pipes: int) -> None:
    """Larger pipes, where the user's allowance for them is not used up."""
    import fcntl

    for pipe in pipes:
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, F_SETPIPE_SZ, PIPE_BYTES)


def _child(info: int) -> int | None:
    """The process that bubblewrap names on its information pipe, or None when it ended before it could."""
    import json

    text = b""
    until = time.monotonic() + 10.0
    while select.select([info], [], [], max(0.0, until - time.monotonic()))[0]:
        data = os.read(info, 4096)
        text += data
        if not data or b"}" in text:
            break
    try:
        return int(json.loads(text)["child-pid"])
    except (ValueError, KeyError, TypeError):
        return None
