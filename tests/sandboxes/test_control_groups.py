"""Control groups of version 2: what is read of them, on a real tree as far as this machine has one.

The formats are those of the kernel's admin-guide/cgroup-v2.
"""

from __future__ import annotations

import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.sandboxes.cgroups import Group
from studio.sandboxes.containers import group_of
from studio.sandboxes.types import ResourceUse
from tests.sandboxes.hostility import eventually

CONTAINER = "0123456789abcdef" * 4
BUSY = "n = 0\nwhile True: n += 1"


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def of_version_2(folder: Path) -> Group:
    return Group(2, dict.fromkeys(("memory", "pids", "cpu"), folder))


def test_what_a_group_has_used_and_what_its_limit_cost(tmp_path: Path) -> None:
    folder = written(
        tmp_path / "group",
        cgroup__procs="12\n345\n",
        memory__peak="73400320\n",
        memory__events="low 0\nhigh 0\nmax 17\noom 3\noom_kill 2\noom_group_kill 0\n",
        cpu__stat="usage_usec 1500000\nuser_usec 1200000\nsystem_usec 300000\nnr_periods 0\n",
    )
    group = of_version_2(folder)
    assert group.processes() == {12, 345}
    assert group.use() == ResourceUse(peak_memory_bytes=73400320, cpu_s=1.5)
    assert (group.kills(), group.memory_refusals()) == (2, 17)


def test_a_kernel_that_keeps_no_peak_leaves_it_unknown(tmp_path: Path) -> None:
    """`memory.peak` is there from Linux 5.19 on."""
    folder = written(tmp_path / "group", cpu__stat="usage_usec 40\n", memory__events="oom_kill 0\n")
    assert of_version_2(folder).use() == ResourceUse(peak_memory_bytes=None, cpu_s=40e-6)


FORMS = {
    "version 2, groups made by the engine": ("0::/docker/{}\n", "docker/{}", 2),
    "version 2, groups made by systemd": ("0::/system.slice/docker-{}.scope\n", "system.slice/docker-{}.scope", 2),
    "version 1": ("5:memory:/docker/{0}\n4:pids:/docker/{0}\n2:cpu,cpuacct:/docker/{0}\n", "memory/docker/{}", 1),
    "version 1 beside a tree of version 2": ("5:memory:/docker/{0}\n0::/docker/{0}\n", "memory/docker/{}", 1),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_group_of_a_container_is_found(tmp_path: Path, form: str) -> None:
    told, place, version = FORMS[form]
    written(tmp_path / "proc" / "77", cgroup=told.format(CONTAINER))
    folder = written(tmp_path / "top" / place.format(CONTAINER), cgroup__procs="77\n")
    found = group_of(77, CONTAINER, tmp_path / "top", tmp_path / "proc")
    assert (found.version, found.folders["memory"], found.processes()) == (version, folder, {77})


def test_a_process_of_another_machine_has_no_group(tmp_path: Path) -> None:
    written(tmp_path / "proc" / "77", cgroup="0::/user.slice\n")
    for pid in (77, 78):
        assert group_of(pid, CONTAINER, tmp_path, tmp_path / "proc").folders == {}


@pytest.fixture
def tree() -> Iterator[Path]:
    """A new group in this machine's tree of version 2."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, place, kind, *_ = line.split()
        folder = Path(place) / f"sandbox-studio-test-{uuid.uuid4().hex[:12]}"
        try:
            if kind == "cgroup2":
                folder.mkdir()
                break
        except OSError:
            continue
    else:
        pytest.skip("no tree of control groups of version 2 can be written here")
    yield folder
    if folder.is_dir():
        folder.rmdir()


def test_a_real_group_counts_time_and_is_emptied_and_removed(tree: Path) -> None:
    """Limits are another matter: on a machine with both versions the controllers belong to the first."""
    group = of_version_2(tree)
    process = subprocess.Popen(["python3", "-c", BUSY])
    try:
        group.add(process.pid)
        assert group.processes() == {process.pid}
        assert eventually(lambda: (group.use().cpu_s or 0) > 0)
        assert group.remove()
        assert process.wait(10) == -9
        assert not tree.exists()
    finally:
        process.kill()
        process.wait()
