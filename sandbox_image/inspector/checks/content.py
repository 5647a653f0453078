"""Checks of files that hold text or figures: plain text and Markdown, CSV, JSON; and their thumbnail."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from sandbox_image.inspector.plain_text import odd_character, text_of, visible
from sandbox_image.inspector.registry import ANY, Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Subject, Unfit


@check("text.readable")
def readable(subject: Subject, args: dict[str, Json]) -> Evidence:
    """UTF-8 (RFC 3629) that says something, without control characters but tab, line and page breaks."""
    path = args["file"]
    text = text_of(subject, path)
    if found := odd_character(text):
        words = f"{path} has the control character U+{ord(found[0]):04X} in line {found[1]:,}; take it out."
        return Evidence(False, f"U+{ord(found[0]):04X}", words, file=path)
    count = visible(text)
    if not count:
        return Evidence(False, 0, f"{path} says nothing; write into it what it is for.", file=path)
    return Evidence(True, f"{count:,} characters, {len(text.splitlines()):,} lines")


@check("csv.parses", limit_s=60.0)
def csv_parses(subject: Subject, args: dict[str, Json]) -> Evidence:
    """A table after RFC 4180: each row has as many fields as the first, every quote is closed.

    Fields may be divided by commas, semicolons, tabs or bars, the same all through; empty lines are passed over.
    """
    from sandbox_image.inspector.table_file import read_table

    path = args["file"]
    table = read_table(path, text_of(subject, path))
    return Evidence(True, f"{table.rows:,} rows × {table.columns:,} columns, divided by {table.divider}")


@check("json.parses", limit_s=60.0)
def json_parses(subject: Subject, args: dict[str, Json]) -> Evidence:
    """One JSON value after RFC 8259 in UTF-8 without a byte order mark (8.1); NaN and Infinity are no JSON (6)."""
    path = args["file"]
    text = text_of(subject, path)
    if subject.bytes_of(path, 64 << 20)[:3] == b"\xef\xbb\xbf":
        return Evidence(False, "byte order mark", f"{path} begins with a byte order mark; save it without.", file=path)

    def refuse(name: str) -> NoReturn:
        raise Unfit(f"{path} holds {name}, which is no JSON; write null or a number.", path)

    try:
        value: Any = json.loads(text, parse_constant=refuse, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        words = f"{path} is not JSON: {error.msg} (line {error.lineno:,}, column {error.colno:,}).{_hint(text, error)}"
        return Evidence(False, error.msg, words, file=path)
    return Evidence(True, _described(value))


def _hint(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos :].lstrip()
    if not text.strip():
        return " It is empty; write one value."
    if error.msg == "Extra data":
        return " One file holds one value: put them into a list."
    if rest.startswith(("//", "/*", "#")):
        return " JSON has no comments; take them out."
    if rest.startswith(("}", "]")):
        return " Take out the comma before it."
    if rest.startswith("'"):
        return ' Write " around names and texts.'
    return " Write it with a JSON library."


def _described(value: Any) -> str:
    if isinstance(value, dict):
        return f"an object of {len(value):,}"
    return f"a list of {len(value):,}" if isinstance(value, list) else "one value"


@preview("thumbnail.webp", (), rank=9, endings=(".txt", ".md", ".markdown", ".csv", ".json", ANY))
def card(subject: Subject) -> Picture:
    """The first lines of a text, set as a card."""
    from sandbox_image.inspector.text_card import draw_card

    path = subject.entry
    text = text_of(subject, path)
    if not visible(text):
        raise Unfit(f"{path} says nothing.", path)
    return draw_card(text)
