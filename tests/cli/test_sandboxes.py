"""`studio sandboxes`: what is there is listed, what no live job has is removed, another studio's is not touched."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
from tests.sandboxes.conftest import ENGINES
from tests.support import command

STARTER = """
import sys, time
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
engine = engine_for(Settings(data_dir=sys.argv[1]), sys.argv[2])
for owner in sys.argv[3:]: print(engine.start(SandboxSpec(owner=owner)).id, flush=True)
time.sleep(300)
"""


@contextmanager
def ending(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    with process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_what_was_left_behind_is_listed_and_removed_and_nothing_of_another_studio(tmp_path: Path, name: str) -> None:
    home, other = tmp_path / "data", tmp_path / "other"
    foreign = engine_for(Settings(data_dir=other), name).start(SandboxSpec(owner="job-1"))
    mine = engine_for(Settings(data_dir=home), name).start(SandboxSpec())
    starting = [sys.executable, "-c", STARTER, str(home), name, "job-1"]
    where = {"STUDIO_DOCKER_HOST": Settings().docker_host}

    def run(*arguments: str) -> str:
        return command.run(*arguments, cwd=tmp_path, settings=where).stdout

    try:
        with ending(subprocess.Popen(starting, stdout=subprocess.PIPE, text=True)) as starter:
            assert starter.stdout is not None
            left = starter.stdout.readline().strip()
            listed = {one["id"]: one for one in json.loads(run("sandboxes", "ls", "--json"))}
            assert set(listed) == {mine.id, left}
            assert (listed[left]["engine"], listed[left]["owner"], listed[left]["runs"]) == (name, "job-1", True)
            assert listed[left]["starter"] == starter.pid
            assert listed[mine.id]["owned"]
            assert not listed[left]["owned"], "no database knows a job-1"
            starter.send_signal(signal.SIGKILL)
            starter.wait()
        said = run("sandboxes", "ls")
        assert f"{left}  {name}" in said
        assert "left behind" in said
        assert run("sandboxes", "reap") == f"removed {left}\n"
        assert run("sandboxes", "reap") == "Nothing to remove.\n"
        assert mine.execute("echo fine").output == "fine\n"
        assert foreign.execute("echo fine").output == "fine\n"
        assert run("sandboxes", "reap", "--all") == f"removed {mine.id}\n"
        assert run("sandboxes", "ls") == "No sandbox of this studio is there.\n"
        assert foreign.execute("echo fine").output == "fine\n"
    finally:
        mine.kill()
        foreign.kill()
    assert not list((home / "sandboxes").glob("*"))
