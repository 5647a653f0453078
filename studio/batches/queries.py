"""What can be asked of batches: one, a list, the lines that gave a work, the lines that did not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from studio.batches.views import BatchView, Counts, LineError, LineProblem, LineResult
from studio.database import Database, Page
from studio.database.gallery_tables import ArtifactRow
from studio.database.paging import checked_limit, decode_cursor, encode_cursor
from studio.database.tables import BatchLineRow, BatchRow, JobRow
from studio.errors import NotFound
from studio.jobs import ENDED, OWNED

LINES_AT_ONCE = 500


@dataclass(frozen=True)
class Ended:
    """A line at its end, and the job that it became."""

    line: BatchLineRow
    job: JobRow | None
    artifact: str | None

    @property
    def accepted(self) -> bool:
        return self.job is not None and self.job.state == "published"


def get(db: Database, batch_id: str) -> BatchView:
    """One batch with its counts. Raises NotFound."""
    with db.reading() as session:
        row = session.get(BatchRow, batch_id)
        if row is None:
            raise NotFound(f"there is no batch {batch_id[:60]}")
        return _view(row, counts_in(session, row))


def list_batches(db: Database, *, cursor: str | None = None, limit: int = 50) -> Page[BatchView]:
    """Batches, newest first. Raises BriefError for a bad cursor or limit."""
    query = select(BatchRow).order_by(BatchRow.id.desc()).limit(checked_limit(limit) + 1)
    if cursor:
        query = query.where(BatchRow.id < decode_cursor(cursor))
    with db.reading() as session:
        rows = session.scalars(query).all()
        found = [_view(row, counts_in(session, row)) for row in rows[:limit]]
    return Page(data=found, next_cursor=encode_cursor(found[-1].id) if len(rows) > limit else None)


def counts_in(session: Session, batch: BatchRow) -> Counts:
    """How the batch's lines stand, inside a transaction."""
    lines = select(BatchLineRow.state, func.count()).where(BatchLineRow.batch_id == batch.id)
    jobs = select(JobRow.state, func.count()).where(JobRow.batch_id == batch.id)
    counts = Counts(total=batch.total)
    for state, number in session.execute(lines.group_by(BatchLineRow.state)):
        if state != "job":
            setattr(counts, state, number)
    for state, number in session.execute(jobs.group_by(JobRow.state)):
        name = "running" if state in OWNED else state
        setattr(counts, name, getattr(counts, name) + number)
    return counts


def _view(row: BatchRow, counts: Counts) -> BatchView:
    base = f"/api/v1/batches/{row.id}"
    links = {"self": base, "page": f"/batches/{row.id}"}
    links |= {name: f"{base}/{name}" for name in ("results", "errors", "archive", "cancel")}
    return BatchView(
        id=row.id,
        name=row.name,
        state=row.state,  # type: ignore[arg-type]  # validated by pydantic
        message=row.message,
        strategy=row.strategy,  # type: ignore[arg-type]  # validated by pydantic
        otherwise=row.otherwise,  # type: ignore[arg-type]
        lead=row.lead_id,
        counts=counts,
        created_at=row.created_at,
        expires_at=row.expires_at,
        finished_at=row.finished_at,
        links=links,
    )


def ended_lines(
    db: Database, batch_id: str, *, accepted: bool | None = None, after: int = 0, limit: int = LINES_AT_ONCE
) -> Sequence[Ended]:
    """Lines behind number `after` that have come to their end, in order. No connection is held afterwards."""
    query = (
        select(BatchLineRow, JobRow, ArtifactRow.id)
        .outerjoin(JobRow, JobRow.id == BatchLineRow.job_id)
        .outerjoin(ArtifactRow, ArtifactRow.job_id == JobRow.id)
        .where(BatchLineRow.batch_id == batch_id, BatchLineRow.number > after)
        .order_by(BatchLineRow.number)
        .limit(limit)
    )
    if accepted is True:
        query = query.where(JobRow.state == "published")
    else:
        over = ENDED if accepted is None else tuple(state for state in ENDED if state != "published")
        query = query.where(JobRow.state.in_(over) | BatchLineRow.state.not_in(("waiting", "job")))
    with db.reading() as session:
        return [Ended(line, job, artifact) for line, job, artifact in session.execute(query)]


def all_ended(db: Database, batch_id: str, *, accepted: bool | None = None) -> Iterator[Ended]:
    """The same, all of them, some at a time."""
    after = 0
    while page := ended_lines(db, batch_id, accepted=accepted, after=after):
        yield from page
        after = page[-1].line.number


def results(db: Database, batch_id: str) -> Iterator[LineResult]:
    """The lines whose works were accepted so far. Raises NotFound at once."""
    get(db, batch_id)
    return (result_of(item) for item in all_ended(db, batch_id, accepted=True))


def errors(db: Database, batch_id: str) -> Iterator[LineError]:
    """The lines that came to their end without an accepted work. Raises NotFound at once."""
    get(db, batch_id)
    return (error_of(item) for item in all_ended(db, batch_id, accepted=False))


def result_of(item: Ended) -> LineResult:
    """The view of a line whose job was published."""
    assert item.job is not None
    return LineResult(
        custom_id=item.line.custom_id,
        line=item.line.number,
        job=item.job.id,
        artifact=item.artifact,
        state=item.job.state,  # type: ignore[arg-type]  # validated by pydantic
        kind=item.job.kind,
        title=item.job.title,
        seed=item.job.run.get("seed"),
        finished_at=item.job.finished_at,
        links=_links(item),
    )


def error_of(item: Ended) -> LineError:
    """The view of a line that gave nothing that was accepted."""
    job = item.job
    return LineError(
        custom_id=item.line.custom_id,
        line=item.line.number,
        state=job.state if job else item.line.state,  # type: ignore[arg-type]
        job=job.id if job else None,
        reason=job.reason if job else None,
        message=job.message if job else "",
        errors=[LineProblem.model_validate(problem) for problem in item.line.problems or ()],
        links=_links(item),
    )


def _links(item: Ended) -> dict[str, str]:
    if item.job is None:
        return {}
    base = f"/api/v1/jobs/{item.job.id}"
    links = {"job": base, "files": f"{base}/files", "report": f"{base}/report", "page": f"/jobs/{item.job.id}"}
    if item.artifact:
        links |= {"artifact": f"/api/v1/artifacts/{item.artifact}", "page": f"/artifacts/{item.artifact}"}
    return links
