"""A conversation that goes on in a new computer: recorded calls are repeated there, their results compared.

No recorded reply is asked for again. What a repeated call comes to is what the conversation goes on with, for that is
how the new computer stands; where it differs from the record the model is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from studio.agent import Budget, Recorder
from studio.agent.past import Repeated
from studio.models import RecordedResult, Reply
from studio.pipeline.comparison import difference
from studio.sandboxes.types import ResourceUse, Sandbox
from studio.tools import Answer
from studio.trajectory import (
    Call,
    Event,
    JobStarted,
    ModelFault,
    ModelReply,
    ModelRequest,
    NetworkUsed,
    Note,
    SandboxUsed,
    StateChanged,
    ToolCalled,
    ToolResult,
    Usage,
)

MAX_TOLD = 20
LOST_UNDER_IT = "The computer was lost while this call was under way; it was not carried out again."


@dataclass(frozen=True)
class _Read:
    """What the events of all computers so far say of the conversation."""

    replies: tuple[Repeated, ...]
    results: dict[str, ToolResult]  # what each call came to last
    notes: dict[int, list[Note]]  # a person's words, by how many replies came before them
    unanswered: int | None  # number of a request whose reply was lost on its way
    under_way: frozenset[str]  # calls without a result on the last computer


def _read(events: Sequence[Event]) -> _Read:
    replies: list[Repeated] = []
    results: dict[str, ToolResult] = {}
    notes: dict[int, list[Note]] = {}
    count, asked = 0, None
    open_calls: set[str] = set()
    for event in events:
        match event:
            case JobStarted():
                count, asked = 0, None
                open_calls.clear()
            case ModelRequest():
                asked = event.seq
            case ModelFault(will_retry_in_s=None):
                asked = None
            case ModelReply():
                count, asked = count + 1, None
                if event.replayed is None:
                    replies.append(Repeated(event.seq, _reply(event)))
            case ToolCalled():
                open_calls.add(event.id)
            case ToolResult():
                open_calls.discard(event.id)
                results[event.id] = event
            case Note(author="person", replayed=None):
                notes.setdefault(count, []).append(event)
    return _Read(tuple(replies), results, notes, asked, frozenset(open_calls))


def _reply(event: ModelReply) -> Reply:
    return Reply(
        text=event.text,
        reasoning=event.reasoning,
        calls=tuple(event.calls),
        finish_reason=event.finish_reason,
        usage=event.usage,
        seconds=event.seconds,
        request_id=event.request_id,
    )


def count_before(events: Sequence[Event], budget: Budget) -> None:
    """Count what the attempts of these events took beside tokens and cost, which count as replies are repeated."""
    budget.usage = used_before(events)
    budget.before_s = budget.usage.wall_s
    for event in events:
        if isinstance(event, SandboxUsed):
            budget.count_sandbox(ResourceUse(event.peak_memory_bytes, event.cpu_s, event.bytes_written))
        elif isinstance(event, NetworkUsed):
            budget.count_fetched(event)


def used_before(events: Sequence[Event]) -> Usage:
    """How long the attempts of these events, their calls and their inspections took, in seconds.

    An attempt lasts from its first event to its last one. How long a killed worker went on after that is not known.
    """
    names = {(event.attempt, event.id): event.name for event in events if isinstance(event, ToolCalled)}
    spans: dict[int, tuple[Event, Event]] = {}
    usage = Usage()
    for event in events:
        if isinstance(event, StateChanged) and event.state == "queued":  # before it began, or when it was given back
            continue
        spans[event.attempt] = (spans.get(event.attempt, (event, event))[0], event)
        if isinstance(event, ToolResult):
            if names.get((event.attempt, event.id)) == "submit":
                usage.inspect_s += event.seconds
            else:
                usage.tool_s += event.seconds
    usage.wall_s = sum(max(0.0, (last.at - first.at).total_seconds()) for first, last in spans.values())
    return usage


class Resumption:
    """The recorded part of one conversation, for the agent on a new computer (studio.agent.past.Past).

    `lost` says why the computer before was lost, where that was not the whole worker: the call that was under way then
    may be what ended it, and is not carried out again.
    """

    def __init__(self, events: Sequence[Event], lost: str | None = None) -> None:
        self._read = _read(events)
        self._lost = lost
        self._given = 0
        self._told = not self._read.replies
        self._differences: list[str] = []
        self._calls = 0

    @property
    def rest(self) -> tuple[Reply, ...]:
        """The recorded replies that were not repeated."""
        return tuple(item.reply for item in self._read.replies[self._given :])

    @property
    def repeats_s(self) -> float:
        """Seconds that the calls which are repeated took before."""
        ids = {call.id for item in self._read.replies for call in item.reply.calls}
        return sum(result.seconds for name, result in self._read.results.items() if name in ids)

    @property
    def begins(self) -> str:
        """What the record says of it, at its beginning."""
        count = len(self._read.replies)
        words = []
        if count:
            what = "1 reply is repeated" if count == 1 else f"{count} replies are repeated"
            words.append(f"Goes on from the record: {what}, and not asked for again.")
        if self._read.unanswered is not None:
            words.append(
                f"The reply to the request of event {self._read.unanswered} was lost on its way, if one came. "
                "It is asked for again; a provider may count both."
            )
        return " ".join(words)

    def notes(self) -> Sequence[Note]:
        """A person's words at their place; at the end of the past, what has come of it."""
        found = self._read.notes.pop(self._given, [])
        notes = [Note(author=note.author, text=note.text, replayed=note.seq) for note in found]
        if not self._told and self._given == len(self._read.replies):
            self._told = True
            notes.append(Note(text=self._outcome()))
        return notes

    def reply(self) -> Repeated | None:
        """The next recorded reply."""
        if self._given == len(self._read.replies):
            return None
        self._given += 1
        return self._read.replies[self._given - 1]

    def instead(self, call: Call) -> Answer | None:
        """A call that a computer was lost under is answered with that; a submit only looks, and may be done again."""
        if call.name == "submit" or self._told:
            return None
        before = self._read.results.get(call.id)
        fatal = self._lost is not None and call.id in self._read.under_way
        if fatal or (before is not None and before.output == LOST_UNDER_IT):
            return Answer(shown=LOST_UNDER_IT, is_error=True)
        return None

    def came(self, result: ToolResult) -> None:
        """Compare a repeated call's result with the recorded one."""
        if self._told:
            return
        self._calls += 1
        call = self._called(result.id)
        before = self._read.results.get(result.id)
        if before is None or call is None or call.name == "submit":
            return  # there is nothing to compare, or the report speaks for itself
        if detail := difference(RecordedResult(before.output, before.exit_status), result):
            self._differences.append(f"- call {self._calls}, {_named(call)}: {detail}")

    def _called(self, call_id: str) -> Call | None:
        calls = (call for item in self._read.replies[: self._given] for call in item.reply.calls)
        return next((call for call in calls if call.id == call_id), None)

    def _outcome(self) -> str:
        why = f" ({self._lost})" if self._lost else ""
        lines = [
            f"The computer that you worked on was lost{why}. This is a new one, on which all {self._calls} calls so "
            "far were carried out again. Programs that ran in the background may not run any more."
        ]
        if self._differences:
            lines.append("These came to another result than before; what stands above is how it is now:")
            lines += self._differences[:MAX_TOLD]
            if len(self._differences) > MAX_TOLD:
                lines.append(f"… and {len(self._differences) - MAX_TOLD} more.")
        else:
            lines.append("Every result that can be compared is as it was.")
        return "\n".join(lines)


def _named(call: Call) -> str:
    return f"{call.name} {call.arguments[:120]}"


@dataclass
class Remembering:
    """A recorder that also keeps what the conversation is made of, for a second computer."""

    inner: Recorder
    events: list[Event] = field(default_factory=list)

    def record(self, event: Event) -> None:
        self.inner.record(event)
        if isinstance(event, JobStarted | ModelRequest | ModelReply | ModelFault | ToolCalled | ToolResult | Note):
            self.events.append(event)

    def live(self, call_id: str, text: str) -> None:
        self.inner.live(call_id, text)

    def check(self) -> None:
        self.inner.check()

    def opened(self, sandbox: Sandbox) -> None:
        self.inner.opened(sandbox)

    def closed(self) -> None:
        self.inner.closed()
