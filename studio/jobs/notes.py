"""Notes: a person's words to the model of a job under way, which it is told before its next step."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, Field
from sqlalchemy import func, select

from studio.brief import Strict
from studio.database import Database, new_id
from studio.database.tables import JobNoteRow, JobRow
from studio.errors import Conflict, NotFound
from studio.jobs.revisions import Words
from studio.jobs.views import ENDED, Claim
from studio.secrets import masked
from studio.trajectory import MadeBy, Note, now

MAX_NOTES = 50  # of one job


class NoteRequest(Strict):
    """The body of `POST /jobs/{id}/notes`."""

    text: Words


class NoteView(BaseModel):
    """A note to a job's model."""

    id: str
    by: str
    text: str
    created_at: datetime
    seq: int | None = Field(description="Number of the event by which the model was told; null before.")


def give_note(db: Database, job_id: str, text: str, *, caller: str, secrets: Sequence[str] = ()) -> NoteView:
    """Keep words for the job's model. Raises NotFound; Conflict where nobody would read them."""
    with db.session() as session:
        job = session.get(JobRow, job_id, with_for_update=True)  # its notes are counted
        if job is None:
            raise NotFound(f"there is no job {job_id[:60]}")
        if MadeBy.model_validate(job.made_by).prepared:
            raise Conflict("prepared programs make this and never read words; ask for it by a model, as openai:MODEL")
        if job.state in ENDED or job.state == "canceling":
            raise Conflict(f"the job is {job.state}, so its model reads nothing more; revise what it made instead")
        if (session.scalar(select(func.count()).where(JobNoteRow.job_id == job_id)) or 0) >= MAX_NOTES:
            raise Conflict(f"the job has {MAX_NOTES} notes, which is the most; wait for it, or cancel it")
        row = JobNoteRow(
            id=new_id(), job_id=job_id, caller=caller, text=masked(text, secrets), created_at=now(), seq=None
        )
        session.add(row)
        return _view(row)


def notes(db: Database, job_id: str) -> list[NoteView]:
    """All notes of a job, in their order. Raises NotFound."""
    with db.reading() as session:
        if session.get(JobRow, job_id) is None:
            raise NotFound(f"there is no job {job_id[:60]}")
        query = select(JobNoteRow).where(JobNoteRow.job_id == job_id).order_by(JobNoteRow.id)
        return [_view(row) for row in session.scalars(query)]


def notes_waiting(db: Database, claim: Claim) -> list[Note]:
    """Events of the notes that the job's model was not told yet; recording one marks it as told."""
    query = select(JobNoteRow).where(JobNoteRow.job_id == claim.job_id, JobNoteRow.seq.is_(None))
    with db.reading() as session:
        rows = session.scalars(query.order_by(JobNoteRow.id)).all()
        return [Note(author="person", text=row.text, given=row.id) for row in rows]


def _view(row: JobNoteRow) -> NoteView:
    return NoteView(id=row.id, by=row.caller, text=row.text, created_at=row.created_at, seq=row.seq)
