"""ReplayModel: answers with recorded calls instead of asking a provider. A recipe is one too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from studio.models.types import Abilities, Backoff, Message, OnText, Reply, ToolSchema, ignore_text
from studio.trajectory import Call, MadeBy


class ReplayModel:
    """Gives one Reply per recorded reply, whatever it is told; then `exhausted` ones."""

    backoff = Backoff(attempts=1)
    abilities = Abilities()

    def __init__(self, replies: Iterable[Sequence[Call]], made_by: MadeBy) -> None:
        self.made_by = made_by
        self._replies = tuple(tuple(calls) for calls in replies)
        self._next = 0

    @property
    def replies(self) -> tuple[tuple[Call, ...], ...]:
        """The calls of each reply."""
        return self._replies

    def query(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        timeout_s: float,
        on_text: OnText = ignore_text,
    ) -> Reply:
        """The next recorded reply; nothing is sent anywhere."""
        if self._next >= len(self._replies):
            return Reply(exhausted=True)
        calls = self._replies[self._next]
        self._next += 1
        return Reply(calls=calls)

    def restarted(self) -> ReplayModel:
        """The same sequence from its beginning, for a second sandbox."""
        return ReplayModel(self._replies, self.made_by)
