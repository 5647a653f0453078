"""Providers that fail and models that are weak, over real HTTP and in real sandboxes: each run ends as specified."""

from __future__ import annotations

import json

from studio.agent.loop import NO_CALL
from studio.models.openai import BY_TEXT
from studio.trajectory import ModelFault, ModelReply, ModelRequest, Note, ToolCalled, ToolResult
from tests.pipeline.conftest import KEY, Studio
from tests.support.openai_server import bash, delta, fails, says, streams
from tests.support.posters import GOOD

SUBMIT = ("submit", {"summary": "Done."})
ENOUGH = {"limits": {"steps": 12}}


def notes(studio: Studio) -> list[str]:
    return [note.text for note in studio.recorder.of(Note)]


def faults(studio: Studio) -> list[tuple[int | None, bool]]:
    return [(fault.status, fault.will_retry_in_s is not None) for fault in studio.recorder.of(ModelFault)]


def test_a_run_lives_through_a_bad_day_of_its_provider(studio: Studio) -> None:
    half = streams(delta(content="I beg"), done=False, usage=None, cut=True)
    outcome = studio.ask(
        fails(429, f"slow down, {KEY}", retry_after="0"),
        half,
        says("I make it.", bash(GOOD)),
        fails(500),
        fails(503, retry_after="0"),
        says("Done.", SUBMIT),
    )
    assert outcome.state == "published"
    assert outcome.usage.steps == 2
    assert faults(studio) == [(429, True), (None, True), (500, True), (503, True)]
    assert len(studio.recorder.of(ModelRequest)) == 2
    assert KEY not in "".join(event.model_dump_json() for event in studio.recorder.events)
    assert "I beg" in studio.recorder.printed
    assert "I make it." in studio.recorder.printed


def test_a_provider_that_stays_down_ends_the_run(studio: Studio) -> None:
    outcome = studio.ask(says(None, bash("echo begun")), *[fails(500, f"dead {KEY}")] * 5)
    assert (outcome.state, outcome.reason) == ("failed", "model_error")
    assert "after 3 attempts" in outcome.message
    assert KEY not in outcome.message
    assert faults(studio) == [(500, True), (500, True), (500, False)]


def test_a_conversation_that_grew_too_long_is_folded_and_goes_on(studio: Studio) -> None:
    too_long = fails(400, "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens.")
    outcome = studio.ask(
        says(None, bash("seq 4000")), says(None, bash("seq 3000")), too_long, says(None, bash(GOOD)), says(None, SUBMIT)
    )
    assert outcome.state == "published"
    assert faults(studio) == [(400, True)]
    sent = [json.dumps(request["messages"]) for request in studio.servers[0].requests]
    assert len(sent[3]) < len(sent[2])
    assert "left out to save room" in sent[3]


def test_a_conversation_that_nothing_shortens_ends_the_run(studio: Studio) -> None:
    outcome = studio.ask(fails(400, "prompt is too long: 9 tokens > 8 maximum"))
    assert (outcome.state, outcome.reason) == ("failed", "model_error")
    assert "longer than the model's context" in outcome.message
    assert faults(studio) == [(400, False)]


def test_a_server_without_tools_works_by_the_text_protocol(studio: Studio) -> None:
    call = json.dumps({"name": "execute_bash", "arguments": {"command": GOOD}})
    outcome = studio.ask(
        fails(400, "registry/gemma does not support tools"),
        says(f"I make it.\n```tool\n{call}\n```"),
        says('```tool\n{"name": "submit", "arguments": {"summary": "Done."}}\n```'),
    )
    assert outcome.state == "published"
    assert notes(studio) == [BY_TEXT]
    assert [call.name for call in studio.recorder.of(ToolCalled)] == ["execute_bash", "submit"]
    refused, first, second = studio.servers[0].requests
    assert "tools" in refused
    assert "tools" not in first
    assert second["messages"][-1]["content"].startswith("Result of execute_bash:")


def test_a_weak_model_is_understood_or_told(studio: Studio) -> None:
    """Every kind of odd reply in one run: what can be read is run, what cannot is answered with what was expected."""
    outcome = studio.ask(
        says(""),
        says(None, ("execute_bash", json.dumps(json.dumps({"command": "echo one"})))),
        says(None, ("execute_bash", '```json\n{"command": "echo two", "timeout": "60"}\n```')),
        says(None, ("execute_bash", "echo three"), ("execute_bash", "{'command': 'echo four', 'timeout': '5s',}")),
        says(
            None,
            ("str_replace_editor", {"command": "view", "path": "/testbed/input/brief.json", "view_range": "[1, 2]"}),
        ),
        says('<tool_call>{"name": "execute_bash", "arguments": {"command": "echo five"}}</tool_call>'),
        says(None, ("open_browser", {"url": "x"}), ("execute_bash", '{"command": "echo si')),
        says("Go on.\n" * 3000),
        says(f"```json\n{json.dumps({'name': 'execute_bash', 'arguments': {'command': GOOD}})}\n```"),
        says("I am done.\nAction: submit\nAction Input: {}"),
        **ENOUGH,
    )
    assert outcome.state == "published"
    results = studio.recorder.of(ToolResult)
    shown = [(result.shown or result.output).split("\n")[0] for result in results]
    assert shown[:5] == ["one", "two", "three", "four", "     1\t{"]
    assert [result.is_error for result in results] == [False] * 6 + [True, True] + [False] * 2
    assert "The tools are: execute_bash" in shown[6]
    assert "not JSON" in shown[7]
    told = notes(studio)
    assert told[0] == NO_CALL
    assert sum("written into the words" in note for note in told) == 3
    assert any("repeated itself" in note for note in told)
    long = next(reply for reply in studio.recorder.of(ModelReply) if "times in all" in reply.text)
    assert len(long.text) < 200


def test_endless_repetition_ends_the_run(studio: Studio) -> None:
    endless = streams(*[delta(content="Let me think about it.\n" * 100)] * 100, done=False, usage=None, hold=True)
    outcome = studio.ask(endless)
    assert (outcome.state, outcome.reason) == ("failed", "no_output")
    assert outcome.usage.steps == 3
    assert studio.servers[0].gone.is_set() or len(studio.servers[0].requests) == 3
