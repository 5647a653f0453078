"""`studio replay`: recorded runs done again, judged where there is a brief, compared always."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.trajectory import Header, ToolCalled, encode
from tests.support.command import run
from tests.support.openai_server import bash, says, serving
from tests.support.posters import BRIEF, GOOD, INCOMPLETE

SUBMIT = ("submit", {})


def messages(*steps: tuple[str, str]) -> list[dict[str, Any]]:
    """OpenAI messages of bash commands with the outputs that another harness recorded, ended by a submit."""
    told: list[dict[str, Any]] = []
    for number, (command, output) in enumerate(steps):
        function = {"name": "execute_bash", "arguments": json.dumps({"command": command})}
        told.append({"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]})
        told.append({"role": "tool", "tool_call_id": f"c{number}", "content": output})
    submit = {"id": "end", "function": {"name": "submit", "arguments": "{}"}}
    return [*told, {"role": "assistant", "tool_calls": [submit]}]


def saved(folder: Path, value: Any) -> str:
    (folder / "run.json").write_text(json.dumps(value))
    return "run.json"


def compared(folder: Path) -> list[str]:
    return [item["verdict"] for item in json.loads((folder / "comparison.json").read_text())]


def test_our_own_trajectory_is_done_again_and_judged_by_its_brief(tmp_path: Path) -> None:
    (tmp_path / "brief.json").write_text(json.dumps(BRIEF.model_dump(mode="json")))
    with serving(says("Make.", bash(GOOD), bash("cat /testbed/input/run.json")), says(None, SUBMIT)) as server:
        made = run(
            "make", "poster", "--brief", "brief.json", "--model", "openai:m", "--run", "seed=99", "--out", "first",
            cwd=tmp_path, settings={"STUDIO_OPENAI_BASE_URL": server.url},
        )  # fmt: skip
    assert made.returncode == 0, made.stderr
    done = run("replay", "first/trajectory.jsonl", "--out", "second", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["state"], told["verdict"], told["same"], told["different"]) == ("published", "accept", 3, 0)
    assert told["made_by"] == {"model": None, "recipe": None, "replay_of": "openai:m"}
    assert told["usage"]["prompt_tokens"] is None
    first, second = (tmp_path / name / "output" / "poster.png" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()


def test_messages_with_a_brief_are_judged(tmp_path: Path) -> None:
    (tmp_path / "brief.json").write_text(json.dumps(BRIEF.model_dump(mode="json")))
    path = saved(tmp_path, messages((INCOMPLETE, "")))
    done = run("replay", path, "--brief", "brief.json", "--out", "here", cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout.startswith("rejected (checks_failed)  poster")


def test_messages_without_a_brief_are_compared(tmp_path: Path) -> None:
    (tmp_path / "theme.json").write_text('{"colour": "green"}')
    steps = [
        ("cat /testbed/input/theme.json", 'Exit code: 0\n[STDOUT]\n{"colour": "green"}\n'),
        ("echo here > /testbed/output/a.txt; date +%N", "123456"),
    ]
    done = run(
        "replay",
        saved(tmp_path, {"messages": messages(*steps)}),
        "--attach",
        "theme.json",
        "--out",
        "here",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here" / "output" / "a.txt").read_text() == "here\n"
    assert compared(tmp_path / "here") == ["same", "differs", "unrecorded"]
    assert "call 2 (execute_bash) differs" in done.stderr
    assert not (tmp_path / "here" / "brief.json").exists()


@pytest.mark.parametrize(
    ("recorded", "said"),
    [
        (messages(("true", "")), "the output folder is empty"),
        (messages(("echo x > /testbed/output/x", ""))[:-1], "do not end with a submit"),
    ],
)
def test_without_a_submit_or_a_file_it_fails(tmp_path: Path, recorded: Any, said: str) -> None:
    done = run("replay", saved(tmp_path, recorded), "--out", "here", cwd=tmp_path)
    assert done.returncode == 4
    assert said in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "holds no tool call"), ("what", "neither a trajectory"), ('{"messages": []}', "holds no tool call")],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "run.json").write_text(text)
    done = run("replay", "run.json", "--out", "here", cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "here").exists()


def test_a_recording_without_an_end_is_refused(tmp_path: Path) -> None:
    done = run("replay", "/dev/zero", "--out", "here", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "larger than 512 MiB" in done.stderr


def test_nothing_that_a_run_needs_is_replaced_by_its_result(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    (folder / "output").mkdir(parents=True)
    (folder / "output" / "logo.png").write_bytes(b"mine")
    record = folder / "trajectory.jsonl"
    record.write_text(
        "\n".join(map(encode, (Header(), ToolCalled(id="1", name="execute_bash", arguments={"command": "ls"}))))
    )
    before = record.read_text()
    values = ("params.event.name=A", "params.event.date=B", "params.event.venue=C")
    brief = [word for value in values for word in ("--set", value)]
    for words in (
        ["replay", "here/trajectory.jsonl", "--out", "here"],
        ["make", "poster", *brief, "--attach", "here/output/logo.png", "--out", "here"],
    ):
        done = run(*words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "lies in --out here" in done.stderr
    assert record.read_text() == before
    assert (folder / "output" / "logo.png").read_bytes() == b"mine"
