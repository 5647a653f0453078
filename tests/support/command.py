"""The `studio` command as a person starts it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO

PROGRAM = [sys.executable, "-c", "from studio.cli import main; main()"]
ROOT = Path(__file__).resolve().parents[2]


def start(*arguments: str, cwd: Path, settings: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start it with these STUDIO_ settings and none from outside but where the image lies."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STUDIO_")}
    if "STUDIO_IMAGE_DIR" in os.environ:
        environment["STUDIO_IMAGE_DIR"] = os.environ["STUDIO_IMAGE_DIR"]
    environment |= {"PYTHONPATH": str(ROOT), "STUDIO_DATA_DIR": str(cwd / "data"), **(settings or {})}
    pipe: int | IO[str] = subprocess.PIPE
    return subprocess.Popen(
        [*PROGRAM, *arguments], cwd=cwd, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe
    )


def run(*arguments: str, cwd: Path, settings: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run it to its end."""
    process = start(*arguments, cwd=cwd, settings=settings)
    out, err = process.communicate(timeout=300)
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)
