"""What people do to a work that hangs: tags, stars, who may see it, and that it is shown no more."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import token_hex, token_urlsafe

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from studio import audit
from studio.database import Database
from studio.database.gallery_tables import ArtifactRow, StarRow
from studio.database.tables import JobRow
from studio.errors import Conflict
from studio.gallery.indexing import changing
from studio.gallery.listing import get
from studio.gallery.rows import existing
from studio.gallery.views import ArtifactView, Visibility
from studio.secrets import masked
from studio.trajectory import now


def retag(db: Database, artifact_id: str, tags: Sequence[str], *, caller: str) -> ArtifactView:
    """Give a work other tags, each once. Raises NotFound."""
    with db.session() as session:
        row = existing(session, artifact_id)
        chosen = list(dict.fromkeys(tags))
        if chosen != row.tags:
            with changing(session, row):
                row.tags = chosen
            audit.record(session, caller, "artifact.tags", row.id, ", ".join(chosen))
    return get(db, artifact_id)


def star(db: Database, artifact_id: str, *, caller: str, liked: bool = True) -> ArtifactView:
    """Note that a caller likes a work, or no more; a second time changes nothing. Raises NotFound."""
    with db.session() as session:
        row = existing(session, artifact_id)
        known = session.get(StarRow, (artifact_id, caller)) is not None
        if liked and not known:
            session.add(StarRow(artifact_id=artifact_id, caller=caller, created_at=now()))
        elif known and not liked:
            session.execute(delete(StarRow).where(StarRow.artifact_id == artifact_id, StarRow.caller == caller))
        row.stars += int(liked) - int(known)
    return get(db, artifact_id)


def is_starred(db: Database, artifact_id: str, *, caller: str) -> bool:
    """Does this caller like it?"""
    with db.reading() as session:
        found = select(StarRow.caller).where(StarRow.artifact_id == artifact_id, StarRow.caller == caller)
        return session.scalar(found) is not None


def set_visibility(db: Database, artifact_id: str, visibility: Visibility, *, caller: str) -> ArtifactView:
    """Say who may see a work. Raises NotFound.

    For the operators alone again, it gets another address for its files, and its link is dead, also when it is shared
    anew: what others have kept leads nowhere.
    """
    with db.session() as session:
        row = existing(session, artifact_id)
        if row.visibility != visibility:
            with changing(session, row):
                show_to(row, visibility)
            if visibility == "operators":
                _move_files(session, row)
            audit.record(session, caller, "artifact.visibility", row.id, visibility)
    return get(db, artifact_id)


def show_to(row: ArtifactRow, visibility: Visibility) -> None:
    """Set a work's visibility, with the link that goes with it."""
    row.visibility = visibility
    row.share_token = None if visibility == "operators" else row.share_token or token_urlsafe(24)


def hide(db: Database, artifact_id: str, reason: str, *, caller: str, secrets: Sequence[str] = ()) -> ArtifactView:
    """Take a work out of every list and away from everyone but the operators; its files get another address.

    Nothing is removed: `unhide` brings it back. Raises NotFound; Conflict where it is hidden already.
    """
    with db.session() as session:
        row = existing(session, artifact_id)
        if row.hidden_at is not None:
            raise Conflict("it is hidden already")
        with changing(session, row):
            row.hidden_at, row.hidden_by, row.hidden_because = now(), caller, masked(reason, secrets)
        _move_files(session, row)
        audit.record(session, caller, "artifact.hide", row.id, masked(reason, secrets))
    return get(db, artifact_id)


def unhide(db: Database, artifact_id: str, *, caller: str) -> ArtifactView:
    """Show a hidden work again, to those who could see it before. Raises NotFound; Conflict where it is not hidden."""
    with db.session() as session:
        row = existing(session, artifact_id)
        if row.hidden_at is None:
            raise Conflict("it is not hidden")
        with changing(session, row):
            row.hidden_at = row.hidden_by = row.hidden_because = None
        audit.record(session, caller, "artifact.unhide", row.id)
    return get(db, artifact_id)


def _move_files(session: Session, row: ArtifactRow) -> None:
    session.execute(update(JobRow).where(JobRow.id == row.job_id).values(content_token=token_hex(20)))
