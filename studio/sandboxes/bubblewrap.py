"""The command line that starts a sandbox on this machine, from the outside in.

As root: a private mount namespace, in which the image and the outputs are bound to places that an unprivileged user
can reach (the data directory may lie in a home that nobody else may enter), then an unprivileged uid of the
sandbox's own, then bubblewrap. Else: bubblewrap.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.types import OUTPUT, SandboxSpec

UID = 1000  # inside
HOSTNAME = "sandbox"
OWN_UIDS = range(1_000_000_000, 2_000_000_000)  # outside, where they are mapped
LEAST_UIDS = range(100_000, 4_000_000_000)
STAGES = ("/mnt", "/media", "/srv", "/opt")
PYTHON = ("/usr/bin/python3", "-I", "-S", "-E", "-B", "/opt/studio/bootstrap.py")
# Kernel interfaces that Docker hides too, where the kernel has them.
MASKED = ("kcore", "keys", "timer_list", "sched_debug", "latency_stats")
MASKED_FOLDERS = ("acpi", "scsi")

# Waits for one line, so that the process is in its control group before it does anything; $1 image, $2 where to bind
# it, $3 outputs or nothing, $4 where to bind them; the rest is executed.
SCRIPT = """
IFS= read -r go || exit 70
mount -n --bind "$1" "$2" || exit 71
[ -z "$3" ] || mount -n --bind "$3" "$4" || exit 72
shift 4
exec "$@"
"""
WAIT = 'IFS= read -r go || exit 70; exec "$@"'


@dataclass(frozen=True)
class Place:
    """How the launcher finds what it mounts, and as whom bubblewrap runs."""

    before: tuple[str, ...]
    image: str
    outputs: str | None


def own_uid(uid_map: Path = Path("/proc/self/uid_map")) -> int:
    """An unprivileged uid for one sandbox, drawn from those that this user namespace has. Raises ConfigurationError."""
    spans = [range(int(first), int(first) + int(count)) for first, _, count in map(str.split, _lines(uid_map))]
    for wanted in (OWN_UIDS, LEAST_UIDS, range(2000, 60_000)):
        usable = [range(max(span.start, wanted.start), min(span.stop, wanted.stop)) for span in spans]
        largest = max(usable, key=len, default=range(0))
        if len(largest) > 1000:
            return random.SystemRandom().choice(largest)
    raise ConfigurationError(
        "this user namespace has no unprivileged uids to give to sandboxes; map at least 2000-65535"
    )


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def place(image: Path, outputs: Path | None) -> Place:
    """How to reach the image and the outputs. Raises ConfigurationError."""
    image, outputs = image.resolve(), outputs.resolve() if outputs else None
    if os.geteuid() != 0:
        return Place(("/bin/sh", "-c", WAIT, "sh"), str(image), str(outputs) if outputs else None)
    sources = [path for path in (image, outputs) if path is not None]
    usable = [s for s in STAGES if Path(s).is_dir() and not any(p.is_relative_to(s) for p in sources)]
    if len(usable) < 2:
        raise ConfigurationError(f"two folders of {', '.join(STAGES)} must be there, to show the sandbox its image at")
    stage, beside = usable[:2]
    uid = str(own_uid())
    unshare = ("unshare", "--mount", "--propagation", "private", "--", "/bin/sh", "-c", SCRIPT, "sh")
    drop = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--no-new-privs", "--")
    before = (*unshare, str(image), stage, str(outputs or ""), beside, *drop)
    return Place(before, stage, beside if outputs else None)


def arguments(at: Place, spec: SandboxSpec, seccomp: int, info: int) -> list[str]:
    """The whole command line. `seccomp` and `info` are descriptors that it inherits."""
    tmpfs = [
        *("--perms", "0755", "--size", str(spec.workspace_bytes), "--tmpfs", "/testbed"),
        *("--perms", "1777", "--size", str(spec.tmp_bytes), "--tmpfs", "/tmp"),
        *("--perms", "0700", "--size", str(spec.home_bytes), "--tmpfs", "/home/studio"),
        *("--perms", "1777", "--size", str(spec.shm_bytes), "--tmpfs", "/dev/shm"),
    ]
    masks = [
        part for file in MASKED if Path("/proc", file).exists() for part in ("--ro-bind", "/dev/null", f"/proc/{file}")
    ]
    for folder in MASKED_FOLDERS:
        if Path("/proc", folder).is_dir():
            masks += ["--size", "4096", "--tmpfs", f"/proc/{folder}", "--remount-ro", f"/proc/{folder}"]
    outputs = ["--ro-bind", at.outputs, str(OUTPUT)] if at.outputs else []
    return [
        *at.before,
        "bwrap",
        *("--unshare-all", "--unshare-user", "--disable-userns", "--new-session", "--die-with-parent", "--as-pid-1"),
        *("--uid", str(UID), "--gid", str(UID), "--cap-drop", "ALL", "--hostname", HOSTNAME, "--clearenv"),
        *("--ro-bind", at.image, "/", "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", *masks),
        *("--dev", "/dev", *tmpfs, "--remount-ro", "/dev", *outputs),
        *("--chdir", "/", "--setenv", "LANG", "C.UTF-8", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin"),
        *("--seccomp", str(seccomp), "--info-fd", str(info), "--", *PYTHON),
    ]
