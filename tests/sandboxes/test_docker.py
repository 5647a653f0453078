"""What only the Docker engine has: its stream, its images, its labels. The suites run on it as on the local one."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.errors import ConfigurationError, SandboxLost
from studio.sandboxes import chosen, engine_for
from studio.sandboxes.attached import AttachedConnection
from studio.sandboxes.connection import Lost
from studio.sandboxes.container_config import filter_profile
from studio.sandboxes.containers import LABEL, handed_over
from studio.sandboxes.docker import DockerHost
from studio.sandboxes.image import contained
from studio.sandboxes.records import Records
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
from tests.sandboxes.conftest import ENGINES, NOT_ASKED
from tests.sandboxes.hostility import commands_with, eventually

asked = pytest.mark.skipif("docker" not in ENGINES, reason=NOT_ASKED)
WORKER = """
import sys, time
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
sandbox = engine_for(Settings(data_dir=sys.argv[1]), "docker").start(SandboxSpec(owner=sys.argv[2]))
sandbox.execute("trap '' TERM; setsid bash -c 'exec -a %s sleep 300' &" % sys.argv[3])
print(sandbox.id, flush=True)
time.sleep(300)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "studio", engine="docker")


@pytest.fixture
def worker(settings: Settings) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that has started a container for the job `job-1`."""
    command = [sys.executable, "-c", WORKER, str(settings.data_dir), "job-1", mark(settings)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()
    engine_for(settings).reap(lambda owner: False)


def mark(settings: Settings) -> str:
    return f"of-{Records(settings.data_dir).studio}"


def left(settings: Settings) -> list[str]:
    found = DockerHost(settings).containers(f"{LABEL}.studio", Records(settings.data_dir).studio)
    return [name for _, name, _ in found]


@asked
def test_the_suites_run_on_a_docker_engine() -> None:
    """Skipped where none was asked for, so that whoever reads the result sees what was not run."""
    assert DockerHost(Settings()).answers()


# Its stream.


def piece(stream: int, data: bytes) -> bytes:
    return bytes([stream, 0, 0, 0]) + len(data).to_bytes(4, "big") + data


def test_pieces_of_two_streams_are_told_apart_wherever_they_are_cut() -> None:
    answer = json.dumps({"id": 1, "event": "done", "body": 3}).encode()
    frame = len(answer).to_bytes(4, "big") + answer + b"abc"
    sent = piece(1, frame[:7]) + piece(2, b"a warning") + piece(1, b"") + piece(1, frame[7:])
    for size in (1, 3, len(sent)):
        here, there = socket.socketpair()
        with there:
            connection = AttachedConnection(here.detach())
            for start in range(0, len(sent), size):
                there.sendall(sent[start : start + size])
            got = connection.receive(time.monotonic() + 5, 5)
            assert got is not None
            assert (got.id, got.event, got.body) == (1, "done", b"abc")
            assert connection.said() == "a warning"
            connection.close()


def test_a_stream_of_another_form_is_lost() -> None:
    here, there = socket.socketpair()
    with there:
        connection = AttachedConnection(here.detach())
        there.sendall(b"HTTP/1.1 500 no\r\n")
        with pytest.raises(Lost):
            connection.receive(time.monotonic() + 5, 5)
        connection.close()


def test_the_filter_closes_what_an_older_engines_default_leaves_open() -> None:
    profile = json.loads(filter_profile())
    allowed = {name for rule in profile["syscalls"] for name in rule["names"] if rule["action"] == "SCMP_ACT_ALLOW"}
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert not allowed & {"io_uring_setup", "mount", "unshare", "bpf", "keyctl", "userfaultfd", "clone3"}
    assert {"read", "execve", "clone", "socket"} <= allowed


# Which engine is taken.


def test_without_an_engine_auto_is_local_and_docker_says_what_to_do(tmp_path: Path) -> None:
    nowhere = Settings(data_dir=tmp_path, docker_host=f"unix://{tmp_path}/nothing.sock")
    engine, why = chosen(nowhere)
    assert engine.name == "local"
    assert "no Docker engine with the image" in why
    with pytest.raises(ConfigurationError, match=r"no Docker engine answers at .*nothing\.sock"):
        engine_for(nowhere, "docker").start(SandboxSpec())
    assert engine_for(nowhere, "docker").reap(lambda owner: False) == []
    [protection] = engine_for(nowhere, "docker").protections()
    assert not protection.holds
    assert "STUDIO_DOCKER_HOST" in protection.remedy
    with pytest.raises(ConfigurationError, match="choose auto, docker or local"):
        engine_for(nowhere, "chroot")


def test_an_address_that_cannot_be_served_is_said(tmp_path: Path) -> None:
    far = Settings(data_dir=tmp_path, docker_host="ssh://somebody@example.org")
    with pytest.raises(ConfigurationError, match="unix:// or tcp://"):
        engine_for(far, "docker").start(SandboxSpec())


@asked
def test_auto_takes_docker_where_it_answers_and_has_the_image(tmp_path: Path) -> None:
    engine, why = chosen(Settings(data_dir=tmp_path, engine="auto"))
    assert engine.name == "docker"
    assert "has the image" in why
    assert all(item.holds for item in engine.protections()), engine.protections()


@asked
def test_the_image_is_small_enough_and_each_part_is_known(settings: Settings) -> None:
    image = contained.require(DockerHost(settings))
    assert image.size_bytes <= 1_400_000_000
    assert {"base", "python", "fonts", "media", "ocr", "browser", "web"} <= set(image.parts)
    assert sum(image.parts.values()) <= 1_400_000_000
    assert image.digest == engine_for(settings).image_digest()


# What it leaves.


@asked
def test_after_kill_9_of_a_worker_nothing_runs_and_a_sweep_removes_the_rest(
    settings: Settings, worker: subprocess.Popen[str]
) -> None:
    assert worker.stdout is not None
    name = worker.stdout.readline().strip()
    assert eventually(lambda: commands_with(mark(settings)) != [])
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert eventually(lambda: commands_with(mark(settings)) == [])  # the tool host ends with its stream
    assert engine_for(settings).reap(lambda owner: True) == [name]
    assert left(settings) == []


@asked
def test_a_living_workers_container_stays_while_its_job_does(
    settings: Settings, worker: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert worker.stdout is not None
    name = worker.stdout.readline().strip()
    assert engine_for(settings).reap(lambda owner: owner == "job-1") == []
    other = Settings(data_dir=tmp_path / "other", engine="docker")
    assert engine_for(other).reap(lambda owner: False) == []
    assert left(settings) == [name]
    assert engine_for(settings).reap(lambda owner: owner == "job-2") == [name]
    assert eventually(lambda: commands_with(mark(settings)) == [])


@asked
def test_a_studio_whose_data_lie_at_the_same_path_elsewhere_is_another_one(settings: Settings) -> None:
    """As in two containers that share an engine."""
    first = engine_for(settings).start(SandboxSpec(owner="job-1"))
    known = settings.data_dir / "studio_id"
    was = known.read_text()
    try:
        known.write_text("0123456789ab")
        assert engine_for(settings).reap(lambda owner: False) == []
        assert first.execute("echo fine").output == "fine\n"
        known.write_text(was)
        assert left(settings) == [first.id]
    finally:
        first.kill()


@asked
def test_a_killed_sandbox_leaves_no_container_and_no_descriptor(settings: Settings) -> None:
    engine = engine_for(settings)
    engine.start(SandboxSpec()).kill()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        sandbox = engine.start(SandboxSpec())
        sandbox.execute("sleep 300 & yes > /dev/null &")
        sandbox.kill()
        sandbox.kill()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert left(settings) == []


@asked
def test_a_container_removed_by_somebody_else_is_a_loss_with_its_reason(settings: Settings) -> None:
    sandbox = engine_for(settings).start(SandboxSpec())
    host = DockerHost(settings)
    [(container, _, labels)] = host.containers(f"{LABEL}.studio", Records(settings.data_dir).studio)
    assert labels[f"{LABEL}.job"] == "command-line"
    host.remove(container)
    with pytest.raises(SandboxLost, match="container"):
        sandbox.execute("true")


@asked
def test_outputs_for_an_engine_elsewhere_are_written_into_it(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "out" / "deep").mkdir(parents=True)
    (tmp_path / "out" / "deep" / "file.bin").write_bytes(os.urandom(100_000))
    (tmp_path / "out" / "link").symlink_to("/etc/passwd")
    sandbox = engine_for(settings).start(SandboxSpec())
    try:
        sandbox.upload(handed_over(tmp_path / "out"))
        assert (
            sandbox.execute("find /testbed/output -type f -printf '%P %m %s\\n'").output == "deep/file.bin 444 100000\n"
        )
    finally:
        sandbox.kill()
