"""The download phase for the image's Python libraries: pinned wheels, verified by the hashes of the requirements."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.image import lists

PYTHON = "3.11"
GLIBC = 36  # the image's glibc is 2.36
TRIES = 3
LOCK = lists.HERE / "requirements" / "python.txt"
NODE = lists.HERE / "requirements" / "node.txt"


def folder(downloads: Path, lock: Path = LOCK) -> Path:
    """Where the wheels of one lock lie."""
    return downloads / "wheels" / hashlib.sha256(lock.read_bytes()).hexdigest()[:16]


def missing_bytes(downloads: Path) -> int:
    """Bytes that are still to be fetched, as the lock's first lines reckon them; pip's own cache may have them."""
    if (folder(downloads) / "complete").exists():
        return 0
    found = re.search(r"^# wheels: (\d+) bytes", LOCK.read_text("utf-8"), re.MULTILINE)
    return int(found[1]) if found else 0


def fetch(downloads: Path) -> Path:
    """Fetch all wheels; the folder that holds them."""
    target = folder(downloads)
    if (target / "complete").exists():
        return target
    target.mkdir(parents=True, exist_ok=True)
    tags = [f"manylinux_2_{minor}_{lists.machine()}" for minor in range(GLIBC, 4, -1)]
    tags += [f"manylinux{year}_{lists.machine()}" for year in (2014, 2010, 1)]
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--only-binary", ":all:",
        "--python-version", PYTHON, "--implementation", "cp", "--abi", "cp311", "--abi", "abi3", "--abi", "none",
        *(word for tag in (*tags, "any") for word in ("--platform", tag)),
        "--dest", str(target), "--requirement", str(LOCK),
    ]  # fmt: skip
    _run(command, "The image's Python libraries")
    (target / "complete").touch()
    return target


def node(downloads: Path) -> Path:
    """Fetch Node.js as a Python wheel, for a machine that has no npm; the folder into which it was unpacked."""
    target = folder(downloads, NODE) / "node"
    if not (target / "complete").exists():
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes",
            "--only-binary", ":all:", "--upgrade", "--target", str(target), "--requirement", str(NODE),
        ]  # fmt: skip
        _run(command, "Node.js")
        (target / "complete").touch()
    return target


def _run(command: list[str], what: str) -> None:
    for _ in range(TRIES):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
    errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    raise ConfigurationError(
        f"{what} could not be fetched: {' '.join(errors[:2]) or done.stderr.strip()[-300:]} "
        "pip keeps what it has; start again to go on."
    )
