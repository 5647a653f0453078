"""The requests that are admitted: their method, path and query, and nothing beside.

They are those of studio/sandboxes/docker.py for sandboxes. Building images, exec, copying files, networks, volumes,
other images and the engine's own settings are not among them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from studio.engine_proxy.refusal import Refused, Unreadable

VERSION = r"(?:/v1\.[0-9]{2})?"
ID = r"(?P<id>[0-9a-f]{64})"
IMAGE = r"(?P<image>[a-z0-9-]{1,60}:[a-z0-9-]{1,60})"
STREAMS = {"stdin": "1", "stdout": "1", "stderr": "1", "stream": "1"}


@dataclass(frozen=True)
class Kind:
    """One kind of request. `query` gives for each name the values that it may have; None: checked where it is read."""

    name: str
    method: str
    path: str
    query: Mapping[str, re.Pattern[str] | None]
    needs: frozenset[str] = frozenset()
    body: bool = False


def _values(**given: str | None) -> dict[str, re.Pattern[str] | None]:
    return {name: None if pattern is None else re.compile(pattern) for name, pattern in given.items()}


KINDS = (
    Kind("ping", "GET", "/_ping", {}),
    Kind("version", "GET", "/version", {}),
    Kind("info", "GET", "/info", {}),
    Kind("image", "GET", f"/images/{IMAGE}/json", {}),
    Kind("list", "GET", "/containers/json", _values(all="1", limit="-1", size="0", trunc_cmd="0", filters=None)),
    Kind("inspect", "GET", f"/containers/{ID}/json", {}),
    Kind("create", "POST", "/containers/create", _values(name="sb-[0-9a-f]{12}"), frozenset({"name"}), body=True),
    Kind("attach", "POST", f"/containers/{ID}/attach", _values(**STREAMS), frozenset(STREAMS)),
    Kind("start", "POST", f"/containers/{ID}/start", {}),
    Kind("remove", "DELETE", f"/containers/{ID}", _values(v="1|True|true", link="0|False|false", force="1|True|true")),
)
_PATHS = tuple((kind, re.compile(VERSION + kind.path)) for kind in KINDS)


@dataclass(frozen=True)
class Asked:
    """A request that may be made: its kind, the container or image that its path names, its query."""

    kind: Kind
    subject: str
    query: Mapping[str, str]


def read(method: str, target: str) -> Asked:
    """What a request line asks for. Raises Refused, Unreadable."""
    path, _, rest = target.partition("?")
    for kind, pattern in _PATHS:
        found = pattern.fullmatch(path)
        if found and method == kind.method:
            subject = next((value for value in found.groupdict().values() if value), "")
            return Asked(kind, subject, _query(kind, rest))
    raise Refused(f"{method[:10]} {path[:120]}: the studio makes no such request")


def _query(kind: Kind, text: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, strict_parsing=True, max_num_fields=10) if text else []
    except ValueError:
        raise Unreadable("the query cannot be read") from None
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refused("the query names something twice")
    for name, value in pairs:
        if name not in kind.query:
            raise Refused(f"{kind.name}: the query may not name {name[:40]!r}")
        pattern = kind.query[name]
        if pattern is not None and not pattern.fullmatch(value):
            raise Refused(f"{kind.name}: {name}={value[:40]!r} is not admitted")
    if missing := sorted(kind.needs - found.keys()):
        raise Refused(f"{kind.name}: the query must name {', '.join(missing)}")
    return found


def read_json(body: bytes) -> Any:
    """A body as JSON, in UTF-8 and with no name twice. Raises Unreadable."""
    try:
        # Given bytes, `json` would guess at UTF-16 and UTF-32 too.
        return json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Unreadable("the body is no JSON in UTF-8, or a name stands in it twice") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError
    return found


def _no_number(word: str) -> float:
    raise ValueError(word)


def label_of(filters: str) -> str:
    """The one label that a list is asked for, as `name=value`. Raises Refused, Unreadable."""
    value = read_json(filters.encode())
    labels = value.get("label") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(labels, dict):  # the older form of the same
        labels = [name for name, wanted in labels.items() if wanted is True]
    if not isinstance(labels, list) or len(labels) != 1 or not isinstance(labels[0], str):
        raise Refused("list: filters must be one label")
    return labels[0]
