"""What a tool is: a schema that a model is told of, and a function that answers one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from studio.models.types import Picture, ToolSchema
from studio.sandboxes.types import OnOutput, Sandbox

T = TypeVar("T")


class Attend(Protocol):
    """Runs something slow while somebody looks out for a cancel; what `work` prints goes to the live view."""

    def __call__(self, work: Callable[[OnOutput], T], /) -> T: ...


@dataclass(frozen=True)
class Submission:
    """What a `submit` came to: the text that the model reads, and whether the run ends with it."""

    text: str
    ends: bool
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Workbench:
    """What a tool works with. Times are in seconds.

    `command_s` is how long one command may take at most, `time_left` what the whole run still has; `shows_pictures`:
    whoever calls sees pictures. `slack` is how many times longer than asked a command may take: one that is repeated
    ended in time where it was recorded, and this machine may be slower.
    """

    sandbox: Sandbox
    command_s: float
    time_left: Callable[[], float]
    attend: Attend
    submit: Callable[[str], Submission]
    shows_pictures: bool = False
    slack: float = 1.0


@dataclass(frozen=True)
class Answer:
    """The result of one call: `shown` is what the model reads, `output` what the trajectory keeps where it differs.

    `pictures` are what it sees, where it can.
    """

    shown: str
    output: str | None = None
    exit_status: int | None = None
    is_error: bool = False
    timed_out: bool = False
    cut_chars: int = 0
    output_file: str | None = None
    cwd: str | None = None
    seconds: float = 0.0
    files_changed: tuple[str, ...] = ()
    ends: bool = False
    pictures: tuple[Picture, ...] = ()


class Tool(Protocol):
    """One of the calls that a model can make."""

    @property
    def schema(self) -> ToolSchema: ...

    def run(self, arguments: str, bench: Workbench) -> Answer:
        """Answer one call; `arguments` is the model's raw JSON text. Raises ToolError saying what was expected."""
        ...
