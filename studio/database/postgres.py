"""What PostgreSQL does otherwise than SQLite, put right in one place."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

DRIVER = "postgresql+psycopg"
# Texts come as UTF-8 whatever the database was made for; without this the driver gives bytes where that was SQL_ASCII.
CONNECTING = {"connect_timeout": 10, "client_encoding": "UTF8"}


def prepare(connection: Any, record: object) -> None:
    """Set up a new connection (SQLAlchemy's event "connect")."""
    from studio.database.texts import register  # the driver is slow to load, and most studios have no PostgreSQL

    register(connection)
    # Each question is planned for its own words: whether the index of words or the order of the gallery is the way to
    # a page depends on how many works have them, which a plan made once for all words cannot know.
    connection.execute("SET plan_cache_mode = force_custom_plan")
    connection.commit()


def alone(session: Session, *subject: str) -> None:
    """Wait until no other transaction that writes about `subject` is open; others wait until this one ends.

    For what follows from many rows or from one that is not there yet: a sum, the next number, the first of its kind.
    SQLite has one writer at a time as it is. https://www.postgresql.org/docs/current/explicit-locking.html
    """
    if session.get_bind().dialect.name == "postgresql":
        digest = hashlib.sha256("\0".join(subject).encode("utf-8", "replace")).digest()
        session.execute(select(func.pg_advisory_xact_lock(int.from_bytes(digest[:8], "big", signed=True))))
