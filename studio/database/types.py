"""Column types that behave alike on SQLite and PostgreSQL, and the ids of rows."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import uuid_utils
from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. Refuses a naive datetime on the way in; gives an aware one on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment without a time zone cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def new_id() -> str:
    """A UUIDv7 (RFC 9562): ids sort by the time at which they were made."""
    return str(uuid_utils.uuid7())


def to_json(value: object) -> str:
    """JSON as it is stored: readable, with lone surrogates replaced, which no database takes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()
