"""One order worked from its first sandbox to its outcome; every ending of a run becomes a state and a reason here.

The table of states and reasons is ARCHITECTURE.md's; publishing, queues and databases are not known here.
"""

from __future__ import annotations

import contextlib
import logging
import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Literal, TypeAlias

from studio.agent import Agent, Budget, Finish, Prices, Recorder, opening, prompt_hashes, record_network
from studio.brief import Brief, InputFile, RunOptions
from studio.capabilities import RULE
from studio.contract import Report
from studio.errors import (
    Canceled,
    ConfigurationError,
    Ending,
    InspectorError,
    LeaseLost,
    LimitReached,
    ModelError,
    SandboxError,
    SandboxLost,
    SandboxRefused,
    Stuck,
)
from studio.kinds import ArtifactKind, get_kind
from studio.models import Model, ReplayModel
from studio.models.types import Message
from studio.pipeline import self_check
from studio.pipeline.judging import Case, Judge
from studio.pipeline.masking import Masking
from studio.pipeline.resuming import Remembering, Resumption, count_before
from studio.pipeline.revising import Beginning, no_notes
from studio.pipeline.started import StartedSandboxes
from studio.pipeline.workplace import keep_scripts, sandbox_spec, uploads
from studio.sandboxes.types import Engine, Manifest, Sandbox
from studio.settings import Settings
from studio.trajectory import Event, Header, JobStarted, Note, SandboxUsed, StateChanged, Usage

__all__ = ["Order", "Outcome", "Recorder", "header_of", "work"]

State: TypeAlias = Literal["published", "rejected", "failed", "canceled"]
SANDBOXES = 2  # a lost one is replaced once

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Order:
    """A brief to be worked: everything that has been decided about it."""

    job_id: str
    brief: Brief
    run: RunOptions
    inputs: tuple[InputFile, ...]
    model: Model
    seed: int
    attempt: int = 1
    past: tuple[Event, ...] = ()  # of the attempts before, where a model's conversation goes on
    beginning: Beginning = Beginning()  # of a revision
    notes: Callable[[], Sequence[Note]] = no_notes  # a person's words that the model was not told yet


@dataclass(frozen=True)
class Outcome:
    """How it ended. `published` means accepted: the caller publishes."""

    state: State
    reason: str | None
    message: str
    report: Report | None
    usage: Usage
    manifest: Manifest | None


@dataclass(frozen=True)
class _End:
    state: State
    reason: str | None
    message: str
    judge: Judge | None = None


def header_of(order: Order, image_digest: str | None) -> Header:
    """The first line of the order's trajectory."""
    kind = get_kind(order.brief.kind)
    return Header(
        versions={
            "sandbox-studio": version("sandbox-studio"),
            "python": sys.version.split()[0],
            "capabilities": RULE,
        },
        image_digest=image_digest,
        prompts={} if order.model.made_by.prepared else _prompts(kind, order.brief),
        made_by=order.model.made_by,
        brief=order.brief,
        run=order.run.model_copy(update={"seed": order.seed}).model_dump(mode="json"),
    )


def _prompts(kind: ArtifactKind, brief: Brief) -> dict[str, str]:
    return prompt_hashes(f"{kind.name}/{kind.prompt_version}", kind.prompt(brief), kind.prompt_template)


def work(
    order: Order,
    engine: Engine,
    recorder: Recorder,
    folder: Path,
    settings: Settings,
    allowed: Callable[[], None] = lambda: None,
) -> Outcome:
    """Work the order. `folder` gets output/, previews/ and scripts/, also of a run that fails.

    `allowed` is asked before each paid step, and ends the run by LimitReached.
    Raises LeaseLost (nothing more may be written), ConfigurationError (no sandbox can be started here), and what is
    neither (KeyboardInterrupt); every sandbox is gone then as it is on return.
    """
    masking = Masking(settings.secrets)
    order = replace(order, model=masking.model(order.model))
    run = _Run(order, StartedSandboxes(engine), masking.recorder(recorder), folder, settings, allowed)
    end = run.to_its_end()
    judge = end.judge or run.judge
    return Outcome(
        state=end.state,
        reason=end.reason,
        message=masking.text(end.message),
        report=judge.report if judge else None,
        usage=run.budget.total(),
        manifest=judge.manifest if judge else None,
    )


class _Run:
    def __init__(
        self,
        order: Order,
        engine: StartedSandboxes,
        recorder: Recorder,
        folder: Path,
        settings: Settings,
        allowed: Callable[[], None],
    ) -> None:
        self.order = order
        self.settings = settings
        self.allowed = allowed
        self.engine = engine
        self.recorder = Remembering(recorder)
        self.folder = folder
        self.kind = get_kind(order.brief.kind)
        self.budget = Budget(order.run.limits, _prices(order.run.model, settings))
        count_before(order.past, self.budget)
        self.judge: Judge | None = None
        self._lost: str | None = None
        self._past: Resumption | None = None

    def to_its_end(self) -> _End:
        try:
            return self._within_sandboxes()
        except Canceled as error:
            return _End("canceled", "canceled", str(error) or "canceled")
        except ModelError as error:
            return _End("failed", "model_error", str(error))
        except InspectorError as error:
            return _End("failed", "inspector_error", str(error))
        except (LeaseLost, ConfigurationError):
            raise
        except SandboxError as error:
            return _End("failed", "sandbox_lost", str(error))
        except Exception:
            reference = uuid.uuid4().hex[:12]
            log.exception("internal error, reference %s, job %s", reference, self.order.job_id)
            return _End("failed", "internal_error", f"an internal error; the log has it under reference {reference}")
        finally:
            self.engine.kill_all()
            for reply in self._past.rest if self._past else ():
                self.budget.count(reply, ())  # paid for by an attempt before, though not repeated by this one

    def _within_sandboxes(self) -> _End:
        for _ in range(SANDBOXES):
            try:
                return self._in_one_sandbox()
            except SandboxLost as error:
                self.recorder.check()  # a cancel kills the sandbox too, and is then the true reason
                self._lost = str(error)
                self._note(f"The sandbox was lost: {error}.")
        return _End("failed", "sandbox_lost", f"the sandbox was lost, and a second one too: {self._lost}")

    def _in_one_sandbox(self) -> _End:
        order = self.order
        self._look_back()
        profile = self.settings.image_profile
        sandbox = self.engine.start(sandbox_spec(order.run.limits, order.job_id, order.run.network, profile))
        self.recorder.opened(sandbox)
        try:
            self.recorder.record(
                JobStarted(
                    attempt=order.attempt,
                    engine=sandbox.engine,
                    limits=order.run.limits.model_dump(),
                    network=order.run.network,
                )
            )
            self.recorder.record(StateChanged(attempt=order.attempt, state="running"))
            if self._past and self._past.begins:
                self._note(self._past.begins)
            sandbox.upload(uploads(order.brief, order.seed, order.inputs))
            if order.beginning.files:
                sandbox.upload(order.beginning.files)
                self._note(order.beginning.note)
            self.judge = self._judge_for(sandbox)
            by = order.model.made_by
            if by.recipe is None or by.derived_from:  # recorded calls may be a model's own of it
                self_check.install(sandbox, order.brief, self.judge.case.contract)
            return self._worked(sandbox, self.judge)
        finally:
            self._close(sandbox)

    def _worked(self, sandbox: Sandbox, judge: Judge) -> _End:
        """Run the agent; judge what its ending leaves; keep its outputs and programs, also when it failed."""
        try:
            end = self._ending(self._agent(sandbox, judge), judge)
        except (Ending, SandboxError):  # canceled or lost: there is nothing to fetch from
            raise
        except Exception:
            self._quietly(judge.keep)
            self._keep_scripts(sandbox)
            raise
        self._keep_scripts(sandbox)
        return end

    def _keep_scripts(self, sandbox: Sandbox) -> None:
        self._quietly(lambda: keep_scripts(sandbox, self.folder / "scripts"))

    def _ending(self, agent: Agent, judge: Judge) -> _End:
        try:
            finish = agent.run()
        except (LimitReached, Stuck) as error:
            return self._leftovers(judge, error.reason, str(error), empty_reason=error.reason)
        if finish is Finish.SUBMITTED or (judge.submissions and not agent.calls_since_submit):
            return self._verdict(judge, None, "")
        words = (
            "the model stopped without submitting"
            if finish is Finish.STOPPED
            else "the recorded calls ended without a submit that was accepted"
        )
        if judge.submissions:
            return self._leftovers(judge, None, words, empty_reason="checks_failed", empty_state="rejected")
        return self._leftovers(judge, None, words, empty_reason="no_output")

    def _leftovers(
        self, judge: Judge, reason: str | None, words: str, *, empty_reason: str, empty_state: State = "failed"
    ) -> _End:
        """Inspect once what lies in the output folder, though nothing was submitted at the end."""
        if not any(entry.type != "directory" for entry in judge.look().entries):
            return _End(empty_state, empty_reason, f"{words}; nothing lies in the output folder", judge)
        try:
            judge.judge(repair=judge.submissions)
        except SandboxRefused as error:
            return _End("rejected", reason or "outputs_too_large", f"{words}; the outputs still grew: {error}", judge)
        return self._verdict(judge, reason, words)

    def _verdict(self, judge: Judge, reason: str | None, words: str) -> _End:
        report = judge.report
        if report is None:
            raise InspectorError("there is no report on what was submitted")
        before = f"{words}; " if words else ""
        if report.verdict == "accept":
            return _End("published", None, f"{before}every check that must pass passed", judge)
        names = ", ".join(
            dict.fromkeys(
                f.id for f in report.failed if f.severity == "must" and f.verdict == _BLOCKING[report.verdict]
            )
        )
        if report.verdict == "error":
            return _End("failed", "inspector_error", f"{before}could not be measured: {names}", judge)
        if judge.too_large:
            return _End("rejected", reason or "outputs_too_large", f"{before}{judge.too_large}", judge)
        return _End("rejected", reason or "checks_failed", f"{before}failed: {names}", judge)

    def _judge_for(self, sandbox: Sandbox) -> Judge:
        order = self.order
        case = Case(
            brief=order.brief,
            contract=self.kind.contract(order.brief),
            inputs=order.inputs,
            folder=self.folder,
            repairs=order.run.repairs,
            attempt=order.attempt,
            owner=order.job_id,
            shows_pictures=order.model.abilities.images,
        )
        return Judge(case, sandbox, self.engine, self.recorder, self.budget)

    def _agent(self, sandbox: Sandbox, judge: Judge) -> Agent:
        order = self.order
        model = order.model
        if self._lost is not None and isinstance(model, ReplayModel):
            model = model.restarted()
        return Agent(
            model,
            sandbox,
            self.recorder,
            self.budget,
            judge.submit,
            self._messages(),
            attempt=order.attempt,
            past=self._past,
            allowed=self.allowed,
            notes=self._notes,
        )

    def _notes(self) -> Sequence[Note]:
        """A person's new words; while recorded replies are repeated they wait."""
        return () if self._past and self._past.rest else self.order.notes()

    def _look_back(self) -> None:
        """Take up what is recorded of a model's conversation; prepared calls begin anew instead."""
        events = (*self.order.past, *self.recorder.events)
        if self.order.model.made_by.prepared or not events:
            return
        self._past = Resumption(events, self._lost)
        self.budget = self.budget.anew(self._past.repeats_s)

    def _messages(self) -> list[Message]:
        order = self.order
        if order.model.made_by.prepared:
            return []
        prompt = f"{self.kind.prompt(order.brief)}\n\n{order.beginning.words}".strip()
        lost = None if self._past and self._past.rest else self._lost
        return opening(prompt, order.inputs, order.run, self.engine.name, lost=lost)

    def _close(self, sandbox: Sandbox) -> None:
        used = sandbox.use()
        self.budget.count_sandbox(used)
        sandbox.kill()
        with contextlib.suppress(Ending):  # what ends the run has been said already
            self.recorder.record(SandboxUsed(attempt=self.order.attempt, **asdict(used)))
            record_network(sandbox, self.recorder, self.budget, self.order.attempt)
        self.recorder.closed()

    @staticmethod
    def _quietly(keep: Callable[[], object]) -> None:
        """What is kept beside the verdict must not change it."""
        try:
            keep()
        except SandboxError as error:
            log.info("not kept: %s", error)

    def _note(self, text: str) -> None:
        self.recorder.record(Note(attempt=self.order.attempt, text=text))


def _prices(spec: str, settings: Settings) -> Prices:
    profile = settings.profile(spec)
    if profile is None:
        return Prices(settings.price_prompt_usd, settings.price_completion_usd, settings.price_cached_usd)
    return Prices(profile.prices.prompt, profile.prices.completion, profile.prices.cached)


_BLOCKING = {"reject": "fail", "error": "error"}
