"""What a report's facts say to a viewer: numbers out of a sandbox, so each is checked and bounded before it is used."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from studio.contract import Report
from web.i18n import gettext

MAX_NOTES = 6000
MAX_BARS = 2000
MAX_CHAPTERS = 120
MAX_SECONDS = 3600.0
MAX_PIXELS = 16_384
LOWEST, HIGHEST = 0, 127  # MIDI key numbers


@dataclass(frozen=True)
class Chapter:
    """A place in a film: what is there, and when in seconds."""

    label: str
    time_s: float


@dataclass(frozen=True)
class Size:
    """A film's size in pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class Note:
    """One key held: begin and length in seconds, MIDI key number, velocity 1–127, hand 0 (right) or 1 (left)."""

    start_s: float
    length_s: float
    pitch: int
    velocity: int
    hand: int


@dataclass(frozen=True)
class Roll:
    """A piece as a piano roll shows it; bar lines and the end in seconds, the tempo in beats a minute."""

    notes: tuple[Note, ...]
    bar_lines: tuple[float, ...]
    end_s: float
    bars: int | None
    meter: str | None
    tempo: float | None

    @property
    def json(self) -> str:
        """For the script that draws it: `{"notes": [[start, length, pitch, velocity, hand], …], "bars", "end"}`."""
        notes = [[note.start_s, note.length_s, note.pitch, note.velocity, note.hand] for note in self.notes]
        return json.dumps({"notes": notes, "bars": self.bar_lines, "end": self.end_s}, separators=(",", ":"))

    def bar_at(self, second: float) -> int | None:
        """The bar that sounds at this time, from 1 on; None before the first and after the end."""
        return bisect_right(self.bar_lines, second + 0.02) or None if second <= self.end_s else None


def roll_of(report: Report | None) -> Roll | None:
    """The piano roll in a report's facts, or None where there is no note that can be drawn."""
    facts = _facts(report, "midi")
    notes = [note for item in _items(facts.get("notes"), MAX_NOTES) if (note := _note(item))]
    if not notes:
        return None
    found = (_number(item, 0, MAX_SECONDS) for item in _items(facts.get("bar_lines"), MAX_BARS))
    bars = _number(facts.get("bars"), 1, MAX_BARS)
    meter = facts.get("meter")
    return Roll(
        notes=tuple(notes),
        bar_lines=tuple(sorted(line for line in found if line is not None)),
        end_s=round(max(note.start_s + note.length_s for note in notes), 3),
        bars=int(bars) if bars else None,
        meter=meter if isinstance(meter, str) and re.fullmatch(r"[0-9]{1,2}/[0-9]{1,2}", meter) else None,
        tempo=_number(facts.get("tempo"), 1, 1000),
    )


def chapters_of(report: Report | None) -> tuple[Chapter, ...]:
    """The numbers of a countdown and its finale, in the order in which they come."""
    facts = _facts(report, "video")
    found = []
    for item in _items(facts.get("numbers"), MAX_CHAPTERS):
        at = _number(item.get("time_s"), 0, MAX_SECONDS) if isinstance(item, dict) else None
        number = _number(item.get("n"), 0, 9999) if isinstance(item, dict) else None
        if at is not None and number is not None:
            found.append(Chapter(str(int(number)), at))
    finale = _number(facts.get("finale_s"), 0, MAX_SECONDS)
    if found and finale is not None:
        found.append(Chapter(gettext("Finale"), finale))
    return tuple(sorted(found, key=lambda chapter: chapter.time_s))


def film_size(report: Report | None) -> Size | None:
    """A film's size, where the inspector could tell."""
    facts = _facts(report, "video")
    width, height = (_number(facts.get(name), 16, MAX_PIXELS) for name in ("width", "height"))
    return Size(int(width), int(height)) if width and height else None


def length_of(report: Report | None, name: str) -> float | None:
    """How long the film ("video") or the recording ("audio") is, in seconds, where the inspector could tell."""
    return _number(_facts(report, name).get("duration_s"), 0.05, MAX_SECONDS)


def _facts(report: Report | None, name: str) -> Mapping[str, JsonValue]:
    found = report.facts.get(name) if report else None
    return found if isinstance(found, dict) else {}


def _items(value: JsonValue, most: int) -> Sequence[JsonValue]:
    return value[:most] if isinstance(value, list) else ()


def _number(value: JsonValue, least: float, most: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if least <= value <= most and math.isfinite(value) else None


def _note(value: JsonValue) -> Note | None:
    if not isinstance(value, list) or len(value) != 5:
        return None
    start, length = _number(value[0], 0, MAX_SECONDS), _number(value[1], 0, MAX_SECONDS)
    pitch, velocity = _number(value[2], LOWEST, HIGHEST), _number(value[3], 1, 127)
    hand = _number(value[4], 0, 1)
    if start is None or length is None or pitch is None or velocity is None or hand is None:
        return None
    return Note(start, length, int(pitch), int(velocity), int(hand))
