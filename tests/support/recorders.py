"""A recorder that keeps everything in memory, and does what a test asks when something is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from studio.sandboxes.types import Sandbox
from studio.trajectory import Event

E = TypeVar("E")


class MemoryRecorder:
    """Keeps events in order. `on_event`, `on_live` and `on_check` may raise, as a cancel does."""

    def __init__(
        self,
        on_event: Callable[[Event], None] | None = None,
        on_live: Callable[[str], None] | None = None,
        on_check: Callable[[], None] | None = None,
    ) -> None:
        self.events: list[Event] = []
        self.printed = ""
        self.sandboxes: list[Sandbox] = []
        self.open = 0
        self._on_event = on_event
        self._on_live = on_live
        self._on_check = on_check

    def record(self, event: Event) -> None:
        self.events.append(event.model_copy(update={"seq": len(self.events) + 1}))
        if self._on_event:
            self._on_event(event)

    def live(self, call_id: str, text: str) -> None:
        self.printed += text
        if self._on_live:
            self._on_live(text)

    def check(self) -> None:
        if self._on_check:
            self._on_check()

    def opened(self, sandbox: Sandbox) -> None:
        self.sandboxes.append(sandbox)
        self.open += 1

    def closed(self) -> None:
        self.open -= 1

    def of(self, kind: type[E]) -> list[E]:
        """The events of one type."""
        return [event for event in self.events if isinstance(event, kind)]
