"""The operator's password: stored as Argon2id, checked at a bounded pace, besides the one-time sign-in addresses.

The library's defaults are the first choice of RFC 9106 for machines with little memory (64 MiB, 3 passes, 4 lanes).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import timedelta

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import delete, select

from studio import audit
from studio.database import Database, alone, new_id
from studio.database.access_tables import PasswordRow, SignInTryRow
from studio.errors import BriefError, Problem
from studio.trajectory import now

LEAST, MOST = 12, 1000  # characters
WINDOW = timedelta(minutes=15)
TRIES = 5  # that fail within the window, from one address
ALL_TRIES = 50  # from all addresses together
_hasher = PasswordHasher()
_one_at_a_time = threading.Lock()  # each check takes 64 MiB


@dataclass(frozen=True)
class Entered:
    """How a try ended: `stamp` names the password that let one in; `wait_s` says when the next try is looked at."""

    stamp: str | None = None
    wait_s: int = 0


def is_set(db: Database) -> bool:
    """Is there a password?"""
    return stamp(db) is not None


def stamp(db: Database) -> str | None:
    """Names the present password; another one has another stamp, so that those who signed in by the old one are out."""
    with db.reading() as session:
        return session.scalar(select(PasswordRow.id).order_by(PasswordRow.id.desc()).limit(1))


def set_password(db: Database, text: str, *, caller: str = audit.COMMAND_LINE) -> None:
    """Make `text` the password. Who signed in by the old one has to sign in anew. Raises BriefError at /password."""
    if not LEAST <= len(text) <= MOST:
        raise BriefError([Problem("/password", f"give {LEAST} to {MOST} characters; a few words are easy to keep")])
    row = PasswordRow(id=new_id(), hash=_hasher.hash(text.encode("utf-8", "replace")), created_at=now())
    with db.session() as session:
        session.execute(delete(PasswordRow))
        session.execute(delete(SignInTryRow))
        session.add(row)
        audit.record(session, caller, "password.set", "operator")


def remove_password(db: Database, *, caller: str = audit.COMMAND_LINE) -> bool:
    """Leave the sign-in addresses as the only way in; was there a password?"""
    with db.session() as session:
        known = session.scalars(delete(PasswordRow).returning(PasswordRow.id)).all()
        if known:
            audit.record(session, caller, "password.remove", "operator")
    return bool(known)


def enter(db: Database, text: str, address: str) -> Entered:
    """Check a password that somebody at `address` gives.

    After five that were wrong within a quarter of an hour, or fifty from anywhere, none is looked at: `wait_s` seconds
    are left then. A try counts before it is checked, so that many at once gain nothing.
    """
    with db.session() as session:
        alone(session, "sign-in")
        moment = now()
        session.execute(delete(SignInTryRow).where(SignInTryRow.created_at <= moment - WINDOW))
        for most, query in (
            (TRIES, select(SignInTryRow.created_at).where(SignInTryRow.address == address[:64])),
            (ALL_TRIES, select(SignInTryRow.created_at)),
        ):
            tries = session.scalars(query.order_by(SignInTryRow.created_at.desc()).limit(most)).all()
            if len(tries) == most:
                return Entered(wait_s=1 + int((tries[-1] + WINDOW - moment).total_seconds()))
        tried = SignInTryRow(id=new_id(), address=address[:64], created_at=moment)
        session.add(tried)
    with db.reading() as session:
        row = session.scalars(select(PasswordRow).order_by(PasswordRow.id.desc()).limit(1)).first()
    if row is None or not _verified(row.hash, text):
        with db.session() as session:
            audit.record(session, "anonymous", "sign_in.failed", "operator", f"by password, from {address[:64]}")
        return Entered()
    with db.session() as session:
        session.execute(delete(SignInTryRow).where(SignInTryRow.id == tried.id))
        if _hasher.check_needs_rehash(row.hash):
            session.get_one(PasswordRow, row.id).hash = _hasher.hash(text.encode("utf-8", "replace"))
        audit.record(session, "operator", "sign_in", "operator", f"by password, from {address[:64]}")
    return Entered(stamp=row.id)


def _verified(kept: str, text: str) -> bool:
    if len(text) > MOST:
        return False
    with _one_at_a_time:
        try:
            return _hasher.verify(kept, text.encode("utf-8", "replace"))
        except (Argon2Error, InvalidHashError):
            return False
