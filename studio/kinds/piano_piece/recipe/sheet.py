"""The written sheet: key, tempo, form, chords, and the melody in note names and in numbered notation (简谱)."""

from __future__ import annotations

from .melody import Sung
from .moods import named_mood
from .performance import Performance
from .piece import QUARTER, Piece
from .theory import Key
from .words import legend, own_words, unknown_mood

_ABOVE, _BELOW, _LINE, _TWO_LINES = "\u0307", "\u0323", "\u0332", "\u0333"
_BEATS = {False: "♩", True: "♩."}


def sheet_music(piece: Piece, performance: Performance) -> str:
    """The sheet as Markdown."""
    request, key = piece.request, piece.key
    words = own_words(request.language)
    lines = [f"# {_escaped(request.title)}", ""]
    lines += [*_facts(piece, performance, words), ""]
    lines += _form(piece, words)
    lines += _table(piece, words)
    do = key.degree_name(2 if key.minor else 0)
    lines += ["", legend(request.language, do), ""]
    return "\n".join(lines)


def _facts(piece: Piece, performance: Performance, words: dict[str, str]) -> list[str]:
    request = piece.request
    number, mode = request.key_name.split()
    tonic = number[0] + number[1:].replace("#", "♯").replace("b", "♭")
    local = words.get(mode, "{} " + mode)
    if "调" in local or "調" in local:
        local = local.replace("{}", {"": "", "♯": "升", "♭": "降"}[tonic[1:]] + "{}")
        tonic_shown = tonic[0]
    else:
        tonic_shown = tonic
    name = local.format(tonic_shown)
    if name != f"{tonic} {mode}":
        name += f" ({tonic} {mode})"
    rows = [
        ("key", "🎼", name),
        ("meter", "", request.meter),
        ("tempo", "", f"{_BEATS[request.compound]} = {performance.bpm:.0f}"),
        ("length", "", f"{performance.seconds:.0f} s"),
    ]
    rows.append(("mood", "", _mood(piece)))
    return [f"- **{words[name]}**: {value}" if words else f"- {value}" for name, _, value in rows]


def _mood(piece: Piece) -> str:
    """The brief's words, how they are played, and the look: *tranquillo, corale*."""
    request = piece.request
    manner = f"*{piece.mood.manner}, {piece.look.italian}*"
    if named_mood(request.mood) is None:
        manner = unknown_mood(request.language, manner)
    return f"{_escaped(request.mood)} ({manner})" if request.mood.strip() else manner


def _form(piece: Piece, words: dict[str, str]) -> list[str]:
    lines = [f"## {words['form']}", ""] if words else []
    for section in piece.sections:
        span = f"{section.first_bar + 1}–{section.first_bar + section.bars}"
        if section.bars == 1:
            span = str(section.first_bar + 1)
        unit = words.get("bars", "")
        count = f"{section.bars} {unit}".strip()
        lines.append(f"- {_escaped(section.name)}: {count} ({span})")
    return [*lines, ""]


def _table(piece: Piece, words: dict[str, str]) -> list[str]:
    lines = [f"## {words['melody']}", ""] if words else []
    heads = [
        words.get(name, sign) for name, sign in (("bar", "#"), ("chords", "♫"), ("melody", "♪"), ("numbers", "1 2 3"))
    ]
    for section in piece.sections:
        lines += [f"### {_escaped(section.name)}", "", f"| {' | '.join(heads)} |", "| ---: | --- | --- | --- |"]
        for bar in range(section.first_bar, section.first_bar + section.bars):
            lines.append(f"| {bar + 1} | {' | '.join(_bar(piece, bar))} |")
        lines.append("")
    return lines[:-1]


def _bar(piece: Piece, bar: int) -> tuple[str, str, str]:
    start, end = bar * piece.bars.bar, (bar + 1) * piece.bars.bar
    chords = [
        slot.chord.symbol(piece.key, slot.bass % 12) for slot in piece.slots if slot.start < end and slot.end > start
    ]
    sung = [note for note in piece.melody if start <= note.start < end]
    names = " ".join(piece.key.note_name(note.step, note.alteration) for note in sung)
    numbers = " ".join(numbered(piece.key, note) for note in sung)
    return " ".join(dict.fromkeys(chords)), names or "–", numbers or "–"


def numbered(key: Key, note: Sung) -> str:
    """A note in numbered notation: 1 is the tonic of the (relative) major key; octaves by dots, values by lines."""
    step = note.step + (5 if key.minor else 0)
    octave, degree = divmod(step, 7)
    tonic = 60 + key.tonic - (9 if key.minor else 0)
    octave += (tonic - 60) // 12 + (1 if (tonic - 60) % 12 > 8 else 0)
    marks = (_ABOVE * octave) if octave > 0 else _BELOW * -octave
    sign = {-1: "♭", 0: "", 1: "♯"}[note.alteration]
    figure = f"{sign}{degree + 1}{marks}"
    quarters, rest = divmod(note.length, QUARTER)
    parts = []
    if quarters:
        parts.append(figure + ("." if quarters == 1 and rest == 240 else "") + " –" * (quarters - 1))
        rest = 0 if quarters == 1 and rest == 240 else rest
    if rest >= 240:
        parts.append(figure + _LINE + ("." if rest >= 360 else ""))
        rest -= 360 if rest >= 360 else 240
    if rest >= 60:
        parts.append(figure + _TWO_LINES)
    return "‿".join(parts) or figure


def _escaped(text: str) -> str:
    """Plain text that Markdown does not take for markup."""
    return "".join("\\" + char if char in "\\`*_{}[]<>#|~" else char for char in text)
