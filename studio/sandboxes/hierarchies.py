"""Where on this machine control groups with limits can be made: found out by making one and moving a process there."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

V1_CONTROLLERS = ("memory", "pids", "cpu", "cpuacct")
V2_CONTROLLERS = ("memory", "pids", "cpu")
REMOVE_S = 5.0


@dataclass(frozen=True)
class Hierarchies:
    """Where groups can be made: version 1 has a folder for each controller, version 2 one for all."""

    version: int
    folders: dict[str, Path]


@lru_cache(maxsize=1)
def hierarchies() -> Hierarchies:
    """The hierarchies in which this process may make groups that limit memory; empty when there is none."""
    mounts = list(_mounts())
    for where in (_version_1(mounts), *_version_2(mounts)):
        if "memory" in where.folders and _works(where):
            return where
    return Hierarchies(0, {})


def _mounts() -> Iterator[tuple[str, list[str], Path]]:
    """(type, options, place) of each cgroup mount."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, place, kind, options, *_ = line.split()
            if kind in {"cgroup", "cgroup2"}:
                yield kind, options.split(","), Path(place)


def _version_1(mounts: list[tuple[str, list[str], Path]]) -> Hierarchies:
    found = {
        name: place
        for kind, options, place in mounts
        for name in V1_CONTROLLERS
        if kind == "cgroup" and name in options and os.access(place, os.W_OK)
    }
    return Hierarchies(1, found)


def _version_2(mounts: list[tuple[str, list[str], Path]]) -> Iterator[Hierarchies]:
    """The top of the tree, else what was delegated at or above our own group (cgroups(7), "Delegation")."""
    for kind, _, top in mounts:
        if kind != "cgroup2":
            continue
        for place in (top, *_above_us(top)):
            if names := _handed_down(place):
                yield Hierarchies(2, dict.fromkeys(names, place))


def _above_us(top: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        lines = Path("/proc/self/cgroup").read_text().splitlines()
        own = next((line[3:] for line in lines if line.startswith("0::")), "/")
        place = top / own.lstrip("/")
        while place != top and place.is_relative_to(top):
            yield place
            place = place.parent


def _handed_down(place: Path) -> list[str]:
    """The controllers that groups below `place` have, after asking for each of them."""
    switch = place / "cgroup.subtree_control"
    if not os.access(switch, os.W_OK):
        return []
    for name in V2_CONTROLLERS:
        with contextlib.suppress(OSError):
            switch.write_text(f"+{name}")
    with contextlib.suppress(OSError):
        return [name for name in switch.read_text().split() if name in V2_CONTROLLERS]
    return []


def _works(where: Hierarchies) -> bool:
    """Make a group in each and move a process there."""
    name = f"sandbox-studio-trial-{uuid.uuid4().hex[:12]}"
    trial = {place / name for place in where.folders.values()}
    process = subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL)
    try:
        for folder in trial:
            folder.mkdir()
            (folder / "cgroup.procs").write_text(str(process.pid))
        return True
    except OSError:
        return False
    finally:
        process.kill()
        process.wait()
        for folder in trial:
            removed(folder)


def removed(folder: Path) -> bool:
    """Remove a group's folder, which the kernel may hold for a moment after its last process; True when it is gone."""
    until = time.monotonic() + REMOVE_S
    while True:
        try:
            folder.rmdir()
            return True
        except FileNotFoundError:
            return True
        except OSError:
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
