"""The audit log: who did what to what, when. Written in the transaction that does it; never changed.

Actions are `artifact.publish_anyway`, `artifact.tags`, `artifact.visibility`, `artifact.hide`, `artifact.unhide`,
`key.create`, `key.revoke`, `password.set`, `password.remove`, `sign_in`, `sign_in.failed`.
"""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select
from sqlalchemy.orm import Session

from studio.database import Database, Page, new_id
from studio.database.access_tables import AuditRow
from studio.database.paging import checked_limit, decode_cursor, encode_cursor
from studio.trajectory import now

COMMAND_LINE = "command line"


class AuditEntry(BaseModel):
    """One thing that was done. `subject` is an artifact's or a key's id, or a name; `words` say more."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    created_at: datetime
    caller: str
    action: str
    subject: str
    words: str = ""


def record(session: Session, caller: str, action: str, subject: str, words: str = "") -> None:
    """Note it, in the transaction that does it."""
    row = AuditRow(
        id=new_id(), caller=caller[:120], action=action, subject=subject[:200], words=words, created_at=now()
    )
    session.add(row)


def entries(
    db: Database, *, subject: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[AuditEntry]:
    """What was done, newest first; only to `subject` where given. Raises BriefError for a bad cursor or limit."""
    query = select(AuditRow).order_by(AuditRow.id.desc()).limit(checked_limit(limit) + 1)
    if subject:
        query = query.where(AuditRow.subject == subject)
    if cursor:
        query = query.where(AuditRow.id < decode_cursor(cursor))
    with db.reading() as session:
        rows = [AuditEntry.model_validate(row) for row in session.scalars(query)]
    return Page(data=rows[:limit], next_cursor=encode_cursor(rows[limit - 1].id) if len(rows) > limit else None)
