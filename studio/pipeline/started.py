"""An engine that remembers what it started, so that all of it can be killed at once."""

from __future__ import annotations

import threading
from collections.abc import Callable

from studio.errors import SandboxLost
from studio.sandboxes.types import Engine, Protection, Sandbox, SandboxSpec


class StartedSandboxes:
    """Wraps an engine for one run. After `kill_all` it starts nothing more."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self._engine = engine
        self._lock = threading.Lock()
        self._started: list[Sandbox] = []
        self._over = False

    def start(self, spec: SandboxSpec) -> Sandbox:
        """Start a sandbox of this run. Raises SandboxLost once the run is over."""
        if self._over:
            raise SandboxLost("the run is over")
        sandbox = self._engine.start(spec)
        with self._lock:
            self._started.append(sandbox)
            late = self._over
        if late:
            sandbox.kill()
            raise SandboxLost("the run is over")
        return sandbox

    def image_digest(self) -> str:
        return self._engine.image_digest()

    def protections(self) -> list[Protection]:
        return self._engine.protections()

    def reap(self, owned_by_living_job: Callable[[str], bool]) -> list[str]:
        return self._engine.reap(owned_by_living_job)

    def kill_all(self) -> None:
        """Kill whatever of this run still lives."""
        with self._lock:
            self._over = True
            started, self._started = self._started, []
        for sandbox in started:
            sandbox.kill()
