"""`--set PATH=VALUE` and `--run PATH=VALUE`: values put into a JSON object by a dotted path."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from studio.brief import JsonObject, pointer
from studio.errors import BriefError, Problem

MAX_DEPTH = 32


def assign(target: JsonObject, assignments: Iterable[str], *prefix: str) -> dict[str, str]:
    """Put each `PATH=VALUE` into `target`, in order. VALUE is JSON, else text.

    Parts of a path are names or, in a list, positions; the position after the last one appends. Returns the JSON
    Pointer of each assignment that was read as JSON and not as text, with its raw value. Raises BriefError.
    """
    read_as_json: dict[str, str] = {}
    for text in assignments:
        path, equals, raw = text.partition("=")
        parts = path.strip().split(".")
        if not equals or not all(parts):
            raise BriefError([Problem("", f"{text[:80]!r} is not PATH=VALUE, as in params.event.name=Open Day")])
        if len(parts) > MAX_DEPTH:
            raise BriefError([Problem("", f"the path {path[:80]!r} is too deep")])
        try:
            value: Any = json.loads(raw)
        except (ValueError, RecursionError):
            value = raw
        if not isinstance(value, str):
            read_as_json[pointer(*prefix, *parts)] = raw
        _put(target, parts, value, prefix)
    return read_as_json


def with_hints(error: BriefError, read_as_json: dict[str, str]) -> BriefError:
    """The same problems; where text was wanted and the value was read as JSON, with a word on how to write text."""
    problems = []
    for problem in error.problems:
        message = problem.message
        if problem.pointer in read_as_json and "string" in message:
            message += f"; to give text, write '\"{read_as_json[problem.pointer]}\"'"
        problems.append(Problem(problem.pointer, message))
    return BriefError(problems)


def _put(target: Any, parts: list[str], value: Any, prefix: tuple[str, ...]) -> None:
    for depth, part in enumerate(parts):
        where = pointer(*prefix, *parts[: depth + 1])
        last = depth == len(parts) - 1
        following: Any = value if last else ([] if parts[depth + 1].isdecimal() else {})
        if isinstance(target, list):
            target = _put_in_list(target, part, following, where, replace=last)
        elif isinstance(target, dict):
            if last or target.get(part) is None:
                target[part] = following
            target = target[part]
        else:
            above = pointer(*prefix, *parts[:depth])
            raise BriefError([Problem(above, f"is not an object or list, so it has no {part[:60]!r}")])


def _put_in_list(target: list[Any], part: str, following: Any, where: str, *, replace: bool) -> Any:
    if not part.isdecimal() or len(part) > 6 or int(part) > len(target):
        raise BriefError([Problem(where, f"is no position in a list of {len(target)}; the next one is {len(target)}")])
    index = int(part)
    if index == len(target):
        target.append(following)
    elif replace:
        target[index] = following
    return target[index]
