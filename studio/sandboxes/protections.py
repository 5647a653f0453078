"""Which protections and limits of the local engine hold on this machine: what is there, and what a sandbox finds."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Protocol

from studio.errors import ConfigurationError, SandboxError
from studio.sandboxes import bubblewrap, seccomp
from studio.sandboxes.cgroups import Group
from studio.sandboxes.hierarchies import hierarchies
from studio.sandboxes.types import Protection

LEAST_BUBBLEWRAP = (0, 8)
SEEN_FROM_OUTSIDE = ("unprivileged outside", "limits applied")
NOT_MEASURED = Protection(
    "seen from inside a sandbox",
    False,
    "not looked at, since the sandbox image is not built",
    "build it with `studio image build`",
    required=False,
)

# Settings of the kernel that close user namespaces to ordinary users: file below /proc/sys, closed at, remedy.
CLOSED = (
    (
        "kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "Ubuntu restricts user namespaces: allow them to bubblewrap with an AppArmor profile (a file "
        "/etc/apparmor.d/bwrap: `abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }`, then "
        "`sudo systemctl reload "
        "apparmor`), or to all programs with `sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
    ),
    ("kernel/unprivileged_userns_clone", "0", "allow them with `sudo sysctl -w kernel.unprivileged_userns_clone=1`"),
    ("user/max_user_namespaces", "0", "allow them with `sudo sysctl -w user.max_user_namespaces=10000`"),
)

PROBE = r"""
import json, os, socket
def fields(path):
    return {k: v.strip() for k, _, v in (line.partition(":") for line in open(path))}
def closed(path):
    try: os.close(os.open(path, os.O_WRONLY))
    except OSError: return True
    return False
def absent(make):
    try: make()
    except OSError: return True
    return False
own = fields("/proc/self/status")
print(json.dumps({
    "uid": os.getuid(),
    "capabilities": int(own["CapEff"], 16) | int(own["CapPrm"], 16) | int(own["CapBnd"], 16),
    "no_new_privileges": own["NoNewPrivs"] == "1",
    "filtered": own["Seccomp"] == "2",
    "settings_closed": closed("/proc/sys/kernel/core_pattern") and closed("/proc/sys/kernel/domainname"),
    "root_closed": absent(lambda: os.mkdir("/usr/planted")) and absent(lambda: os.mkdir("/dev/planted")),
    "interfaces": sorted(name for _, name in socket.if_nameindex()),
    "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
    "tool_host_closed": absent(lambda: os.listdir("/proc/1/fd")),
    "shm_bytes": os.statvfs("/dev/shm").f_blocks * os.statvfs("/dev/shm").f_frsize,
    "workspace_bytes": os.statvfs("/testbed").f_blocks * os.statvfs("/testbed").f_frsize,
}))
"""


class Probed(Protocol):
    """What is needed of a sandbox to look around in it."""

    def run(self, argv: list[str], *, timeout_s: float = 60.0) -> tuple[int | None, bytes, bytes]: ...


def of_the_machine() -> list[Protection]:
    """What the programs, the kernel and the control groups of this machine give."""
    return [_bubblewrap(), _user_namespaces(), _filter(), *_limits()]


def _bubblewrap() -> Protection:
    name = "bubblewrap"
    remedy = "sudo apt-get install bubblewrap"
    if shutil.which("bwrap") is None:
        return Protection(name, False, "missing", remedy)
    said = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    if found is None or tuple(map(int, found.groups())) < LEAST_BUBBLEWRAP:
        return Protection(name, False, f"{said.strip()!r} is too old; 0.8 or later is needed", remedy)
    return Protection(name, True, said.strip())


def _user_namespaces() -> Protection:
    """Try it, as the user that will: an unprivileged one."""
    name = "user namespaces"
    before: tuple[str, ...] = ()
    try:
        if os.geteuid() == 0:
            uid = bubblewrap.own_uid()
            before = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--")
        command = [
            *before,
            "bwrap",
            "--unshare-all",
            "--unshare-user",
            "--disable-userns",
            "--ro-bind",
            "/",
            "/",
            "true",
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    except (OSError, ConfigurationError) as error:
        return Protection(name, False, str(error), "install util-linux and bubblewrap")
    if done.returncode == 0:
        return Protection(name, True, "an unprivileged user can make them")
    return Protection(name, False, done.stderr.strip()[:300], namespace_remedy())


def namespace_remedy(settings: Path = Path("/proc/sys")) -> str:
    """What to do where an unprivileged user cannot make user namespaces, by the kernel's settings."""
    for file, closed, remedy in CLOSED:
        path = settings / file
        if path.exists() and path.read_text().strip() == closed:
            return remedy
    return "this kernel or the container around this studio forbids them; start the studio outside of it"


def _filter() -> Protection:
    name = "system call filter"
    try:
        size = len(seccomp.program()) // 8
    except ConfigurationError as error:
        return Protection(name, False, str(error), "sudo apt-get install libseccomp2")
    return Protection(name, True, f"Docker's default profile, {size} instructions by libseccomp")


def _limits() -> list[Protection]:
    where = hierarchies()
    version = f"control group v{where.version}"
    weaker = "start the studio as root, or give it a delegated control group, for exact limits"
    found = []
    if "memory" in where.folders:
        found.append(Protection("memory limit", True, f"{version}, without swap", required=False))
    else:
        how = "a watcher looks four times a second; memory in unmapped nameless files is not seen"
        found.append(Protection("memory limit", True, how, weaker, required=False))
    pids = version if "pids" in where.folders else "RLIMIT_NPROC in the sandbox's own user namespace"
    found.append(Protection("process limit", True, pids, required=False))
    cpu = f"{version} quota, and affinity" if "cpu" in where.folders else "affinity"
    found.append(Protection("processor limit", True, cpu, required=False))
    found.append(Protection("disk limit", True, "sized tmpfs, and RLIMIT_FSIZE for one file", required=False))
    return found


def from_inside(sandbox: Probed, inner: int | None, group: Group) -> list[Protection]:
    """What a program in a sandbox finds, and as whom it runs outside."""
    try:
        status, out, err = sandbox.run(["python3", "-c", PROBE], timeout_s=30.0)
        seen: dict[str, Any] = json.loads(out) if status == 0 else {}
    except (SandboxError, ValueError) as error:
        return [Protection("a sandbox answers", False, str(error)[:300], "see the log")]
    if not isinstance(seen, dict) or not seen:
        return [Protection("a sandbox answers", False, err.decode("utf-8", "replace")[-300:], "see the log")]

    def holds(name: str, *keys: str, how: str) -> Protection:
        return Protection(name, all(seen.get(key) is True for key in keys), how, "report this as a fault of the studio")

    outside = _outside(inner)
    interfaces = seen.get("interfaces")
    return [
        Protection("unprivileged outside", outside not in (0, None), f"uid {outside} on this machine"),
        Protection("no capabilities", seen.get("capabilities") == 0, "all dropped, also from the bounding set"),
        holds("no new privileges", "no_new_privileges", how="set for every process"),
        holds("filtered system calls", "filtered", how="the filter is on"),
        holds("kernel settings closed", "settings_closed", how="/proc/sys is read-only"),
        holds("read-only root", "root_closed", how="only the workspace, /tmp, home and /dev/shm are writable"),
        holds("tool host closed", "tool_host_closed", how="its descriptors and memory cannot be opened from inside"),
        Protection("no network", interfaces == ["lo"], f"interfaces: {interfaces}"),
        Protection("own processes", 0 < int(seen.get("processes") or 0) < 10, "those of this machine are not seen"),
        Protection("sized /dev/shm", 0 < int(seen.get("shm_bytes") or 0) <= 1 << 30, f"{seen.get('shm_bytes')} bytes"),
        _grouped(inner, group),
    ]


def _grouped(inner: int | None, group: Group) -> Protection:
    if not group.folders:
        return Protection("limits applied", True, "by the watcher and by resource limits", required=False)
    return Protection("limits applied", inner in group.processes(), "the sandbox is in its control group")


def _outside(inner: int | None) -> int | None:
    try:
        text = Path(f"/proc/{inner}/status").read_text()
        return int(text.split("Uid:")[1].split()[0])
    except (OSError, ValueError, IndexError):
        return None
