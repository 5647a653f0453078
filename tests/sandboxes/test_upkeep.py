"""What a killed worker left is found and removed; what lives, and what another studio started, is not touched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.sandboxes import cgroups, engine_for
from studio.sandboxes.egress.gate import service_name
from studio.sandboxes.housekeeping import Housekeeping
from studio.sandboxes.records import Records
from studio.sandboxes.types import Sandbox, SandboxSpec
from studio.settings import Settings
from tests.sandboxes.hostility import commands_with, eventually

WORKER = """
import sys, time
from studio.sandboxes import engine_for
from studio.sandboxes.types import Sandbox, SandboxSpec
from studio.settings import Settings
sandbox = engine_for(Settings(data_dir=sys.argv[1], engine="local")).start(SandboxSpec(owner=sys.argv[2]))
sandbox.execute("trap '' TERM; setsid bash -c 'exec -a %s sleep 300' &" % sys.argv[3])
print(sandbox.id, flush=True)
time.sleep(300)
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "studio", engine="local")


@pytest.fixture
def worker(settings: Settings) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that has started a sandbox for the job `job-1`."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(settings.data_dir), "job-1", mark(settings)],
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield process
        process.kill()


def mark(settings: Settings) -> str:
    return f"of-{Records(settings.data_dir).studio}"


def test_after_kill_9_of_a_worker_nothing_is_left(settings: Settings, worker: subprocess.Popen[str]) -> None:
    assert worker.stdout is not None
    name = worker.stdout.readline().strip()
    assert eventually(lambda: commands_with(mark(settings)) != [])
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert eventually(lambda: commands_with(mark(settings)) == [])  # the kernel does that, nobody of the studio
    assert engine_for(settings).reap(lambda owner: True) == [name]
    assert list((settings.data_dir / "sandboxes").iterdir()) == []
    assert cgroups.remains(Records(settings.data_dir).studio) == []
    assert engine_for(settings).reap(lambda owner: True) == []


def test_a_living_workers_sandbox_stays_while_its_job_does(settings: Settings, worker: subprocess.Popen[str]) -> None:
    assert worker.stdout is not None
    name = worker.stdout.readline().strip()
    assert engine_for(settings).reap(lambda owner: owner == "job-1") == []
    assert eventually(lambda: commands_with(mark(settings)) != [])
    assert engine_for(settings).reap(lambda owner: owner == "job-2") == [name]
    assert eventually(lambda: commands_with(mark(settings)) == [])


def test_another_studios_sandbox_is_not_touched(settings: Settings, tmp_path: Path) -> None:
    other = Settings(data_dir=tmp_path / "other", engine="local")
    sandbox = engine_for(other).start(SandboxSpec(owner="gone"))
    try:
        assert engine_for(settings).reap(lambda owner: False) == []
        assert sandbox.execute("echo fine").output == "fine\n"
    finally:
        sandbox.kill()


def test_one_started_by_hand_stays_while_its_process_does(settings: Settings) -> None:
    engine = engine_for(settings)
    sandbox = engine.start(SandboxSpec())
    try:
        assert engine.reap(lambda owner: False) == []
        assert sandbox.execute("echo fine").output == "fine\n"
    finally:
        sandbox.kill()
    assert engine.reap(lambda owner: False) == []


def test_a_number_that_another_process_has_now_is_not_mistaken(settings: Settings) -> None:
    records = Records(settings.data_dir)
    records.keep("sb-gone", "job-1", os.getpid())
    path = settings.data_dir / "sandboxes" / "sb-gone.json"
    path.write_text(path.read_text().replace('"process_began":', '"process_began":1'))
    assert engine_for(settings).reap(lambda owner: False) == ["sb-gone"]  # and this process is still here


def test_what_is_left_of_a_start_with_a_network_is_removed_and_nothing_of_another_studio(
    settings: Settings, tmp_path: Path
) -> None:
    other = Settings(data_dir=tmp_path / "other")
    mine, foreign = ([*left_behind(one, "sb-aa"), *left_behind(one, "sb-bb", 0.0)] for one in (settings, other))
    try:
        removed = Housekeeping(settings).reap(lambda owner: True)
        assert removed == [mine[0].name, mine[1].name]
        assert [path.exists() for path in mine] == [False, False, True, True]  # the last two were made just now
        assert all(path.exists() for path in foreign)
    finally:
        for path in (*mine[1::2], *foreign[1::2]):
            path.unlink(missing_ok=True)


def left_behind(settings: Settings, name: str, age_s: float = 120.0) -> list[Path]:
    """A door and a piece of a Squid's shared memory."""
    door = settings.data_dir / "doors" / name
    door.mkdir(parents=True)
    shared = Path("/dev/shm") / f"{service_name(Records(settings.data_dir).studio, name)}-cf__metadata.shm"
    shared.write_bytes(b"x")
    for path in (door, shared):
        os.utime(path, (time.time() - age_s, time.time() - age_s))
    return [door, shared]


def test_a_killed_sandbox_leaves_no_group_no_record_and_no_descriptor(settings: Settings) -> None:
    engine = engine_for(settings)
    engine.start(SandboxSpec()).kill()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        sandbox = engine.start(SandboxSpec())
        sandbox.execute("sleep 300 & yes > /dev/null &")
        sandbox.kill()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert cgroups.remains(Records(settings.data_dir).studio) == []
    assert list((settings.data_dir / "sandboxes").iterdir()) == []


def test_a_sandbox_outlives_the_thread_that_asked_for_it(settings: Settings) -> None:
    engine = engine_for(settings)
    started: list[Sandbox] = []
    thread = threading.Thread(target=lambda: started.append(engine.start(SandboxSpec())))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert started[0].execute("echo fine").output == "fine\n"
    started[0].kill()


def test_two_at_once_do_not_meet(settings: Settings) -> None:
    engine = engine_for(settings)
    one, two = engine.start(SandboxSpec()), engine.start(SandboxSpec())
    try:
        one.execute("echo mine > /tmp/file; echo mine > /testbed/file; echo mine > /dev/shm/file; sleep 300 &")
        assert two.execute("ls /tmp/file /testbed/file /dev/shm/file").output.count("No such file") == 3
        assert two.execute("pgrep sleep").output == ""
        one.kill()
        assert two.execute("echo fine").output == "fine\n"
    finally:
        one.kill()
        two.kill()
