"""The recipe from a job's record, for a worker that needs it: taken and verified once, then kept."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from studio import jobs
from studio.agent import Recorder
from studio.blobs import Blobs
from studio.brief import InputFile, RunOptions
from studio.database import Database
from studio.errors import BriefError, Canceled, NotFound, Problem
from studio.jobs import JobView, LeftOut, RecipeView
from studio.models import ReplayModel
from studio.models.deriving import Derived, all_calls, effective_calls
from studio.pipeline.revising import beginning_of
from studio.pipeline.work import Order, work
from studio.sandboxes.types import Engine, Sandbox
from studio.settings import Settings
from studio.trajectory import DERIVED, Call, Event, MadeBy, Note, now

_OWN_TROUBLE = frozenset({"sandbox_lost", "inspector_error", "internal_error"})

log = logging.getLogger(__name__)


def events_of(db: Database, job_id: str) -> list[Event]:
    """Every event of a job. Raises NotFound."""
    found: list[Event] = []
    while page := jobs.events(db, job_id, after=found[-1].seq if found else 0):
        found += page
    return found


@dataclass(frozen=True)
class Kitchen:
    """What a recipe is tried with: where it is kept, sandboxes, a folder for what is thrown away afterwards."""

    db: Database
    blobs: Blobs
    engine: Engine
    settings: Settings
    folder: Path


def recipe_model(kitchen: Kitchen, source: str, owner: str, recorder: Recorder) -> ReplayModel:
    """A model that makes the calls of the recipe from the job `source`; `owner` is the job that asks for it.

    The first one takes the recipe from the record and verifies it: the calls without the dead ends must make, in a
    fresh sandbox, what the same contract accepts; else all calls are kept. Raises BriefError when the job is gone,
    Canceled, LeaseLost.
    """
    try:
        found = jobs.recipe(kitchen.db, source)
    except NotFound:
        found = _taken(kitchen, source, owner, recorder)
    return ReplayModel([(call,) for call in found.calls], MadeBy(recipe=f"{DERIVED}{source}"))


def _taken(kitchen: Kitchen, source: str, owner: str, recorder: Recorder) -> RecipeView:
    try:
        job = jobs.get(kitchen.db, source)
        events = events_of(kitchen.db, source)
    except NotFound:
        raise BriefError([Problem("/run/model", f"the job {source} that the recipe is from is gone")]) from None
    whole, derived = all_calls(events), effective_calls(events)
    trial = _Trial("no call was without effect", accepted=False)
    if derived.dropped:
        trial = _verified(kitchen, job, derived, owner, recorder)
    kept = derived if trial.accepted else whole
    recorder.record(Note(text=_told(source, whole, kept, trial.outcome)))
    found = RecipeView(
        job=source,
        kept=len(kept.calls),
        total=len(whole.calls),
        reduced=trial.accepted,
        dropped=[LeftOut(number=item.number, name=item.name, why=item.why) for item in kept.dropped],
        outcome=trial.outcome,
        created_at=now(),
        calls=list(kept.calls),
    )
    return jobs.keep_recipe(kitchen.db, found) if trial.final else found


@dataclass(frozen=True)
class _Trial:
    """What the verifying run came to; not `final` where trouble of the studio's own ended it."""

    outcome: str
    accepted: bool
    final: bool = True


def _told(source: str, whole: Derived, kept: Derived, outcome: str) -> str:
    return (
        f"The recipe was taken from the record of job {source}: {len(kept.calls)} of its {len(whole.calls)} calls. "
        f"Verified first: {outcome}."
    )


def _verified(kitchen: Kitchen, job: JobView, derived: Derived, owner: str, recorder: Recorder) -> _Trial:
    """What one run of the reduced calls comes to, by the job's own brief and contract."""
    order = Order(
        job_id=owner,
        brief=job.brief,
        run=with_room(job.run, [(call,) for call in derived.calls]),
        inputs=inputs_of(kitchen.blobs, kitchen.db, job.id),
        model=ReplayModel([(call,) for call in derived.calls], MadeBy(recipe=f"{DERIVED}{job.id}")),
        seed=job.run.seed or 0,
        beginning=beginning_of(kitchen.db, kitchen.blobs, job.id, job.made_by),
    )
    outcome = work(order, kitchen.engine, _Unrecorded(recorder), kitchen.folder, kitchen.settings)
    if outcome.state == "canceled":
        raise Canceled(outcome.message)
    if outcome.state == "published":
        return _Trial("its outputs were accepted by the same contract", accepted=True)
    log.info("job %s: the reduced recipe was not accepted: %s", job.id, outcome.message)
    why = f"without the {len(derived.dropped)} calls that seemed to do nothing it was {outcome.state}"
    words = f"{why} ({outcome.message[:300]}), so all are kept"
    return _Trial(words, accepted=False, final=outcome.reason not in _OWN_TROUBLE)


def inputs_of(blobs: Blobs, db: Database, job_id: str) -> tuple[InputFile, ...]:
    """A job's attachments as files at hand."""
    return tuple(
        InputFile(name=item.name, role=item.role, path=blobs.path(item.sha256), size=item.size)
        for item in jobs.inputs(db, job_id)
    )


def with_room(run: RunOptions, replies: Sequence[Sequence[Call]]) -> RunOptions:
    """`run` with the steps and repairs that prepared calls need, whatever a model was allowed."""
    submits = sum(call.name == "submit" for reply in replies for call in reply)
    limits = run.limits.model_copy(update={"steps": max(run.limits.steps, len(replies) + 1)})
    return run.model_copy(update={"limits": limits, "repairs": max(run.repairs, submits - 1)})


class _Unrecorded:
    """Looks out for the job's end as ever; what a trial does is not part of the job's record."""

    def __init__(self, inner: Recorder) -> None:
        self._inner = inner

    def record(self, event: Event) -> None:
        self._inner.check()

    def live(self, call_id: str, text: str) -> None:
        """Not shown."""

    def check(self) -> None:
        self._inner.check()

    def opened(self, sandbox: Sandbox) -> None:
        self._inner.opened(sandbox)

    def closed(self) -> None:
        self._inner.closed()
