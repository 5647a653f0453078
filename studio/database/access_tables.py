"""Tables of access: keys, the operator's sign-in, and the log of what was done."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from studio.database.base import Base, Id


class AccessKeyRow(Base):
    """A bearer key: shown once, stored as its SHA-256."""

    __tablename__ = "access_keys"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[str]] = mapped_column(JSON)
    created_at: Mapped[datetime]
    last_used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class SignInRow(Base):
    """A one-time sign-in address, stored as its token's SHA-256."""

    __tablename__ = "sign_ins"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class PasswordRow(Base):
    """The operator's password as Argon2 keeps it; one row at most. `id` is a new one with each password."""

    __tablename__ = "passwords"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    hash: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class SignInTryRow(Base):
    """A sign-in by password that failed, from which address; what is older than the limit looks back goes."""

    __tablename__ = "sign_in_tries"
    __table_args__ = (Index(None, "created_at"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    address: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]


class AuditRow(Base):
    """Who did what to what, when. `subject` is an id or a name; `words` say more."""

    __tablename__ = "audit"
    __table_args__ = (Index(None, "subject", "id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    caller: Mapped[str] = mapped_column(String(120))
    action: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(String(200))
    words: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime]
