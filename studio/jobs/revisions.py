"""Revisions: a person's words on a work that is there make the next version of it, from its files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import StringConstraints, ValidationError
from sqlalchemy.orm import Session

from studio.brief import AttachmentRef, Brief, JobRequest, JsonObject, RunOptions, Strict, problems_of
from studio.database import Database, alone
from studio.database.tables import JobRow
from studio.errors import BriefError, Conflict, NotFound, Problem
from studio.jobs.create import create
from studio.jobs.lines import next_version
from studio.jobs.queries import files_in, inputs_in
from studio.jobs.views import ENDED, JobView
from studio.secrets import masked
from studio.settings import Settings
from studio.trajectory import MadeBy

MAX_WORDS = 4000
READS_NOTHING = (
    "prepared programs never read words, so they cannot revise; name a model, as in openai:MODEL, or change the brief"
)

Words: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=MAX_WORDS, pattern=r"^[^\x00]*$")]


class RevisionRequest(Strict):
    """The body of `POST /jobs/{id}/revise`. A `brief` takes the place of the old one; `run` changes single options."""

    note: Words
    brief: Brief | None = None
    run: JsonObject | None = None


@dataclass(frozen=True)
class Revision:
    """What a job revises: the job whose files it starts from, and by which words."""

    of: str
    note: str


def revise(db: Database, job_id: str, wanted: RevisionRequest, settings: Settings, *, caller: str) -> JobView:
    """A new job, the next version of this one; it starts from its files and scripts, and is told the words.

    Raises NotFound; Conflict while it is under way, and where it left no files; BriefError with pointers /note,
    /brief/… and /run/…, also at /run/model for what reads no words.
    """
    with db.reading() as session:
        old = session.get(JobRow, job_id)
        if old is None:
            raise NotFound(f"there is no job {job_id[:60]}")
        _check(session, old)
        request = _request(session, old, wanted, settings)

    def in_line(session: Session, new_id: str) -> None:
        row, old = session.get_one(JobRow, new_id), session.get_one(JobRow, job_id)
        if MadeBy.model_validate(row.made_by).prepared:
            raise BriefError([Problem("/run/model", READS_NOTHING)])
        line = old.line_id or old.id
        alone(session, "versions", line)
        row.version, row.line_id, row.parent_id = next_version(session, line), line, old.id
        row.revises, row.note = old.id, masked(wanted.note, settings.secrets)

    return create(db, request, settings, caller=caller, beside=in_line)


def revision_of(db: Database, job_id: str) -> Revision | None:
    """What a job revises; None where it starts from nothing."""
    with db.reading() as session:
        row = session.get(JobRow, job_id)
        return Revision(row.revises, row.note or "") if row is not None and row.revises else None


def _check(session: Session, old: JobRow) -> None:
    if old.state not in ENDED:
        raise Conflict(
            f"the job is still {old.state}: give its model a note while it works, or revise it when it has ended"
        )
    if not files_in(session, old.id, "output") and not files_in(session, old.id, "script"):
        raise Conflict("the job left no files to start from; change its brief and make it anew")


def _request(session: Session, old: JobRow, wanted: RevisionRequest, settings: Settings) -> JobRequest:
    if wanted.brief is not None and wanted.brief.kind != old.kind:
        raise BriefError([Problem("/brief/kind", f"a revision stays of its kind, which is {old.kind}")])
    return JobRequest(
        brief=wanted.brief or Brief.model_validate(old.brief),
        run=_run(old, wanted.run or {}, settings),
        attachments=[
            AttachmentRef(upload=item.upload, name=item.name, role=item.role) for item in inputs_in(session, old.id)
        ],
        tags=old.tags,
    )


def _run(old: JobRow, given: JsonObject, settings: Settings) -> RunOptions:
    """The old options with the given ones in their place. What reads no words gives way to the studio's own model."""
    before: JsonObject = {name: value for name, value in old.run.items() if name != "variants"}
    if MadeBy.model_validate(old.made_by).prepared:
        before["model"] = settings.default_model
    limits = given.get("limits")
    if isinstance(limits, dict):
        given = {**given, "limits": {**before.get("limits", {}), **limits}}
    try:
        run = RunOptions.model_validate({**before, **given})
    except ValidationError as error:
        raise BriefError(problems_of(error, "run")) from None
    if run.variants > 1:
        raise BriefError([Problem("/run/variants", "a revision is one work; leave variants out")])
    if run.model == "recipe" or run.model.startswith("replay:"):
        raise BriefError([Problem("/run/model", READS_NOTHING)])
    return run
