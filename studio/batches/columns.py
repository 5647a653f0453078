"""Columns of a table by name: which field of the request each fills, and what its cells mean there.

A name is a dotted path (`params.event.name`, `event.name`, `speakers.0.topic`, `run.seed`) or, where only one field
outside of lists has it, the field's own name (`venue`). Case, blanks and hyphens do not matter.
"""

from __future__ import annotations

import copy
import difflib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from pydantic import BaseModel, JsonValue

from studio.brief import Brief, JobRequest, JsonObject, RunOptions, pointer
from studio.errors import BriefError, Problem
from studio.kinds import ArtifactKind

MAX_LIST = 100
_BRIEF = ("title", "prompt", "language", "kind")
_REQUEST = ("custom_id", "tags", "attachments")
_POSITION = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True)
class Column:
    """A column whose field is known."""

    name: str
    path: tuple[str, ...]
    schema: JsonObject
    definitions: JsonObject

    @property
    def pointer(self) -> str:
        return pointer(*self.path)

    @cached_property
    def _types(self) -> set[str]:
        return _types(self.schema, self.definitions)

    def value(self, cell: str) -> JsonValue:
        """What a cell means here: text for a text, else JSON, else the text itself, which validation then judges.

        A list of texts may be written as its entries, apart by semicolons or line breaks.
        """
        if "string" in self._types:
            return cell
        try:
            read: JsonValue = json.loads(cell, parse_constant=_no_number)
            return read
        except (ValueError, RecursionError):
            pass
        if "array" in self._types and _types(self._items, self.definitions) == {"string"}:
            return [part.strip() for part in re.split(r"[;\n]", cell) if part.strip()]
        return cell

    @property
    def _items(self) -> JsonObject:
        for option in _options(self.schema, self.definitions):
            if option.get("type") == "array":
                items: JsonObject = option.get("items", {})
                return items
        return {}


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON value")


def _options(schema: JsonObject, definitions: JsonObject) -> list[JsonObject]:
    """The schema, or those that it offers to choose from, with references followed."""
    if reference := schema.get("$ref"):
        return _options(definitions[str(reference).rsplit("/", 1)[-1]], definitions)
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return [found for option in schema[key] for found in _options(option, definitions)]
    return [schema]


def _types(schema: JsonObject, definitions: JsonObject) -> set[str]:
    return {str(option["type"]) for option in _options(schema, definitions) if option.get("type", "null") != "null"}


@cache
def _described(model: type[BaseModel]) -> tuple[JsonObject, JsonObject]:
    schema = model.model_json_schema()
    return schema, schema.get("$defs", {})


@dataclass(frozen=True)
class Fields:
    """The fields that a table of one kind's briefs may fill."""

    kind: ArtifactKind

    def column(self, name: str) -> Column:
        """The column called `name`. Raises BriefError, which names the nearest one that there is."""
        parts = tuple(part for part in _plain(name).split(".") if part)
        for prefix, model, path in self._places(parts):
            schema, definitions = _described(model)
            if path and (found := _below(schema, definitions, path)) is not None:
                return Column(name, prefix + found[0], found[1], definitions)
        raise BriefError([Problem("", self._unknown(name, parts))])

    def _places(self, parts: tuple[str, ...]) -> list[tuple[tuple[str, ...], type[BaseModel], tuple[str, ...]]]:
        """Where a name may belong, the likeliest first: below which prefix, in which model, by which path."""
        if not parts:
            return []
        brief, params, run = ("brief",), ("brief", "params"), ("run",)
        inner = parts[1:] if parts[0] == "brief" else parts
        places: list[tuple[tuple[str, ...], type[BaseModel], tuple[str, ...]]] = []
        if len(parts) == 1 and parts[0] in _REQUEST:
            places.append(((), JobRequest, parts))
        if parts[0] == "run":
            places.append((run, RunOptions, parts[1:]))
        if len(inner) == 1 and inner[0] in _BRIEF:
            places.append((brief, Brief, inner))
        if inner[:1] == ("params",):
            places.append((params, self.kind.params_model, inner[1:]))
        places.append((params, self.kind.params_model, inner))
        if len(inner) == 1 and len(leaves := self._leaves.get(inner[0], [])) == 1:
            places.append((params, self.kind.params_model, leaves[0]))
        if len(parts) == 1:
            places.append((run, RunOptions, parts))
        return places

    @cached_property
    def _leaves(self) -> dict[str, list[tuple[str, ...]]]:
        """Every field outside of lists, by its own name."""
        schema, definitions = _described(self.kind.params_model)
        found: dict[str, list[tuple[str, ...]]] = {}
        _walk(schema, definitions, (), found)
        return found

    def _unknown(self, name: str, parts: Sequence[str]) -> str:
        if len(several := self._leaves.get(parts[-1] if parts else "", [])) > 1:
            return (
                f"the column {name[:60]!r} fits {' and '.join('.'.join(path) for path in several)}; write one of them"
            )
        known = [
            *_BRIEF,
            *_REQUEST,
            "run.seed",
            "run.model",
            *(".".join(p) for ps in self._leaves.values() for p in ps),
        ]
        near = difflib.get_close_matches(".".join(parts), [*known, *self._leaves], n=1)
        hint = f"; is {near[0]!r} meant?" if near else f"; some that it has: {', '.join(known[:12])}"
        return f"a {self.kind.label.lower()} has no field {name[:60]!r}{hint}"


def _plain(name: str) -> str:
    name = name.strip().strip("/").replace("/", ".")
    return re.sub(r"[\s\-]+", "_", name).casefold()


def _walk(schema: JsonObject, definitions: JsonObject, path: tuple[str, ...], found: dict[str, Any]) -> None:
    for option in _options(schema, definitions):
        for name, child in option.get("properties", {}).items():
            found.setdefault(name.casefold(), []).append((*path, name))
            _walk(child, definitions, (*path, name), found)


def _below(
    schema: JsonObject, definitions: JsonObject, path: Sequence[str]
) -> tuple[tuple[str, ...], JsonObject] | None:
    """The schema at `path`, with the path as the model spells it; None where the model has no such place."""
    if not path:
        return (), schema
    first, rest = path[0], path[1:]
    for option in _options(schema, definitions):
        properties = {name.casefold(): name for name in option.get("properties", {})}
        child: JsonObject | None = None
        spelled = first
        if first in properties:
            spelled = properties[first]
            child = option["properties"][spelled]
        elif option.get("type") == "array" and _POSITION.fullmatch(first) and int(first) < MAX_LIST:
            child = option.get("items", {})
        elif option.get("type") == "object" and (further := option.get("additionalProperties")):
            child = further if isinstance(further, dict) else {"type": "string"}
        if child is not None and (found := _below(child, definitions, rest)) is not None:
            return (spelled, *found[0]), found[1]
    return None


def filled(template: JsonObject, values: Sequence[tuple[Column, JsonValue]]) -> JsonObject:
    """A copy of the template request with the columns' values in their places."""
    target = copy.deepcopy(template)
    for column, value in sorted(values, key=lambda pair: (len(pair[0].path), pair[0].path)):
        _put(target, column.path, value)
    _close_gaps(target)
    return target


def _put(target: Any, path: Sequence[str], value: JsonValue) -> None:
    for depth, part in enumerate(path):
        last = depth == len(path) - 1
        following: Any = value if last else ([] if _POSITION.fullmatch(path[depth + 1]) else {})
        if isinstance(target, list):
            index = int(part)
            target.extend({} for _ in range(index + 1 - len(target)))
            if last or not isinstance(target[index], dict | list):
                target[index] = following
            target = target[index]
        else:
            if last or not isinstance(target.get(part), dict | list):
                target[part] = following
            target = target[part]


def _close_gaps(value: Any) -> None:
    """Take the empty objects out of lists: rows of a list whose cells were all empty."""
    if isinstance(value, dict):
        for item in value.values():
            _close_gaps(item)
    elif isinstance(value, list):
        for item in value:
            _close_gaps(item)
        value[:] = [item for item in value if item != {}]
