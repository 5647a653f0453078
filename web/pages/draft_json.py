"""A brief as JSON instead of a form: the same draft, written out and read again, with nothing lost on the way."""

from __future__ import annotations

import json
from dataclasses import replace

from pydantic import JsonValue

from studio.brief import parse_json, pointer
from studio.errors import BriefError, Problem
from studio.kinds import ArtifactKind, all_kinds
from web.forms import Shape
from web.i18n import gettext
from web.pages.draft import PARAMS, Attached, Draft, shapes


def as_json(draft: Draft) -> str:
    """The request that a draft would send, for people to read and change."""
    return json.dumps(draft.value, ensure_ascii=False, indent=2)


def of_json(kind: ArtifactKind, text: str) -> Draft:
    """The draft in a text: a whole request, or a brief alone. Its own `kind` counts. Raises BriefError."""
    value = parse_json(text, "brief")
    request = value if "brief" in value else {"brief": value}
    brief = request.pop("brief")
    if not isinstance(brief, dict):
        raise BriefError([Problem("/brief", gettext("the brief must be a JSON object"))])
    name = brief.pop("kind", kind.name)
    kind = all_kinds().get(name, kind) if isinstance(name, str) else kind
    params, run, tags = brief.pop("params", None), request.pop("run", {}), request.pop("tags", None)
    files: JsonValue = request.pop("attachments", None)
    problems = [Problem(pointer(key), gettext("the form has no place for this; take it out")) for key in request]
    if name != kind.name:
        problems.append(Problem("/brief/kind", gettext("there is no kind of this name")))
    draft = Draft(kind, brief, params, run if isinstance(run, dict) else {}, tags, _attached(files))
    return replace(draft, problems=tuple(problems))


def _attached(files: JsonValue) -> tuple[Attached, ...]:
    rows = [row for row in files if isinstance(row, dict)] if isinstance(files, list) else []
    return tuple(
        Attached(str(row.get("upload", "")), str(row.get("name", "")), str(row.get("role") or "input")) for row in rows
    )


def lost_in_form(draft: Draft) -> list[Problem]:
    """What the form could not hold, so that nobody loses it by going there."""
    brief, params, run, tags = shapes(draft.kind)
    parts: tuple[tuple[Shape, JsonValue, str], ...] = (
        (brief, draft.brief, "/brief"),
        (params, draft.params, PARAMS),
        (run, draft.run, "/run"),
        (tags, draft.tags, "/tags"),
    )
    return [problem for shape, value, at in parts for problem in _lost(shape, value, at)]


def _lost(shape: Shape, value: JsonValue, at: str) -> list[Problem]:
    if value is None:
        return []
    if shape.control == "group":
        if not isinstance(value, dict):
            return [_no_place(at)]
        known = {child.name: child for child in shape.children}
        found = [_no_place(f"{at}{pointer(key)}") for key in value if key not in known and "+" not in known]
        for name, child in known.items():
            found += _lost(child, value.get(name), f"{at}/{name}")
        return found
    if shape.control == "list":
        if not isinstance(value, list) or shape.item is None:
            return [_no_place(at)]
        item = shape.item
        return [problem for index, row in enumerate(value) for problem in _lost(item, row, f"{at}/{index}")]
    return [_no_place(at)] if isinstance(value, dict | list) else []


def _no_place(at: str) -> Problem:
    return Problem(at, gettext("the form has no place for this; take it out"))
