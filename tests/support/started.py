"""The command line as a person starts and stops it: real processes, real HTTP."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

STUDIO = [sys.executable, "-c", "from studio.cli import main; main()"]


class Started:
    """A command under way, its output gathered line by line."""

    def __init__(self, arguments: list[str], data_dir: Path, **settings: str) -> None:
        environment = {**os.environ, "STUDIO_DATA_DIR": str(data_dir), "STUDIO_PORT": "0", **settings}
        self.data_dir = data_dir
        self.process = subprocess.Popen(
            [*STUDIO, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[str] = []

    def line(self, pattern: str) -> re.Match[str]:
        """The first line of standard output, read from now on, that matches."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"it ended without a line like {pattern!r}: {self.lines} {self.finish()[1]}")

    def finish(self, timeout: float = 120.0) -> tuple[str, str]:
        return self.process.communicate(timeout=timeout)

    def stop(self, number: int = signal.SIGINT) -> int:
        self.process.send_signal(number)
        self.finish(30)
        return self.process.returncode

    def members(self) -> list[int]:
        """The processes that work on this data directory."""
        mark = f"STUDIO_DATA_DIR={self.data_dir}\0".encode()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes() and (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue
        return found

    def nothing_is_left(self) -> bool:
        for _ in range(150):
            if not self.members():
                return True
            time.sleep(0.1)
        return False


def answer(url: str, **options: object) -> httpx.Response:
    """What the address answers, once it does."""
    for _ in range(100):
        try:
            return httpx.get(url, timeout=5.0, **options)  # type: ignore[arg-type]
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
