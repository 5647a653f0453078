"""Reading recorded runs: our own trajectories, OpenAI messages, and what is neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from studio.errors import BriefError
from studio.models import RecordedResult, read_recording
from studio.trajectory import (
    Call,
    Header,
    JobStarted,
    MadeBy,
    ModelReply,
    ToolCalled,
    ToolResult,
    encode,
)


def call(ident: str, name: str, **arguments: Any) -> dict[str, Any]:
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "…"},
    {"role": "user", "content": "Make it."},
    {"role": "assistant", "content": "Both.", "tool_calls": [call("a", "execute_bash", command="ls"), call("b", "x")]},
    {"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "no such tool"}]},
    {"role": "tool", "tool_call_id": "a", "content": "brief.json"},
    {"role": "assistant", "content": "Just words."},
    {"role": "assistant", "tool_calls": [call("a", "submit")]},
]


def saved(folder: Path, text: str) -> Path:
    path = folder / "run"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("value", [MESSAGES, {"task": "t", "messages": MESSAGES}])
def test_openai_messages_become_replies_with_their_results(tmp_path: Path, value: Any) -> None:
    recording = read_recording(saved(tmp_path, json.dumps(value)))
    assert [[c.name for c in reply] for reply in recording.replies] == [["execute_bash", "x"], ["submit"]]
    assert recording.results == (RecordedResult("brief.json"), RecordedResult("no such tool"), None)
    assert recording.header is None


def test_the_last_attempt_of_a_trajectory_is_read(tmp_path: Path) -> None:
    started = JobStarted(engine="local", limits={}, network="none")
    made = Call(id="c1", name="execute_bash", arguments='{"command": "echo \u2028 ✓"}')
    items = [
        Header(made_by=MadeBy(model="openai:m"), run={"seed": 7}),
        started,
        ModelReply(calls=[Call(id="c1", name="execute_bash", arguments='{"command": "false"}')]),
        started,
        ModelReply(text="Thinking."),
        ModelReply(calls=[made]),
        ToolCalled(id="c1", name="execute_bash", arguments={"command": "echo \u2028 ✓"}),
        ToolResult(id="c1", output="✓", exit_status=0),
    ]
    recording = read_recording(saved(tmp_path, "\n".join(encode(item) for item in items) + "\n"))
    assert recording.replies == ((made,),)
    assert recording.results == (RecordedResult("✓", 0),)
    assert recording.origin == "openai:m"


def test_a_recipes_trajectory_is_read_from_its_calls(tmp_path: Path) -> None:
    items = [
        Header(made_by=MadeBy(recipe="poster/1")),
        ToolCalled(id="1", name="execute_bash", arguments={"command": "ls"}),
        ToolCalled(id="2", name="submit", arguments="{broken"),
    ]
    recording = read_recording(saved(tmp_path, "\n".join(map(encode, items))))
    assert [c.arguments for c in recording.calls] == ['{"command": "ls"}', "{broken"]
    assert recording.origin == "recipe poster/1"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no tool call"),
        ("not json", "neither"),
        ('{"messages": 3}', "list of chat messages"),
        ('{"messages": [3]}', "object with a role"),
        ('[{"role": "assistant", "tool_calls": [{}]}]', "name and arguments"),
        ('[{"role": "user", "content": "hi"}]', "no tool call"),
        ('{"type": "header"}', "no tool call"),
        ('{"type": "strange"}', "neither"),
    ],
)
def test_what_cannot_be_replayed_is_refused_in_words(tmp_path: Path, text: str, word: str) -> None:
    with pytest.raises(BriefError, match=word):
        read_recording(saved(tmp_path, text))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BriefError, match="not UTF-8"):
        read_recording(path)
