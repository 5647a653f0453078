"""A record in other forms: valid there, and the same calls when it is read back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from atif import Trajectory

from studio.agent.prompts import SYSTEM, prompt_hashes
from studio.kinds import get_kind
from studio.models import RecordedResult, read_recording
from studio.pipeline.exporting import Form, export
from studio.trajectory import Event, Header, MadeBy, ToolCalled, ToolResult, encode
from tests.record.runs import HEADER, run_of_a_model
from tests.support.posters import BRIEF

PREPARED: list[Event] = [
    ToolCalled(id="1", name="execute_bash", arguments={"command": "echo ✓"}),
    ToolResult(id="1", output="✓\n", exit_status=0),
    ToolCalled(id="2", name="submit", arguments={}),
]


def exported(form: Form, events: list[Event], header: Header = HEADER) -> Any:
    return json.loads(export(iter([header, *events]), form, "01a0"))


def test_atif_is_valid_and_holds_the_figures_of_each_step() -> None:
    value = exported("atif", run_of_a_model())
    found = Trajectory.model_validate(value)
    assert [step.source for step in found.steps] == ["user", "system", "agent", "user", "agent"]
    assert found.steps[0].message.startswith("The brief:")  # type: ignore[union-attr]
    assert found.steps[1].message == "The provider failed (429): slow down"
    agent = found.steps[2]
    assert (agent.message, agent.reasoning_content, agent.llm_call_count) == ("I make it.", "Hm.", 1)
    assert agent.metrics is not None
    assert (agent.metrics.prompt_tokens, agent.metrics.cached_tokens, agent.metrics.cost_usd) == (1000, 600, 0.002)
    assert agent.metrics.extra == {"seconds": 1.5, "reasoning_tokens": 10, "environment_tokens": 250}
    assert agent.observation is not None
    assert agent.observation.results[0].content == "a part"
    assert found.steps[4].extra == {"reports": [{"verdict": "accept", "repair": 0, "failed": []}]}
    assert found.agent.model_name == "openai:m"
    assert found.final_metrics is not None
    assert (found.final_metrics.total_prompt_tokens, found.final_metrics.total_cost_usd) == (2000, 0.004)


def test_prepared_programs_are_no_calls_of_a_model() -> None:
    found = Trajectory.model_validate(exported("atif", PREPARED, Header(made_by=MadeBy(recipe="poster/1"))))
    assert [step.llm_call_count for step in found.steps] == [0, 0]
    assert all(step.metrics is None for step in found.steps)
    assert found.agent.model_name is None
    assert "no model took part" in (found.notes or "")


def test_messages_are_a_conversation_with_the_prompts_that_are_still_in_use() -> None:
    hashes = prompt_hashes("poster", get_kind("poster").prompt(BRIEF))
    value = exported("openai", run_of_a_model(), HEADER.model_copy(update={"prompts": hashes}))
    roles = [message["role"] for message in value["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user", "assistant", "tool"]
    assert value["messages"][0]["content"] == SYSTEM
    assert value["messages"][1]["content"] == get_kind("poster").prompt(BRIEF)
    assert value["messages"][3] == {"role": "tool", "tool_call_id": "c2", "content": "a part"}
    assert value["messages"][4]["content"] == "In blue, please."
    assert {tool["function"]["name"] for tool in value["tools"]} == {"execute_bash", "str_replace_editor", "submit"}


@pytest.mark.parametrize("form", ["atif", "openai"])
@pytest.mark.parametrize("events", [run_of_a_model(), PREPARED])
def test_what_is_exported_is_read_back_as_the_same_calls(tmp_path: Path, form: Form, events: list[Event]) -> None:
    (tmp_path / "ours").write_text("\n".join(map(encode, (HEADER, *events))), encoding="utf-8")
    (tmp_path / "theirs").write_text(json.dumps(exported(form, events)), encoding="utf-8")
    ours, theirs = read_recording(tmp_path / "ours"), read_recording(tmp_path / "theirs")
    assert theirs.header == ours.header
    for mine, other in zip(ours.calls, theirs.calls, strict=True):
        assert (other.id, other.name) == (mine.id, mine.name)
        assert other.arguments == mine.arguments or json.loads(other.arguments) == json.loads(mine.arguments)
    if form == "atif" and events is PREPARED:
        assert theirs.results == (RecordedResult("✓\n", 0), None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"schema_version": "ATIF-v1.8", "steps": 3}', "/steps: must be a list"),
        ('{"schema_version": "ATIF-v1.8", "steps": [{"tool_calls": [3]}]}', "/steps/0/tool_calls/0: must be an object"),
        ('{"schema_version": "ATIF-v1.8", "steps": [3, {"message": "hi"}]}', "holds no tool call"),
        ('{"type": "tool.call", "id": 3}\n', "line 1 is no event of a trajectory: tool.call.id"),
        ("{}\n[]\n", "line 1 is no event of a trajectory"),
        ("what\n", "line 1 is not a JSON object"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "run").write_text(text)
    with pytest.raises(Exception, match="run|steps") as caught:
        read_recording(tmp_path / "run")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
