"""Versions of a work: which jobs are of one line, and which number the next has."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel
from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from studio.database import Database
from studio.database.gallery_tables import ArtifactRow
from studio.database.tables import JobRow
from studio.errors import NotFound
from studio.jobs.views import JobState
from studio.trajectory import MadeBy


class Version(BaseModel):
    """One of a work's versions. `note` are the words by which it revises an earlier one."""

    job: str
    artifact: str | None
    version: int
    state: JobState
    made_by: MadeBy
    revises: str | None
    note: str | None
    created_at: datetime


def versions(db: Database, job_id: str) -> list[Version]:
    """The versions that a job is one of, the first one first; the job alone where it was never revised.

    Raises NotFound.
    """
    with db.reading() as session:
        row = session.get(JobRow, job_id)
        if row is None:
            raise NotFound(f"there is no job {job_id[:60]}")
        query = select(JobRow, ArtifactRow.id).outerjoin(ArtifactRow, ArtifactRow.job_id == JobRow.id)
        query = query.where(_of_line(row.line_id or row.id)).order_by(JobRow.version, JobRow.id)
        return [_version(job, artifact) for job, artifact in session.execute(query)]


def next_version(session: Session, line_id: str) -> int:
    """The number of the next version of a line."""
    return 1 + (session.scalar(select(func.max(JobRow.version)).where(_of_line(line_id))) or 1)


def again_in_line(session: Session, old: JobRow) -> tuple[int, str | None, str | None, str | None]:
    """Version, line, what it revises and by which words, of a job that is made once more.

    A revision stays one, with a number of its own; what was never revised begins anew.
    """
    if old.revises is None or old.line_id is None:
        return 1, None, None, None
    return next_version(session, old.line_id), old.line_id, old.revises, old.note


def _of_line(line_id: str) -> ColumnElement[bool]:
    return or_(JobRow.id == line_id, JobRow.line_id == line_id)


def _version(row: JobRow, artifact: str | None) -> Version:
    return Version(
        job=row.id,
        artifact=artifact,
        version=row.version,
        state=row.state,  # type: ignore[arg-type]  # validated by pydantic
        made_by=MadeBy.model_validate(row.made_by),
        revises=row.revises,
        note=row.note,
        created_at=row.created_at,
    )
