"""From stored lines to jobs: a bounded window of them at a time, in turn from all batches; and to the batch's end.

Each step is one change that only holds while things are as they were seen, so that several upkeeps do no harm and a
killed one loses nothing: a line becomes a job in the very transaction that makes the job.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session, undefer

from studio import jobs
from studio.batches.leading import Course, course_of, lead_with, owed, try_by_model
from studio.batches.queries import counts_in, get
from studio.batches.storing import told
from studio.batches.views import OPEN, BatchView
from studio.brief import JobRequest
from studio.database import Database
from studio.database.tables import BatchLineRow, BatchRow, JobRow
from studio.errors import BriefError, Conflict, DailyCapReached, Problem, StudioError
from studio.jobs import OWNED
from studio.settings import Settings
from studio.trajectory import now

ABANDONED = timedelta(minutes=10)  # no line came for so long: the process that stored them died
_LIVING = ("queued", *OWNED)

log = logging.getLogger(__name__)


def feed(db: Database, settings: Settings) -> list[str]:
    """Make jobs of waiting lines until `batch_window` jobs of batches live; their ids, to be enqueued.

    Batches take turns, the one with the fewest living jobs first. A line that can be no job any more (an upload is
    gone, a limit was lowered) is refused now.
    """
    retried = _retry(db, settings)
    with db.reading() as session:
        living = dict.fromkeys(session.scalars(select(BatchRow.id).where(BatchRow.state == "in_progress")), 0)
        if not living:
            return retried
        query = select(JobRow.batch_id, func.count()).where(JobRow.batch_id.is_not(None), JobRow.state.in_(_LIVING))
        counted = {batch_id: number for batch_id, number in session.execute(query.group_by(JobRow.batch_id))}  # noqa: C416
    room = settings.batch_window - sum(counted.values())
    living |= {batch_id: number for batch_id, number in counted.items() if batch_id in living}
    waiting = {batch_id: _waiting(db, batch_id, room) for batch_id in living}
    made = retried
    while room > 0 and waiting:
        batch_id = min(waiting, key=lambda each: (living[each], each))
        course = course_of(db, batch_id)
        line = None if course.stage == "wait" else next(waiting[batch_id], None)
        if line is None:
            del waiting[batch_id]
            continue
        try:
            job_id = _become_job(db, line, settings, course)
        except DailyCapReached as error:  # its turn comes when the day is over
            log.info("batch %s: line %d waits: %s", batch_id, line[0].number, error)
            del waiting[batch_id]
            continue
        if job_id:
            made.append(job_id)
            living[batch_id] += 1
            room -= 1
    return made


def _retry(db: Database, settings: Settings) -> list[str]:
    """Lines that a batch's recipe could not make go to the model, where their batch says so."""
    query = select(func.count()).where(JobRow.batch_id.is_not(None), JobRow.state.in_(_LIVING))
    with db.reading() as session:
        room = settings.batch_window - (session.scalar(query) or 0)

    def give_up(line: BatchLineRow, error: BriefError) -> None:
        log.info("batch %s, line %d cannot be tried by its model: %s", line.batch_id, line.number, error)
        own = (BatchLineRow.batch_id == line.batch_id, BatchLineRow.number == line.number)
        with db.session() as session:
            session.execute(update(BatchLineRow).where(*own).values(request=None))

    return try_by_model(db, settings, room, give_up)


def _waiting(db: Database, batch_id: str, limit: int) -> Iterator[tuple[BatchLineRow, str]]:
    """Lines that wait, with who sent them, in order; read when the first one is asked for."""
    after = 0
    query = select(BatchLineRow, BatchRow.caller).join(BatchRow, BatchRow.id == BatchLineRow.batch_id)
    query = query.where(BatchLineRow.batch_id == batch_id, BatchLineRow.state == "waiting", BatchRow.ending.is_(None))
    query = query.order_by(BatchLineRow.number).limit(max(limit, 1)).options(undefer(BatchLineRow.request))
    while True:
        with db.reading() as session:
            rows = session.execute(query.where(BatchLineRow.number > after)).all()
        if not rows:
            return
        yield from ((line, caller) for line, caller in rows)
        after = rows[-1][0].number


def _become_job(db: Database, waiting: tuple[BatchLineRow, str], settings: Settings, course: Course) -> str | None:
    """The id of the line's new job; None where someone was quicker, or where the line is refused.

    Raises DailyCapReached.
    """
    line, caller = waiting

    def take(session: Session, job_id: str) -> None:
        kept = line.request if course.keeps_requests else None
        if (
            course.stage == "lead"
        ):  # the batch before its lines, as whoever ends a batch does: no two wait for each other
            lead_with(session, line.batch_id, job_id)
        _change(session, line, state="job", job_id=job_id, request=kept)

    try:
        request = course.request(JobRequest.model_validate(line.request))
        job = jobs.create(db, request, settings, caller=caller, batch=line.batch_id, beside=take)
    except _Gone:
        return None
    except DailyCapReached:
        raise
    except BriefError as error:
        _refuse(db, line, error)
        return None
    return job.id


class _Gone(Conflict):
    """The line does not wait any more."""


def _change(session: Session, line: BatchLineRow, **values: object) -> None:
    statement = (
        update(BatchLineRow)
        .where(
            BatchLineRow.batch_id == line.batch_id, BatchLineRow.number == line.number, BatchLineRow.state == "waiting"
        )
        .values(**values)
        .returning(BatchLineRow.number)
        .execution_options(synchronize_session=False)
    )
    if session.scalar(statement) is None:
        raise _Gone("the line does not wait any more")


def _refuse(db: Database, line: BatchLineRow, error: BriefError) -> None:
    problems = [told(Problem(item.pointer, item.message)) for item in error.problems]
    try:
        with db.session() as session:
            _change(session, line, state="refused", request=None, problems=problems)
    except _Gone:
        pass


def cancel(db: Database, batch_id: str) -> BatchView:
    """Ask for a batch's end: what waits is `canceled`, what runs is being canceled; what is done stays.

    A second call, and one for a batch that has ended, changes nothing. Raises NotFound.
    """
    get(db, batch_id)
    if _end_waiting(db, batch_id, "canceled"):
        living = select(JobRow.id).where(JobRow.batch_id == batch_id, JobRow.state.in_(_LIVING))
        with db.reading() as session:
            ids = session.scalars(living).all()
        for job_id in ids:
            jobs.cancel(db, job_id)
        _advance_one(db, batch_id)
    return get(db, batch_id)


def _end_waiting(db: Database, batch_id: str, ending: str) -> bool:
    """Decide that the batch ends so, and end the lines that wait; False where its end was decided before."""
    with db.session() as session:
        statement = update(BatchRow).where(BatchRow.id == batch_id, BatchRow.state.in_(OPEN), BatchRow.ending.is_(None))
        statement = statement.values(ending=ending).execution_options(synchronize_session=False)
        if session.scalar(statement.returning(BatchRow.id)) is None:
            return False
        lines = update(BatchLineRow).where(BatchLineRow.batch_id == batch_id, BatchLineRow.state == "waiting")
        session.execute(lines.values(state=ending, request=None))
        return True


def advance(db: Database) -> dict[str, str]:
    """Bring every batch to the state that its lines are in; those that changed, with their state now."""
    moment = now()
    with db.reading() as session:
        rows = session.scalars(select(BatchRow).where(BatchRow.state.in_(OPEN))).all()
    changed = {}
    for row in rows:
        try:
            if row.state == "validating" and row.touched_at < moment - ABANDONED:
                _give_up(db, row.id)
            elif row.state != "validating" and row.expires_at < moment and not row.ending:
                _end_waiting(db, row.id, "expired")
            if (state := _advance_one(db, row.id)) != row.state:
                changed[row.id] = state
        except StudioError:  # one batch's trouble is not the others'
            log.exception("batch %s", row.id)
    return changed


def _give_up(db: Database, batch_id: str) -> None:
    with db.session() as session:
        batch = session.get_one(BatchRow, batch_id, with_for_update=True)
        if batch.state == "validating":
            batch.state, batch.finished_at = "failed", now()
            batch.message = "The studio stopped while it read the lines; send them again. None was run."
            lines = update(BatchLineRow).where(BatchLineRow.batch_id == batch_id, BatchLineRow.state == "waiting")
            session.execute(lines.values(state="canceled", request=None))


def _advance_one(db: Database, batch_id: str) -> str:
    """`in_progress` while a line waits, `finalizing` while a job lives, then the end; the state now."""
    with db.session() as session:
        batch = session.get_one(BatchRow, batch_id, with_for_update=True)
        if batch.state not in ("in_progress", "finalizing"):
            return batch.state
        counts = counts_in(session, batch)
        if counts.waiting:
            batch.state = "in_progress"
        elif counts.queued or counts.running:
            batch.state = "finalizing"
        elif not batch.ending and owed(session, batch_id):
            batch.state = "in_progress"
        else:
            batch.finished_at = now()
            batch.state = batch.ending or ("completed" if counts.published else "failed")
            if batch.state == "failed":
                batch.message = "No line gave a work that was accepted."
        return batch.state
