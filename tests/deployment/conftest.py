"""docker-compose.yml as it comes up for real, on the Docker engine that .ci/compose found or started."""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_ASKED = "no deployment was asked for: .ci/compose sets STUDIO_TEST_COMPOSE"
UP_S = 900


class Deployment:
    """One project of the compose file, with a key for its API."""

    def __init__(self, program: list[str], project: str) -> None:
        self._compose = [*program, "--project-name", project]
        self.project = project
        self.key = ""

    def compose(self, *arguments: str, check: bool = True, timeout: float = 300, **variables: str) -> str:
        """What the command prints, with variables for the file; with `check` it has to succeed."""
        done = subprocess.run(
            [*self._compose, *arguments],
            cwd=ROOT,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert not check or done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def inside(self, service: str, *argv: str, check: bool = True, timeout: float = 300) -> str:
        """What a program prints in a service's container."""
        return self.compose("exec", "-T", service, *argv, check=check, timeout=timeout)

    def python(self, service: str, program: str) -> str:
        """What a Python program prints there."""
        return self.inside(service, "python", "-c", program)

    def studio(self, *argv: str, timeout: float = 900) -> str:
        """The studio's command in the web container, talking to the web server over HTTP."""
        told = ("-e", f"STUDIO_API_KEY={self.key}", "-e", "STUDIO_URL=http://127.0.0.1:8765")
        return self.compose("exec", "-T", *told, "web", "studio", *argv, timeout=timeout)

    def container(self, service: str) -> str:
        return self.compose("ps", "-q", service).strip()


def docker(*arguments: str, check: bool = True) -> str:
    done = subprocess.run(["docker", *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def inspected(container: str) -> dict[str, object]:
    (found,) = json.loads(docker("inspect", container))
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="session")
def deployment() -> Iterator[Deployment]:
    """All services, up and with a key; ended with their volumes afterwards, but where STUDIO_TEST_PROJECT names a
    project that is up already.
    """
    program = os.environ.get("STUDIO_TEST_COMPOSE")
    if not program:
        pytest.skip(NOT_ASKED)
    standing = os.environ.get("STUDIO_TEST_PROJECT")
    found = Deployment(program.split(), standing or f"studio-test-{uuid.uuid4().hex[:6]}")
    try:
        if not standing:
            found.compose("up", "--detach", "--build", timeout=UP_S)
        found.key = found.inside("web", "studio", "keys", "create", "test").strip()
        yield found
    finally:
        if os.environ.get("STUDIO_TEST_LOGS"):
            Path(os.environ["STUDIO_TEST_LOGS"]).write_text(found.compose("logs", "--no-color", check=False))
        if not standing:
            found.compose("down", "--volumes", "--timeout", "5", check=False)
