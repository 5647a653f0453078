"""Open work on the command line: made by a model, made again from its record, refused, judged by itself."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import run
from tests.support.openai_server import bash, says, serving

BRIEF = {
    "kind": "open",
    "title": "Tides",
    "prompt": "A page that shows the figures of tides.csv, and the table.",
    "params": {
        "deliverables": [
            {"path": "index.html", "media_type": "text/html"},
            {"path": "data/tides.csv", "media_type": "text/csv", "must": True},
            {"path": "notes.md", "media_type": "text/markdown"},
        ]
    },
}
PAGE = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tides</title></head><body><h1>Tides</h1>'
    '<table id="t"></table><script>fetch("data/tides.csv").then(r => r.text()).then(text => { t.innerHTML = '
    'text.trim().split("\\n").map(row => "<tr><td>" + row.split(",").join("</td><td>")).join("") })</script>'
    "</body></html>"
)
TABLE = "mkdir -p /testbed/output/data; printf 'day,height\\n1,3.2\\n2,3.4\\n' > /testbed/output/data/tides.csv"
MAKE = f"{TABLE}\ncat > /testbed/output/index.html <<'X'\n{PAGE}\nX"
SUBMIT = ("submit", {})


def test_a_model_makes_it_and_its_record_makes_it_again(tmp_path: Path) -> None:
    (tmp_path / "brief.json").write_text(json.dumps(BRIEF))
    ragged = bash(f"{MAKE}\necho 3 >> /testbed/output/data/tides.csv")
    answers = [says("The page.", ragged), says(None, SUBMIT), says(None, bash(TABLE)), says("Done.", SUBMIT)]
    with serving(*answers) as server:
        done = run(
            "make", "open", "--brief", "brief.json", "--model", "openai:scripted", "--out", "one", cwd=tmp_path,
            settings={"STUDIO_OPENAI_BASE_URL": server.url, "STUDIO_OPENAI_API_KEY": "sk-scripted-key-000"},
        )  # fmt: skip
        told = server.requests[2]["messages"][-1]["content"]
    assert done.stdout == "published  open  Tides  one\n", done.stderr
    assert "csv.parses (must, fail): data/tides.csv, line 4" in told
    report = json.loads((tmp_path / "one" / "report.json").read_text())
    assert "notes.md" not in json.dumps(report["checks"]), "what may be absent and is has no line"
    assert [preview["path"] for preview in report["previews"]] == ["thumbnail.webp"]
    again = run(
        "make", "open", "--brief", "brief.json", "--model", "replay:one/trajectory.jsonl", "--out", "two", cwd=tmp_path
    )
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "two/output/index.html").read_bytes() == (tmp_path / "one/output/index.html").read_bytes()
    (tmp_path / "one/output/notes.md").write_bytes(b"\xff\xfe")
    judged = run("inspect", "one/output", "--brief", "brief.json", cwd=tmp_path)
    assert judged.returncode == 3
    assert "FAIL  text.readable" in judged.stdout


def test_without_a_model_it_is_refused_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "brief.json").write_text(json.dumps(BRIEF))
    done = run("make", "open", "--brief", "brief.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "/run/model" in done.stderr
    assert "openai:MODEL" in done.stderr
    assert not (tmp_path / "studio-out").exists()
