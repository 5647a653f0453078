"""The last attempt of a record as a conversation: turns with their calls and results, and what was said between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from pydantic import JsonValue

from studio.trajectory import (
    Call,
    Event,
    Header,
    JobStarted,
    ModelFault,
    ModelReply,
    Note,
    Reported,
    ToolCalled,
    ToolResult,
    as_text,
)


@dataclass
class Turn:
    """A model's reply with its calls; or, without one, a call that was prepared. Results are by the call's id."""

    at: datetime
    reply: ModelReply | None
    calls: list[Call]
    parsed: dict[str, JsonValue] = field(default_factory=dict)  # arguments as they were carried out
    results: dict[str, ToolResult] = field(default_factory=dict)
    reports: list[Reported] = field(default_factory=list)


Said: TypeAlias = Turn | Note | ModelFault


def last_attempt(items: Iterable[Header | Event]) -> tuple[Header | None, list[Event]]:
    """The header, and the events from the last `job.started` on, where there is one."""
    header: Header | None = None
    events: list[Event] = []
    for item in items:
        if isinstance(item, Header):
            header = item
        elif isinstance(item, JobStarted):
            events = []
        else:
            events.append(item)
    return header, events


def turns_of(events: Iterable[Event]) -> list[Said]:
    """The turns of one attempt, and notes and the provider's failures between them, in order."""
    said: list[Said] = []
    of: dict[str, Turn] = {}
    last: Turn | None = None
    for event in events:
        match event:
            case ModelReply():
                last = Turn(event.at, event, list(event.calls))
                said.append(last)
                of.update((call.id, last) for call in event.calls)
            case ToolCalled():
                if event.id not in of:
                    last = Turn(
                        event.at, None, [Call(id=event.id, name=event.name, arguments=as_text(event.arguments))]
                    )
                    said.append(last)
                    of[event.id] = last
                of[event.id].parsed[event.id] = event.arguments
            case ToolResult() if event.id in of:
                of[event.id].results[event.id] = event
            case Reported() if last is not None:
                last.reports.append(event)
            case Note() | ModelFault():
                said.append(event)
    return said
