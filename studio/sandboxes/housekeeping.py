"""What this studio has started on every engine: found, told and removed. Another studio's is never touched.

A sandbox has neither volumes nor networks of an engine's, so there are containers, processes, control groups and small
files only.
"""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.containers import DockerEngine
from studio.sandboxes.egress.doors import FOLDER
from studio.sandboxes.egress.gate import service_name
from studio.sandboxes.egress.squid import shared_files
from studio.sandboxes.local import LocalEngine
from studio.sandboxes.records import Records
from studio.sandboxes.types import Started
from studio.settings import Settings

LEFT_S = 60.0  # a door or a shared file is there for the moment of a start only


@dataclass(frozen=True)
class Listed:
    """What was started here, and the engines that could not be asked, with the reason."""

    started: list[Started]
    not_asked: dict[str, str]


class Housekeeping:
    """All engines of one studio."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._local = LocalEngine(settings)
        self._docker = DockerEngine(settings)

    def listed(self) -> Listed:
        """Everything that is there now."""
        found, not_asked = self._local.started(), {}
        try:
            found += self._docker.started()
        except ConfigurationError as error:
            not_asked[self._docker.name] = str(error)
        return Listed(found, not_asked)

    def reap(self, owned_by_living_job: Callable[[str], bool]) -> list[str]:
        """Remove what no live owner has; the names of what was removed. Nothing of Docker's while no engine answers."""
        removed = self._local.reap(owned_by_living_job)
        if self._settings.engine == "docker" or self._docker.answers():
            removed += self._docker.reap(owned_by_living_job)
        return removed + self._remove_leftovers()

    def remove_all(self) -> list[str]:
        """Remove everything of this studio, also what lives; the names."""
        removed = [name for engine in (self._local, self._docker) for name in engine.remove_all()]
        return removed + self._remove_leftovers()

    def _remove_leftovers(self) -> list[str]:
        """What a process that was killed while it started a sandbox with a network has left."""
        removed = []
        doors = self._settings.data_dir / FOLDER
        for folder in [path for path in doors.glob("sb-*") if _old(path)]:
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
        for path in shared_files(service_name(Records(self._settings.data_dir).studio)):
            if _old(path):
                with contextlib.suppress(OSError):
                    path.unlink()
                    removed.append(path.name)
        return removed


def _old(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime > LEFT_S
    return False
