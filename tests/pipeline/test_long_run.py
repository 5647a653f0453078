"""A run of 300 steps with large outputs within a context of 32k tokens, and runs that get nowhere."""

from __future__ import annotations

import json
import math
from typing import Any

from studio.agent.loop import NO_CALL
from studio.models.openai import OpenAIModel
from studio.trajectory import ModelRequest, Note, ToolResult
from tests.pipeline.conftest import KEY, QUICK, Studio
from tests.support.openai_server import Answer, OpenAIServer, bash, says, scripted
from tests.support.posters import GOOD

CONTEXT = 32_768
STEPS = 300
SUBMIT = ("submit", {"summary": "Done."})
FULL_LIMITS = {"limits": {"steps": 400, "tokens": 100_000_000, "time_s": 3000}, "repairs": 3}


def tokens_of(request: dict[str, Any]) -> int:
    """A stern count: three bytes of the request's JSON, punctuation and all, for a token."""
    kept = {"messages": request["messages"], "tools": request["tools"]}
    return math.ceil(len(json.dumps(kept, ensure_ascii=False).encode()) / 3)


class Talkative:
    """Answers each request like a model that looks at a lot; counts what is sent as a provider does."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.extends = 0  # requests that begin with all of the one before
        self._before: list[Any] = []
        self.unpaired = 0

    def __call__(self, request: dict[str, Any]) -> Answer:
        messages = request["messages"]
        self.sizes.append(tokens_of(request))
        self.extends += messages[: len(self._before)] == self._before
        self._before = messages
        self.unpaired += not _paired(messages)
        usage = {"prompt_tokens": self.sizes[-1], "completion_tokens": 50, "total_tokens": self.sizes[-1] + 50}
        return says(f"Now step {len(self.sizes)}.", *self._calls(len(self.sizes)), usage=usage)

    @staticmethod
    def _calls(step: int) -> list[tuple[str, Any]]:
        if step == STEPS:
            return [bash(GOOD)]
        if step in (40, STEPS + 1):
            return [SUBMIT]
        if step % 5 == 0:
            program = f"# program {step}\n" + "print('a line of a program')\n" * 80
            path = f"/testbed/p{step % 20}.py"
            return [("str_replace_editor", {"command": "create", "path": path, "file_text": program})]
        if step % 15 == 1:
            return [bash(f"seq {step} {step + 4000}"), bash(f"seq -f 'row %g of the table' {step} {step + 100}")]
        return [bash(f"seq -f 'line %g: värde 数' {step} {step + 150}")]


def _paired(messages: list[Any]) -> bool:
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if not waiting or waiting.pop(0) != message["tool_call_id"]:
                return False
        elif waiting:
            return False
        waiting += [call["id"] for call in message.get("tool_calls") or []]
    return not waiting


def test_three_hundred_steps_stay_within_32k(studio: Studio) -> None:
    talk = Talkative()
    with OpenAIServer(talk) as server:
        model = OpenAIModel(scripted(server.url, context=CONTEXT), api_key=KEY, backoff=QUICK)
        outcome = studio.work(model, **FULL_LIMITS)
        model.close()
        last = json.dumps(server.requests[-1]["messages"], ensure_ascii=False)
    assert outcome.state == "published", outcome.message
    assert len(talk.sizes) == STEPS + 1
    assert max(talk.sizes) <= CONTEXT
    assert talk.unpaired == 0
    assert talk.extends >= 0.75 * STEPS, "the beginning seldom changes, so that a provider's cache holds"
    assert "Make a poster" in last or "Open Night" in last, "the task stays"
    assert "Not accepted" in last, "the last report stays"
    requests = studio.recorder.of(ModelRequest)
    assert requests[-1].left_out > 100
    assert max(request.folded for request in requests) > 10
    gone = [name for request in requests for name in request.newly_left_out]
    assert len(gone) == len(set(gone)) >= requests[-1].left_out, "the record says of each step when it was left out"
    folded = [name for request in requests for name in request.newly_folded]
    assert len(folded) == len(set(folded)) > 100
    kept = [result.output_file for result in studio.recorder.of(ToolResult) if result.output_file]
    assert len(kept) > 200, "the long outputs lie in files of the sandbox"


def test_going_in_a_circle_ends_the_run(studio: Studio) -> None:
    look, build = bash("ls /testbed/output"), bash("echo 'nothing built' >&2; false")
    outcome = studio.ask(*[says(None, call) for call in (look, build) * 6])
    assert (outcome.state, outcome.reason) == ("failed", "stuck")
    assert outcome.usage.steps == 6
    assert sum("circle" in note.text for note in studio.recorder.of(Note)) == 1


def test_nothing_but_empty_replies_ends_the_run(studio: Studio) -> None:
    outcome = studio.ask(says(""))
    assert (outcome.state, outcome.reason) == ("failed", "stuck")
    assert [note.text for note in studio.recorder.of(Note)] == [NO_CALL, NO_CALL]
