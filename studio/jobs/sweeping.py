"""What upkeep does to jobs. Each step is one fenced change of one row, so that several upkeeps do no harm."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select, update

from studio.database import Database
from studio.database.tables import JobRow
from studio.jobs.figures import keep_figures
from studio.jobs.rows import add_event, held
from studio.jobs.views import OWNED
from studio.jobs.work import fail_lost, requeue
from studio.trajectory import StateChanged, now

WINDOW = 200  # queued jobs looked at in one sweep, oldest first: those are next
RESEND_MOST_S = 600.0


@dataclass(frozen=True)
class LostJob:
    """A job whose worker has not prolonged its lease."""

    job_id: str
    fence: int
    state: str


def lost(db: Database) -> list[LostJob]:
    """Jobs whose lease has run out."""
    query = select(JobRow.id, JobRow.fence, JobRow.state).where(JobRow.state.in_(OWNED), JobRow.lease_until < now())
    with db.reading() as session:
        return [LostJob(job_id, fence, state) for job_id, fence, state in session.execute(query)]


def take_back(db: Database, job: LostJob, attempts: int) -> str | None:
    """End a lost attempt: back to the queue, or `failed, attempts` after the last, or `canceled` when it was asked for.

    The state that the job has now; None when its worker came back, or someone else was first.
    """
    with db.session() as session:
        statement = held(job.job_id, job.fence, OWNED).where(JobRow.lease_until < now())
        statement = statement.values(last_seq=JobRow.last_seq + 1, lost=JobRow.lost + 1)
        wanted = (JobRow.last_seq, JobRow.attempt, JobRow.lost, JobRow.state, JobRow.worker)
        found = session.execute(statement.returning(*wanted)).one_or_none()
        if found is None:
            return None
        number, attempt, count, state, worker = found
        if state != "canceling" and count >= attempts:
            why = f"{count} attempts were lost with their workers; the last one was {worker}"
            return fail_lost(session, job.job_id, job.fence, number, attempt, why)
        why = f"the worker of attempt {attempt} was lost; the next attempt follows"
        return requeue(session, job.job_id, job.fence, number, attempt, state, why)


def expire(db: Database, queue_hours: float) -> list[str]:
    """End the jobs that have waited in the queue longer than `queue_hours`; their ids."""
    oldest = now() - timedelta(hours=queue_hours)
    overdue = (JobRow.state == "queued", JobRow.queued_at < oldest)
    with db.reading() as session:
        waiting = session.scalars(select(JobRow.id).where(*overdue).limit(WINDOW)).all()
    return [job_id for job_id in waiting if _expire_one(db, job_id, queue_hours)]


def _expire_one(db: Database, job_id: str, queue_hours: float) -> bool:
    moment = now()
    message = f"waited in the queue for more than {queue_hours:g} hours"
    statement = (
        update(JobRow)
        .where(JobRow.id == job_id, JobRow.state == "queued", JobRow.queued_at < moment - timedelta(hours=queue_hours))
        .values(
            state="expired",
            reason="queue_time",
            message=message,
            finished_at=moment,
            fence=JobRow.fence + 1,
            last_seq=JobRow.last_seq + 1,
        )
        .returning(JobRow.last_seq, JobRow.attempt)
        .execution_options(synchronize_session=False)
    )
    with db.session() as session:
        found = session.execute(statement).one_or_none()
        if found is None:
            return False
        number, attempt = found
        event = StateChanged(seq=number, attempt=attempt, state="expired", reason="queue_time", message=message)
        add_event(session, job_id, event)
        keep_figures(session, job_id)
        return True


def unsent(db: Database, pause_s: float) -> list[str]:
    """Queued jobs whose message was never sent, or must have been lost by now; oldest first.

    The n-th message is waited for `pause_s` × 2ⁿ seconds, at most ten minutes: a job behind long ones is not sent
    without end.
    """
    query = select(JobRow.id, JobRow.queued_at, JobRow.sent_at, JobRow.sends)
    query = query.where(JobRow.state == "queued").order_by(JobRow.id).limit(WINDOW)
    moment = now()
    found = []
    with db.reading() as session:
        for job_id, queued_at, sent_at, sends in session.execute(query):
            wait = min(pause_s * 2 ** min(sends, 20), RESEND_MOST_S)
            if (sent_at or queued_at) <= moment - timedelta(seconds=wait):
                found.append(job_id)
    return found


def sent(db: Database, job_id: str) -> None:
    """Note that the job's id was put on the queue."""
    statement = update(JobRow).where(JobRow.id == job_id, JobRow.state == "queued")
    with db.session() as session:
        session.execute(statement.values(sent_at=now(), sends=JobRow.sends + 1))


def living(db: Database, job_ids: Iterable[str]) -> dict[str, int]:
    """Which of these jobs a worker holds at this moment, each with its fence."""
    query = select(JobRow.id, JobRow.fence).where(
        JobRow.id.in_(list(job_ids)), JobRow.state.in_(OWNED), JobRow.lease_until >= now()
    )
    with db.reading() as session:
        return {job_id: fence for job_id, fence in session.execute(query)}  # noqa: C416  # dict() has no types for rows
