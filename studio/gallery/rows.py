"""From an artifact's rows to its view."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, undefer

from studio.brief import Brief
from studio.contract import Report
from studio.database.gallery_tables import ArtifactRow
from studio.database.tables import JobFileRow, JobRow
from studio.errors import NotFound
from studio.gallery.views import ArtifactView, Hidden, ShownAnyway
from studio.jobs import FileView
from studio.jobs.rows import file_view
from studio.trajectory import MadeBy, Usage

UNKNOWN = "there is no artifact {id:.60}"


def existing(session: Session, artifact_id: str) -> ArtifactRow:
    """The row, locked until the transaction ends. Raises NotFound."""
    row = session.get(ArtifactRow, artifact_id, with_for_update=True)
    if row is None:
        raise NotFound(UNKNOWN.format(id=artifact_id))
    return row


def with_jobs() -> Select[ArtifactRow, JobRow]:
    """Artifacts with the jobs whose works they are."""
    return select(ArtifactRow, JobRow).join(JobRow, JobRow.id == ArtifactRow.job_id)


def one(session: Session, query: Select[ArtifactRow, JobRow], missing: str) -> ArtifactView:
    """The one work that `query` finds, with its report and files. Raises NotFound."""
    found = session.execute(query.options(undefer(JobRow.report))).one_or_none()
    if found is None:
        raise NotFound(missing)
    artifact, job = found
    rows = session.scalars(select(JobFileRow).where(JobFileRow.job_id == job.id).order_by(JobFileRow.path))
    files = [file_view(row) for row in rows]
    view = view_of(artifact, job, [file for file in files if file.role == "preview"])
    view.files = [file for file in files if file.role == "output"]
    view.report = Report.model_validate(job.report) if job.report else None
    return view


def views_of(session: Session, ids: Sequence[str]) -> list[ArtifactView]:
    """The works of these ids in their order, with their previews."""
    rows = {
        artifact.id: (artifact, job) for artifact, job in session.execute(with_jobs().where(ArtifactRow.id.in_(ids)))
    }
    previews = _previews(session, [job.id for _, job in rows.values()])
    return [view_of(artifact, job, previews.get(job.id, [])) for artifact, job in (rows[key] for key in ids)]


def _previews(session: Session, job_ids: list[str]) -> dict[str, list[FileView]]:
    query = select(JobFileRow).where(JobFileRow.job_id.in_(job_ids), JobFileRow.role == "preview")
    found: dict[str, list[FileView]] = {}
    for row in session.scalars(query.order_by(JobFileRow.path)):
        found.setdefault(row.job_id, []).append(file_view(row))
    return found


def view_of(artifact: ArtifactRow, job: JobRow, previews: list[FileView]) -> ArtifactView:
    """The view of one work, without report and files."""
    base = f"/api/v1/artifacts/{artifact.id}"
    links = {"self": base, "page": f"/artifacts/{artifact.id}", "job": f"/api/v1/jobs/{job.id}"}
    if artifact.share_token:
        links["share"] = f"/s/{artifact.share_token}"
    return ArtifactView(
        id=artifact.id,
        job_id=job.id,
        kind=artifact.kind,
        title=artifact.title,
        language=artifact.language,
        made_by=MadeBy.model_validate(job.made_by),
        tags=artifact.tags,
        created_at=artifact.created_at,
        version=job.version,
        parent=job.parent_id,
        shown_anyway=_shown_anyway(artifact),
        visibility=artifact.visibility,  # type: ignore[arg-type]  # validated by pydantic
        hidden=_hidden(artifact),
        stars=artifact.stars,
        entry=artifact.entry,
        text_equivalent=artifact.text_equivalent,
        previews=previews,
        brief=Brief.model_validate(job.brief),
        usage=Usage.model_validate(job.usage) if job.usage else None,
        links=links,
        content_token=job.content_token,
        share_token=artifact.share_token,
    )


def _shown_anyway(row: ArtifactRow) -> ShownAnyway | None:
    if row.shown_by is None:
        return None
    return ShownAnyway(by=row.shown_by, reason=row.shown_because or "", failed=row.failed_checks or 0)


def _hidden(row: ArtifactRow) -> Hidden | None:
    if row.hidden_at is None:
        return None
    return Hidden(by=row.hidden_by or "", reason=row.hidden_because or "", at=row.hidden_at)
