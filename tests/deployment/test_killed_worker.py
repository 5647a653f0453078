"""A worker's container with four running jobs is ended as the kernel or a power cut ends it."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from studio.kinds import parse_brief
from tests.deployment.conftest import Deployment, docker
from tests.tasks.making import marker, running, wait_for

log = logging.getLogger(__name__)

LEFT_S = 60.0
HELD_S = 40  # longer than it takes to see all four
JOBS = 4
WORDS = "The moon and the sun draw the sea, and the earth turns beneath. " * 12
COMMAND = f"printf '# Tides\\n\\n{WORDS}\\n' > /testbed/output/tides.md"
BRIEF = parse_brief(
    {
        "kind": "open",
        "title": "Tides",
        "prompt": "How tides come about, in a few words.",
        "params": {"deliverables": [{"path": "tides.md", "media_type": "text/markdown"}]},
    }
)
# Run in the web container: for each argument a job that replays a record of three calls, the first of which sleeps.
QUEUE = """
import json, sys
from studio import jobs
from studio.brief import JobRequest, RunOptions
from studio.database import open_database
from studio.jobs import JobEnd
from studio.kinds import get_kind, parse_brief
from studio.settings import Settings
from studio.trajectory import ToolCalled
from tasks.generate import enqueue
settings = Settings()
db = open_database(settings)
brief, held_s, command = parse_brief(json.loads(sys.argv[1])), sys.argv[2], sys.argv[3]
for mark in sys.argv[4:]:
    recorded = JobRequest(brief=get_kind("poster").samples()[0].brief)
    source = jobs.create(db, recorded, settings, caller="test")
    claim = jobs.claim(db, source.id, "test", 60.0)
    for number, words in enumerate((f"sleep {held_s}.{mark}", command)):
        called = {"command": words, "timeout": 600}
        jobs.record_event(db, claim, ToolCalled(id=str(number), name="execute_bash", arguments=called))
    jobs.record_event(db, claim, ToolCalled(id="s", name="submit", arguments={}))
    jobs.finish(db, claim, JobEnd("failed", "no_output"))
    run = RunOptions(model=f"replay:{source.id}")
    job = jobs.create(db, JobRequest(brief=brief, run=run), settings, caller="test")
    enqueue(job.id, db, settings)
    print(job.id)
"""
PUBLISHED = """
import sys
from sqlalchemy import text
from studio.database import open_database
from studio.settings import Settings
with open_database(Settings()).reading() as session:
    for job_id, in session.execute(text("SELECT job_id FROM artifacts")):
        if job_id in sys.argv[1:]:
            print(job_id)
"""
FOLDERS = "ls -A /data/work /data/sandboxes /data/doors /run/studio-engine 2>/dev/null; true"


@dataclass(frozen=True)
class Engine:
    """What an engine holds beside containers, and which files the services hold for jobs that run."""

    networks: frozenset[str]
    volumes: frozenset[str]
    files: tuple[str, ...]

    @classmethod
    def now(cls, deployment: Deployment) -> Engine:
        lists = [frozenset(docker(what, "ls", "--quiet").split()) for what in ("network", "volume")]
        return cls(*lists, tuple(deployment.inside("upkeep", "sh", "-c", FOLDERS).split()))


def containers(ids: list[str]) -> list[str]:
    """Those of these jobs, ended ones included."""
    named = (
        docker("ps", "--all", "--quiet", "--no-trunc", "--filter", f"label=sandbox-studio.job={one}") for one in ids
    )
    return [container for told in named for container in told.split()]


def groups(names: list[str]) -> list[Path]:
    """Their control groups, where the engine is on this machine."""
    return [path for name in names for path in Path("/sys/fs/cgroup").glob(f"**/*{name}*")]


def commands(container: str) -> str:
    return docker("top", container, "-eo", "pid,args", check=False)


@pytest.fixture
def idle(deployment: Deployment) -> Engine:
    """What there is while no job runs."""
    return Engine.now(deployment)


def test_after_kill_9_of_a_worker_with_four_jobs_nothing_is_left_and_four_are_published_once(
    deployment: Deployment, idle: Engine, worker: Callable[[int], None]
) -> None:
    worker(JOBS)
    marks = [marker() for _ in range(JOBS)]
    brief = json.dumps(BRIEF.model_dump(mode="json"))
    ids = deployment.inside("web", "python", "-c", QUEUE, brief, str(HELD_S), COMMAND, *marks).split()

    container = deployment.container("worker")

    def all_sleep() -> list[str]:
        found = {one: commands(one) for one in containers(ids)}
        told = "".join(found.values())
        return list(found) if all(f"sleep {HELD_S}.{mark}" in told for mark in marks) else []

    held = wait_for(all_sleep, "four commands in four containers", 300.0)
    assert len(held) == JOBS
    docker("kill", "--signal", "KILL", container)
    killed = time.monotonic()

    def nothing_left() -> bool:
        return not (
            containers(ids) or groups(held) or any(running(mark) for mark in marks) or Engine.now(deployment) != idle
        )

    wait_for(nothing_left, "the end of all that they had")
    took = time.monotonic() - killed
    assert took < LEFT_S
    log.info("nothing was left %.0f s after the kill", took)
    worker(JOBS)
    for job in ids:
        deployment.studio("watch", job, timeout=600)
        told = json.loads(deployment.studio("status", job, "--json"))
        assert (told["state"], told["attempt"]) == ("published", 2), told
    assert sorted(deployment.inside("web", "python", "-c", PUBLISHED, *ids).split()) == sorted(ids)
    wait_for(nothing_left, "the end of the second attempts")


@pytest.fixture
def worker(deployment: Deployment) -> Callable[[int], None]:
    """Bring the worker up anew with so many jobs at once."""

    def up(at_once: int) -> None:
        deployment.compose("up", "--detach", "--no-build", "worker", timeout=600, STUDIO_WORKERS=str(at_once))

    return up
