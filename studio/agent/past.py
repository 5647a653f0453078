"""What an agent has to know of a conversation that another computer began: its replies are repeated, not asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from studio.models.types import Reply
from studio.tools import Answer
from studio.trajectory import Call, Note, ToolResult


@dataclass(frozen=True)
class Repeated:
    """A recorded reply, and the number of the event that holds it."""

    seq: int
    reply: Reply


class Past(Protocol):
    """The recorded part of a conversation, given out in its order."""

    def notes(self) -> Sequence[Note]:
        """What the model is told before its next reply."""
        ...

    def reply(self) -> Repeated | None:
        """The next recorded reply; None when the model is to be asked."""
        ...

    def instead(self, call: Call) -> Answer | None:
        """The answer to a call that must not be carried out again; None for all others."""
        ...

    def came(self, result: ToolResult) -> None:
        """What a call came to now."""
        ...


class NoPast:
    """A conversation from its beginning."""

    def notes(self) -> Sequence[Note]:
        """Nothing."""
        return ()

    def reply(self) -> Repeated | None:
        """Nothing was said yet."""
        return None

    def instead(self, call: Call) -> Answer | None:
        """Every call is carried out."""
        return None

    def came(self, result: ToolResult) -> None:
        """There is nothing to compare with."""
