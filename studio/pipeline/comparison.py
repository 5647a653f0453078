"""Results of a replay beside the recorded ones: which calls came out the same, and where the others differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from studio.models import RecordedResult
from studio.trajectory import Call, ToolResult

Verdict: TypeAlias = Literal["same", "differs", "unrecorded", "not reached"]
MAX_SHOWN = 200


@dataclass(frozen=True)
class Compared:
    """One call of the recording: the verdict, and in words where it differs."""

    number: int
    name: str
    verdict: Verdict
    detail: str = ""


def compare(
    calls: Sequence[Call], recorded: Sequence[RecordedResult | None], now: Sequence[ToolResult]
) -> list[Compared]:
    """Each recorded call with its result of now, in order."""
    compared = []
    for index, call in enumerate(calls):
        number = index + 1
        before = recorded[index] if index < len(recorded) else None
        if index >= len(now):
            compared.append(Compared(number, call.name, "not reached"))
        elif before is None:
            compared.append(Compared(number, call.name, "unrecorded"))
        elif call.name == "submit":
            compared.append(Compared(number, call.name, "same"))  # verdicts are compared as reports, not as words
        else:
            detail = difference(before, now[index])
            compared.append(Compared(number, call.name, "differs" if detail else "same", detail))
    return compared


def difference(before: RecordedResult, after: ToolResult) -> str:
    """Where the two differ, in words; "" when they are the same.

    Other harnesses put words of their own around an output, so each line of today's output must stand in the recorded
    text, in order; white space at the ends of lines is ignored. A record may hold all that was printed, or what was
    shown of it; to be like either is enough.
    """
    found = _difference(before, after.exit_status, after.output)
    if found and after.shown is not None and not _difference(before, after.exit_status, after.shown):
        return ""
    return found


def _difference(before: RecordedResult, exit_status: int | None, output: str) -> str:
    if before.exit_status is not None and before.exit_status != exit_status:
        return f"exit status {exit_status}, recorded {before.exit_status}"
    old = [line.strip() for line in before.output.split("\n") if line.strip()]
    new = [line.strip() for line in output.split("\n") if line.strip()]
    if before.exit_status is not None and len(new) != len(old):
        return f"{len(new)} lines of output, recorded {len(old)}"
    position = 0
    for line in new:
        try:
            position = old.index(line, position) + 1
        except ValueError:
            return f"now {line[:MAX_SHOWN]!r}, which the record does not have at that place"
    if not new and before.exit_status is not None and old:
        return "no output, though the record has some"
    return ""
