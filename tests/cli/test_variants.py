"""Variants and seeds on the command line: the same brief, works that differ; the same seed, the same work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.support.posters import BRIEF

ARGV = [sys.executable, "-c", "from studio.cli import main; main()", "make", "poster"]


def test_two_of_a_brief_look_different_and_a_seed_is_kept(tmp_path: Path) -> None:
    brief = tmp_path / "brief.json"
    brief.write_text(BRIEF.model_dump_json(), encoding="utf-8")
    words = ["--brief", str(brief), "--seed", "5", "--json"]
    both = subprocess.run(
        [*ARGV, *words, "--variants", "2", "--out", str(tmp_path / "both")], text=True, capture_output=True, timeout=300
    )
    assert both.returncode == 0, both.stderr
    told = [json.loads(line) for line in both.stdout.splitlines()]
    assert [item["state"] for item in told] == ["published", "published"]
    one = subprocess.run([*ARGV, *words, "--out", str(tmp_path / "one")], text=True, capture_output=True, timeout=300)
    assert one.returncode == 0, one.stderr
    drawn = [
        (tmp_path / folder / "output/poster.svg").read_bytes() for folder in ("both/variant-1", "both/variant-2", "one")
    ]
    assert drawn[0] != drawn[1], "another seed, another design"
    assert drawn[0] == drawn[2], "the first variant is the work of the seed itself"
