"""Recorded runs that jobs replay, real workers and upkeep as processes, and a look at the machine's processes."""

from __future__ import annotations

import json
import subprocess
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from studio import jobs
from studio.brief import JobRequest
from studio.database import Database
from studio.jobs import JobEnd, JobView
from studio.kinds import get_kind
from studio.settings import Settings
from studio.trajectory import Call, ToolCalled
from tasks.app import worker_argv
from tasks.upkeep import upkeep_argv
from tests.jobs.making import claimed, request_for

T = TypeVar("T")

PATIENCE_S = 180.0


def wait_for(look: Callable[[], T | None], what: str, patience_s: float = PATIENCE_S) -> T:
    """What `look` gives once it gives something. Fails after three minutes, which no sound machine needs."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if found := look():
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited in vain for {what}")


def bash(command: str, name: str = "b") -> Call:
    return Call(id=name, name="execute_bash", arguments=json.dumps({"command": command, "timeout": 600}))


def submit() -> Call:
    return Call(id="s", name="submit", arguments="{}")


def recipe_calls() -> tuple[Call, ...]:
    recipe = get_kind("poster").recipe(request_for().brief)
    assert recipe is not None
    return recipe.calls


def replaying(calls: Sequence[Call], db: Database, settings: Settings, **more: object) -> JobView:
    """A queued job that will make these calls: it replays one whose record holds them. It is not on the queue."""
    source = jobs.create(db, request_for(), settings, caller="test")
    claim = claimed(db, source)
    for call in calls:
        jobs.record_event(db, claim, ToolCalled(id=call.id, name=call.name, arguments=json.loads(call.arguments)))
    jobs.finish(db, claim, JobEnd("failed", "no_output"))
    request: JobRequest = request_for(run={"model": f"replay:{source.id}"}, **more)
    return jobs.create(db, request, settings, caller="test")


def marker() -> str:
    """Seconds to sleep that no other process of this machine has in its command line."""
    return f"{uuid.uuid4().int % 10**12:012d}"


def running(mark: str) -> list[int]:
    """Processes of this machine, sandboxes included, whose command line holds `mark`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.endswith(mark.encode()) for word in line):
            found.append(int(folder.name))
    return found


class House:
    """A studio's background processes on one data directory. Ends all of them on leaving."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._started: list[subprocess.Popen[bytes]] = []

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", worker_argv(self.settings))

    def upkeep(self) -> subprocess.Popen[bytes]:
        return self._start("upkeep", upkeep_argv(self.settings))

    def _start(self, name: str, argv: list[str]) -> subprocess.Popen[bytes]:
        times = {"lease_s": self.settings.lease_s, "heartbeat_s": self.settings.heartbeat_s}
        times["sweep_s"] = self.settings.sweep_s
        environment = self.settings.environment(**{key: str(value) for key, value in times.items()})
        self.settings.data_dir.mkdir(parents=True, exist_ok=True)
        with (self.settings.data_dir / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(argv, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._started.append(process)
        return process

    def end(self) -> None:
        for process in self._started:
            process.terminate()
        for process in self._started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
