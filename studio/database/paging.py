"""Keyset pages: an opaque cursor names the last row seen, so that page 1,000 costs what page 1 costs."""

from __future__ import annotations

import base64
import binascii
import uuid
from typing import Generic, TypeVar

from pydantic import BaseModel

from studio.errors import BriefError, Problem

MAX_LIMIT = 100

Item = TypeVar("Item")


class Page(BaseModel, Generic[Item]):
    """One page of a list; `next_cursor` is None on the last one."""

    data: list[Item]
    next_cursor: str | None = None


def encode_cursor(row_id: str) -> str:
    """The cursor behind the row `row_id`."""
    return base64.urlsafe_b64encode(uuid.UUID(row_id).bytes).decode().rstrip("=")


def decode_cursor(cursor: str) -> str:
    """The row id that `cursor` stands for. Raises BriefError at /cursor when it is none of ours."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        return str(uuid.UUID(bytes=raw))
    except (ValueError, binascii.Error):
        raise BriefError([Problem("/cursor", "not a cursor of this list; take it from next_cursor")]) from None


def checked_limit(limit: int) -> int:
    """`limit`, when it is 1 to 100. Raises BriefError at /limit."""
    if not 1 <= limit <= MAX_LIMIT:
        raise BriefError([Problem("/limit", f"must be 1 to {MAX_LIMIT} (got {limit})")])
    return limit
