"""A recorded run done again with no brief: no contract judges it, its results can only be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studio.agent import Agent, Budget, Prices, Recorder
from studio.brief import InputFile, RunOptions
from studio.contract import MAX_OUTPUT_BYTES
from studio.errors import LimitReached, SandboxRefused
from studio.models import Recording, ReplayModel
from studio.pipeline.started import StartedSandboxes
from studio.pipeline.workplace import fetch_outputs, keep_scripts, over_limits, sandbox_spec, uploads
from studio.sandboxes.types import Engine, Sandbox
from studio.tools import Submission
from studio.trajectory import JobStarted, MadeBy, StateChanged, Usage

RECEIVED = Submission("Received. There is no contract, so nothing was checked.", ends=False)


@dataclass(frozen=True)
class Rerun:
    """How it ended: whether the calls end with a submit that was reached, and the files in output/."""

    submitted: bool
    files: tuple[str, ...]
    message: str
    usage: Usage


def rerun(
    recording: Recording,
    made_by: MadeBy,
    inputs: Sequence[InputFile],
    run: RunOptions,
    engine: Engine,
    recorder: Recorder,
    folder: Path,
) -> Rerun:
    """Do the recorded calls in a fresh sandbox; fetch what they made into folder/output and folder/scripts.

    Raises Canceled, ConfigurationError, SandboxLost.
    """
    started = StartedSandboxes(engine)
    budget = Budget(run.limits, Prices())
    try:
        sandbox = started.start(sandbox_spec(run.limits, "replay", run.network))
        recorder.opened(sandbox)
        recorder.record(JobStarted(engine=sandbox.engine, limits=run.limits.model_dump(), network=run.network))
        recorder.record(StateChanged(state="running"))
        sandbox.upload(uploads(None, 0, inputs))
        message, submitted = "", recording.calls[-1].name == "submit"
        model = ReplayModel(recording.replies, made_by)
        try:
            Agent(model, sandbox, recorder, budget, lambda _: RECEIVED, []).run()
        except LimitReached as error:
            message, submitted = str(error), False
        files, trouble = _fetch(sandbox, folder)
        budget.count_sandbox(sandbox.use())
        return Rerun(submitted, files, message or trouble, budget.total())
    finally:
        started.kill_all()
        recorder.closed()


def _fetch(sandbox: Sandbox, folder: Path) -> tuple[tuple[str, ...], str]:
    manifest = sandbox.manifest()
    keep_scripts(sandbox, folder / "scripts")
    if trouble := over_limits(manifest):
        return (), trouble
    try:
        return tuple(fetch_outputs(sandbox, manifest, folder / "output", MAX_OUTPUT_BYTES)), ""
    except SandboxRefused as error:
        return (), str(error)
