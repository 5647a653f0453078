"""The local engine: a Debian root file system, bubblewrap, and the limits that this machine can hold."""

from __future__ import annotations

import contextlib
import os
import signal
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from studio.errors import ConfigurationError, ImageMissing, SandboxError, SandboxLost
from studio.sandboxes import cgroups, protections
from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.egress.clients import HOME
from studio.sandboxes.egress.doors import Door, InheritedDoor
from studio.sandboxes.egress.gate import Ways, environment
from studio.sandboxes.image import Image, require
from studio.sandboxes.launching import NAME, LocalProcess, launch
from studio.sandboxes.payload import Payload
from studio.sandboxes.records import COMMAND_LINE, Record, Records, runs
from studio.sandboxes.types import DOCUMENTS, INPUT, OUTPUT, Protection, Sandbox, SandboxSpec, Started, Upload
from studio.settings import Settings

OWN_BYTES = 512 << 20  # what the programs of a sandbox need beside its files
NO_APT = b"""#!/bin/sh
echo "$(basename "$0") cannot work here: this computer's programs are read-only, and you are not its root." >&2
echo "pip install works (for this user). For packages of Debian ask for a job with run.engine=docker." >&2
exit 100
"""


class LocalEngine:
    """Starts sandboxes on this machine."""

    name = NAME

    def __init__(self, settings: Settings, image: Image | None = None) -> None:
        self._settings = settings
        self._records = Records(settings.data_dir)
        self._image = image
        self._payload: Payload | None = None
        self._ways = Ways(settings, self._records)

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
        if spec.profile != "full":
            raise ConfigurationError(
                f"the local engine has no image of the profile {spec.profile}; choose the engine docker, or "
                "STUDIO_IMAGE_PROFILE=full"
            )
        image = self._found()
        if self._payload is None:
            self._payload = Payload(image.python, image.digest, self._settings.data_dir / "toolhost")
        name = f"sb-{uuid.uuid4().hex[:12]}"
        door = None
        if spec.network != "none":
            spec, door = with_room_for_packages(spec), InheritedDoor()
        try:
            process = launch(name, spec, image.path, self._records, keep=(door.descriptor,) if door else ())
        except BaseException:
            if door:
                door.close()
            raise
        sandbox = ToolHostSandbox(process, spec)
        folders = [str(OUTPUT)] if spec.outputs else [str(INPUT), str(DOCUMENTS), str(OUTPUT)]
        try:
            sandbox.begin(self._payload.content(), folders, more=told(door))
            if self._payload.wanted:
                self._payload.keep(lambda argv, stdin: sandbox.run(argv, stdin=stdin)[1])
            process.watch(spec.memory_bytes)
            if door:
                sandbox.upload(Upload(f"{HOME}/.local/bin/{name}", NO_APT, 0o755) for name in ("apt", "apt-get"))
                self._ways.open(sandbox, door, spec)
        except SandboxError as error:
            lost = process.was_killed
            sandbox.kill()
            if lost:
                raise SandboxLost(f"the sandbox was killed while it started: {error}") from None
            raise ConfigurationError(f"a sandbox cannot be started here: {error}; see `studio doctor`") from None
        except BaseException:
            sandbox.kill()
            raise
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
        return self._removed({record.id for record in self._records.all() if self._lives(record, owned_by_living_job)})

    def _removed(self, living: set[str]) -> list[str]:
        known = list(self._records.all())
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

    def started(self) -> list[Started]:
        """What this studio has started here and not removed yet."""
        host = os.uname().nodename
        return [
            Started(
                NAME, record.id, record.owner, host, record.starter,
                runs(record.starter, record.starter_began), runs(record.process, record.process_began),
            )
            for record in self._records.all()
        ]  # fmt: skip

    def remove_all(self) -> list[str]:
        """Remove every sandbox of this studio, also one that lives; their names."""
        return self._removed(set())

    @staticmethod
    def _lives(record: Record, owned_by_living_job: Callable[[str], bool]) -> bool:
        if not runs(record.starter, record.starter_began):
            return False
        return record.owner == COMMAND_LINE or owned_by_living_job(record.owner)


def told(door: Door | None) -> dict[str, Any]:
    """What the tool host of a sandbox with a network is told beside its limits."""
    return {"environment": environment(), "door": door.told()} if door else {}


def with_room_for_packages(spec: SandboxSpec) -> SandboxSpec:
    """The same with what its memory leaves given to the home, where pip installs for its user."""
    left = spec.memory_bytes - spec.workspace_bytes - spec.tmp_bytes - spec.shm_bytes - OWN_BYTES
    return replace(spec, home_bytes=max(spec.home_bytes, left))


def check(spec: SandboxSpec) -> None:
    """Refuse limits under which a full disk would be a kill for lack of memory. Raises ConfigurationError."""
    files = spec.workspace_bytes + spec.tmp_bytes + spec.shm_bytes + spec.home_bytes
    if files + OWN_BYTES > spec.memory_bytes:
        raise ConfigurationError(
            f"the sandbox's folders may hold {files >> 20} MiB, which with {OWN_BYTES >> 20} MiB for programs is more "
            f"than its memory of {spec.memory_bytes >> 20} MiB: lower limits.workspace_mb or raise limits.memory_mb"
        )
