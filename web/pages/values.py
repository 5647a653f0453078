"""What a check measured, in words: numbers with their units, names for fields, long values cut for folding."""

from __future__ import annotations

import re
from dataclasses import dataclass

from markupsafe import Markup, escape
from pydantic import JsonValue

from studio.contract import Finding

SHORT_CHARS = 140  # longer values are folded
LONG_CHARS = 4000
ROWS = 6  # more are folded

# By check: what stands behind a number.
_UNITS = {
    "audio.audible": "LUFS",
    "audio.duration": "s",
    "audio.not_clipped": "dBTP",
    "html.no_errors": "errors",
    "html.self_contained": "foreign loads",
    "images.used": "of 1",
    "midi.bars": "bars",
    "midi.duration": "s",
    "midi.tempo": "beats a minute",
    "page.fits": "px too wide",
    "png.matches_svg": "of 1",
    "poster.contrast": ": 1",
    "poster.overlap": "overlaps",
    "svg.page": "width ÷ height",
    "svg.safe": "dangers",
    "video.duration": "s",
    "video.fps": "frames a second",
}
_NAMES = {
    "at_once": "keys at once",
    "black_s": "black",
    "still_s": "still",
    "widest_semitones": "widest reach, in semitones",
}
_SHARES = ("one colour", "png.not_blank")
_QUOTED = re.compile(r"""("[^"\n]{1,300}"|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w))""")


@dataclass(frozen=True)
class Row:
    """One measured value; `name` is empty where there is but one."""

    name: str
    text: str


@dataclass(frozen=True)
class Value:
    """What was measured: rows in sight, and those that are folded away."""

    rows: tuple[Row, ...]
    folded: tuple[Row, ...] = ()


def value_of(finding: Finding) -> Value:
    """What a check measured, for reading."""
    rows = tuple(_rows(finding.id, finding.measured))
    if len(rows) == 1 and len(rows[0].text) > SHORT_CHARS:
        short = Row(rows[0].name, rows[0].text[:SHORT_CHARS].rstrip() + "…")
        return Value((short,), (Row("", rows[0].text[:LONG_CHARS]),))
    rows = tuple(Row(row.name, row.text[:LONG_CHARS]) for row in rows)
    return Value(rows[:ROWS], rows[ROWS:])


def _rows(check: str, value: JsonValue) -> list[Row]:
    if isinstance(value, dict) and value:
        return [Row(_NAMES.get(name, name), _text(check, item, name)) for name, item in value.items()]
    return [Row("", _text(check, value))]


def _text(check: str, value: JsonValue, name: str = "") -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(check, value, name)
    if isinstance(value, list):
        return ", ".join(_text(check, item) for item in value) or "none"
    if isinstance(value, dict):
        return "; ".join(f"{_NAMES.get(key, key)}: {_text(check, item, key)}" for key, item in value.items()) or "none"
    return value or "—"


def _number(check: str, value: float, name: str) -> str:
    if name in _SHARES or check in _SHARES:
        return f"{100 * value:.3g}\N{NO-BREAK SPACE}%" + ("" if name in _SHARES else " in one colour")
    if isinstance(value, float):
        digits = f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
        text = digits.replace("-", "\N{MINUS SIGN}")
    else:
        text = f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", "\N{MINUS SIGN}")
    unit = "s" if name.endswith("_s") else "bytes" if name == "bytes" else ""
    if not unit and (not name or check in ("images.used", "page.fits")):
        unit = _UNITS.get(check, "")
    if value == 1 and unit.endswith("s") and len(unit) > 1 and unit.isalpha() and unit != "LUFS":
        unit = unit[:-1]
    return f"{text}\N{NO-BREAK SPACE}{unit}" if unit else text


def isolated(text: str) -> Markup:
    """A sentence whose quotations keep their own direction of writing, so that they do not turn the words around."""
    parts = _QUOTED.split(text.replace(" : ", "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"))
    return Markup("").join(
        Markup("<bdi>{}</bdi>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )
