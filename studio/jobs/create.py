"""New jobs: a request is judged whole, committed, and only then may its id be put on the queue."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from studio import uploads
from studio.brief import (
    AttachmentRef,
    Brief,
    InputFile,
    JobRequest,
    RunOptions,
    check_attachments,
    check_references,
    pointer,
    variant_seeds,
)
from studio.database import Database, alone, new_id
from studio.database.tables import JobInputRow, JobRow, JobTagRow
from studio.errors import BriefError, NotFound, Problem
from studio.jobs.bounds import below, bounded, made_by
from studio.jobs.daily import refuse_paid
from studio.jobs.lines import again_in_line
from studio.jobs.queries import inputs_in
from studio.jobs.rows import add_event, job_view
from studio.jobs.views import ENDED, JobView, Purpose
from studio.kinds import get_kind, parse_brief
from studio.secrets import known
from studio.settings import Settings
from studio.trajectory import MadeBy, StateChanged, now

ANONYMOUS = "anonymous"  # the caller's name when there was neither a key nor a sign-in


def check(db: Database, request: JobRequest, settings: Settings, *, caller: str, today: bool = True) -> JobRequest:
    """The request with every default filled in, judged but not stored (`?dry_run=1`).

    Raises BriefError with all problems found, pointers from the request's root (/brief/…, /run/…, /attachments/…); and
    for `today` DailyCapReached, as `create` does.
    """
    with db.reading() as session:
        checked, by, _ = _checked(session, request, settings, caller)
    if today:
        refuse_paid(db, by, settings)
    return checked


def create(
    db: Database,
    request: JobRequest,
    settings: Settings,
    *,
    caller: str,
    batch: str | None = None,
    parent: str | None = None,
    purpose: Purpose = "make",
    beside: Callable[[Session, str], None] = lambda session, job_id: None,
) -> JobView:
    """Judge `request` and commit its job as `queued`; the caller enqueues it afterwards.

    With `variants` above 1 that many jobs are committed together, and the first is the answer: its `siblings` are to
    be enqueued too. `parent` is the job that it is made from. `beside` gets the first job's id inside the transaction;
    when it raises nothing is made. Raises BriefError as `check` does, and DailyCapReached where the model is a paid one
    and the day's cap is used up.
    """
    with db.reading() as session:  # judged before the database is locked for writing: a recipe takes its time
        checked, by, files = _checked(session, request, settings, caller)
    refuse_paid(db, by, settings)
    variants = checked.run.variants
    seed = checked.run.seed
    if seed is None:
        seed = get_kind(checked.brief.kind).default_seed(checked.brief)
    rows = []
    for number, own in enumerate(variant_seeds(seed, variants), start=1):
        row = _row(checked.brief, checked.run.model_copy(update={"seed": own, "variants": 1}), by, caller)
        row.custom_id, row.batch_id, row.variant = checked.custom_id, batch, number
        row.parent_id, row.purpose = parent, purpose
        rows.append(row)
    if variants > 1:
        for row in rows:
            row.variant_of = rows[0].id
    return _stored(db, rows, checked.tags, files, beside)


def retry(db: Database, job_id: str, settings: Settings, *, caller: str) -> JobView:
    """The same brief, run options and attachments again, as a new job. Raises NotFound, BriefError."""
    with db.reading() as session:
        old = session.get(JobRow, job_id)
        if old is None:
            raise NotFound(f"there is no job {job_id[:60]}")
        request = JobRequest(
            brief=Brief.model_validate(old.brief),
            run=RunOptions.model_validate(old.run),
            attachments=[
                AttachmentRef(upload=item.upload, name=item.name, role=item.role) for item in inputs_in(session, job_id)
            ],
            tags=old.tags,
        )
        checked, by, files = _checked(session, request, settings, caller)
    refuse_paid(db, by, settings)
    row = _row(checked.brief, checked.run, by, caller)
    row.parent_id, row.purpose = old.id, old.purpose

    def in_line(session: Session, _: str) -> None:
        alone(session, "versions", old.line_id or old.id)
        row.version, row.line_id, row.revises, row.note = again_in_line(session, old)

    return _stored(db, [row], checked.tags, files, in_line)


def _checked(
    session: Session, request: JobRequest, settings: Settings, caller: str
) -> tuple[JobRequest, MadeBy, list[JobInputRow]]:
    problems: list[Problem] = []
    request = _without_secrets(request, settings)
    brief, run, by = request.brief, request.run, MadeBy()
    try:
        brief = parse_brief(request.brief)
        problems += [Problem(pointer("brief", *where), "must not contain U+0000") for where in _nul(brief.model_dump())]
    except BriefError as error:
        problems += below("/brief", error).problems
    brief_is_good = not problems
    try:
        run = bounded(request.run, settings)
        if run.network != "none" and caller == ANONYMOUS:
            message = "a visitor without a key may not use the network; sign in, send a key, or choose none"
            problems.append(Problem("/run/network", message))
        if brief_is_good:
            by = made_by(run.model, brief, settings, anonymous=caller == ANONYMOUS)
            _check_replay(session, by)
            _check_recipe(session, by, brief)
    except BriefError as error:
        problems += error.problems
    files: list[JobInputRow] = []
    try:
        files = _inputs(session, request.attachments)
        if brief_is_good:
            check_references(brief, (file.name for file in files if file.role == "input"), "brief")
    except BriefError as error:
        problems += error.problems
    if problems:
        raise BriefError(problems)
    return request.model_copy(update={"brief": brief, "run": run}), by, files


def _without_secrets(request: JobRequest, settings: Settings) -> JobRequest:
    """Whoever writes a key of this studio into a request shall not find it in the gallery."""
    secrets = known(settings.secrets)
    if not secrets:
        return request
    told = request.model_dump(mode="json", include={"brief", "tags", "custom_id"})
    clean = secrets.walked(told)
    if clean == told:
        return request
    return request.model_copy(update=clean | {"brief": Brief.model_validate(clean["brief"])})


def _nul(value: Any, *where: str | int) -> Iterator[tuple[str | int, ...]]:
    """Where a string holds U+0000, which PostgreSQL does not take."""
    if isinstance(value, str):
        if "\0" in value:
            yield where
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _nul(item, *where, key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _nul(item, *where, index)


def _check_replay(session: Session, by: MadeBy) -> None:
    if by.replay_of is None:
        return
    old = session.get(JobRow, by.replay_of)
    if old is None:
        raise BriefError([Problem("/run/model", f"there is no job {by.replay_of} to replay")])
    if old.state not in ENDED:
        raise BriefError(
            [Problem("/run/model", f"job {by.replay_of} is still {old.state}; replay it when it has ended")]
        )


def _check_recipe(session: Session, by: MadeBy, brief: Brief) -> None:
    """A recipe from a record is of an accepted work of the same kind."""
    if by.derived_from is None:
        return
    source = session.get(JobRow, by.derived_from)
    if source is None:
        problem = f"there is no job {by.derived_from} to take a recipe from"
    elif source.state != "published":
        problem = f"job {by.derived_from} is {source.state}; only an accepted work has a recipe"
    elif source.kind != brief.kind:
        problem = f"job {by.derived_from} made a {source.kind}; its recipe makes no {brief.kind}"
    else:
        return
    raise BriefError([Problem("/run/model", problem)])


def _inputs(session: Session, attachments: list[AttachmentRef]) -> list[JobInputRow]:
    problems: list[Problem] = []
    found: list[JobInputRow] = []
    for index, item in enumerate(attachments):
        upload = uploads.find(session, item.upload)
        if upload is None:
            message = f"there is no upload {item.upload[:60]!r}; send the file first and name the id that it got"
            problems.append(Problem(f"/attachments/{index}/upload", message))
            continue
        found.append(
            JobInputRow(
                position=index,
                upload_id=upload.id,
                role=item.role,
                name=item.name,
                size=upload.size,
                sha256=upload.sha256,
            )
        )
    if problems:
        raise BriefError(problems)
    check_attachments(InputFile(name=i.name, role=i.role, path=Path(), size=i.size) for i in found)  # type: ignore[arg-type]
    return found


def _row(brief: Brief, run: RunOptions, by: MadeBy, caller: str) -> JobRow:
    seed = run.seed if run.seed is not None else get_kind(brief.kind).default_seed(brief)
    moment = now()
    return JobRow(
        id=new_id(),
        kind=brief.kind,
        title=brief.title,
        state="queued",
        message="",
        attempt=0,
        lost=0,
        fence=0,
        last_seq=1,
        caller=caller,
        made_by=by.model_dump(mode="json"),
        brief=brief.model_dump(mode="json"),
        run=run.model_copy(update={"seed": seed}).model_dump(mode="json"),
        version=1,
        content_token=secrets.token_hex(20),
        created_at=moment,
        queued_at=moment,
        sends=0,
    )


def _stored(
    db: Database,
    rows: Sequence[JobRow],
    tags: list[str],
    files: list[JobInputRow],
    beside: Callable[[Session, str], None] = lambda session, job_id: None,
) -> JobView:
    """Commit the rows together, each with the tags and attachments; the view of the first."""
    with db.session() as session:
        for row in rows:
            row.tags = list(dict.fromkeys(tags))
            session.add(row)
            session.flush()
            session.add_all(JobTagRow(job_id=row.id, tag=tag) for tag in row.tags)
            session.add_all(_input_of(row.id, file) for file in files)
            add_event(session, row.id, StateChanged(seq=1, attempt=0, state="queued"))
        beside(session, rows[0].id)
    siblings = {row.id: row.variant for row in rows[1:]}
    return job_view(rows[0], None, with_report=False, siblings=siblings)


def _input_of(job_id: str, file: JobInputRow) -> JobInputRow:
    """The attachment's row for one of the jobs that use it."""
    return JobInputRow(
        job_id=job_id,
        position=file.position,
        upload_id=file.upload_id,
        role=file.role,
        name=file.name,
        size=file.size,
        sha256=file.sha256,
    )
