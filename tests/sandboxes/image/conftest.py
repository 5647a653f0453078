"""The built image, and a way to run a program in it: bubblewrap alone, no network, the image read-only."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.sandboxes.image import Image, require
from studio.settings import Settings

Run = Callable[..., str]


@pytest.fixture(scope="session")
def image() -> Image:
    """The image that the lists describe; `make test` builds it first."""
    return require(Settings().image_dir)


@pytest.fixture
def run(image: Image, tmp_path: Path) -> Run:
    """Run a program in the image with `tmp_path` as /testbed; its standard output."""
    tmp_path.chmod(0o777)
    command = [
        "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", str(image.path), "/",
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/home/studio",
        "--bind", str(tmp_path), "/testbed", "--chdir", "/testbed", "--clearenv",
        "--setenv", "HOME", "/home/studio", "--setenv", "LANG", "C.UTF-8",
        "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin",
    ]  # fmt: skip

    def started(*argv: str) -> str:
        done = subprocess.run(
            [*command, *argv], capture_output=True, text=True, timeout=120, check=False, stdin=subprocess.DEVNULL
        )
        assert done.returncode == 0, f"{argv[0]} ended with {done.returncode}: {done.stderr[-2000:]}"
        return done.stdout

    return started
