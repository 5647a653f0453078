"""Reading the arguments of a call: the model's raw text becomes a typed object, or a ToolError that it can act on."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from studio.errors import ToolError
from studio.tools.lenient import mended, near_object

M = TypeVar("M", bound=BaseModel)


def read_arguments(raw: str, model: type[M], tool: str, expected: str, *, sole: str | None = None) -> tuple[M, str]:
    """The arguments as `model`, and a word about what was ignored ("" where nothing was).

    An argument that is null counts as not given. `sole` is the argument that a bare text stands for. Raises ToolError
    with what was wrong and `expected`.
    """
    given, word = _json_object(raw, model.model_fields, tool, expected, sole)
    known = {name: _scrub(value) for name, value in given.items() if name in model.model_fields and value is not None}
    ignored = sorted(name for name in given if name not in model.model_fields)
    try:
        arguments = _validated(model, known)
    except ValidationError as error:
        faults = "; ".join(_fault(item) for item in error.errors(include_url=False))
        extra = f" Unknown arguments: {_names(ignored)}." if ignored else ""
        raise ToolError(f"{tool} was not run: {faults}.{extra} Expected {expected}.") from None
    if ignored:
        word = f"{word}\n[ignored unknown arguments: {_names(ignored)}]".strip()
    return arguments, word


def _validated(model: type[M], known: dict[str, Any]) -> M:
    """`known` as `model`; values of a wrong type are read as what they clearly are, where that helps."""
    try:
        return model.model_validate(known)
    except ValidationError as error:
        wrong = {item["loc"][0] for item in error.errors(include_url=False) if item["loc"]}
        better = {name: mended(value) if name in wrong else value for name, value in known.items()}
        if better == known:
            raise
    return model.model_validate(better)


def _json_object(
    raw: str, fields: Collection[str], tool: str, expected: str, sole: str | None
) -> tuple[dict[str, Any], str]:
    if not raw.strip():
        return {}, ""
    value, word = near_object(raw, fields, sole)
    if value is not None:
        return value, word
    try:
        value = json.loads(raw, strict=False)  # a raw newline within a string is what was meant
    except json.JSONDecodeError as error:
        near = raw[max(0, error.pos - 30) : error.pos + 30]
        raise ToolError(
            f"{tool} was not run: the arguments are not JSON ({error.msg} at character {error.pos}, near {near!r}). "
            f"Expected {expected}."
        ) from None
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        raise ToolError(f"{tool} was not run: the arguments cannot be read. Expected {expected}.") from None
    if value is None:
        return {}, ""
    raise ToolError(f"{tool} was not run: the arguments must be a JSON object. Expected {expected}.")


def _scrub(value: Any) -> Any:
    """Half a surrogate pair, which JSON can carry and UTF-8 cannot, becomes U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _fault(item: Any) -> str:
    where = ".".join(str(part) for part in item["loc"]) or "arguments"
    if item["type"] == "missing":
        return f"`{where}` is missing"
    message = str(item["msg"]).removeprefix("Value error, ")
    return f"`{where}`: {message[:1].lower()}{message[1:]} (got {repr(item.get('input'))[:60]})"


def _names(names: list[str]) -> str:
    shown = ", ".join(name[:40] for name in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")
