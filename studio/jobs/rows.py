"""From rows to views, and the steps that several job services share inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Update, update
from sqlalchemy.orm import Session

from studio.brief import Brief, RunOptions
from studio.contract import Report
from studio.database.tables import EventRow, JobFileRow, JobInputRow, JobRow
from studio.jobs.views import FileView, InputView, JobView
from studio.secrets import masked
from studio.trajectory import Event, MadeBy, Usage, encode


def job_view(
    row: JobRow, artifact: str | None, *, with_report: bool, siblings: Mapping[str, int] | None = None
) -> JobView:
    """The view of a row; `artifact` is the id of what it published, `siblings` the numbers of other variants by id."""
    base = f"/api/v1/jobs/{row.id}"
    links = {"self": base, "page": f"/jobs/{row.id}", "cancel": f"{base}/cancel"}
    links |= {name: f"{base}/{name}" for name in ("events", "trajectory", "report")}
    if artifact:
        links["artifact"] = f"/api/v1/artifacts/{artifact}"
    if row.batch_id:
        links["batch"] = f"/api/v1/batches/{row.batch_id}"
    links |= {f"variant_{number}": f"/api/v1/jobs/{other}" for other, number in (siblings or {}).items()}
    return JobView(
        id=row.id,
        kind=row.kind,
        title=row.title,
        state=row.state,  # type: ignore[arg-type]  # validated by pydantic
        reason=row.reason,
        message=row.message,
        attempt=row.attempt,
        made_by=MadeBy.model_validate(row.made_by),
        brief=Brief.model_validate(row.brief),
        run=RunOptions.model_validate(row.run),
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        usage=Usage.model_validate(row.usage) if row.usage else None,
        report=Report.model_validate(row.report) if with_report and row.report else None,
        artifact=artifact,
        batch=row.batch_id,
        custom_id=row.custom_id,
        parent=row.parent_id,
        revises=row.revises,
        note=row.note,
        variant=row.variant,
        siblings=list(siblings or {}),
        purpose=row.purpose,  # type: ignore[arg-type]  # validated by pydantic
        version=row.version,
        tags=row.tags,
        links=links,
        last_seq=row.last_seq,
        content_token=row.content_token,
    )


def file_view(row: JobFileRow) -> FileView:
    """The view of a file's row."""
    return FileView(
        path=row.path,
        media_type=row.media_type,
        bytes=row.bytes,
        sha256=row.sha256,
        role=row.role,  # type: ignore[arg-type]  # validated by pydantic
        width=row.width,
        height=row.height,
    )


def input_view(row: JobInputRow) -> InputView:
    """The view of an attachment's row."""
    return InputView(name=row.name, role=row.role, size=row.size, sha256=row.sha256, upload=row.upload_id)  # type: ignore[arg-type]


def held(job_id: str, fence: int, states: Sequence[str]) -> Update:
    """An UPDATE of the job, of the one who holds `fence` only, and only in one of `states`."""
    return (
        update(JobRow)
        .where(JobRow.id == job_id, JobRow.fence == fence, JobRow.state.in_(states))
        .execution_options(synchronize_session=False)
    )


def add_event(session: Session, job_id: str, event: Event, secrets: Sequence[str] = ()) -> None:
    """Store `event`, whose `seq` and `attempt` are set, with every secret masked."""
    session.add(EventRow(job_id=job_id, seq=event.seq, type=event.type, body=masked(encode(event), secrets)))
