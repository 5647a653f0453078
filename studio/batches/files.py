"""Files of lines: JSON Lines, a JSON array, or a table with a header, in the encodings that spreadsheets write.

A line's number is what an editor or a spreadsheet shows beside it; a table's header is line 1.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import BinaryIO, TextIO

from pydantic import JsonValue

from studio.batches.lines import Line, Plan
from studio.brief import parse_value
from studio.errors import BriefError, Problem

MAX_LINE_CHARS = 1 << 20
MAX_COLUMNS = 500
_TABLES = frozenset({".csv", ".tsv", ".txt", ".tab"})
_DELIMITERS = ",;\t|"
_NOT_UTF8 = re.compile(r"[\udc80-\udcff]")
_SHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # ZIP (.xlsx, .ods) and the older .xls


def read_file(stream: BinaryIO, name: str, plan: Plan) -> Iterator[Line]:
    """The lines of a file; its form is told by its name and its first bytes.

    Raises BriefError for a file that cannot be read as a whole; a line that cannot be read is a line with problems.
    """
    head = stream.read(4096)
    stream.seek(0)
    if not head.strip():
        raise BriefError([Problem("/file", "the file is empty")])
    if head.startswith(_SHEETS):
        raise BriefError([Problem("/file", "this is a workbook; save the sheet as CSV (UTF-8) and send that")])
    encoding = _encoding(head)
    start = head.decode(encoding, "ignore").lstrip("\ufeff \t\r\n")
    suffix = PurePath(name.lower()).suffix
    if suffix not in _TABLES and start[:1] == "[":
        return _array(stream.read(), plan)
    text = io.TextIOWrapper(stream, encoding=encoding, errors="surrogateescape", newline="")
    if suffix not in _TABLES and (start[:1] == "{" or suffix in (".jsonl", ".ndjson", ".json")):
        return _closing_nothing(text, _json_lines(text, plan))
    return _closing_nothing(text, _table(text, plan))


def _encoding(head: bytes) -> str:
    """UTF-8, or UTF-16 by its mark or by the zero bytes of the Latin characters that every header and brief has."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 > len(head):
        return "utf-16-be" if even > odd else "utf-16-le"
    return "utf-8-sig"


def _closing_nothing(text: io.TextIOWrapper, lines: Iterator[Line]) -> Iterator[Line]:
    """The lines; the stream below stays open for whoever opened it."""
    try:
        yield from lines
    finally:
        text.detach()


def _array(content: bytes, plan: Plan) -> Iterator[Line]:
    value = parse_value(content.decode(_encoding(content[:4096]), "replace"), "file")
    if not isinstance(value, list):
        raise BriefError([Problem("/file", "must be a JSON array, or JSON Lines")])
    return (plan.line(number, item) for number, item in enumerate(value, start=1))


def _json_lines(text: TextIO, plan: Plan) -> Iterator[Line]:
    number = 0
    while line := text.readline(MAX_LINE_CHARS):
        number += 1
        whole = line
        while not line.endswith(("\n", "\r")) and (line := text.readline(MAX_LINE_CHARS)):
            whole = ""  # too long: read to its end and say so
        if not whole:
            yield Line(number, problems=(Problem("", f"the line is longer than {MAX_LINE_CHARS} characters"),))
        elif whole.strip():
            yield _json_line(number, whole, plan)


def _json_line(number: int, text: str, plan: Plan) -> Line:
    if _NOT_UTF8.search(text):
        return Line(number, problems=(Problem("", "the line is not UTF-8 text"),))
    try:
        value: JsonValue = parse_value(text.strip(), "line")
    except BriefError as error:
        return Line(number, problems=error.problems)
    return plan.line(number, value)


def _table(text: TextIO, plan: Plan) -> Iterator[Line]:
    first = text.readline(MAX_LINE_CHARS)
    while first and not first.strip():
        first = text.readline(MAX_LINE_CHARS)
    said = re.fullmatch(r"\s*sep=(.)\s*", first)  # how some spreadsheets name the delimiter, before the header
    if said:
        first = text.readline(MAX_LINE_CHARS)
    rows = csv.reader(_from(first, text), delimiter=said[1] if said else _delimiter(first), strict=True)
    header: list[str] | None = None
    number = 1 if said else 0
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            message = f'line {rows.line_num}: {error}; is a quote (") left open or not doubled?'
            raise BriefError([Problem("/file", message)]) from None
        if header is None:
            header = _header(row, plan)
        elif any(cell.strip() for cell in row):
            yield _table_row(number, row, header, plan)


def _from(first: str, text: TextIO) -> Iterator[str]:
    yield first
    yield from text


def _delimiter(header: str) -> str:
    """What stands between the names of the header; a quoted name does not count."""
    bare = re.sub(r'"(?:[^"]|"")*"', "", header)
    counts = {char: bare.count(char) for char in _DELIMITERS}
    best = max(counts, key=lambda char: counts[char])
    return best if counts[best] else ","


def _header(row: list[str], plan: Plan) -> list[str]:
    names = [name.strip() for name in row]
    if any(_NOT_UTF8.search(name) for name in names):
        raise BriefError([Problem("/file", "the file is not UTF-8 text; save the sheet as CSV (UTF-8)")])
    if len(names) > MAX_COLUMNS:
        raise BriefError([Problem("/columns", f"at most {MAX_COLUMNS} columns are read, not {len(names)}")])
    plan.check_columns(names)
    return names


def _table_row(number: int, row: list[str], header: list[str], plan: Plan) -> Line:
    if any(_NOT_UTF8.search(cell) for cell in row):
        return Line(number, problems=(Problem("", "the row is not UTF-8 text; save the sheet as CSV (UTF-8)"),))
    extra = [cell for cell in row[len(header) :] if cell.strip()]
    unnamed = [cell for name, cell in zip(header, row, strict=False) if not name and cell.strip()]
    if extra or unnamed:
        message = f"the row has values beyond the {len(header)} columns of the header; is a quote missing?"
        return Line(number, problems=(Problem("", message),), given=dict(zip(header, row, strict=False)))
    return plan.row(number, [(name, cell) for name, cell in zip(header, row, strict=False) if name])
