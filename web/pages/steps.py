"""A job's events as the steps that a person reads: what was said, each call with its result, each inspection."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from studio.trajectory import (
    Event,
    JobStarted,
    ModelFault,
    ModelReply,
    ModelRequest,
    NetworkUsed,
    Note,
    Reported,
    StateChanged,
    ToolCalled,
    ToolResult,
)

SHOWN_CHARS = 12_000  # of one text on a page; the whole of it is in the downloadable record


@dataclass(frozen=True)
class Passage:
    """A text as a page shows it: whole, or its head and tail with the number of characters left out between."""

    head: str
    tail: str = ""
    left_out: int = 0

    @property
    def lines(self) -> int:
        return self.head.count("\n") + self.tail.count("\n") + 1


def passage(text: str, limit: int = SHOWN_CHARS) -> Passage:
    """`text`, cut in its middle when it is longer than `limit` characters."""
    if len(text) <= limit:
        return Passage(text)
    head, tail = limit * 2 // 3, limit // 3
    return Passage(text[:head], text[-tail:], len(text) - head - tail)


@dataclass
class CallView:
    """One tool call: what it was asked, and its result once there is one."""

    id: str
    name: str
    arguments: JsonValue
    at: datetime
    result: ToolResult | None = None

    def argument(self, name: str) -> str:
        """One argument as text; empty where it was not given."""
        value = self.arguments.get(name) if isinstance(self.arguments, dict) else None
        return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    @property
    def title(self) -> str:
        """The call in one line."""
        if self.name == "execute_bash":
            lines = self.argument("command").strip().splitlines()
            return lines[0][:160] if lines else "(no command)"
        if self.name == "str_replace_editor":
            return f"{self.argument('command')} {self.argument('path')}"[:160].strip()
        return self.argument("summary")[:160] if self.name == "submit" else ""

    @property
    def asked(self) -> list[tuple[str, Passage]]:
        """What a person may want to read of the arguments: a name for each text, empty for a shell command."""
        if isinstance(self.arguments, str):
            return [("arguments, not JSON", passage(self.arguments))]
        if self.name == "execute_bash":
            return [("", passage(self.argument("command")))]
        known = self.arguments if isinstance(self.arguments, dict) else {}
        skipped = {"command", "path"} if self.name == "str_replace_editor" else set()
        return [(name, passage(self.argument(name))) for name in known if name not in skipped and self.argument(name)]

    @property
    def output(self) -> Passage | None:
        return passage(self.result.output) if self.result and self.result.output else None

    @property
    def failed(self) -> bool:
        result = self.result
        return bool(result and (result.is_error or result.timed_out or result.exit_status not in (None, 0)))


@dataclass
class Step:
    """One turn: a request, the reply, its calls, and whatever happened until the next request.

    Prepared programs have no turns; there a step is one call.
    """

    number: int
    attempt: int
    at: datetime
    first_seq: int = 0
    waiting: bool = False  # asked, no reply yet
    reply: ModelReply | None = None
    calls: list[CallView] = field(default_factory=list)
    reports: list[Reported] = field(default_factory=list)
    faults: list[ModelFault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    network: list[NetworkUsed] = field(default_factory=list)
    states: list[StateChanged] = field(default_factory=list)
    started: JobStarted | None = None

    @property
    def seconds(self) -> float:
        """Time of the reply and of the calls, in seconds."""
        spent = self.reply.seconds if self.reply else 0.0
        return spent + sum(call.result.seconds for call in self.calls if call.result)

    @property
    def tokens(self) -> int | None:
        usage = self.reply.usage if self.reply else None
        if usage is None or (usage.prompt_tokens is None and usage.completion_tokens is None):
            return None
        return (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)

    @property
    def slim(self) -> bool:
        """One edit and nothing said: a line is enough."""
        alone = len(self.calls) == 1 and self.calls[0].name == "str_replace_editor" and not self.calls[0].failed
        return alone and not (self.reply or self.reports or self.faults or self.notes)

    @property
    def empty(self) -> bool:
        """Nothing in it that a person would read (a change of state is told elsewhere)."""
        return not (self.waiting or self.reply or self.calls or self.reports or self.faults or self.notes)


def steps_of(events: Iterable[Event], first: int = 0) -> list[Step]:
    """The steps of a job in order, numbered from 1 over all its attempts; step 0 is what came before the first.

    With `first`, the events begin with that step's own first one.
    """
    steps: list[Step] = []
    calls: dict[tuple[int, str], CallView] = {}
    for event in events:
        if not steps:
            steps.append(Step(first, event.attempt, event.at, event.seq))
            if first:
                _take(steps[0], event, calls)
                continue
        step = steps[-1]
        if _opens(step, event) or event.attempt != step.attempt:
            step.waiting = False
            number = step.number if step.number and step.empty else step.number + 1
            step = Step(number, event.attempt, event.at, event.seq)
            steps.append(step)
        _take(step, event, calls)
    return steps


def _opens(step: Step, event: Event) -> bool:
    """Does a new step begin? With prepared programs nobody is asked, and each call is a step."""
    if isinstance(event, ModelRequest):
        return not (step.waiting and step.faults)  # asked again, after a failure
    if isinstance(event, ModelReply):
        return not step.waiting
    return isinstance(event, ToolCalled) and step.reply is None


def _take(step: Step, event: Event, calls: dict[tuple[int, str], CallView]) -> None:
    match event:
        case ModelRequest():
            step.waiting = True
        case ModelReply():
            step.reply, step.waiting = event, False
        case ToolCalled():
            call = CallView(event.id, event.name, event.arguments, event.at)
            calls[event.attempt, event.id] = call
            step.calls.append(call)
        case ToolResult():
            if known := calls.get((event.attempt, event.id)):
                known.result = event
        case Reported():
            step.reports.append(event)
        case ModelFault():
            step.faults.append(event)
        case Note():
            step.notes.append(event)
        case NetworkUsed():
            step.network.append(event)
        case StateChanged():
            step.states.append(event)
            if event.state not in ("running", "inspecting"):
                step.waiting = False
        case JobStarted():
            step.started = event
