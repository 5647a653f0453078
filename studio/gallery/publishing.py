"""The one place that publishes: what was accepted, and what a person shows all the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from studio import audit, jobs
from studio.brief import Brief
from studio.contract import Report
from studio.database import Database, new_id
from studio.database.gallery_tables import ArtifactRow
from studio.database.tables import JobRow
from studio.errors import Conflict, NotFound
from studio.gallery.indexing import hang
from studio.gallery.keeping import show_to
from studio.gallery.listing import base_language, get
from studio.gallery.views import ArtifactView, Visibility
from studio.jobs import Claim, JobEnd
from studio.jobs.queries import files_in
from studio.jobs.rows import add_event
from studio.kinds import get_kind
from studio.secrets import masked
from studio.trajectory import MadeBy, Note, now

log = logging.getLogger(__name__)


def publish(
    db: Database, claim: Claim, end: JobEnd, secrets: Sequence[str] = (), visibility: Visibility = "operators"
) -> str | None:
    """Commit artifact, report, files and the job's end together; the artifact's id. `visibility`: who may see it.

    None when the job was being canceled: it is `canceled` then, and nothing is published. Raises LeaseLost.
    """
    with db.session() as session:
        if jobs.finish_in(session, claim, end, secrets) != "published":
            return None
        job = session.get_one(JobRow, claim.job_id)
        return _hang(session, job, visibility).id


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
        artifact = _hang(session, job, "operators")
        artifact.shown_by, artifact.shown_because = caller, masked(reason, secrets)
        artifact.failed_checks = failed
        job.last_seq += 1
        words = f"Shown in the gallery by {caller}, though {_checks(failed)}: {reason}"
        note = Note(seq=job.last_seq, attempt=job.attempt, author="person", text=words)
        add_event(session, job_id, note, secrets)
        audit.record(session, caller, "artifact.publish_anyway", artifact.id, masked(reason, secrets))
        artifact_id = artifact.id
    log.warning("job %s: %s shows it though %s", job_id, caller, _checks(failed))
    return get(db, artifact_id)


def _checks(failed: int) -> str:
    return f"{failed} check{'' if failed == 1 else 's'} that must pass {'does' if failed == 1 else 'do'} not"


def _hang(session: Session, job: JobRow, visibility: Visibility) -> ArtifactRow:
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
        tags=job.tags,
        stars=0,
        created_at=now(),
    )
    show_to(artifact, visibility)
    session.add(artifact)
    hang(session, artifact, job.brief)
    return artifact


def model_name(by: MadeBy) -> str:
    """The word by which the gallery's model filter finds it: the model's name, `recipe` or `replay`."""
    return by.model or ("replay" if by.replay_of else "recipe")
