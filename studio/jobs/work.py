"""What a worker does to a job: claim, heartbeat, record, finish. Every write is fenced by the claim."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from studio.brief import Brief, RunOptions
from studio.database import Database
from studio.database.tables import JobFileRow, JobNoteRow, JobRow, LiveRow
from studio.errors import Canceled, LeaseLost
from studio.jobs.figures import counted, keep_figures
from studio.jobs.queries import inputs_in, one
from studio.jobs.rows import add_event, held
from studio.jobs.views import OWNED, WORKED, Claim, JobEnd, JobView
from studio.secrets import masked
from studio.trajectory import Event, Header, MadeBy, ModelFault, ModelReply, Note, StateChanged, ToolResult, now

LIVE_BYTES = 64 * 1024
CALL_ID = 200  # characters; a provider may give longer ones
LEASE_S = 20.0
CANCELED = "canceled on request"
ENDS_LIVE = (ToolResult, ModelReply, ModelFault)  # what was shown while it came is whole now, or void


def claim(db: Database, job_id: str, worker: str, lease_s: float = LEASE_S) -> Claim | None:
    """Take a queued job for `worker`, in one atomic statement; None when there is nothing to take.

    The second of two messages with the same id, and all but one of several claimants, get None.
    """
    with db.session() as session:
        statement = (
            update(JobRow)
            .where(JobRow.id == job_id, JobRow.state == "queued")
            .values(
                state="running",
                attempt=JobRow.attempt + 1,
                fence=JobRow.fence + 1,
                worker=worker,
                lease_until=now() + timedelta(seconds=lease_s),
            )
            .returning(JobRow.fence, JobRow.attempt, JobRow.brief, JobRow.run, JobRow.made_by, JobRow.purpose)
            .execution_options(synchronize_session=False)
        )
        found = session.execute(statement).one_or_none()
        if found is None:
            return None
        fence, attempt, brief, run, by, purpose = found
        session.execute(update(JobRow).where(JobRow.id == job_id, JobRow.started_at.is_(None)).values(started_at=now()))
        return Claim(
            job_id=job_id,
            fence=fence,
            attempt=attempt,
            worker=worker,
            brief=Brief.model_validate(brief),
            run=RunOptions.model_validate(run),
            made_by=MadeBy.model_validate(by),
            inputs=tuple(inputs_in(session, job_id)),
            purpose=purpose,  # type: ignore[arg-type]  # as `create` stored it
        )


def heartbeat(db: Database, held_by: Claim, lease_s: float = LEASE_S) -> str:
    """Prolong the lease; the job's state now. Raises LeaseLost when the job has changed hands."""
    with db.session() as session:
        statement = held(held_by.job_id, held_by.fence, OWNED).values(lease_until=now() + timedelta(seconds=lease_s))
        state: str | None = session.scalar(statement.returning(JobRow.state))
    return _owned(state)


def look(db: Database, held_by: Claim) -> str:
    """The job's state now, without a write. Raises LeaseLost when the job has changed hands."""
    query = select(JobRow.state).where(
        JobRow.id == held_by.job_id, JobRow.fence == held_by.fence, JobRow.state.in_(OWNED)
    )
    with db.reading() as session:
        return _owned(session.scalar(query))


def _owned(state: str | None) -> str:
    if state is None:
        raise LeaseLost("the job has another owner, or has ended")
    return state


def set_header(db: Database, held_by: Claim, header: Header) -> None:
    """Store the trajectory's first line. Raises LeaseLost."""
    values = {
        "header": header.model_dump(mode="json", by_alias=True),
        "made_by": header.made_by.model_dump(mode="json"),
    }
    with db.session() as session:
        _owned(session.scalar(held(held_by.job_id, held_by.fence, OWNED).values(**values).returning(JobRow.state)))


def record_event(db: Database, held_by: Claim, event: Event, secrets: Sequence[str] = ()) -> int:
    """Commit `event` and return its number, which it gets here: they go on over all attempts of a job.

    A `state` event of a working state sets the job's state too; one of a final state is not stored (`finish` writes
    it). The result of a command, or a reply, takes the place of its live output. Raises LeaseLost; Canceled when a
    state is set while the job is being canceled.
    """
    with db.session() as session:
        number, state = _numbered(session, held_by, **counted(event))
        if isinstance(event, StateChanged):
            if state == "canceling":
                raise Canceled("the job is being canceled")
            if event.state not in WORKED:
                raise ValueError(f"a worker cannot record the state {event.state!r}; finish writes it")
            session.execute(held(held_by.job_id, held_by.fence, WORKED).values(state=event.state))
        if isinstance(event, ENDS_LIVE):
            session.execute(delete(LiveRow).where(LiveRow.job_id == held_by.job_id))
        if isinstance(event, Note) and event.given:
            told = update(JobNoteRow).where(JobNoteRow.id == event.given, JobNoteRow.job_id == held_by.job_id)
            session.execute(told.values(seq=number))
        event.seq, event.attempt = number, held_by.attempt
        add_event(session, held_by.job_id, event, secrets)
        return number


def _numbered(session: Session, held_by: Claim, **values: Any) -> tuple[int, str]:
    """The number of the next event, and the job's state; the row stays locked until the transaction ends.

    `values` change with it.
    """
    statement = held(held_by.job_id, held_by.fence, OWNED).values(last_seq=JobRow.last_seq + 1, **values)
    found = session.execute(statement.returning(JobRow.last_seq, JobRow.state)).one_or_none()
    if found is None:
        raise LeaseLost("the job has another owner, or has ended")
    return found.last_seq, found.state


def set_live(db: Database, held_by: Claim, call_id: str, text: str, secrets: Sequence[str] = ()) -> None:
    """Show the end of what a running command has printed (the last 64 KiB of `text`). Raises LeaseLost."""
    kept = masked(text, secrets).encode("utf-8", "replace")[-LIVE_BYTES:].decode("utf-8", "ignore")
    query = select(JobRow.state).where(
        JobRow.id == held_by.job_id, JobRow.fence == held_by.fence, JobRow.state.in_(OWNED)
    )
    with db.session() as session:
        _owned(session.scalar(query.with_for_update()))
        session.merge(
            LiveRow(job_id=held_by.job_id, call_id=call_id[:CALL_ID], text=kept.replace("\0", "�"), updated_at=now())
        )


def finish(db: Database, held_by: Claim, end: JobEnd, secrets: Sequence[str] = ()) -> JobView:
    """End the job; everything of its end is committed together. Raises LeaseLost.

    A job that is being canceled becomes `canceled` whatever its end was; what it made is kept all the same.
    `published` is for `gallery.publish`.
    """
    if end.state == "published":
        raise ValueError("gallery.publish publishes")
    with db.session() as session:
        finish_in(session, held_by, end, secrets)
        session.flush()
        return one(session, held_by.job_id)


def finish_in(session: Session, held_by: Claim, end: JobEnd, secrets: Sequence[str] = ()) -> str:
    """The same as `finish`, inside a transaction; the state that the job now has."""
    number, before = _numbered(session, held_by)
    state, reason, message = end.state, end.reason, masked(end.message, secrets)
    if before == "canceling":
        state, reason, message = "canceled", "canceled", CANCELED
    values = {
        "state": state,
        "reason": reason,
        "message": message,
        "finished_at": now(),
        "lease_until": None,
        "usage": end.usage.model_dump(mode="json") if end.usage else None,
        "report": json.loads(masked(end.report.model_dump_json(by_alias=True), secrets)) if end.report else None,
    }
    session.execute(held(held_by.job_id, held_by.fence, OWNED).values(**values))
    session.execute(delete(LiveRow).where(LiveRow.job_id == held_by.job_id))
    for file in end.files:
        named = file.model_copy(update={"path": masked(file.path, secrets)})
        session.add(JobFileRow(job_id=held_by.job_id, **named.model_dump()))
    event = StateChanged(seq=number, attempt=held_by.attempt, state=state, reason=reason, message=message)
    add_event(session, held_by.job_id, event)
    keep_figures(session, held_by.job_id)
    return state


def release(db: Database, held_by: Claim, why: str) -> None:
    """Give the job back to the queue, because the worker is told to stop. Not counted as a lost attempt."""
    with db.session() as session:
        number, before = _numbered(session, held_by)
        requeue(session, held_by.job_id, held_by.fence, number, held_by.attempt, before, why)


def requeue(session: Session, job_id: str, fence: int, number: int, attempt: int, before: str, why: str) -> str:
    """Put a job that someone held back on the queue, or end it when it was being canceled; its state now."""
    if before == "canceling":
        event = StateChanged(seq=number, attempt=attempt, state="canceled", reason="canceled", message=CANCELED)
        return _taken_away(session, job_id, fence, event, finished_at=now())
    event = StateChanged(seq=number, attempt=attempt, state="queued", message=why)
    return _taken_away(session, job_id, fence, event, queued_at=now(), sent_at=None, sends=0)


def fail_lost(session: Session, job_id: str, fence: int, number: int, attempt: int, why: str) -> str:
    """End a job that has lost its last attempt; its state now."""
    event = StateChanged(seq=number, attempt=attempt, state="failed", reason="attempts", message=why)
    return _taken_away(session, job_id, fence, event, finished_at=now())


def _taken_away(session: Session, job_id: str, fence: int, event: StateChanged, **values: Any) -> str:
    values |= {"state": event.state, "reason": event.reason, "message": event.message if event.reason else ""}
    values |= {"fence": fence + 1, "lease_until": None, "worker": None}
    session.execute(held(job_id, fence, OWNED).values(**values))
    session.execute(delete(LiveRow).where(LiveRow.job_id == job_id))
    add_event(session, job_id, event)
    keep_figures(session, job_id)
    return event.state


def cancel(db: Database, job_id: str) -> JobView:
    """Ask for a job's end: a queued one is `canceled` at once, a running one `canceling` until its sandbox is gone.

    A second call, and one for a job that has ended, changes nothing. Raises NotFound.
    """
    with db.session() as session:
        for states, state in ((("queued",), "canceled"), (WORKED, "canceling")):
            _cancel_from(session, job_id, states, state)
        session.flush()
        return one(session, job_id)


def _cancel_from(session: Session, job_id: str, states: Sequence[str], state: str) -> None:
    ended = state == "canceled"
    values: dict[str, Any] = {"state": state, "last_seq": JobRow.last_seq + 1}
    if ended:
        values |= {"reason": "canceled", "message": CANCELED, "finished_at": now()}
        values |= {"fence": JobRow.fence + 1}
    statement = (
        update(JobRow)
        .where(JobRow.id == job_id, JobRow.state.in_(states))
        .values(**values)
        .returning(JobRow.last_seq, JobRow.attempt)
        .execution_options(synchronize_session=False)
    )
    found = session.execute(statement).one_or_none()
    if found is not None:
        reason = "canceled" if ended else None
        add_event(session, job_id, StateChanged(seq=found.last_seq, attempt=found.attempt, state=state, reason=reason))
        keep_figures(session, job_id)
