"""The local engine: a Debian root file system, bubblewrap, and the limits that this machine can hold."""

from __future__ import annotations

import contextlib
import os
import signal
import uuid
from collections.abc import Callable

from studio.errors import ConfigurationError, ImageMissing, SandboxError, SandboxLost
from studio.sandboxes import cgroups, protections
from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.image import Image, require
from studio.sandboxes.launching import NAME, LocalProcess, launch
from studio.sandboxes.payload import Payload
from studio.sandboxes.records import COMMAND_LINE, Record, Records, runs
from studio.sandboxes.types import DOCUMENTS, INPUT, OUTPUT, Protection, Sandbox, SandboxSpec
from studio.settings import Settings

OWN_BYTES = 512 << 20  # what the programs of a sandbox need beside its files


class LocalEngine:
    """Starts sandboxes on this machine."""

    name = NAME

    def __init__(self, settings: Settings, image: Image | None = None) -> None:
        self._settings = settings
        self._records = Records(settings.data_dir)
        self._image = image
        self._payload: Payload | None = None

    def start(self, spec: SandboxSpec) -> Sandbox:
        """Start a sandbox. Raises ConfigurationError (ImageMissing, …) with the remedy; SandboxLost when killed."""
        return self._started(spec)[0]

    def image_digest(self) -> str:
        """What its image is made of. Raises ImageMissing with the remedy."""
        return self._found().digest

    def _found(self) -> Image:
        if self._image is None:
            self._image = require(self._settings.image_dir)
        return self._image

    def _started(self, spec: SandboxSpec) -> tuple[ToolHostSandbox, LocalProcess]:
        check(spec)
        image = self._found()
        if self._payload is None:
            self._payload = Payload(image.python, image.digest, self._settings.data_dir / "toolhost")
        name = f"sb-{uuid.uuid4().hex[:12]}"
        process = launch(name, spec, image.path, self._records)
        sandbox = ToolHostSandbox(process, spec)
        folders = [str(OUTPUT)] if spec.outputs else [str(INPUT), str(DOCUMENTS), str(OUTPUT)]
        try:
            sandbox.begin(self._payload.content(), folders)
            if self._payload.wanted:
                self._payload.keep(lambda argv, stdin: sandbox.run(argv, stdin=stdin)[1])
        except SandboxError as error:
            if process.was_killed:
                raise SandboxLost(f"the sandbox was killed while it started: {error}") from None
            raise ConfigurationError(f"a sandbox cannot be started here: {error}; see `studio doctor`") from None
        process.watch(spec.memory_bytes)
        return sandbox, process

    def protections(self) -> list[Protection]:
        """Which protections and limits hold on this machine."""
        found = protections.of_the_machine()
        try:
            sandbox, process = self._started(SandboxSpec(owner=COMMAND_LINE))
        except ImageMissing:
            return [*found, protections.NOT_MEASURED]
        except (ConfigurationError, SandboxLost) as error:
            return [*found, Protection("a sandbox starts", False, str(error), "mend what is missing above")]
        try:
            return [*found, *protections.from_inside(sandbox, process.inner, process.group)]
        finally:
            sandbox.kill()

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
