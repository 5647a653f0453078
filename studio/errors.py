"""Every error of the project.

StudioError                    ends the job (or the command) with `reason`
├── BriefError                 a brief, run option or attachment was refused; carries Problems
│   └── DailyCapReached        the studio's paid models are used up for today
├── ConfigurationError         a setting or the host is not fit; says the remedy
│   └── ImageMissing           the sandbox image is not built yet
├── NotFound                   no such job, artifact, upload, key
├── Conflict                   the state does not allow it
├── ToolError                  goes back to the model as the tool's result; never ends a run
├── SandboxError
│   ├── SandboxLost            the sandbox died (killed, out of memory, pipe closed)
│   └── SandboxRefused         the tool host refused a request (bad path, over a limit)
├── ModelError                 the provider refused, or stayed down past its retries
│   └── ContextLengthExceeded  the conversation is longer than the model's context
├── Ending                     a named end of a run, not a fault
│   ├── LimitReached           limit_steps | limit_time | limit_tokens | limit_cost
│   ├── Stuck                  the model repeats itself
│   ├── Canceled               a person or the API said so
│   └── LeaseLost              another worker owns the job now; stop and write nothing
└── InspectorError             the inspector itself failed
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with an input: where (JSON Pointer from the request's root) and what to do."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'}: {self.message}"


class StudioError(Exception):
    """Base of all errors of the project; `reason` is the word that a job's row keeps."""

    reason = "internal_error"


class BriefError(StudioError):
    """An input was refused before anything was queued."""

    reason = "bad_brief"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem) for problem in self.problems))


class DailyCapReached(BriefError):
    """What all jobs together may take of paid models in a day is used up; the same request may hold tomorrow."""


class ConfigurationError(StudioError):
    """A setting or the machine is not fit for this; the message says what to do."""

    reason = "configuration"


class ImageMissing(ConfigurationError):
    """The sandbox image that is needed has not been built."""


class NotFound(StudioError):
    """There is no such thing."""

    reason = "not_found"


class Conflict(StudioError):
    """The thing is in a state that does not allow this."""

    reason = "conflict"


class ToolError(StudioError):
    """Goes back to the model as the result of its call."""

    reason = "tool_error"


class SandboxError(StudioError):
    """A sandbox could not do what was asked."""

    reason = "sandbox_lost"


class SandboxLost(SandboxError):
    """The sandbox is gone; its message says why where that is known."""


class SandboxRefused(SandboxError):
    """The tool host refused a request, for example a path outside the writable folders."""


@dataclass(frozen=True)
class Retry:
    """Another attempt may help: after `after_s` seconds, or where that is None as long as the caller's backoff says.

    `counted` is False where the next request will be another one (without streaming, say), so that this attempt does
    not count among those that are allowed.
    """

    after_s: float | None = None
    counted: bool = True


class ModelError(StudioError):
    """The provider refused, or stayed down past its retries.

    `status` is its HTTP status where it gave one, `retry` says whether and when another attempt may help.
    """

    reason = "model_error"

    def __init__(self, message: str, status: int | None = None, retry: Retry | None = None) -> None:
        self.status = status
        self.retry = retry
        super().__init__(message)


class ContextLengthExceeded(ModelError):
    """The conversation is longer than the model's context; a shorter one may be answered."""


class Ending(StudioError):
    """A run ends by name."""


class LimitReached(Ending):
    """A budget is used up: `limit_steps`, `limit_time`, `limit_tokens` or `limit_cost`."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


class Stuck(Ending):
    """The model repeats itself without getting anywhere."""

    reason = "stuck"


class Canceled(Ending):
    """A person or the API asked for the end."""

    reason = "canceled"


class LeaseLost(Ending):
    """Another worker owns the job; whatever this one still wants to write must not be written."""

    reason = "lease_lost"


class InspectorError(StudioError):
    """The inspector crashed, hung, or gave no readable report."""

    reason = "inspector_error"
