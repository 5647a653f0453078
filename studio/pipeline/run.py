"""run_job: the only place where claim, sandbox, agent, inspection, blobs and gallery meet."""

from __future__ import annotations

import logging
import shutil
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from studio import gallery, jobs
from studio.agent import Attendant
from studio.blobs import Blobs
from studio.database import Database
from studio.errors import BriefError, Canceled, ConfigurationError, LeaseLost, NotFound, Problem, StudioError
from studio.jobs import Claim, JobEnd
from studio.kinds import get_kind
from studio.models import Model, ReplayModel, make_model
from studio.models.recording import from_events
from studio.pipeline.kept import keep
from studio.pipeline.masking import Masking
from studio.pipeline.recipes import Kitchen, events_of, inputs_of, recipe_model, with_room
from studio.pipeline.recorder import JobRecorder
from studio.pipeline.reproducing import compare_outputs
from studio.pipeline.resuming import LOST_UNDER_IT
from studio.pipeline.revising import beginning_of
from studio.pipeline.started import StartedSandboxes
from studio.pipeline.work import Order, Outcome, header_of, work
from studio.sandboxes import engine_for
from studio.sandboxes.types import Engine
from studio.settings import Settings
from studio.trajectory import Event, decode_lines

log = logging.getLogger(__name__)


def run_job(
    job_id: str,
    db: Database,
    blobs: Blobs,
    engine: Engine,
    settings: Settings,
    worker: str,
    *,
    stopping: threading.Event | None = None,
) -> None:
    """Work one queued job to its end. Does nothing when there is nothing to claim; never raises.

    When `stopping` is set meanwhile the job goes back to the queue.
    """
    try:
        claim = jobs.claim(db, job_id, worker, settings.lease_s)
        if claim is None:
            log.info("job %s: nothing to claim", job_id)
            return
        log.info("job %s: attempt %d begins", job_id, claim.attempt)
        _run_claimed(claim, db, blobs, engine, settings, stopping or threading.Event())
    except Exception:
        # The database is out of reach, or a bug. The lease runs out, and upkeep puts the job back.
        log.exception("job %s: the attempt ended without an end", job_id)


def _run_claimed(
    claim: Claim, db: Database, blobs: Blobs, engine: Engine, settings: Settings, stopping: threading.Event
) -> None:
    with _work_folder(settings, claim) as folder, JobRecorder(db, claim, settings, stopping) as recorder:
        try:
            _work_and_store(claim, db, blobs, engine, settings, recorder, folder)
        except LeaseLost as error:
            if recorder.released:
                jobs.release(db, claim, "the worker was stopped; the job waits for another one")
            log.info("job %s: attempt %d left: %s", claim.job_id, claim.attempt, error)
        except Canceled:
            _finish(db, claim, settings, JobEnd("canceled", "canceled"))
        except StudioError as error:
            log.warning("job %s: %s: %s", claim.job_id, error.reason, error)
            _finish(db, claim, settings, JobEnd("failed", error.reason, str(error)))
        except Exception:
            reference = uuid.uuid4().hex[:12]
            log.exception("job %s: internal error, reference %s", claim.job_id, reference)
            message = f"An error inside the studio; its log has the reference {reference}."
            _finish(db, claim, settings, JobEnd("failed", "internal_error", message))


def _work_and_store(
    claim: Claim,
    db: Database,
    blobs: Blobs,
    engine: Engine,
    settings: Settings,
    recorder: JobRecorder,
    folder: Path,
) -> None:
    engine = _asked_for(engine, claim, settings)
    kitchen = Kitchen(db, blobs, engine, settings, folder / "trial")
    model = _model(kitchen, claim, recorder)
    order = Order(
        job_id=claim.job_id,
        brief=claim.brief,
        run=with_room(claim.run, model.replies) if isinstance(model, ReplayModel) else claim.run,
        inputs=inputs_of(blobs, db, claim.job_id),
        model=model,
        seed=_seed(claim),
        attempt=claim.attempt,
        beginning=beginning_of(db, blobs, claim.job_id, claim.made_by),
        notes=lambda: jobs.notes_waiting(db, claim),
        past=_past(db, claim),
    )
    header = header_of(order, _image_digest(engine))
    jobs.set_header(db, claim, Masking(settings.secrets).header(header))
    outcome = work(order, engine, recorder, folder, settings, lambda: jobs.check_daily(db, settings))
    if claim.purpose == "reproduce":
        _finish(db, claim, settings, _compared(kitchen, claim, outcome, recorder, folder))
        return
    if outcome.state == "published":
        recorder.publishing()
    end = _end_of(outcome, blobs, folder)
    if end.state == "published":
        artifact = gallery.publish(db, claim, end, settings.secrets, settings.default_visibility)
        log.info("job %s: %s", claim.job_id, f"published as {artifact}" if artifact else "canceled at the last moment")
    else:
        _finish(db, claim, settings, end)


def _asked_for(engine: Engine, claim: Claim, settings: Settings) -> Engine:
    """The worker's engine, or the other one where the job names it. Raises ConfigurationError where it is not here."""
    if claim.run.engine in ("auto", engine.name):
        return engine
    return engine_for(settings, claim.run.engine)


def _compared(kitchen: Kitchen, claim: Claim, outcome: Outcome, recorder: JobRecorder, folder: Path) -> JobEnd:
    """The end of a reproduction: what it made beside what is recorded. An accepted one is not shown as a work."""
    end = _end_of(outcome, kitchen.blobs, folder)
    source = claim.made_by.replay_of
    if source is None or end.state not in ("published", "rejected"):
        return end
    made = [file for file in end.files if file.role == "output"]
    recorded, engine = jobs.files(kitchen.db, source), StartedSandboxes(kitchen.engine)
    attend = Attendant(recorder, engine.kill_all)
    files = attend(lambda _: compare_outputs(engine, kitchen.blobs, recorded, made, claim.job_id))
    found = jobs.keep_reproduction(kitchen.db, claim, files)
    words = {"same": "reproduced to the byte", "alike": "looks and sounds the same", "differs": "differs"}
    message = f"{words[found.verdict]}; {end.message}"
    return replace(end, state="accepted" if end.state == "published" else end.state, message=message)


def _end_of(outcome: Outcome, blobs: Blobs, folder: Path) -> JobEnd:
    return JobEnd(
        state=outcome.state,
        reason=outcome.reason,
        message=outcome.message,
        usage=outcome.usage,
        report=outcome.report,
        files=keep(blobs, folder, outcome.report),
    )


def _finish(db: Database, claim: Claim, settings: Settings, end: JobEnd) -> None:
    try:
        view = jobs.finish(db, claim, end, settings.secrets)
    except LeaseLost as error:
        log.warning("job %s: its end (%s) came too late: %s", claim.job_id, end.state, error)
    else:
        log.info("job %s: %s%s", claim.job_id, view.state, f" ({view.reason})" if view.reason else "")


def _past(db: Database, claim: Claim) -> tuple[Event, ...]:
    """What the attempts before have recorded of a model's conversation."""
    if claim.attempt == 1 or claim.made_by.prepared:
        return ()
    return tuple(events_of(db, claim.job_id))


def _seed(claim: Claim) -> int:
    return claim.run.seed if claim.run.seed is not None else get_kind(claim.brief.kind).default_seed(claim.brief)


def _model(kitchen: Kitchen, claim: Claim, recorder: JobRecorder) -> Model:
    """What answers: the kind's recipe, one from a record, a recorded job, or a provider."""
    spec = claim.run.model
    if spec == "recipe":
        recipe = get_kind(claim.brief.kind).recipe(claim.brief)
        return make_model(
            spec,
            kitchen.settings,
            recipe=recipe.name if recipe else None,
            recipe_calls=recipe.calls if recipe else None,
        )
    if source := claim.made_by.derived_from:
        return recipe_model(kitchen, source, claim.job_id, recorder)
    if claim.made_by.replay_of:
        return _recorded(kitchen.db, claim)
    return make_model(spec, kitchen.settings)


def _recorded(db: Database, claim: Claim) -> Model:
    source = claim.made_by.replay_of or ""
    try:
        recording = from_events(decode_lines(jobs.trajectory_lines(db, source)))
    except NotFound:
        raise BriefError([Problem("/run/model", f"the job {source} that was to be replayed is gone")]) from None
    results = iter(recording.results)  # one a call, in order
    replies = [
        [call for call in calls if (found := next(results)) is None or found.output != LOST_UNDER_IT]
        for calls in recording.replies
    ]
    return ReplayModel([calls for calls in replies if calls], claim.made_by)


@contextmanager
def _work_folder(settings: Settings, claim: Claim) -> Iterator[Path]:
    """A folder of this attempt alone; what a killed worker leaves is found by `work_folders`."""
    folder = settings.data_dir / "work" / f"{claim.job_id}.{claim.fence}"
    folder.mkdir(parents=True, mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def work_folders(settings: Settings) -> dict[tuple[str, int], Path]:
    """The folders of attempts on this machine, by job id and fence."""
    root = settings.data_dir / "work"
    found = {}
    for folder in root.iterdir() if root.is_dir() else ():
        job_id, _, fence = folder.name.rpartition(".")
        if fence.isdigit():
            found[job_id, int(fence)] = folder
    return found


def _image_digest(engine: Engine) -> str | None:
    """None where there is no image: the start of a sandbox says so, with the remedy."""
    try:
        return engine.image_digest()
    except ConfigurationError:
        return None
