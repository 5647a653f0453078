"""`studio bench inspect`: the ratios are there in the promised form, and say whether their goal is met."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.bench.inspect import GOALS, Ratio, as_json, table


def test_the_goal_is_the_most_that_is_ok() -> None:
    assert Ratio("countdown_video", 3.0, 2.0, 4).verdict == "ok"
    assert Ratio("countdown_video", 3.1, 2.0, 4).verdict == "over"
    assert Ratio("travel_map", 4.1, 2.0, 0).verdict == "over"
    assert Ratio("poster", 90.0, 1.0, 0).verdict == "-"
    assert table([Ratio("travel_map", 3.0, 2.0, 0)]).splitlines()[1].split() == [
        "travel_map", "3.00", "s", "2.00", "s", "1.50", "2", "ok",
    ]  # fmt: skip
    assert as_json([Ratio("travel_map", 3.0, 2.0, 0)]) == {
        "travel_map": {
            "inspection_s": 3.0, "baseline_s": 2.0, "runs_of_tesseract": 0, "ratio": 1.5, "goal": 2.0, "verdict": "ok",
        }
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", GOALS)
def test_each_kind_is_measured(kind: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from studio.cli import main; main()", "bench", "inspect", "--json", "--kind", kind]
        + ["--repetitions", "1"],
        env={**os.environ, "STUDIO_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout)
    assert list(told) == [kind]
    assert told[kind]["inspection_s"] > 0
    assert told[kind]["baseline_s"] > 0
    assert told[kind]["goal"] == GOALS[kind]
    assert (told[kind]["runs_of_tesseract"] > 0) == (kind == "countdown_video")
