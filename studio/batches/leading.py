"""Batches that a model begins: the first work of its that is accepted gives the recipe for the other lines.

One line at a time is tried by the model until a work is accepted. What the recipe cannot make for a line stays
rejected, or is tried by the model, as the batch says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session, undefer

from studio import jobs
from studio.batches.views import LED, OPEN
from studio.brief import JobRequest
from studio.database import Database
from studio.database.tables import BatchLineRow, BatchRow, JobRow
from studio.errors import BriefError, Conflict
from studio.settings import Settings

Stage: TypeAlias = Literal["each", "lead", "wait", "follow"]


@dataclass(frozen=True)
class Course:
    """How the next lines of a batch are made: each as it says, one by the model, none yet, or by the lead's recipe."""

    stage: Stage
    lead: str | None = None
    keeps_requests: bool = False

    def request(self, stored: JobRequest) -> JobRequest:
        """The line's request as it is made now."""
        if self.stage != "follow":
            return stored
        return stored.model_copy(update={"run": stored.run.model_copy(update={"model": f"recipe:{self.lead}"})})


def course_of(db: Database, batch_id: str) -> Course:
    """How the next lines of this batch are made."""
    query = select(BatchRow.strategy, BatchRow.otherwise, BatchRow.lead_id, JobRow.state)
    query = query.outerjoin(JobRow, JobRow.id == BatchRow.lead_id).where(BatchRow.id == batch_id)
    with db.reading() as session:
        strategy, otherwise, lead, state = session.execute(query).one()
    if strategy != LED:
        return Course("each")
    if state == "published":
        return Course("follow", lead, otherwise == "model")
    return Course("wait" if lead and state not in jobs.ENDED else "lead")


def lead_with(session: Session, batch_id: str, job_id: str) -> None:
    """The batch's lead is this job now."""
    statement = update(BatchRow).where(BatchRow.id == batch_id).values(lead_id=job_id)
    session.execute(statement.execution_options(synchronize_session=False))


def _not_made() -> Select[BatchLineRow]:
    """Lines that the recipe could not make and the model is to try."""
    return (
        select(BatchLineRow)
        .join(JobRow, JobRow.id == BatchLineRow.job_id)
        .where(BatchLineRow.request.is_not(None), BatchLineRow.state == "job", JobRow.state.in_(("rejected", "failed")))
    )


def owed(session: Session, batch_id: str) -> int:
    """How many lines of a batch the model is still to try."""
    found = _not_made().where(BatchLineRow.batch_id == batch_id).subquery()
    return session.scalar(select(func.count()).select_from(found)) or 0


def try_by_model(
    db: Database, settings: Settings, room: int, refuse: Callable[[BatchLineRow, BriefError], None]
) -> list[str]:
    """Jobs by the model for lines that the recipe could not make, at most `room`; their ids, to be enqueued."""
    query = _not_made().join(BatchRow, BatchRow.id == BatchLineRow.batch_id).options(undefer(BatchLineRow.request))
    query = query.where(BatchRow.state.in_(OPEN), BatchRow.ending.is_(None)).order_by(BatchLineRow.job_id)
    with db.reading() as session:
        lines = [(line, _caller(session, line.batch_id)) for line in session.scalars(query.limit(max(room, 0)))]
    made = []
    for line, caller in lines:
        try:
            made.append(_tried(db, settings, line, caller))
        except Conflict:
            continue  # another upkeep was quicker
        except BriefError as error:
            refuse(line, error)
    return made


def _caller(session: Session, batch_id: str) -> str:
    return session.scalars(select(BatchRow.caller).where(BatchRow.id == batch_id)).one()


def _tried(db: Database, settings: Settings, line: BatchLineRow, caller: str) -> str:
    before = line.job_id or ""

    def take(session: Session, job_id: str) -> None:
        own = (BatchLineRow.batch_id == line.batch_id, BatchLineRow.number == line.number)
        statement = update(BatchLineRow).where(*own, BatchLineRow.job_id == before)
        changed = statement.values(job_id=job_id, request=None).returning(BatchLineRow.number)
        if session.scalar(changed.execution_options(synchronize_session=False)) is None:
            raise Conflict("the line has another job already")
        # The job before is no line of the batch any more; the new one names it as its parent.
        old = update(JobRow).where(JobRow.id == before).values(batch_id=None)
        session.execute(old.execution_options(synchronize_session=False))

    request = JobRequest.model_validate(line.request)
    return jobs.create(db, request, settings, caller=caller, batch=line.batch_id, parent=before, beside=take).id
