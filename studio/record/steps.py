"""A job's events as steps: what was asked and said, each call with its result, each inspection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from studio.capabilities import CAPABILITIES, Capability
from studio.trajectory import (
    CapabilityUse,
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


@dataclass
class StepCall:
    """One tool call: what it was asked, and its result once there is one.

    `folded_at` and `left_out_at` are the steps from which on the model saw no more than a line of the result, or of the
    whole step, to save room in its context.
    """

    id: str
    name: str
    arguments: JsonValue
    at: datetime
    capabilities: list[Capability] = field(default_factory=list)
    result: ToolResult | None = None
    folded_at: int | None = None
    left_out_at: int | None = None

    @property
    def again(self) -> str:
        """How the model could see the result again: the file that holds it, or "" where the call itself shows it."""
        return (self.result.output_file if self.result else None) or ""

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
    request: ModelRequest | None = None  # the last one
    reply: ModelReply | None = None
    calls: list[StepCall] = field(default_factory=list)
    reports: list[Reported] = field(default_factory=list)
    faults: list[ModelFault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    network: list[NetworkUsed] = field(default_factory=list)
    states: list[StateChanged] = field(default_factory=list)
    started: JobStarted | None = None

    @property
    def model_s(self) -> float | None:
        """How long the model's reply took, in seconds; None where there is none."""
        return self.reply.seconds if self.reply else None

    @property
    def tool_s(self) -> float:
        """How long the calls took, in seconds."""
        return sum(call.result.seconds for call in self.calls if call.result)

    @property
    def seconds(self) -> float:
        """Time of the reply and of the calls, in seconds."""
        return (self.model_s or 0.0) + self.tool_s

    @property
    def tokens(self) -> int | None:
        """Tokens in and out."""
        usage = self.reply.usage if self.reply else None
        if usage is None or (usage.prompt_tokens is None and usage.completion_tokens is None):
            return None
        return (usage.prompt_tokens or 0) + (usage.completion_tokens or 0)

    @property
    def capabilities(self) -> list[Capability]:
        """What its calls use."""
        return [name for name in CAPABILITIES if any(name in call.capabilities for call in self.calls)]

    @property
    def slim(self) -> bool:
        """One edit and nothing said: a line is enough."""
        alone = len(self.calls) == 1 and self.calls[0].name == "str_replace_editor" and not self.calls[0].failed
        return alone and not (self.reply or self.reports or self.faults or self.notes or self.network)

    @property
    def empty(self) -> bool:
        """Nothing in it that a person would read (a change of state is told elsewhere)."""
        return not (
            self.waiting or self.reply or self.calls or self.reports or self.faults or self.notes or self.network
        )


def steps_of(events: Iterable[Event], first: int = 0) -> list[Step]:
    """The steps of a job in order, numbered from 1 over all its attempts; step 0 is what came before the first.

    With `first`, the events begin with that step's own first one.
    """
    steps: list[Step] = []
    calls: dict[tuple[int, str], StepCall] = {}
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


def _take(step: Step, event: Event, calls: dict[tuple[int, str], StepCall]) -> None:
    match event:
        case ModelRequest():
            step.waiting, step.request = True, event
            for name in event.newly_folded:
                if known := calls.get((event.attempt, name)):
                    known.folded_at = step.number
            for name in event.newly_left_out:
                if known := calls.get((event.attempt, name)):
                    known.left_out_at = step.number
        case ModelReply():
            step.reply, step.waiting = event, False
        case ToolCalled():
            call = StepCall(event.id, event.name, event.arguments, event.at, event.capabilities)
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


def capability_use(steps: Sequence[Step]) -> CapabilityUse:
    """How many calls of these steps use what."""
    use = CapabilityUse()
    for step in steps:
        for call in step.calls:
            use.count(call.capabilities)
    return use
