"""The proxy before a real engine, with the studio's own client behind it; where STUDIO_TEST_DOCKER is set."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.engine_proxy import EngineProxy
from studio.engine_proxy.bodies import Admitted
from studio.sandboxes import engine_for
from studio.sandboxes.docker import DockerHost
from studio.sandboxes.image.contained import name_of
from studio.sandboxes.types import Engine, SandboxSpec
from studio.settings import Settings


@pytest.fixture
def behind(tmp_path: Path, sockets: Path) -> Iterator[Engine]:
    """The engine as a worker behind the proxy has it."""
    if not os.environ.get("STUDIO_TEST_DOCKER"):
        pytest.skip("no Docker engine was asked for: STUDIO_TEST_DOCKER")
    path = Path(Settings().docker_host.removeprefix("unix://"))
    server = EngineProxy(sockets / "p.sock", path, Admitted(frozenset({name_of()}), 4 << 30), tmp_path.name)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield engine_for(Settings(data_dir=tmp_path / "data", docker_host=f"unix://{sockets}/p.sock"), "docker")
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_docker_sandbox_behind_the_proxy_works_and_is_removed(behind: Engine) -> None:
    sandbox = behind.start(SandboxSpec(owner="no-such-job"))
    assert sandbox.execute("id -u; seq 200000 | md5sum").output.split()[:2] == ["1000", _sum(200000)]
    sandbox.kill()
    assert behind.reap(lambda owner: False) == []


def test_a_docker_sandbox_that_nobody_owns_is_reaped_through_the_proxy(behind: Engine) -> None:
    sandbox = behind.start(SandboxSpec(owner="no-such-job"))
    assert behind.reap(lambda owner: False) == [sandbox.id]


def test_docker_containers_that_were_made_without_the_proxy_are_not_seen_behind_it(
    behind: Engine, tmp_path: Path
) -> None:
    direct = engine_for(Settings(data_dir=tmp_path / "data"), "docker")
    sandbox = direct.start(SandboxSpec(owner="no-such-job"))
    try:
        assert behind.reap(lambda owner: False) == []
        assert sandbox.execute("echo here").output == "here\n"
    finally:
        sandbox.kill()
    assert DockerHost(Settings()).answers()


def _sum(last: int) -> str:
    text = "".join(f"{number}\n" for number in range(1, last + 1))
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
