"""Text as PostgreSQL takes it: without U+0000, which becomes U+FFFD, as bytes that are not UTF-8 do elsewhere."""

from __future__ import annotations

from typing import Any

from psycopg.abc import Buffer
from psycopg.types.string import StrDumper, StrDumperUnknown


class _Text(StrDumper):
    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))


class _UnknownText(StrDumperUnknown):
    """The same for a text whose type the server finds out: the one that is taken by default."""

    def dump(self, obj: str) -> Buffer | None:
        return super().dump(obj.replace("\0", "\ufffd"))


def register(connection: Any) -> None:
    """Have a psycopg connection send texts so."""
    connection.adapters.register_dumper(str, _Text)
    connection.adapters.register_dumper(str, _UnknownText)
