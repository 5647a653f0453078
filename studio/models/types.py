"""What answers: a Model takes messages and tools and gives a Reply. Types only."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from studio.brief import JsonObject
from studio.trajectory import Call, MadeBy, ReplyUsage

OnText: TypeAlias = Callable[[str], None]  # gets each piece of a reply as it comes; may raise, which ends the reply


@dataclass(frozen=True)
class Picture:
    """A picture for a model that sees images: an encoded file, never decoded outside a sandbox. Sizes in pixels."""

    media_type: str
    content: bytes = field(repr=False)
    width: int = 0
    height: int = 0

    @property
    def tokens(self) -> int:
        """What it takes in a prompt, estimated: 85 and one for each 750 pixels.

        Providers count differently (by tiles of 512 pixels, or patches of 28); this lies at the upper end of them.
        """
        return 85 + -(-(self.width or 1024) * (self.height or 1024) // 750)


@dataclass(frozen=True)
class Message:
    """One message of a conversation, in the roles of the OpenAI chat format. Only a user message shows pictures.

    `passing` marks the studio's own words about the moment, which may be left out later; a person's are kept.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    calls: tuple[Call, ...] = ()
    call_id: str | None = None
    pictures: tuple[Picture, ...] = ()
    passing: bool = False


@dataclass(frozen=True)
class ToolSchema:
    """A tool as a model is told of it: `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: JsonObject


@dataclass(frozen=True)
class Reply:
    """What the model said, and the calls that it made. `exhausted`: a replay has no further call.

    `remarks` say how the reply was read, for the record; `advice` is for the model, about what was wrong with it.
    """

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: str | None = None
    usage: ReplyUsage | None = None
    seconds: float = 0.0
    request_id: str | None = None
    exhausted: bool = field(default=False)
    remarks: tuple[str, ...] = ()
    advice: str = ""


@dataclass(frozen=True)
class Backoff:
    """How often one reply is asked for, and how long is waited in between: doubling, with a quarter of jitter."""

    attempts: int = 5
    first_s: float = 1.0
    most_s: float = 30.0

    def wait_s(self, failed: int) -> float:
        """Seconds to wait after so many failed attempts (from 1)."""
        return min(self.most_s, self.first_s * 2.0 ** (failed - 1)) * random.uniform(0.75, 1.25)


@dataclass(frozen=True)
class Abilities:
    """What a model can take: tokens of context (None where unknown), and whether it sees pictures."""

    context: int | None = None
    images: bool = False


def ignore_text(_: str) -> None:
    """For a caller that has no use for the pieces of a reply."""


class Model(Protocol):
    """A provider, or a recorded sequence of calls."""

    made_by: MadeBy
    backoff: Backoff
    abilities: Abilities

    def query(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        timeout_s: float,
        on_text: OnText = ignore_text,
    ) -> Reply:
        """The next reply, by one attempt within `timeout_s` seconds; pieces of it go to `on_text` as they come.

        Raises ModelError, whose `retry` says whether another attempt may help, and ContextLengthExceeded.
        """
        ...
