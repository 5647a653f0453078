"""Reading the arguments of a call: the model's raw text becomes a typed object, or a ToolError that it can act on."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from studio.errors import ToolError

M = TypeVar("M", bound=BaseModel)


def read_arguments(raw: str, model: type[M], tool: str, expected: str) -> tuple[M, str]:
    """The arguments as `model`, and a word about those that were ignored ("" when there were none).

    An argument that is null counts as not given. Raises ToolError with what was wrong and `expected`.
    """
    given = _json_object(raw, tool, expected)
    known = {name: _scrub(value) for name, value in given.items() if name in model.model_fields and value is not None}
    ignored = sorted(name for name in given if name not in model.model_fields)
    try:
        arguments = model.model_validate(known)
    except ValidationError as error:
        faults = "; ".join(_fault(item) for item in error.errors(include_url=False))
        extra = f" Unknown arguments: {_names(ignored)}." if ignored else ""
        raise ToolError(f"{tool} was not run: {faults}.{extra} Expected {expected}.") from None
    word = f"[ignored unknown arguments: {_names(ignored)}]" if ignored else ""
    return arguments, word


def _json_object(raw: str, tool: str, expected: str) -> dict[str, Any]:
    if not raw.strip():
        return {}
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
        return {}
    if not isinstance(value, dict):
        raise ToolError(f"{tool} was not run: the arguments must be a JSON object. Expected {expected}.")
    return value


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
