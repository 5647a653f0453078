"""Events of a job as the API streams them, read from bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pydantic import ValidationError

from studio.answered import Live
from studio.trajectory import EVENT, Event


def read_stream(chunks: Iterable[bytes]) -> Iterator[Event | Live | None]:
    """Server-Sent Events (HTML Living Standard, 9.2.6) as events; None for a heartbeat.

    Lines end at line feeds alone: the separators that `str.splitlines` knows beside them occur inside of JSON.
    """
    buffer = b""
    name, lines = "", list[str]()
    for chunk in chunks:
        buffer += chunk
        *whole, buffer = buffer.split(b"\n")
        for raw in whole:
            line = raw.removesuffix(b"\r").decode("utf-8", "replace")
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                lines.append(value)
            elif not line and lines:
                if (item := _item(name, "\n".join(lines))) is not None:
                    yield item
                name, lines = "", []
            elif line.startswith(":"):
                yield None


def _item(name: str, text: str) -> Event | Live | None:
    """One event, or None for a type that this client does not know yet."""
    try:
        return Live.model_validate_json(text) if name == "live" else EVENT.validate_python(json.loads(text))
    except (ValidationError, ValueError):
        return None
