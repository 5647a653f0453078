"""Keyset pages: an opaque cursor names the last row seen, so that page 1,000 costs what page 1 costs."""

from __future__ import annotations

import base64
import binascii
import json
import uuid
from typing import Generic, TypeVar

from pydantic import BaseModel

from studio.errors import BriefError, Problem

MAX_LIMIT = 100

Item = TypeVar("Item")
First = TypeVar("First")
Second = TypeVar("Second")


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


def encode_keys(*keys: str | int) -> str:
    """The cursor behind a row of a list in an order of its own: the name of the order, and the row's keys in it."""
    text = json.dumps(keys, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_keys(cursor: str, order: str, first: type[First], second: type[Second]) -> tuple[First, Second]:
    """The two keys of a row that `cursor` stands for. Raises BriefError at /cursor when it is none of this order."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        name, one, other = json.loads(raw)
    except (ValueError, TypeError, binascii.Error, RecursionError):
        name, one, other = None, None, None
    if name != order or type(one) is not first or type(other) is not second or not _fits(one) or not _fits(other):
        raise BriefError([Problem("/cursor", "not a cursor of this list in this order; take it from next_cursor")])
    return one, other


def _fits(key: object) -> bool:
    """Can a database compare with it?"""
    return abs(key) < 2**31 if isinstance(key, int) else "\0" not in str(key)


def checked_limit(limit: int) -> int:
    """`limit`, when it is 1 to 100. Raises BriefError at /limit."""
    if not 1 <= limit <= MAX_LIMIT:
        raise BriefError([Problem("/limit", f"must be 1 to {MAX_LIMIT} (got {limit})")])
    return limit
