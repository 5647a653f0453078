"""`studio export`: records in other forms, which `studio replay` takes again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from atif import Trajectory

from studio.trajectory import MadeBy, ToolCalled, ToolResult, encode
from tests.record.runs import HEADER
from tests.support.command import run
from tests.support.posters import BRIEF, GOOD
from tests.web.seeding import brief
from tests.web.served import served


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The record of prepared calls that make the small poster."""
    header = HEADER.model_copy(update={"made_by": MadeBy(recipe="poster/1"), "brief": BRIEF})
    calls = [
        ToolCalled(id="1", name="execute_bash", arguments={"command": GOOD}),
        ToolResult(id="1", output="", exit_status=0),
        ToolCalled(id="2", name="submit", arguments={}),
    ]
    path = tmp_path / "trajectory.jsonl"
    path.write_text("\n".join(map(encode, (header, *calls))) + "\n", encoding="utf-8")
    return path


def test_what_is_exported_is_replayed_and_judged_by_its_brief(record: Path, tmp_path: Path) -> None:
    done = run("export", record.name, "--format", "openai", "--out", "chat.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    again = run("replay", "chat.json", "--out", "again", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert again.stdout.startswith("published  poster  Open Night")
    assert "of 2 results are as recorded; of 1 there is no record" in again.stderr


def test_atif_goes_to_standard_output(record: Path, tmp_path: Path) -> None:
    done = run("export", record.name, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = Trajectory.model_validate(json.loads(done.stdout))
    assert [step.llm_call_count for step in found.steps] == [None, 0, 0]


def test_a_recording_without_results_has_nothing_to_compare_with(tmp_path: Path) -> None:
    function = {"name": "execute_bash", "arguments": json.dumps({"command": "echo 1"})}
    (tmp_path / "bare.json").write_text(
        json.dumps([{"role": "assistant", "tool_calls": [{"id": "1", "function": function}]}])
    )
    done = run("replay", "bare.json", "--out", "here", cwd=tmp_path)
    assert "the recording holds no results, so there was nothing to compare with" in done.stderr
    assert "as recorded" not in done.stderr


def test_a_job_of_a_served_studio_is_exported(tmp_path: Path) -> None:
    with served(tmp_path / "data") as studio:
        job = studio.seed.rejected(brief("Far away"))
        settings = {"STUDIO_URL": studio.url}
        done = run("export", job.id, "--format", "openai", cwd=tmp_path, settings=settings)
        assert done.returncode == 0, done.stderr
        assert [m["role"] for m in json.loads(done.stdout)["messages"]][:2] == ["user", "assistant"]
        missing = run("export", job.id[:-4] + "0000", "--out", "none", cwd=tmp_path, settings=settings)
        assert missing.returncode == 2
        assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [("nowhere", "neither a file nor the id of a job"), ("wrong", "wrong is not a trajectory.jsonl: line 1 is no")],
)
def test_what_is_no_record_is_refused(tmp_path: Path, source: str, said: str) -> None:
    (tmp_path / "wrong").write_text("[]\n")
    done = run("export", source, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
