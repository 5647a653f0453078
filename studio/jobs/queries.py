"""What can be asked of jobs: one, a list, its place in the queue, its events, its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from sqlalchemy import Select, func, select, true, union_all
from sqlalchemy.orm import Session, undefer

from studio.database import Database, Page
from studio.database.gallery_tables import ArtifactRow
from studio.database.paging import checked_limit, decode_cursor, encode_cursor
from studio.database.tables import EventRow, JobFileRow, JobInputRow, JobRow, JobTagRow, LiveRow
from studio.errors import BriefError, NotFound, Problem
from studio.jobs.rows import file_view, input_view, job_view
from studio.jobs.views import STATES, FileRole, FileView, InputView, JobView, LiveOutput, Pulse
from studio.trajectory import EVENT, Event, Header, encode

EVENTS_AT_ONCE = 500


def get(db: Database, job_id: str) -> JobView:
    """One job, with its report. Raises NotFound."""
    with db.reading() as session:
        return one(session, job_id)


def by_token(db: Database, token: str) -> JobView:
    """The job that `token` names on the content origin. Raises NotFound."""
    with db.reading() as session:
        job_id = session.scalar(select(JobRow.id).where(JobRow.content_token == token))
        if job_id is None:
            raise NotFound("there is nothing here")
        return one(session, job_id)


def one(session: Session, job_id: str) -> JobView:
    """The same as `get`, inside a transaction."""
    query = (
        select(JobRow, ArtifactRow.id)
        .outerjoin(ArtifactRow, ArtifactRow.job_id == JobRow.id)
        .where(JobRow.id == job_id)
        .options(undefer(JobRow.report))
    )
    found = session.execute(query).one_or_none()
    if found is None:
        raise NotFound(f"there is no job {job_id[:60]}")
    row, artifact = found
    return job_view(row, artifact, with_report=True, siblings=siblings_in(session, row))


def siblings_in(session: Session, row: JobRow) -> dict[str, int]:
    """The other variants of a job's brief: their numbers by id, in order."""
    if row.variant_of is None:
        return {}
    query = select(JobRow.id, JobRow.variant).where(JobRow.variant_of == row.variant_of, JobRow.id != row.id)
    return {job_id: number for job_id, number in session.execute(query.order_by(JobRow.variant))}  # noqa: C416


def list_jobs(
    db: Database,
    *,
    state: str | Sequence[str] | None = None,
    kind: str | None = None,
    tag: str | None = None,
    batch: str | None = None,
    since: datetime | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> Page[JobView]:
    """Jobs, newest first. Raises BriefError for an unknown state, a bad cursor or limit."""
    states = _states(state) if state else [None]
    chosen = [_ids(one_state, kind, tag, batch, since, cursor, limit=checked_limit(limit) + 1) for one_state in states]
    ids = chosen[0] if len(chosen) == 1 else union_all(*(select(part.subquery().c.id) for part in chosen))
    query = (
        select(JobRow, ArtifactRow.id)
        .outerjoin(ArtifactRow, ArtifactRow.job_id == JobRow.id)
        .where(JobRow.id.in_(ids))
        .order_by(JobRow.id.desc())
        .limit(limit + 1)
    )
    with db.reading() as session:
        rows = session.execute(query).all()
        jobs = [job_view(row, artifact, with_report=False) for row, artifact in rows[:limit]]
    return Page(data=jobs, next_cursor=encode_cursor(jobs[-1].id) if len(rows) > limit else None)


def _ids(
    state: str | None,
    kind: str | None,
    tag: str | None,
    batch: str | None,
    since: datetime | None,
    cursor: str | None,
    *,
    limit: int,
) -> Select[str]:
    """The newest ids of one state. Several states are asked for one by one: an index gives only each in order."""
    by = JobTagRow.job_id if tag else JobRow.id
    query = select(by.label("id")).order_by(by.desc()).limit(limit)
    if tag:
        query = query.join(JobRow, JobRow.id == JobTagRow.job_id).where(JobTagRow.tag == tag)
    if state:
        query = query.where(JobRow.state == state)
    if kind:
        query = query.where(JobRow.kind == kind)
    if batch:
        query = query.where(JobRow.batch_id == batch)
    if since:
        query = query.where(JobRow.created_at >= since)
    if cursor:
        query = query.where(by < decode_cursor(cursor))
    return query


def _states(state: str | Sequence[str]) -> list[str]:
    wanted = [state] if isinstance(state, str) else list(state)
    for name in wanted:
        if name not in STATES:
            raise BriefError([Problem("/state", f"unknown state {name[:40]!r}; one of {', '.join(STATES)}")])
    return wanted


def counts(db: Database) -> dict[str, int]:
    """How many jobs are in each state."""
    with db.reading() as session:
        found = session.execute(select(JobRow.state, func.count()).group_by(JobRow.state))
        return {state: number for state, number in found}  # noqa: C416  # dict() has no types for rows


def position(db: Database, job_id: str) -> int | None:
    """The job's place in the queue, from 1; None when it is not queued. Raises NotFound.

    A batch's jobs come behind all others, as `next_in_line` has it.
    """
    with db.reading() as session:
        row = _existing(session, job_id)
        if row.state != "queued":
            return None
        ahead = (JobRow.id <= job_id) if row.batch_id is None else (JobRow.id <= job_id) | JobRow.batch_id.is_(None)
        same = JobRow.batch_id.is_(None) if row.batch_id is None else true()
        return session.scalar(select(func.count()).where(JobRow.state == "queued", ahead, same))


def next_in_line(db: Database, job_id: str) -> str:
    """The job that a worker should take when the queue gives it `job_id`.

    That is the job itself; but where it belongs to a batch and a job that somebody asked for alone waits, that one, so
    that a batch of any length delays it by one job at most.
    """
    query = select(JobRow.id).where(JobRow.state == "queued", JobRow.batch_id.is_(None)).order_by(JobRow.id).limit(1)
    with db.reading() as session:
        if session.scalar(select(JobRow.batch_id).where(JobRow.id == job_id)) is None:
            return job_id
        return session.scalar(query) or job_id


def _existing(session: Session, job_id: str) -> JobRow:
    row = session.get(JobRow, job_id)
    if row is None:
        raise NotFound(f"there is no job {job_id[:60]}")
    return row


def pulses(db: Database, job_ids: Iterable[str]) -> dict[str, Pulse]:
    """State, newest event and time of the live output of many jobs in one query; unknown ids are left out."""
    query = (
        select(JobRow.id, JobRow.state, JobRow.last_seq, LiveRow.updated_at)
        .outerjoin(LiveRow, LiveRow.job_id == JobRow.id)
        .where(JobRow.id.in_(list(job_ids)))
    )
    with db.reading() as session:
        return {job_id: Pulse(state, seq, at) for job_id, state, seq, at in session.execute(query)}


def events(db: Database, job_id: str, after: int = 0, limit: int = EVENTS_AT_ONCE) -> list[Event]:
    """Events whose number is above `after`, in order, at most `limit`. Raises NotFound."""
    with db.reading() as session:
        found = [EVENT.validate_json(body) for body in _bodies(session, job_id, after, limit)]
        if not found:
            _existing(session, job_id)
        return found


def _bodies(session: Session, job_id: str, after: int, limit: int) -> Sequence[str]:
    query = select(EventRow.body).where(EventRow.job_id == job_id, EventRow.seq > after)
    return session.scalars(query.order_by(EventRow.seq).limit(limit)).all()


def live(db: Database, job_id: str) -> LiveOutput | None:
    """The end of what the running command has printed; None when none is running."""
    with db.reading() as session:
        row = session.get(LiveRow, job_id)
        return LiveOutput(call_id=row.call_id, text=row.text, updated_at=row.updated_at) if row else None


def trajectory_lines(db: Database, job_id: str) -> Iterator[str]:
    """The lines of `trajectory.jsonl`, without newlines: the header, then each event. Raises NotFound at once."""
    with db.reading() as session:
        header = header_of(_existing(session, job_id))
    return _lines(db, job_id, header)


def header(db: Database, job_id: str) -> Header:
    """The first line of a job's record. Raises NotFound."""
    with db.reading() as session:
        return header_of(_existing(session, job_id))


def header_of(row: JobRow) -> Header:
    """The trajectory's header as the worker stored it, else what is known of a job that has not begun."""
    if row.header:
        return Header.model_validate(row.header)
    return Header.model_validate({"made_by": row.made_by, "brief": row.brief, "run": row.run, "at": row.created_at})


def _lines(db: Database, job_id: str, header: Header) -> Iterator[str]:
    yield encode(header)
    after = 0
    while True:  # page by page, so that no connection is held while a slow reader reads
        with db.reading() as session:
            query = select(EventRow.seq, EventRow.body).where(EventRow.job_id == job_id, EventRow.seq > after)
            rows = session.execute(query.order_by(EventRow.seq).limit(EVENTS_AT_ONCE)).all()
        for seq, body in rows:
            after = seq
            yield body
        if len(rows) < EVENTS_AT_ONCE:
            return


def inputs(db: Database, job_id: str) -> list[InputView]:
    """The job's attachments, in their order."""
    with db.reading() as session:
        return inputs_in(session, job_id)


def inputs_in(session: Session, job_id: str) -> list[InputView]:
    """The same as `inputs`, inside a transaction."""
    query = select(JobInputRow).where(JobInputRow.job_id == job_id).order_by(JobInputRow.position)
    return [input_view(row) for row in session.scalars(query)]


def files(db: Database, job_id: str) -> list[FileView]:
    """The job's outputs by path, accepted or not. Raises NotFound."""
    return _files(db, job_id, "output")


def previews(db: Database, job_id: str) -> list[FileView]:
    """The pictures that the inspector made of the outputs, with their sizes. Raises NotFound."""
    return _files(db, job_id, "preview")


def scripts(db: Database, job_id: str) -> list[FileView]:
    """The agent's own files beside the outputs. Raises NotFound."""
    return _files(db, job_id, "script")


def _files(db: Database, job_id: str, role: FileRole) -> list[FileView]:
    with db.reading() as session:
        _existing(session, job_id)
        return files_in(session, job_id, role)


def files_in(session: Session, job_id: str, role: FileRole) -> list[FileView]:
    """A job's files of one role, inside a transaction."""
    query = select(JobFileRow).where(JobFileRow.job_id == job_id, JobFileRow.role == role)
    return [file_view(row) for row in session.scalars(query.order_by(JobFileRow.path))]


def file_blob(db: Database, job_id: str, path: str, role: FileRole = "output") -> FileView:
    """One file of a job by its path. Raises NotFound."""
    with db.reading() as session:
        row = session.get(JobFileRow, (job_id, role, path))
        if row is None:
            raise NotFound(f"job {job_id[:60]} has no file {path[:200]!r}")
        return file_view(row)
