"""`studio bench jobs`: a worker of its own makes jobs, on each engine, and the figures are there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandboxes.conftest import ENGINES

FIGURES = ["workers", "jobs", "per_minute", "wall_s", "tool_s", "inspect_s", "own_s", "own_share"]
SMALL = ("--kind", "poster", "--workers", "1", "--jobs", "1")


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_jobs_a_minute_and_the_share_of_a_jobs_time_that_is_the_studios(name: str, tmp_path: Path) -> None:
    own = tmp_path / "data"
    others = {
        "STUDIO_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "STUDIO_BROKER_URL": "redis://127.0.0.1:1/0",
    }
    program = [sys.executable, "-c", "from studio.cli import main; main()", "bench", "jobs"]
    done = subprocess.run(
        [*program, *SMALL, "--engine", name, "--json"],
        env={**os.environ, **others, "STUDIO_DATA_DIR": str(own)},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["kind"] == "poster"
    [pace] = told["paces"]
    assert list(pace) == FIGURES
    assert (pace["workers"], pace["jobs"]) == (1, 1)
    assert pace["wall_s"] == pytest.approx(pace["tool_s"] + pace["inspect_s"] + pace["own_s"], abs=0.01)
    assert min(pace["tool_s"], pace["inspect_s"], pace["own_s"]) > 0
    assert pace["per_minute"] == pytest.approx(60 / pace["wall_s"], rel=0.01)
    assert pace["own_share"] == pytest.approx(pace["own_s"] / pace["wall_s"], rel=0.01)
    assert "1 workers: 1 jobs done" in done.stderr
    assert not (own / "studio.db").exists(), "it makes its jobs in a studio of its own"
