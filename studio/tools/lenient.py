"""Arguments that are nearly a JSON object: what models write instead, read where there is only one meaning.

Text that breaks off is never completed: half a command is not run.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection
from typing import Any

from studio.brief import JsonObject

_FENCED = re.compile(r"\A\s*```[\w-]*\s*\n(.*)\n\s*```\s*\Z", re.S)
_WRAPPERS = ("arguments", "parameters", "args", "input", "params")
_SECONDS = re.compile(r"\A\s*(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)\s*\Z", re.I)
MORE = "[only the first JSON object was read; make one call for each]"


def near_object(raw: str, fields: Collection[str], sole: str | None) -> tuple[JsonObject | None, str]:
    """The object that `raw` stands for, and a word to the model about it; None where it has no one meaning.

    `sole` is the argument that a bare text stands for, of a tool that needs no other.
    """
    text = raw.strip()
    if found := _FENCED.match(text):
        text = found[1].strip()
    value, word = _value(text)
    for _ in range(2):  # a string that holds JSON, once or twice quoted
        if isinstance(value, str):
            inner, more = _value(value)
            if isinstance(inner, str) and sole or inner is None:
                break
            value, word = inner, word or more
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict):
        return _unwrapped(value, fields), word
    if value is None and _is_bare(text):
        value = text
    if sole and isinstance(value, str) and value.strip():
        return {sole: value}, word
    return None, ""


def _is_bare(text: str) -> bool:
    """Plain words, such as a command, and no JSON, whole or broken."""
    return text[:1] not in ("{", "[", '"', "'") and text != "null" and any(char.isalpha() for char in text)


def mended(value: Any) -> Any:
    """A value of the wrong type as what it clearly is: JSON within a string, seconds with their unit."""
    if not isinstance(value, str):
        return value
    if seconds := _SECONDS.match(value):
        return float(seconds[1])
    if value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _value(text: str) -> tuple[Any, str]:
    """The JSON value at the beginning of `text`, or a Python literal; None where it is neither."""
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return _literal(text), ""
    rest = text[end:].strip()
    if not rest:
        return value, ""
    return (value, MORE) if isinstance(value, dict) and re.match(r"[\[{<,;}\]]|```", rest) else (None, "")


def _literal(text: str) -> Any:
    """Single quotes, a comma too many, True and None: a Python dict."""
    if not text.startswith("{"):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return value if isinstance(value, dict) and all(isinstance(name, str) for name in value) else None


def _unwrapped(value: JsonObject, fields: Collection[str]) -> JsonObject:
    """The arguments alone, where the whole call was put in their place."""
    for name in _WRAPPERS:
        if name in value and name not in fields and not any(field in value for field in fields):
            inner = value[name]
            if isinstance(inner, str):
                inner, _ = _value(inner.strip())
            if isinstance(inner, dict):
                return inner
    return value
