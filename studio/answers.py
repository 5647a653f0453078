"""First answers to requests that carry an Idempotency-Key: a repeated request gets the same answer and does nothing.

A key counts for one caller, one route and 24 hours. The row is made before the work begins, so that of two requests at
the same time only one works. Only answers of success are kept: what was refused may be mended and sent again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError

from studio.database import Database, new_id
from studio.database.tables import AnswerRow
from studio.errors import BriefError, Conflict, Problem
from studio.trajectory import now

KEPT = timedelta(hours=24)
ABANDONED = timedelta(minutes=3)  # longer than any request takes: its process died


@dataclass(frozen=True)
class Answer:
    """An answer as it was given."""

    status: int
    headers: dict[str, str]
    body: str


@dataclass(frozen=True)
class Begun:
    """The right to work on a request and to say its answer."""

    row_id: str


def begin(db: Database, *, caller: str, route: str, key: str, body_sha256: str) -> Answer | Begun:
    """The first answer to this request, or the right to give it.

    Raises Conflict while another request with the key is worked on, BriefError when the key came with another body.
    """
    moment = now()
    same = (AnswerRow.caller == caller) & (AnswerRow.route == route) & (AnswerRow.key == key)
    row = AnswerRow(id=new_id(), caller=caller, route=route, key=key, body_sha256=body_sha256, created_at=moment)
    try:
        with db.session() as session:
            abandoned = AnswerRow.status.is_(None) & (AnswerRow.created_at < moment - ABANDONED)
            session.execute(delete(AnswerRow).where((AnswerRow.created_at < moment - KEPT) | abandoned))
            found = session.scalar(select(AnswerRow).where(same))
            if found is not None:
                return _first(found, body_sha256)
            session.add(row)
    except IntegrityError:  # another process was quicker, between the look and the commit
        raise Conflict("a request with this Idempotency-Key is being worked on; ask again in a moment") from None
    return Begun(row.id)


def _first(row: AnswerRow, body_sha256: str) -> Answer:
    if row.body_sha256 != body_sha256:
        message = "this Idempotency-Key was used with another body; use a new key for a new request"
        raise BriefError([Problem("", message)])
    if row.status is None:
        raise Conflict("a request with this Idempotency-Key is being worked on; ask again in a moment")
    return Answer(row.status, dict(row.headers or {}), row.body or "")


def finish(db: Database, begun: Begun, answer: Answer) -> None:
    """Keep the answer for the next 24 hours."""
    values = {"status": answer.status, "headers": answer.headers, "body": answer.body}
    with db.session() as session:
        session.execute(update(AnswerRow).where(AnswerRow.id == begun.row_id).values(**values))


def forget(db: Database, begun: Begun) -> None:
    """Nothing was done; the key may be used again."""
    with db.session() as session:
        session.execute(delete(AnswerRow).where(AnswerRow.id == begun.row_id))
