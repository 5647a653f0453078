"""The download phase for web libraries: npm packages, verified by the integrity values of their lock."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.image import lists, wheels

SOURCE = lists.HERE / "npm"
BYTES = 3_000_000  # what npm fetches for them
NODE_BYTES = 62_000_000
OLDEST_NPM = 7  # the first that reads this lock
TRIES = 3


def folder(downloads: Path) -> Path:
    """Where the packages of the lock lie."""
    return downloads / "web" / hashlib.sha256((SOURCE / "package-lock.json").read_bytes()).hexdigest()[:16]


def missing_bytes(downloads: Path) -> int:
    """Bytes that are still to be fetched, about."""
    if (folder(downloads) / "complete").exists():
        return 0
    return BYTES if _own_npm() else BYTES + NODE_BYTES


def fetch(downloads: Path) -> Path:
    """Fetch the packages; the folder that holds one folder for each."""
    target = folder(downloads)
    if not (target / "complete").exists():
        target.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(SOURCE / name, target / name)
        npm = _own_npm() or _npm_of_wheel(wheels.node(downloads))
        command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
        for _ in range(TRIES):
            done = subprocess.run(command, cwd=target, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                break
        else:
            raise ConfigurationError(f"The image's web libraries could not be fetched: {done.stderr.strip()[-300:]}")
        (target / "complete").touch()
    return target / "node_modules"


def _own_npm() -> list[str] | None:
    npm = shutil.which("npm")
    if npm is None:
        return None
    done = subprocess.run([npm, "--version"], capture_output=True, text=True, check=False)
    major = done.stdout.split(".")[0]
    return [npm] if major.isdigit() and int(major) >= OLDEST_NPM else None


def _npm_of_wheel(target: Path) -> list[str]:
    node = next(target.glob("*/bin/node"), None)
    script = next(target.glob("*/lib/node_modules/npm/bin/npm-cli.js"), None)
    if node is None or script is None:
        raise ConfigurationError("The Node.js wheel holds no npm. Install npm 7 or newer.")
    node.chmod(0o755)
    return [str(node), str(script)]
