"""Tables as text (CSV, RFC 4180): which character divides fields, and that all rows have the same number of them."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass

from sandbox_image.inspector.plain_text import odd_character
from sandbox_image.inspector.subject import Unfit

DIVIDERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
MAX_FIELD = 4 << 20  # characters
LOOKED_AT = 100  # rows from which the divider is told


@dataclass(frozen=True)
class Table:
    """What a table has: rows with the first, columns, and what divides its fields."""

    rows: int
    columns: int
    divider: str


def read_table(path: str, text: str) -> Table:
    """Read a whole table. Raises Unfit with the line at which it is none."""
    if found := odd_character(text):
        words = f"{path} has the control character U+{ord(found[0]):04X} in line {found[1]:,}; take it out."
        raise Unfit(words, path)
    divider = _divider(text)
    rows = columns = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=divider, strict=True)
    csv.field_size_limit(MAX_FIELD)
    try:
        for row in reader:
            if not row:
                continue
            columns = columns or len(row)
            if len(row) != columns:
                raise Unfit(_unequal(path, reader.line_num, len(row), columns, divider), path)
            rows += 1
    except csv.Error as error:
        what = "a quoted field that is never closed" if "unexpected end" in str(error) else str(error)
        words = (
            f'{path}, line {reader.line_num:,}: {what}; put fields with quotes between "…" and double those in them.'
        )
        raise Unfit(words, path) from None
    if not rows:
        raise Unfit(f"{path} has no row; write the table into it.", path)
    return Table(rows, columns, DIVIDERS[divider])


def _unequal(path: str, line: int, fields: int, columns: int, divider: str) -> str:
    one = "" if fields == 1 else "s"
    return (
        f"{path}, line {line:,}: {fields} field{one} (divided by {DIVIDERS[divider]}), the first row has {columns}; "
        'give every row the same number, with "…" around a field that holds the divider or a line break.'
    )


def _divider(text: str) -> str:
    """The one by which the first rows have most fields and the same number of them; else a comma."""
    best, most = ",", 1
    for divider in DIVIDERS:
        counts = []
        try:
            for row in csv.reader(io.StringIO(text[: 1 << 18], newline=""), delimiter=divider):
                counts += [len(row)] if row else []
                if len(counts) >= LOOKED_AT:
                    break
        except csv.Error:
            continue
        whole = counts[:-1] if len(text) > 1 << 18 and len(counts) < LOOKED_AT else counts
        if len(set(whole)) == 1 and whole[0] > most:
            best, most = divider, whole[0]
    return best
