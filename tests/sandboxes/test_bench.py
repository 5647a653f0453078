"""`studio bench sandbox`: the figures are there in the promised form."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


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


def test_the_table_for_a_person(tmp_path: Path) -> None:
    text = bench("--starts", "1", "--calls", "1", data_dir=tmp_path)
    assert "start, first answer (median)" in text
    assert "(to reach: 60 ms)" in text
