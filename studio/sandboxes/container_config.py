"""The body of `containers/create` for one sandbox: the profile *sealed* (Docker Engine API, "Create a container")."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from studio.sandboxes.bubblewrap import HOSTNAME, PYTHON, UID
from studio.sandboxes.docker import Facts
from studio.sandboxes.egress.doors import INSIDE
from studio.sandboxes.seccomp_profile import ALLOWED, EPERM, RULES, Rule
from studio.sandboxes.types import OUTPUT, SandboxSpec

PERIOD_US = 100_000
# What Docker hides of the kernel by itself, and beside it /sys (a list of this machine's devices) and /dev/mqueue (a
# writable place that no limit of a folder covers).
MASKED = (
    "/proc/asound", "/proc/acpi", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats",
    "/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys", "/dev/mqueue",
)  # fmt: skip
READ_ONLY = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")
ENVIRONMENT = ("LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin")
COMPARISONS = {1: "SCMP_CMP_NE", 4: "SCMP_CMP_EQ", 7: "SCMP_CMP_MASKED_EQ"}
# Without the 32-bit ones beside them, as on the local engine: nothing in the image is of those, and the filter is made
# anew for each start of a container, three times as long for three of them.
ARCHITECTURES = ("SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64")


# What apt-get and dpkg need as root to write files of any owner, and to step down to users of their own.
TO_INSTALL = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID", "SETUID")


def fetching(config: dict[str, Any], spec: SandboxSpec, door: Path) -> dict[str, Any]:
    """The same body for a job that may fetch packages: root inside, with the capabilities that installing takes, and a
    root that can be written. It still has no network: what it fetches comes through the socket in the folder `door`.
    """
    host = {
        **config["HostConfig"],
        "CapAdd": list(TO_INSTALL),
        "ReadonlyRootfs": False,
        "Mounts": [{"Type": "bind", "Source": str(door), "Target": INSIDE, "ReadOnly": True}],
    }
    sizes = {"/testbed": spec.workspace_bytes, "/tmp": spec.tmp_bytes, "/home/studio": spec.home_bytes}
    host["Tmpfs"] = {name: _folder(size, _mode(name), 0) for name, size in sizes.items()}
    return {**config, "User": "0:0", "HostConfig": host}


def _mode(folder: str) -> str:
    return {"/testbed": "0755", "/tmp": "1777", "/home/studio": "0700"}[folder]


def sealed(
    image: str, spec: SandboxSpec, facts: Facts, labels: Mapping[str, str], *, runtime: str | None, bind: bool
) -> dict[str, Any]:
    """No network, no capability, a read-only root, sized folders in memory, and every limit of `spec`.

    The tool host is process 1 and reaps orphans itself: an init of the engine's own would hold the stream too, and any
    program inside may open what a process of its user holds. `bind` shows `spec.outputs` from this machine's files.
    """
    host: dict[str, Any] = {
        "NetworkMode": "none",
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges", f"seccomp={filter_profile()}"],
        "ReadonlyRootfs": True,
        "MaskedPaths": list(MASKED),
        "ReadonlyPaths": list(READ_ONLY),
        "Tmpfs": {
            "/testbed": _folder(spec.workspace_bytes, _mode("/testbed")),
            "/tmp": _folder(spec.tmp_bytes, _mode("/tmp")),
            "/home/studio": _folder(spec.home_bytes, _mode("/home/studio")),
        },
        "ShmSize": spec.shm_bytes,
        "IpcMode": "private",
        "Memory": spec.memory_bytes,
        "MemorySwap": spec.memory_bytes,  # both together, so no swap
        "CpuPeriod": PERIOD_US,
        "CpuQuota": spec.cpus * PERIOD_US,
        "CpusetCpus": _processors(spec.cpus, facts),
        "PidsLimit": spec.pids,
        "Ulimits": [
            {"Name": "core", "Soft": 0, "Hard": 0},
            {"Name": "fsize", "Soft": spec.file_bytes, "Hard": spec.file_bytes},
            {"Name": "nofile", "Soft": spec.open_files, "Hard": spec.open_files},
        ],
        "LogConfig": {"Type": "none"},
        "RestartPolicy": {"Name": "no"},
    }
    if runtime:
        host["Runtime"] = runtime
    if bind:
        host["Mounts"] = [{"Type": "bind", "Source": str(spec.outputs), "Target": str(OUTPUT), "ReadOnly": True}]
    return {
        "Image": image,
        "Hostname": HOSTNAME,
        "User": f"{UID}:{UID}",
        "WorkingDir": "/",
        "Entrypoint": list(PYTHON),
        "Cmd": [],
        "Env": list(ENVIRONMENT),
        "Labels": dict(labels),
        "OpenStdin": True,
        "StdinOnce": True,
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "Tty": False,
        "NetworkDisabled": True,
        "HostConfig": host,
    }


def _folder(size: int, mode: str, owner: int = UID) -> str:
    return f"rw,exec,nosuid,nodev,size={size},mode={mode},uid={owner},gid={owner}"


def _processors(count: int, facts: Facts) -> str:
    """Which processors it gets, so that `nproc` tells the truth: drawn, as not all sandboxes shall share the first."""
    usable = sorted(os.sched_getaffinity(0)) if facts.shares_this_machine else list(range(facts.processors))
    chosen = random.SystemRandom().sample(usable, min(count, len(usable)))
    return ",".join(str(number) for number in sorted(chosen))


@lru_cache(maxsize=1)
def filter_profile() -> str:
    """The filter of system calls that the local engine has too, in Docker's format.

    It is Docker's default as of today, so that an older engine holds what a later one's default closes (io_uring).
    """
    calls: list[dict[str, Any]] = [{"names": ALLOWED.split(), "action": "SCMP_ACT_ALLOW"}]
    calls += [_rule(rule) for rule in RULES]
    return json.dumps(
        {
            "defaultAction": "SCMP_ACT_ERRNO",
            "defaultErrnoRet": EPERM,
            "archMap": [{"architecture": one, "subArchitectures": []} for one in ARCHITECTURES],
            "syscalls": calls,
        }
    )


def _rule(rule: Rule) -> dict[str, Any]:
    if rule.error is not None:
        return {"names": [rule.name], "action": "SCMP_ACT_ERRNO", "errnoRet": rule.error}
    compared = {
        "index": rule.argument,
        "value": rule.value,
        "valueTwo": rule.mask_value,
        "op": COMPARISONS[rule.comparison],
    }
    return {"names": [rule.name], "action": "SCMP_ACT_ALLOW", "args": [compared]}
