"""`studio bench sandbox`: the figures are there in the promised form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandboxes.conftest import ENGINES, NOT_ASKED


def bench(*arguments: str, data_dir: Path) -> str:
    return subprocess.run(
        [sys.executable, "-c", "from studio.cli import main; main()", "bench", "sandbox", *arguments],
        env={**os.environ, "STUDIO_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_the_figures_as_json(tmp_path: Path) -> None:
    told = json.loads(bench("--json", "--engine", "local", "--starts", "2", "--calls", "5", data_dir=tmp_path))
    assert list(told) == ["local"]
    assert list(told["local"]) == ["start_ms", "call_ms", "remove_ms", "write_5mb_ms", "idle_mb"]
    assert list(told["local"]["start_ms"]) == ["median", "p95"]
    assert told["local"]["start_ms"]["p95"] >= told["local"]["start_ms"]["median"] > 0
    assert 1 < told["local"]["idle_mb"] <= 8


@pytest.mark.skipif("docker" not in ENGINES, reason=NOT_ASKED)
def test_a_docker_engine_is_measured_beside_a_plain_container(tmp_path: Path) -> None:
    told = json.loads(bench("--json", "--engine", "docker", "--starts", "1", "--calls", "5", data_dir=tmp_path))
    assert list(told) == ["docker", "baseline"]
    assert list(told["baseline"]) == list(told["docker"])
    assert told["baseline"]["remove_ms"] >= 5000 > told["docker"]["remove_ms"]
    assert told["baseline"]["call_ms"] > told["docker"]["call_ms"] > 0


def test_the_table_for_a_person(tmp_path: Path) -> None:
    text = bench("--engine", "local", "--starts", "1", "--calls", "1", data_dir=tmp_path)
    assert "start, first answer (median)" in text
    assert "(to reach: 60 ms)" in text
