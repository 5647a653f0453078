"""What an inspection costs, as a ratio to what its parts cost by themselves: "Speed" of the inspection's design.

Both are measured in one run, by turns, each in a fresh sandbox with the same limits; medians of some repetitions. The
inspection is timed from outside and whole: start of its sandbox, upload, every check, pictures, fetching them. The
baseline is timed inside, without the start of its sandbox and of its own program. It contains (`baseline.py`):

- countdown_video: `ffmpeg -f null` over every frame and sample of the film, and then the very runs of Tesseract that an
  inspection of this film began, on the same pictures, two at a time. Not in it: cutting out what Tesseract reads.
- travel_map: one start of Chromium, the page loaded and at rest, one click on each marker of the first view until it
  shows something, and one screenshot. Every frame is painted, as browsers do; those of the inspection paint only what
  is looked at. Not in it: the page used by its controls, narrow, and without an origin.
- poster: one start of Chromium, the drawing laid out, one screenshot of it with and one without its texts, and the
  delivered pictures decoded.
- piano_piece: the recording decoded and measured by ffmpeg's own meter (`ebur128` with true peak), and Python started
  with the libraries that read the score and the samples.

The last two have no goal; their figures tell when an inspection becomes slower.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from studio.brief import Brief, InputFile
from studio.contract import Contract
from studio.errors import SandboxRefused
from studio.sandboxes.types import OUTPUT, Engine, Manifest, Sandbox, SandboxSpec, Upload

REPETITIONS = 3
LIMIT_S = 120.0
FOLDER = "/tmp/inspection"  # in the sandbox, as the inspector has it
ANSWER_BYTES = 1 << 20
KEPT_BYTES = 128 << 20
PROGRAM = "/tmp/baseline.py"
KEPT = "/tmp/kept.tar"  # what Tesseract was given, as `baseline.py` leaves it

# The most that an inspection may cost, as a multiple of its baseline; None where that is not asked.
GOALS: dict[str, float | None] = {"countdown_video": 1.5, "travel_map": 2.0, "poster": None, "piano_piece": None}


@dataclass(frozen=True)
class Delivery:
    """What is inspected: files made by the house recipe from a sample, and what they are judged by."""

    brief: Brief
    contract: Contract
    outputs: Path
    manifest: Manifest
    inputs: tuple[InputFile, ...] = ()


@dataclass(frozen=True)
class Ratio:
    """Medians in seconds of wall time."""

    kind: str
    inspection_s: float
    baseline_s: float
    runs_of_tesseract: int

    @property
    def ratio(self) -> float:
        """How many baselines an inspection costs."""
        return self.inspection_s / self.baseline_s

    @property
    def goal(self) -> float | None:
        """The most that it may be."""
        return GOALS[self.kind]

    @property
    def verdict(self) -> str:
        """`ok` or `over`, and `-` where there is no goal."""
        return "-" if self.goal is None else "ok" if self.ratio <= self.goal else "over"


def measure(
    engine: Engine,
    delivery: Delivery,
    inspection: Callable[[Delivery], None],
    described: Sequence[Upload],
    repetitions: int = REPETITIONS,
) -> Ratio:
    """Inspect and do the baseline by turns. `described`: what an inspection uploads, which the baseline reads too.

    The first of each warms the caches and is not counted. Raises SandboxRefused when the baseline's program failed.
    """
    kept = b""
    if delivery.contract.kind == "countdown_video":
        kept = _recorded(engine, delivery, described)
    inspected, basic = [], []
    runs = 0
    for number in range(repetitions + 1):
        began = time.perf_counter()
        inspection(delivery)
        took = time.perf_counter() - began
        seconds, runs = _baseline(engine, delivery, described, kept)
        if number:
            inspected.append(took)
            basic.append(seconds)
    return Ratio(delivery.contract.kind, statistics.median(inspected), statistics.median(basic), runs)


def as_json(ratios: Sequence[Ratio]) -> dict[str, object]:
    """The figures by kind."""
    told: dict[str, object] = {}
    for each in ratios:
        figures = {name: round(value, 3) for name, value in asdict(each).items() if isinstance(value, float)}
        more = {"ratio": round(each.ratio, 2), "goal": each.goal, "verdict": each.verdict}
        told[each.kind] = {**figures, "runs_of_tesseract": each.runs_of_tesseract, **more}
    return told


def table(ratios: Sequence[Ratio]) -> str:
    """The figures for a person."""
    lines = [f"{'kind':16} {'inspection':>11} {'baseline':>10} {'ratio':>6} {'goal':>6}"]
    for each in ratios:
        goal = "-" if each.goal is None else f"{each.goal:g}"
        figures = f"{each.inspection_s:9.2f} s {each.baseline_s:8.2f} s {each.ratio:6.2f} {goal:>6}"
        lines.append(f"{each.kind:16} {figures}  {each.verdict}")
    return "\n".join(lines)


def _sandbox(engine: Engine, delivery: Delivery, described: Sequence[Upload]) -> Sandbox:
    sandbox = engine.start(SandboxSpec(outputs=delivery.outputs.resolve(), owner="command-line"))
    sandbox.upload(described)
    sandbox.upload([Upload(PROGRAM, (Path(__file__).parent / "baseline.py").read_bytes())])
    return sandbox


def _recorded(engine: Engine, delivery: Delivery, described: Sequence[Upload]) -> bytes:
    """An inspection of which what Tesseract was given is kept: an archive of it."""
    sandbox = _sandbox(engine, delivery, described)
    try:
        _run(sandbox, "record")
        return sandbox.read(KEPT, KEPT_BYTES)
    finally:
        sandbox.kill()


def _baseline(engine: Engine, delivery: Delivery, described: Sequence[Upload], kept: bytes) -> tuple[float, int]:
    sandbox = _sandbox(engine, delivery, described)
    try:
        if kept:
            sandbox.upload([Upload(KEPT, kept)])
        told = json.loads(_run(sandbox, delivery.contract.kind))
        return float(told["seconds"]), int(told["runs"])
    finally:
        sandbox.kill()


def _run(sandbox: Sandbox, what: str) -> bytes:
    argv = ["python3", "-I", PROGRAM, what, FOLDER, str(OUTPUT)]
    status, stdout, stderr = sandbox.run(argv, timeout_s=LIMIT_S, limit=ANSWER_BYTES)
    if status != 0:
        said = stderr.decode("utf-8", "replace").strip()[-500:]
        raise SandboxRefused(f"the baseline of {what} could not be measured: {said or status}")
    return stdout
