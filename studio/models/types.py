"""What answers: a Model takes messages and tools and gives a Reply. Types only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from studio.brief import JsonObject
from studio.trajectory import Call, MadeBy, ReplyUsage


@dataclass(frozen=True)
class Message:
    """One message of a conversation, in the roles of the OpenAI chat format."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[Call, ...] = ()
    call_id: str | None = None


@dataclass(frozen=True)
class ToolSchema:
    """A tool as a model is told of it: `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True)
class Reply:
    """What the model said, and the calls that it made. `exhausted`: a replay has no further call."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: str | None = None
    usage: ReplyUsage | None = None
    seconds: float = 0.0
    request_id: str | None = None
    exhausted: bool = field(default=False)


class Model(Protocol):
    """A provider, or a recorded sequence of calls."""

    made_by: MadeBy

    def query(self, messages: Sequence[Message], tools: Sequence[ToolSchema], timeout_s: float) -> Reply:
        """The next reply. Raises ModelError when the provider refuses or stays down past its retries."""
        ...
