"""Control groups: memory without swap, number of processes and CPU time of one sandbox, where this machine lets us.

Version 1 as documented in the kernel's admin-guide/cgroup-v1, version 2 as in admin-guide/cgroup-v2. A group of a
sandbox is called `<studio>.<sandbox>`, the first part derived from the data directory, so that no studio takes
another's for its own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from studio.sandboxes.hierarchies import hierarchies, removed
from studio.sandboxes.types import ResourceUse, SandboxSpec

CPU_PERIOD_US = 100_000
CPU_SHARES, CPU_WEIGHT = 1024, 100  # of one processor: what a process outside of any group has
GONE_S = 5.0


@dataclass(frozen=True)
class Group:
    """The group of one sandbox in every hierarchy; not there at all where `folders` is empty."""

    version: int
    folders: dict[str, Path]

    def holds(self, controller: str) -> bool:
        """Does this machine limit that resource by it?"""
        return controller in self.folders

    def add(self, pid: int) -> None:
        """Put a process in. Raises OSError."""
        for folder in set(self.folders.values()):
            (folder / "cgroup.procs").write_text(str(pid))

    def processes(self) -> set[int]:
        """The ids of all processes in it."""
        found: set[int] = set()
        for folder in set(self.folders.values()):
            with contextlib.suppress(OSError):
                found.update(int(line) for line in (folder / "cgroup.procs").read_text().split())
        return found

    def remove(self) -> bool:
        """Kill what is in it and remove it; True when it is gone."""
        until = time.monotonic() + GONE_S
        while pids := self.processes():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        gone = True
        for folder in set(self.folders.values()):
            gone = removed(folder) and gone
        return gone

    def kills(self) -> int:
        """How many of its processes the memory limit has cost."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        return self._keyed("memory", name, "oom_kill")

    def memory_refusals(self) -> int:
        """How often the memory limit was hit."""
        if self.version == 1:
            return self._number("memory", "memory.failcnt") or 0
        return self._keyed("memory", "memory.events", "max")

    def use(self) -> ResourceUse:
        """What it has used so far."""
        if self.version == 1:
            nanoseconds = self._number("cpuacct", "cpuacct.usage")
            cpu = None if nanoseconds is None else nanoseconds / 1e9
            return ResourceUse(self._number("memory", "memory.max_usage_in_bytes"), cpu)
        microseconds = self._keyed("cpu", "cpu.stat", "usage_usec")
        return ResourceUse(self._number("memory", "memory.peak"), microseconds / 1e6 if microseconds else None)

    def _number(self, controller: str, name: str) -> int | None:
        try:
            return int((self.folders[controller] / name).read_text())
        except (KeyError, OSError, ValueError):
            return None

    def _keyed(self, controller: str, name: str, key: str) -> int:
        try:
            lines = (self.folders[controller] / name).read_text().splitlines()
            return next(int(line.split()[1]) for line in lines if line.split()[0] == key)
        except (KeyError, OSError, ValueError, IndexError, StopIteration):
            return 0


NO_GROUP = Group(0, {})


def create(studio: str, sandbox: str, spec: SandboxSpec) -> Group:
    """A group with the limits of `spec`, or NO_GROUP where none can be made. Raises OSError."""
    where = hierarchies()
    if where.version == 0:
        return NO_GROUP
    group = Group(where.version, {name: at / f"{studio}.{sandbox}" for name, at in where.folders.items()})
    for folder in set(group.folders.values()):
        folder.mkdir()
    try:
        for controller, name, value in (_limits_v1 if where.version == 1 else _limits_v2)(spec):
            path = group.folders.get(controller)
            if path is not None and (path / name).exists():
                (path / name).write_text(value)
    except OSError:
        group.remove()
        raise
    return group


def _limits_v1(spec: SandboxSpec) -> list[tuple[str, str, str]]:
    memory = str(spec.memory_bytes)
    return [
        ("memory", "memory.limit_in_bytes", memory),
        ("memory", "memory.memsw.limit_in_bytes", memory),
        ("memory", "memory.swappiness", "0"),
        ("pids", "pids.max", str(spec.pids)),
        ("cpu", "cpu.shares", str(spec.cpus * CPU_SHARES)),
        ("cpu", "cpu.cfs_period_us", str(CPU_PERIOD_US)),
        ("cpu", "cpu.cfs_quota_us", str(spec.cpus * CPU_PERIOD_US)),
    ]


def _limits_v2(spec: SandboxSpec) -> list[tuple[str, str, str]]:
    return [
        ("memory", "memory.max", str(spec.memory_bytes)),
        ("memory", "memory.swap.max", "0"),
        ("pids", "pids.max", str(spec.pids)),
        ("cpu", "cpu.weight", str(spec.cpus * CPU_WEIGHT)),
        ("cpu", "cpu.max", f"{spec.cpus * CPU_PERIOD_US} {CPU_PERIOD_US}"),
    ]


def remains(studio: str) -> list[str]:
    """The sandboxes of this studio that have a group."""
    found: set[str] = set()
    for at in set(hierarchies().folders.values()):
        with contextlib.suppress(OSError):
            found.update(entry.name.removeprefix(f"{studio}.") for entry in at.glob(f"{studio}.*") if entry.is_dir())
    return sorted(found)


def existing(studio: str, sandbox: str) -> Group:
    """The group of a sandbox that another process started."""
    where = hierarchies()
    return Group(where.version, {name: at / f"{studio}.{sandbox}" for name, at in where.folders.items()})
