"""What a check measured, in words: numbers with their units, names for fields, long values cut for folding."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from studio.contract import Finding
from web.i18n import gettext, ngettext, whole

SHORT_CHARS = 140  # longer values are folded
LONG_CHARS = 4000
ROWS = 6  # more are folded


def _n(word: str) -> str:
    return word


# By check: what stands behind a number; one for a single thing, one for several.
_UNITS = {
    "audio.audible": ("LUFS", "LUFS"),
    "audio.duration": ("s", "s"),
    "audio.not_clipped": ("dBTP", "dBTP"),
    "html.no_errors": (_n("error"), _n("errors")),
    "html.self_contained": (_n("foreign load"), _n("foreign loads")),
    "images.used": (_n("of 1"), _n("of 1")),
    "midi.bars": (_n("bar"), _n("bars")),
    "midi.duration": ("s", "s"),
    "midi.tempo": (_n("beats a minute"), _n("beats a minute")),
    "page.fits": (_n("px too wide"), _n("px too wide")),
    "png.matches_svg": (_n("of 1"), _n("of 1")),
    "poster.contrast": (": 1", ": 1"),
    "poster.overlap": (_n("overlap"), _n("overlaps")),
    "svg.page": (_n("width ÷ height"), _n("width ÷ height")),
    "svg.safe": (_n("danger"), _n("dangers")),
    "video.duration": ("s", "s"),
    "video.fps": (_n("frames a second"), _n("frames a second")),
}
_NAMES = {
    "at_once": _n("keys at once"),
    "black_s": _n("black"),
    "still_s": _n("still"),
    "widest_semitones": _n("widest reach, in semitones"),
    "one colour": _n("one colour"),
    "loudness_lufs": _n("loudness, in LUFS"),
    "silence_s": _n("longest silence"),
    "whole": _n("whole picture"),
    "letter": _n("least alike letter"),
}
_SHARES = ("one colour", "png.not_blank")


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
        return [Row(_name(name), _text(check, item, name)) for name, item in value.items()]
    return [Row("", _text(check, value))]


def _text(check: str, value: JsonValue, name: str = "") -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, int | float):
        return _number(check, value, name)
    if isinstance(value, list):
        return gettext(", ").join(_text(check, item) for item in value) or gettext("none")
    if isinstance(value, dict):
        return gettext("; ").join(f"{_name(key)}: {_text(check, item, key)}" for key, item in value.items()) or gettext(
            "none"
        )
    return value or "—"


def _name(field: str) -> str:
    word = _NAMES.get(field)
    return gettext(word) if word else field


def _number(check: str, value: float, name: str) -> str:
    if name in _SHARES or check in _SHARES:
        share = f"{100 * value:.3g}\N{NO-BREAK SPACE}%"
        return share if name in _SHARES else gettext("%(share)s in one colour", share=share)
    if isinstance(value, float):
        digits = f"{value:.4g}" if abs(value) < 10_000 else f"{value:.0f}"
        text = digits.replace("-", "\N{MINUS SIGN}")
    else:
        text = whole(value).replace("-", "\N{MINUS SIGN}")
    if name.endswith("_s"):
        return f"{text}\N{NO-BREAK SPACE}s"
    if name == "bytes":
        return f"{text}\N{NO-BREAK SPACE}{ngettext('byte', 'bytes', int(value))}"
    one, several = _UNITS.get(check, ("", "")) if not name or check in ("images.used", "page.fits") else ("", "")
    unit = one if value == 1 else several
    return f"{text}\N{NO-BREAK SPACE}{gettext(unit)}" if unit else text
