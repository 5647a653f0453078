"""The gallery: what was accepted, listed and shown; and the one place that publishes."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session, undefer

from studio import jobs
from studio.brief import Brief, Strict
from studio.contract import Report
from studio.database import Database, Page, new_id
from studio.database.paging import checked_limit, decode_cursor, encode_cursor
from studio.database.tables import ArtifactRow, ArtifactTagRow, JobFileRow, JobRow
from studio.errors import Conflict, NotFound
from studio.jobs import Claim, FileView, JobEnd
from studio.jobs.queries import files_in
from studio.jobs.rows import add_event, file_view
from studio.kinds import get_kind
from studio.secrets import masked
from studio.trajectory import MadeBy, Note, Usage, now

log = logging.getLogger(__name__)


class PublishRequest(Strict):
    """The body of `POST /jobs/{id}/publish`: why a rejected work is shown all the same."""

    reason: Annotated[str, StringConstraints(min_length=3, max_length=1000, pattern=r"^[^\x00]*$")]


class ShownAnyway(BaseModel):
    """A person's decision to show what was rejected: who, why, and how many checks that must pass do not."""

    by: str
    reason: str
    failed: int


class ArtifactView(BaseModel):
    """An accepted work, or one that a person shows all the same.

    `report` and `files` are only there when one artifact is asked for.
    """

    id: str
    job_id: str
    kind: str
    title: str
    language: str
    made_by: MadeBy
    tags: list[str] = Field(default_factory=list)
    created_at: datetime
    version: int = 1
    parent: str | None = None
    shown_anyway: ShownAnyway | None = Field(default=None, description="Set where it was rejected.")
    entry: str = Field(description="Path of the deliverable that is shown.")
    text_equivalent: str | None = Field(default=None, description="Path of the Markdown deliverable.")
    report: Report | None = None
    files: list[FileView] = Field(default_factory=list)
    previews: list[FileView] = Field(default_factory=list)
    brief: Brief
    usage: Usage | None = None
    links: dict[str, str] = Field(default_factory=dict)
    content_token: str = Field(exclude=True, description="Names the artifact on the content origin.")


def publish(db: Database, claim: Claim, end: JobEnd, secrets: Sequence[str] = ()) -> str | None:
    """Commit artifact, report, files and the job's end together; the artifact's id.

    None when the job was being canceled: it is `canceled` then, and nothing is published. Raises LeaseLost.
    """
    with db.session() as session:
        if jobs.finish_in(session, claim, end, secrets) != "published":
            return None
        job = session.get_one(JobRow, claim.job_id)
        return _hang(session, job).id


def publish_anyway(db: Database, job_id: str, reason: str, *, caller: str, secrets: Sequence[str] = ()) -> ArtifactView:
    """Show what a rejected job left, by a person's decision: who and why stand in its record and beside the work.

    The job stays `rejected`. Raises NotFound; Conflict where it is not rejected, left no files, or is shown already.
    """
    with db.session() as session:
        job = session.get(JobRow, job_id, with_for_update=True)
        if job is None:
            raise NotFound(f"there is no job {job_id[:60]}")
        if job.state != "rejected":
            raise Conflict(f"the job is {job.state}; only what was rejected can be shown all the same")
        if not files_in(session, job_id, "output"):
            raise Conflict("the job left no files that could be shown")
        if session.scalar(select(ArtifactRow.id).where(ArtifactRow.job_id == job_id)) is not None:
            raise Conflict("it is shown already")
        report = Report.model_validate(job.report) if job.report else None
        failed = sum(finding.severity == "must" for finding in report.failed) if report else 0
        artifact = _hang(session, job)
        artifact.shown_by, artifact.shown_because = caller, masked(reason, secrets)
        artifact.failed_checks = failed
        job.last_seq += 1
        words = f"Shown in the gallery by {caller}, though {_checks(failed)}: {reason}"
        note = Note(seq=job.last_seq, attempt=job.attempt, author="person", text=words)
        add_event(session, job_id, note, secrets)
        artifact_id = artifact.id
    log.warning("job %s: %s shows it though %s", job_id, caller, _checks(failed))
    return get(db, artifact_id)


def _checks(failed: int) -> str:
    return f"{failed} check{'' if failed == 1 else 's'} that must pass {'does' if failed == 1 else 'do'} not"


def _hang(session: Session, job: JobRow) -> ArtifactRow:
    """The row by which the gallery lists a job's work."""
    kind, brief = get_kind(job.kind), Brief.model_validate(job.brief)
    artifact = ArtifactRow(
        id=new_id(),
        job_id=job.id,
        kind=job.kind,
        title=job.title,
        prompt=brief.prompt,
        language=brief.language,
        base_language=base_language(brief.language),
        model=model_name(MadeBy.model_validate(job.made_by))[:200],
        entry=kind.entry_of(brief),
        text_equivalent=kind.text_equivalent_of(brief),
        created_at=now(),
    )
    session.add(artifact)
    session.flush()
    session.add_all(ArtifactTagRow(tag=tag, artifact_id=artifact.id) for tag in job.tags)
    return artifact


def model_name(by: MadeBy) -> str:
    """The word by which the gallery's model filter finds it: the model's name, `recipe` or `replay`."""
    return by.model or ("replay" if by.replay_of else "recipe")


def base_language(tag: str) -> str:
    """The language of a BCP 47 tag without script, region and so on."""
    return tag.partition("-")[0].lower()


def list_artifacts(
    db: Database,
    *,
    kind: str | None = None,
    model: str | None = None,
    language: str | None = None,
    tag: str | None = None,
    q: str | None = None,
    cursor: str | None = None,
    limit: int = 24,
) -> Page[ArtifactView]:
    """Artifacts, newest first, with their previews. Raises BriefError for a bad cursor or limit.

    `model` is a model's name, `recipe` or `replay`; `language` takes its regions too (`zh` finds `zh-Hans`); `q` finds
    words in title and prompt.
    """
    by = ArtifactTagRow.artifact_id if tag else ArtifactRow.id  # the column of the index that serves the order
    query = _with_jobs().order_by(by.desc()).limit(checked_limit(limit) + 1)
    if tag:
        query = query.join(ArtifactTagRow, ArtifactTagRow.artifact_id == ArtifactRow.id)
        query = query.where(ArtifactTagRow.tag == tag)
    if kind:
        query = query.where(ArtifactRow.kind == kind)
    if model:
        query = query.where(ArtifactRow.model == model)
    if language:
        query = query.where(ArtifactRow.base_language == base_language(language))
        if "-" in language:
            query = query.where(func.lower(ArtifactRow.language) == language.lower())
    for word in (q or "").split():
        in_title = ArtifactRow.title.icontains(word, autoescape=True)
        query = query.where(in_title | ArtifactRow.prompt.icontains(word, autoescape=True))
    if cursor:
        query = query.where(by < decode_cursor(cursor))
    with db.reading() as session:
        rows = session.execute(query).all()
        previews = _previews(session, [job.id for _, job in rows[:limit]])
        found = [_view(artifact, job, previews=previews.get(job.id, [])) for artifact, job in rows[:limit]]
    return Page(data=found, next_cursor=encode_cursor(found[-1].id) if len(rows) > limit else None)


def get(db: Database, artifact_id: str) -> ArtifactView:
    """One artifact with its report and files. Raises NotFound."""
    return _one(db, _with_jobs().where(ArtifactRow.id == artifact_id), f"there is no artifact {artifact_id[:60]}")


def by_token(db: Database, token: str) -> ArtifactView:
    """The artifact that `token` names on the content origin. Raises NotFound."""
    return _one(db, _with_jobs().where(JobRow.content_token == token), "there is nothing here")


def _with_jobs() -> Select[ArtifactRow, JobRow]:
    return select(ArtifactRow, JobRow).join(JobRow, JobRow.id == ArtifactRow.job_id)


def _one(db: Database, query: Select[ArtifactRow, JobRow], missing: str) -> ArtifactView:
    with db.reading() as session:
        found = session.execute(query.options(undefer(JobRow.report))).one_or_none()
        if found is None:
            raise NotFound(missing)
        artifact, job = found
        rows = session.scalars(select(JobFileRow).where(JobFileRow.job_id == job.id).order_by(JobFileRow.path))
        files = [file_view(row) for row in rows]
        view = _view(artifact, job, previews=[file for file in files if file.role == "preview"])
        view.files = [file for file in files if file.role == "output"]
        view.report = Report.model_validate(job.report) if job.report else None
        return view


def _previews(session: Session, job_ids: list[str]) -> dict[str, list[FileView]]:
    query = select(JobFileRow).where(JobFileRow.job_id.in_(job_ids), JobFileRow.role == "preview")
    found: dict[str, list[FileView]] = {}
    for row in session.scalars(query.order_by(JobFileRow.path)):
        found.setdefault(row.job_id, []).append(file_view(row))
    return found


def _view(artifact: ArtifactRow, job: JobRow, *, previews: list[FileView]) -> ArtifactView:
    base = f"/api/v1/artifacts/{artifact.id}"
    return ArtifactView(
        id=artifact.id,
        job_id=job.id,
        kind=artifact.kind,
        title=artifact.title,
        language=artifact.language,
        made_by=MadeBy.model_validate(job.made_by),
        tags=job.tags,
        created_at=artifact.created_at,
        version=job.version,
        parent=job.parent_id,
        shown_anyway=_shown_anyway(artifact),
        entry=artifact.entry,
        text_equivalent=artifact.text_equivalent,
        previews=previews,
        brief=Brief.model_validate(job.brief),
        usage=Usage.model_validate(job.usage) if job.usage else None,
        links={"self": base, "page": f"/artifacts/{artifact.id}", "job": f"/api/v1/jobs/{job.id}"},
        content_token=job.content_token,
    )


def _shown_anyway(row: ArtifactRow) -> ShownAnyway | None:
    if row.shown_by is None:
        return None
    return ShownAnyway(by=row.shown_by, reason=row.shown_because or "", failed=row.failed_checks or 0)
