"""What the machine itself needs before an image can be built, and how to get it: Debian packages, no service."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence

from studio.errors import ConfigurationError
from studio.sandboxes.image.model import Progress, Report
from studio.sandboxes.image.sources import keyring

QUIET = ("env", "DEBIAN_FRONTEND=noninteractive", "NEEDRESTART_SUSPEND=1")
"""Asks nothing, and restarts no service afterwards."""


def missing(*, to_build: bool = True) -> tuple[str, ...]:
    """Names of Debian packages that this machine lacks to run sandboxes, and `to_build` their image."""
    lacking = []
    if not shutil.which("bwrap"):
        lacking.append("bubblewrap")
    if not ctypes.util.find_library("seccomp"):
        lacking.append("libseccomp2")
    if not to_build:
        return tuple(lacking)
    if not shutil.which("mmdebstrap"):
        lacking.append("mmdebstrap")
    if keyring() is None:
        lacking.append("debian-archive-keyring")
    if os.geteuid() != 0 and not shutil.which("newuidmap"):
        lacking.append("uidmap")
    return tuple(lacking)


def as_root() -> tuple[str, ...] | None:
    """What to put before a command so that it runs as root: nothing, or sudo; None when neither is to be had.

    Asks for a password where sudo wants one and there is a person to ask.
    """
    if os.geteuid() == 0:
        return ()
    if not shutil.which("sudo"):
        return None
    if subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0:
        return ("sudo", "-n")
    if sys.stdin is None or not sys.stdin.isatty():
        return None
    return ("sudo", "-n") if subprocess.run(["sudo", "-v"], check=False).returncode == 0 else None


def can_unshare() -> bool:
    """Whether mmdebstrap can make user namespaces with ranges of ids here: root, or subuid and newuidmap in place."""
    if os.geteuid() == 0:
        return True
    command = ["mmdebstrap", "--unshare-helper", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def prepare(report: Report, *, to_build: bool = True) -> None:
    """Install what is missing. Raises ConfigurationError that says exactly what a person must do."""
    lacking = missing(to_build=to_build)
    if not lacking:
        return
    if not shutil.which("apt-get"):
        raise ConfigurationError(
            "The local engine builds its image with apt, which this system does not have. Use a Docker engine here, or "
            "a machine with Debian or Ubuntu."
        )
    names = " ".join(lacking)
    before = as_root()
    if before is None:
        raise ConfigurationError(
            f"This machine lacks {names}. Install with: sudo apt-get install --no-install-recommends {names}"
        )
    report(Progress("system", f"Installing {names} (about 1 MB, less than a minute)"))
    if _install(before, lacking).returncode != 0:
        subprocess.run([*before, "apt-get", "-q", "update"], capture_output=True, check=False)
        done = _install(before, lacking)
        if done.returncode != 0:
            complaint = " ".join(line for line in done.stderr.splitlines() if line.startswith("E:"))
            raise ConfigurationError(
                f"apt-get could not install {names}: {complaint} Mend that, then: sudo apt-get install {names}"
            )
    still = missing(to_build=to_build)
    if still:
        raise ConfigurationError(f"{' '.join(still)} is installed, but what it brings is not found on PATH.")


def _install(before: Sequence[str], names: Sequence[str]) -> subprocess.CompletedProcess[str]:
    command = [*before, *QUIET, "apt-get", "install", "-q", "-y", "--no-install-recommends", *names]
    return subprocess.run(command, capture_output=True, text=True, check=False)
