"""What the escape tests share: a next sandbox that must be unharmed, a program inside, and a look at this machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from studio.sandboxes.types import Engine, Sandbox, SandboxSpec


def assert_next_one_works(engine: Engine) -> None:
    """Start another sandbox and use it."""
    following = engine.start(SandboxSpec())
    try:
        seen = following.execute("echo unharmed; ls -A /testbed /tmp/x 2>/dev/null | grep -c planted")
        assert seen.output == "unharmed\n0\n"
    finally:
        following.kill()


def python(sandbox: Sandbox, program: str) -> str:
    """What a program prints; OSError's names are there as E."""
    before = "import ctypes, errno, os, socket, sys\nE = errno.errorcode\n"
    status, out, err = sandbox.run(["python3", "-c", before + program])
    assert status == 0, err.decode()
    return out.decode()


def commands_with(mark: str) -> list[str]:
    """Processes of this machine whose command line has `mark`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = path.read_bytes()
        except OSError:
            continue
        if text.startswith(mark.encode()):
            found.append(str(path))
    return found


def eventually(what: Callable[[], bool], seconds: float = 30.0) -> bool:
    """Does it come true in time?"""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if what():
            return True
        time.sleep(0.05)
    return False
