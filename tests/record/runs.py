"""The record of a short run of a model, as a job leaves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from studio.brief import Limits
from studio.contract import Report
from studio.trajectory import (
    Call,
    Event,
    Header,
    JobStarted,
    MadeBy,
    ModelFault,
    ModelReply,
    ModelRequest,
    Note,
    ReplyUsage,
    Reported,
    ToolCalled,
    ToolResult,
)
from tests.support.posters import BRIEF

START = datetime(2027, 1, 1, tzinfo=UTC)
HEADER = Header(
    made_by=MadeBy(model="openai:m"),
    brief=BRIEF,
    versions={"sandbox-studio": "1", "capabilities": "capabilities/1"},
    run={"seed": 7},
    image_digest="sha256:" + "a" * 64,
)


def bash(ident: str, command: str) -> Call:
    return Call(id=ident, name="execute_bash", arguments=f'{{"command":  "{command}"}}')


def turn(call: Call, output: str, text: str = "", **more: object) -> list[Event]:
    """A request, a reply with one call, and its result."""
    usage = ReplyUsage(prompt_tokens=1000, completion_tokens=40, cached_tokens=600, reasoning_tokens=10)
    return [
        ModelRequest(messages_sha256="0" * 64, messages_bytes=1, messages_count=1),
        ModelReply(
            text=text, reasoning="Hm.", calls=[call], usage=usage, environment_tokens=250, cost_usd=0.002, seconds=1.5
        ),
        ToolCalled(id=call.id, name=call.name, arguments=call.arguments),
        ToolResult.model_validate({"id": call.id, "output": output, "exit_status": 0, "seconds": 0.5, **more}),
    ]


def run_of_a_model() -> list[Event]:
    """Two sandboxes: the first is lost after one call; then two turns, a word of a person, a broken call, a report."""
    started = JobStarted(engine="local", limits=Limits().model_dump(), network="none")
    broken = Call(id="c3", name="execute_bash", arguments="{broken")
    events: list[Event] = [
        started.model_copy(),
        *turn(bash("c1", "ls"), "lost", files_changed=["output/a.txt", "old.py"]),
        started.model_copy(),
        ModelFault(status=429, message="slow down", will_retry_in_s=1.0),
        *turn(bash("c2", "make"), "all of it", "I make it.", shown="a part", files_changed=["output/a.txt", "make.py"]),
        Note(author="person", text="In blue, please."),
        *turn(broken, "not JSON", exit_status=None, is_error=True, files_changed=["make.py"]),
        Reported(report=Report(kind="poster", verdict="accept", checks=[], unmeasured=[], elapsed_s=1.0), repair=0),
    ]
    for number, event in enumerate(events, start=1):
        event.seq, event.at = number, START + timedelta(seconds=number)
    return events
