"""Files that people send: stored as blobs, named by an id that a job's request uses."""

from __future__ import annotations

from datetime import datetime
from typing import IO

from pydantic import BaseModel
from sqlalchemy.orm import Session

from studio.blobs import Blobs
from studio.brief import MAX_ATTACHMENT_BYTES, attachment_problem
from studio.database import Database, new_id
from studio.database.tables import UploadRow
from studio.errors import BriefError, NotFound, Problem
from studio.trajectory import now


class UploadView(BaseModel):
    """A file that was sent; `size` in bytes."""

    id: str
    name: str
    size: int
    sha256: str
    created_at: datetime


def create(db: Database, blobs: Blobs, name: str, stream: IO[bytes]) -> UploadView:
    """Store what `stream` holds under a new id.

    Raises BriefError at /file/name for a name that no sandbox could hold, at /file above 50 MiB.
    """
    if reason := attachment_problem(name):
        raise BriefError([Problem("/file/name", reason)])
    try:
        sha256, size = blobs.put_stream(stream, MAX_ATTACHMENT_BYTES)
    except ValueError:
        raise BriefError([Problem("/file", f"at most {MAX_ATTACHMENT_BYTES} bytes are allowed")]) from None
    row = UploadRow(id=new_id(), name=name, size=size, sha256=sha256, created_at=now())
    with db.session() as session:
        session.add(row)
    return _view(row)


def get(db: Database, upload_id: str) -> UploadView:
    """One upload. Raises NotFound."""
    with db.reading() as session:
        found = find(session, upload_id)
    if found is None:
        raise NotFound(f"there is no upload {upload_id[:60]}")
    return found


def find(session: Session, upload_id: str) -> UploadView | None:
    """One upload inside a transaction, or None."""
    row = session.get(UploadRow, upload_id)
    return _view(row) if row else None


def _view(row: UploadRow) -> UploadView:
    return UploadView(id=row.id, name=row.name, size=row.size, sha256=row.sha256, created_at=row.created_at)
