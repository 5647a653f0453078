"""What a sandbox costs: the table of "Speed" in the design, measured on this machine."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.types import EditArguments, Engine, Sandbox, SandboxSpec

T = TypeVar("T")

STARTS = 20
CALLS = 100
WRITES = 10
SETTLE_S = 0.5
TEXT = ("0123456789abcdef" * 4)[:63] + "\n"
FIVE_MB = TEXT * (5_000_000 // len(TEXT))


@dataclass(frozen=True)
class Figures:
    """Times in milliseconds (medians where not said otherwise), memory in megabytes (10^6 bytes)."""

    start_median_ms: float  # from nothing to the answer of a first command
    start_p95_ms: float
    call_ms: float  # `true`
    remove_ms: float
    write_5mb_ms: float | None  # by the editor; None: it cannot be done
    idle_mb: float | None  # PSS of one more sandbox beside another


# In words what each figure is, and its unit.
WORDS = (
    ("start_median_ms", "start, first answer (median)", "ms"),
    ("start_p95_ms", "start, first answer (95th percentile)", "ms"),
    ("call_ms", "a call of `true`", "ms"),
    ("remove_ms", "remove", "ms"),
    ("write_5mb_ms", "writing a 5 MB file by the editor", "ms"),
    ("idle_mb", "idle memory of one more sandbox (PSS)", "MB"),
)
# What is to be reached, by engine.
COMMON = {"call_ms": 2.0, "remove_ms": 150.0, "write_5mb_ms": 50.0}
GOALS: dict[str, dict[str, float]] = {
    "local": {**COMMON, "start_median_ms": 60.0, "idle_mb": 8.0},
    "docker": {**COMMON, "start_median_ms": 400.0, "idle_mb": 12.0},
}


def measure(engine: Engine, starts: int = STARTS, calls: int = CALLS) -> Figures:
    """Start, use and remove sandboxes one after the other. The first start warms the caches and is not counted."""
    engine.start(SandboxSpec()).kill()
    started, removed, called, written = [], [], [], []
    for _ in range(starts):
        sandbox, took = timed(lambda: _first_answer(engine))
        started.append(took)
        removed.append(timed(sandbox.kill)[1])
    sandbox = _first_answer(engine)
    try:
        for _ in range(calls):
            called.append(timed(lambda: sandbox.execute("true"))[1])
        for number in range(WRITES):
            edit = EditArguments("create", f"/testbed/{number}.txt", file_text=FIVE_MB)
            written.append(timed(lambda: sandbox.edit(edit))[1])  # noqa: B023 - called at once
    finally:
        sandbox.kill()
    return Figures(
        start_median_ms=statistics.median(started),
        start_p95_ms=p95(started),
        call_ms=statistics.median(called),
        remove_ms=statistics.median(removed),
        write_5mb_ms=statistics.median(written),
        idle_mb=_idle(engine),
    )


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return sorted(values)[max(0, round(0.95 * len(values)) - 1)]


def _first_answer(engine: Engine) -> Sandbox:
    sandbox = engine.start(SandboxSpec())
    sandbox.execute("true")
    return sandbox


def timed(what: Callable[[], T]) -> tuple[T, float]:
    """What it gives, and how many milliseconds it took."""
    began = time.perf_counter()
    value = what()
    return value, (time.perf_counter() - began) * 1000


def _idle(engine: Engine) -> float | None:
    """The memory that a second sandbox adds to that of the first."""
    first = _first_answer(engine)
    second = None
    try:
        time.sleep(SETTLE_S)
        alone = _resident(first)
        second = _first_answer(engine)
        time.sleep(SETTLE_S)
        both = (_resident(first), _resident(second))
    finally:
        first.kill()
        if second is not None:
            second.kill()
    if alone is None or both[0] is None or both[1] is None:
        return None
    return (both[0] + both[1] - alone) / 1e6


def _resident(sandbox: Sandbox) -> int | None:
    return sandbox.resident() if isinstance(sandbox, ToolHostSandbox) else None
