"""What a posted form means: JSON, guided by the Shape. What was typed is kept as it was typed.

Text that is no number stays text, and validation says so beside the field. Rows in which nothing was typed are dropped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from pydantic import JsonValue

from studio.brief import JsonObject
from web.forms.shapes import Shape

Posted: TypeAlias = Mapping[str, Sequence[str]]

MAX_ROWS = 1000


def read(shape: Shape, posted: Posted, pointer: str = "") -> JsonValue:
    """The JSON that a posted form means; None where nothing was typed. Names that the shape lacks are not looked at."""
    if shape.control == "group":
        found: JsonObject = {}
        for child in shape.children:
            value = read(child, posted, f"{pointer}/{child.name}")
            if child.control == "pairs" and isinstance(value, dict):
                found.update(value)
            elif value is not None:
                found[child.name] = value
        return found if found or shape.required else None
    if shape.control == "list":
        rows = _rows(shape, posted, pointer)
        # A hidden control says that the list was on the form, even if no row of it is left.
        return rows if rows or (pointer in posted and not shape.nullable) else None
    if shape.control == "pairs":
        return _read_pairs(shape, posted, pointer)
    given = posted.get(pointer)
    text = given[-1].replace("\r\n", "\n") if given else ""
    if shape.control == "flag":
        return None if not given else text == "true"
    if not text.strip():
        return None
    return _value(shape, text)


def _read_pairs(shape: Shape, posted: Posted, pointer: str) -> JsonObject:
    """The further fields that were typed; a name that stands twice gets a number, so that neither value is lost."""
    found: JsonObject = {}
    for row in _rows(shape, posted, pointer):
        name = str(row.get("key", "")).strip() if isinstance(row, dict) else ""
        unique, count = name, 2
        while unique in found:
            unique, count = f"{name} {count}".strip(), count + 1
        found[unique] = row.get("value", "") if isinstance(row, dict) else ""
    return found


def _value(shape: Shape, text: str) -> JsonValue:
    try:
        if shape.control == "integer":
            return int(text)
        if shape.control == "number":
            number = float(text)
            return (int(number) if number.is_integer() else number) if math.isfinite(number) else text
    except ValueError:
        return text
    if shape.control == "choice":
        return next((choice for choice in shape.choices if str(choice) == text), text)
    return text


def row_numbers(posted: Iterable[str], pointer: str) -> list[int]:
    """The row numbers that a form posted below the list at `pointer`, in order."""
    pattern = re.compile(re.escape(pointer) + r"/(\d{1,6})(?:/|$)", re.ASCII)
    return sorted({int(match[1]) for name in posted if (match := pattern.match(name))})[:MAX_ROWS]


def _rows(shape: Shape, posted: Posted, pointer: str) -> list[JsonValue]:
    assert shape.item is not None
    rows = []
    for number in row_numbers(posted, pointer):
        value = read(shape.item, posted, f"{pointer}/{number}")
        if not _empty(shape.item, value):
            rows.append(value)
    return rows


def _empty(shape: Shape, value: JsonValue) -> bool:
    """Was nothing typed here? A choice or a flag that stands at its default does not count as typed."""
    if shape.control == "group":
        values = value if isinstance(value, dict) else {}
        return all(_empty(child, values.get(child.name)) for child in shape.children)
    if value is None or value == []:
        return True
    return shape.control in ("flag", "choice") and value == shape.default


def without_row(posted: Posted, row: str) -> dict[str, list[str]]:
    """What was posted, less one row of a list (its pointer)."""
    return {name: list(values) for name, values in posted.items() if name != row and not name.startswith(row + "/")}
