"""What the agent and the pipeline tell about a run while it goes on."""

from __future__ import annotations

from typing import Protocol

from studio.sandboxes.types import Sandbox
from studio.trajectory import Event


class Recorder(Protocol):
    """Keeps the record of one run. All methods are called from the thread that works the run.

    `record`, `live` and `check` may raise Canceled or LeaseLost; the run then ends and its sandboxes are killed.
    """

    def record(self, event: Event) -> None:
        """Keep an event; it is durable when this returns. The recorder gives it its `seq`."""
        ...

    def live(self, call_id: str, text: str) -> None:
        """A piece of what a running command prints, or (as the call "reply") of what the model says; not an event."""
        ...

    def check(self) -> None:
        """Called at least each second, also while a command or a model's reply is waited for."""
        ...

    def opened(self, sandbox: Sandbox) -> None:
        """This sandbox works the run from now on."""
        ...

    def closed(self) -> None:
        """It is gone."""
        ...
