"""Recipes from jobs' records, and what reproductions found: stored by workers, shown with the jobs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypeAlias

from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import undefer

from studio.database import Database, alone
from studio.database.tables import JobRow, RecipeRow, ReproductionRow
from studio.errors import LeaseLost, NotFound
from studio.jobs.views import OWNED, Claim
from studio.trajectory import Call, now

Verdict: TypeAlias = Literal["same", "alike", "differs"]


class LeftOut(BaseModel):
    """A call of the record that the recipe does without."""

    number: int
    name: str
    why: str


class RecipeView(BaseModel):
    """A recipe from a job's record. `reduced` False: without its dead ends it did not make the work again."""

    job: str
    kept: int
    total: int
    reduced: bool
    dropped: list[LeftOut] = Field(default_factory=list)
    outcome: str = Field(description="What the run that verified it came to.")
    created_at: datetime
    calls: list[Call] = Field(default_factory=list)


class ComparedFile(BaseModel):
    """One file beside the recorded one: `same` to the byte, `alike` to the senses, or `differs`; and by what."""

    path: str
    verdict: Verdict
    detail: str = ""


class Reproduction(BaseModel):
    """What came of doing a job's calls again in a fresh sandbox."""

    job: str = Field(description="The job that did them again.")
    source: str
    verdict: Verdict
    files: list[ComparedFile]
    at: datetime


def recipe(db: Database, job_id: str) -> RecipeView:
    """The recipe from a job's record. Raises NotFound while there is none."""
    with db.reading() as session:
        row = session.get(RecipeRow, job_id, options=[undefer(RecipeRow.calls)])
        if row is None:
            raise NotFound("no recipe was taken from this job yet; the first remix of it does that")
        return RecipeView(
            job=row.job_id,
            kept=row.kept,
            total=row.total,
            reduced=row.reduced,
            dropped=[LeftOut.model_validate(item) for item in row.dropped],
            outcome=row.outcome,
            created_at=row.created_at,
            calls=[Call.model_validate(item) for item in row.calls],
        )


def keep_recipe(db: Database, found: RecipeView) -> RecipeView:
    """Store a recipe; where another worker was quicker, the answer is that one's."""
    with db.session() as session:
        alone(session, "recipe", found.job)
        if session.get(RecipeRow, found.job) is None:
            session.add(
                RecipeRow(
                    job_id=found.job,
                    calls=[call.model_dump() for call in found.calls],
                    kept=found.kept,
                    total=found.total,
                    reduced=found.reduced,
                    dropped=[item.model_dump() for item in found.dropped],
                    outcome=found.outcome,
                    created_at=found.created_at,
                )
            )
    return recipe(db, found.job)


def keep_reproduction(db: Database, held_by: Claim, files: Sequence[ComparedFile]) -> Reproduction:
    """Store what a reproduction found, the worst of its files as its verdict. Raises LeaseLost."""
    verdicts = {file.verdict for file in files}
    verdict: Verdict = "differs" if "differs" in verdicts or not files else "alike" if "alike" in verdicts else "same"
    with db.session() as session:
        query = select(JobRow.parent_id).where(
            JobRow.id == held_by.job_id, JobRow.fence == held_by.fence, JobRow.state.in_(OWNED)
        )
        source = session.scalar(query.with_for_update())
        if source is None:
            raise LeaseLost("the job has another owner, or has ended")
        row = ReproductionRow(
            job_id=held_by.job_id,
            source_id=held_by.made_by.replay_of or source,
            verdict=verdict,
            files=[file.model_dump() for file in files],
            created_at=now(),
        )
        return _view(session.merge(row))


def reproduction(db: Database, job_id: str) -> Reproduction | None:
    """What the reproducing job `job_id` found; None while it found nothing."""
    with db.reading() as session:
        row = session.get(ReproductionRow, job_id)
        return _view(row) if row else None


def reproductions(db: Database, source_id: str, limit: int = 10) -> list[Reproduction]:
    """The reproductions of a job, newest first."""
    query = select(ReproductionRow).where(ReproductionRow.source_id == source_id)
    with db.reading() as session:
        return [_view(row) for row in session.scalars(query.order_by(ReproductionRow.job_id.desc()).limit(limit))]


def _view(row: ReproductionRow) -> Reproduction:
    return Reproduction(
        job=row.job_id,
        source=row.source_id,
        verdict=row.verdict,  # type: ignore[arg-type]  # validated by pydantic
        files=[ComparedFile.model_validate(item) for item in row.files],
        at=row.created_at,
    )
