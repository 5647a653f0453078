"""A title for a brief that has none."""

from __future__ import annotations

from pydantic import JsonValue

from studio.kinds.base import ArtifactKind
from studio.printable import printable, visible

TITLE_FROM = (
    "event",
    "name",
    "title",
    "destination",
    "mood",
)  # parameters that name the thing, where there is no title


def default_title(kind: ArtifactKind, params: JsonValue) -> str:
    """What a brief's parameters call the thing, else the kind's label.

    A name that cannot be printed makes no title: it is refused where it stands.
    """
    while isinstance(params, dict):
        named = next((params[key] for key in TITLE_FROM if params.get(key)), None)
        if isinstance(named, str) and named.strip():
            try:
                return visible(printable(named)[:120].strip())
            except ValueError:
                return kind.label
        params = named
    return kind.label
