"""Every engine that there is; each test gets sandboxes of it that are gone afterwards.

The Docker engine is tested where STUDIO_TEST_DOCKER is set: it must answer at STUDIO_DOCKER_HOST and have the image.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from studio.sandboxes import engine_for
from studio.sandboxes.types import Engine, Sandbox, SandboxSpec
from studio.settings import Settings

ENGINES = ("local", "docker") if os.environ.get("STUDIO_TEST_DOCKER") else ("local",)
NOT_ASKED = "no Docker engine was asked for: STUDIO_TEST_DOCKER"
MIB = 1 << 20

Open: TypeAlias = Callable[..., Sandbox]


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    settings = Settings(data_dir=tmp_path_factory.mktemp("studio"))
    return engine_for(settings, str(request.param))


@pytest.fixture
def start(engine: Engine) -> Iterator[Open]:
    """Start a sandbox with the fields of SandboxSpec that matter."""
    started: list[Sandbox] = []

    def one(**fields: object) -> Sandbox:
        sandbox = engine.start(SandboxSpec(**fields))  # type: ignore[arg-type]
        started.append(sandbox)
        return sandbox

    yield one
    for sandbox in started:
        sandbox.kill()


@pytest.fixture
def sandbox(start: Open) -> Sandbox:
    return start()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where outputs are fetched to."""
    return tmp_path / "fetched"
