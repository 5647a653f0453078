"""Access keys and one-time sign-in addresses.

Both are 256 random bits, shown once and stored as their SHA-256. A slow password hash would add nothing: it slows down
the guessing of words that people choose, and nobody guesses 256 random bits. The hash is the row's look-up key, so no
comparison of secrets takes place here whose time could tell something.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict
from sqlalchemy import select, update

from studio import audit
from studio.database import Database, new_id
from studio.database.access_tables import AccessKeyRow, SignInRow
from studio.errors import BriefError, NotFound, Problem
from studio.trajectory import now

Scope: TypeAlias = Literal["read", "create", "admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
PREFIX = "studio_"  # lets a person, or a scanner of repositories, see what a leaked text is
SIGN_IN_LIFE = timedelta(hours=1)
_USE_RECORDED_EVERY = timedelta(minutes=1)


class KeyView(BaseModel):
    """A key as it is listed; the key itself is never shown again."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    scopes: list[Scope]
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def create(db: Database, name: str, scopes: Iterable[str], *, caller: str = audit.COMMAND_LINE) -> tuple[KeyView, str]:
    """Make a key: how it is listed, and its text, which nobody can show again.

    `create` and `admin` include `read`. Raises BriefError at /name or /scopes.
    """
    wanted = set(scopes)
    problems = []
    if not name.strip() or len(name) > 120:
        problems.append(Problem("/name", "give the key a name of 1 to 120 characters"))
    if not wanted or wanted - set(SCOPES):
        problems.append(Problem("/scopes", f"give one or more of {', '.join(SCOPES)}"))
    if problems:
        raise BriefError(problems)
    if "admin" in wanted:
        wanted |= set(SCOPES)
    wanted.add("read")
    text = PREFIX + secrets.token_urlsafe(32)
    row = AccessKeyRow(
        id=new_id(),
        name=name.strip(),
        sha256=_hash(text),
        scopes=[scope for scope in SCOPES if scope in wanted],
        created_at=now(),
    )
    with db.session() as session:
        session.add(row)
        audit.record(session, caller, "key.create", row.id, f"{row.name}: {', '.join(row.scopes)}")
    return KeyView.model_validate(row), text


def any_valid(db: Database) -> bool:
    """Is there a key that is not revoked?"""
    with db.reading() as session:
        return session.scalar(select(AccessKeyRow.id).where(AccessKeyRow.revoked_at.is_(None)).limit(1)) is not None


def authenticate(db: Database, text: str) -> KeyView | None:
    """The key that `text` is, or None when it is unknown or revoked. Records its use, at most once a minute."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{20,100}", text):
        return None
    query = select(AccessKeyRow).where(AccessKeyRow.sha256 == _hash(text), AccessKeyRow.revoked_at.is_(None))
    with db.reading() as session:
        row = session.scalar(query)
        if row is None:
            return None
        view = KeyView.model_validate(row)
    moment = now()
    if view.last_used_at is None or moment - view.last_used_at > _USE_RECORDED_EVERY:
        with db.session() as session:
            session.execute(update(AccessKeyRow).where(AccessKeyRow.id == view.id).values(last_used_at=moment))
    return view


def list_keys(db: Database) -> Sequence[KeyView]:
    """All keys, revoked ones too, oldest first."""
    with db.reading() as session:
        return [KeyView.model_validate(row) for row in session.scalars(select(AccessKeyRow).order_by(AccessKeyRow.id))]


def revoke(db: Database, key: str, *, caller: str = audit.COMMAND_LINE) -> KeyView:
    """End a key, by its id or its name; a second time changes nothing.

    Raises NotFound, and BriefError at /name when several living keys have that name.
    """
    with db.session() as session:
        rows = session.scalars(select(AccessKeyRow).where((AccessKeyRow.id == key) | (AccessKeyRow.name == key))).all()
        living = [row for row in rows if row.revoked_at is None]
        if not rows:
            raise NotFound(f"there is no key {key!r}; `studio keys list` shows them")
        if len(living) > 1:
            raise BriefError([Problem("/name", f"{len(living)} keys are called {key!r}; give the id of one")])
        row = living[0] if living else rows[-1]
        if row.revoked_at is None:
            row.revoked_at = now()
            audit.record(session, caller, "key.revoke", row.id, row.name)
        return KeyView.model_validate(row)


def sign_in_token(db: Database) -> str:
    """A token that signs the operator in once, within an hour."""
    token = secrets.token_urlsafe(32)
    with db.session() as session:
        session.add(SignInRow(sha256=_hash(token), created_at=now()))
    return token


def use_sign_in(db: Database, token: str) -> bool:
    """Use up a sign-in token: true once, for a token that is not older than an hour."""
    moment = now()
    with db.session() as session:
        used = session.scalars(
            update(SignInRow)
            .where(
                SignInRow.sha256 == _hash(token),
                SignInRow.used_at.is_(None),
                SignInRow.created_at > moment - SIGN_IN_LIFE,
            )
            .values(used_at=moment)
            .returning(SignInRow.sha256)
        )
        if used.first() is None:
            return False
        audit.record(session, "operator", "sign_in", "operator", "by a one-time address")
        return True
