"""The piece as it is written down: spelled notes of both staves, cut at bars, with ties, beams and accidentals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .left_hand import Struck
from .piece import Piece
from .theory import LETTERS, Chord, Key

RIGHT, LEFT, LOWER = 1, 5, 6  # voices; the last two share the lower staff
TYPES = {1920: ("whole", 0), 960: ("half", 0), 480: ("quarter", 0), 240: ("eighth", 0), 120: ("16th", 0),
         60: ("32nd", 0), 2880: ("whole", 1), 1440: ("half", 1), 720: ("quarter", 1), 360: ("eighth", 1),
         180: ("16th", 1)}  # fmt: skip
_SIGNS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


@dataclass(frozen=True)
class Tone:
    """A written pitch: letter (0 for C), accidental in semitones, octave as in C4; `sign` is the accidental shown."""

    letter: int
    accidental: int
    octave: int
    sign: str = ""

    @property
    def name(self) -> str:
        return LETTERS[self.letter]


@dataclass(frozen=True)
class Written:
    """A chord, or a rest where it has no tones. `start` counts ticks from the piece's begin."""

    start: int
    length: int
    tones: tuple[Tone, ...]
    voice: int
    rolled: bool = False
    tied_from: bool = False  # goes on from the one before
    tied_to: bool = False
    beams: tuple[str, ...] = ()  # begin, continue, end, forward hook, backward hook; a level each

    @property
    def end(self) -> int:
        return self.start + self.length


def written_key(key: Key) -> Key:
    """The key as its signature writes it: the same pitches for G sharp major and A flat major."""
    name = key.signature
    return Key.named(f"{name.rstrip('m')} {'minor' if key.minor else 'major'}")


def bars_of(piece: Piece) -> list[dict[int, list[Written]]]:
    """For each bar the contents of each voice in order of time; the lower voice only where something is held in it."""
    key = written_key(piece.key)
    bar = piece.bars.bar
    count = piece.request.total_bars
    found: list[dict[int, list[Written]]] = [{} for _ in range(count)]
    for voice, notes in (
        (RIGHT, _right(piece, key)),
        (LEFT, _left(piece, key, False)),
        (LOWER, _left(piece, key, True)),
    ):
        for number, row in enumerate(_by_bar(notes, bar, count)):
            if not row and voice == LOWER:
                continue
            filled = _filled(row, number * bar, bar, voice)
            cut = [part for note in filled for part in _cut(note, number * bar, piece)]
            found[number][voice] = _beamed(cut, number * bar, piece)
    return _with_signs(found, key)


def _right(piece: Piece, key: Key) -> list[Written]:
    added: dict[int, list[Struck]] = {}
    for struck in piece.added:
        added.setdefault(struck.start, []).append(struck)
    found = []
    for note in piece.melody:
        chord = next(slot.chord for slot in piece.slots if slot.start <= note.start < slot.end)
        tones = [_tone(key, note.pitch, note.step % 7, note.alteration)]
        tones += [_of_chord(key, chord, pitch) for struck in added.get(note.start, ()) for pitch in struck.pitches]
        rolled = any(struck.rolled for struck in added.get(note.start, ()))
        found.append(Written(note.start, note.length, _low_first(tones), RIGHT, rolled))
    return found


def _left(piece: Piece, key: Key, lower: bool) -> list[Written]:
    found = []
    for struck in sorted(piece.left, key=lambda each: each.start):
        if struck.lower != lower:
            continue
        chord = next(slot.chord for slot in piece.slots if slot.start <= struck.start < slot.end)
        tones = _low_first(_of_chord(key, chord, pitch) for pitch in struck.pitches)
        found.append(Written(struck.start, struck.length, tones, LOWER if lower else LEFT, struck.rolled))
    return found


def _low_first(tones: Iterable[Tone]) -> tuple[Tone, ...]:
    return tuple(sorted(set(tones), key=lambda tone: (tone.octave, tone.letter, tone.accidental)))


def _tone(key: Key, pitch: int, degree: int, alteration: int) -> Tone:
    letter, accidental = key.spelled(degree, alteration)
    return Tone(letter, accidental, (pitch - accidental) // 12 - 1)


def _of_chord(key: Key, chord: Chord, pitch: int) -> Tone:
    """The pitch as the chord spells it, else as the scale does, else as a raised note of that."""
    raised = [(degree, 1) for degree in range(7)]
    for degree, alteration in (*chord.tones, *((degree, 0) for degree in range(7)), *raised):
        if (key.tonic + key.scale[degree] + alteration - pitch) % 12 == 0:
            return _tone(key, pitch, degree, alteration)
    raise ValueError(pitch)


def _by_bar(notes: Sequence[Written], bar: int, count: int) -> list[list[Written]]:
    """The notes of each bar; what is held over a bar line is cut there and tied."""
    rows: list[list[Written]] = [[] for _ in range(count)]
    for index, note in enumerate(notes):
        following = notes[index + 1].start if index + 1 < len(notes) else note.end
        end = min(note.end, max(following, note.start + 1))
        at = note.start
        while at < end:
            line = (at // bar + 1) * bar
            stop = min(end, line)
            part = replace(note, start=at, length=stop - at, tied_from=at > note.start, tied_to=stop < end)
            rows[at // bar].append(part)
            at = stop
    return rows


def _filled(row: Sequence[Written], start: int, bar: int, voice: int) -> list[Written]:
    """The row with rests where nothing sounds."""
    found: list[Written] = []
    at = start
    for note in row:
        if note.start > at:
            found.append(Written(at, note.start - at, (), voice))
        found.append(note)
        at = note.end
    if at < start + bar:
        found.append(Written(at, start + bar - at, (), voice))
    return found


def _cut(note: Written, start: int, piece: Piece) -> list[Written]:
    """The note in values that can be written and show the beats, tied together."""
    if not note.tones and note.length == piece.bars.bar:
        return [note]
    lengths: list[int] = []
    at, rest = note.start - start, note.length
    while rest > 0:
        lengths.append(_value(at, rest, piece))
        at, rest = at + lengths[-1], rest - lengths[-1]
    found, place = [], note.start
    for index, length in enumerate(lengths):
        found.append(
            replace(
                note,
                start=place,
                length=length,
                rolled=note.rolled and index == 0,
                tied_from=bool(note.tones) and (note.tied_from or index > 0),
                tied_to=bool(note.tones) and (note.tied_to or index < len(lengths) - 1),
            )
        )
        place += length
    return found


def _value(at: int, rest: int, piece: Piece) -> int:
    """The longest value that may stand at this place of a bar."""
    beat, bar = piece.bars.beat, piece.bars.bar
    for value in sorted(TYPES, reverse=True):
        if value > rest:
            continue
        if piece.request.compound:
            if (at % beat == 0 and value % beat == 0) or at % beat + value <= beat:
                return value
        elif at % beat == 0:
            if not (bar == 1920 and 0 < at < 960 < at + value and value != 960):
                return value
        elif at % beat + value <= beat or (at % beat == 240 and value == 480 and at + 240 != 960):
            return value
    return rest


def _beamed(row: Sequence[Written], start: int, piece: Piece) -> list[Written]:
    """The row with beams: by the beat, eighths of half a bar or of a bar in three together."""
    found = list(row)
    bar, beat = piece.bars.bar, piece.bars.beat
    plain = all(note.length in (240, 480, 960, 720, 1440, 1920) for note in row)
    wide = beat if piece.request.compound or not plain else 1440 if bar == 1440 else 960
    group: list[int] = []

    def close() -> None:
        if len(group) > 1:
            for place, index in enumerate(group):
                found[index] = replace(found[index], beams=_levels([found[each].length for each in group], place))
        group.clear()

    for index, note in enumerate(row):
        if note.length >= 480 or not note.tones:
            close()
            continue
        if group and (note.start - start) // wide != (row[group[0]].start - start) // wide:
            close()
        group.append(index)
    close()
    return found


def _levels(lengths: Sequence[int], place: int) -> tuple[str, ...]:
    """What each beam does at one note of a group."""
    depth = [_flags(length) for length in lengths]
    found = []
    for level in range(1, depth[place] + 1):
        before = place > 0 and depth[place - 1] >= level
        after = place + 1 < len(lengths) and depth[place + 1] >= level
        if before and after:
            found.append("continue")
        elif before or after:
            found.append("begin" if after else "end")
        else:
            found.append("backward hook" if place else "forward hook")
    return tuple(found)


def _flags(length: int) -> int:
    return 1 if length >= 240 else 2 if length >= 120 else 3


def _with_signs(bars: list[dict[int, list[Written]]], key: Key) -> list[dict[int, list[Written]]]:
    """The same with the accidentals that must be shown; a natural reminds of one of the bar before."""
    usual = {}
    for degree in range(7):
        letter, accidental = key.spelled(degree)
        usual[letter] = accidental
    for voices in ((RIGHT,), (LEFT, LOWER)):
        old: dict[tuple[int, int], int] = {}
        for content in bars:
            now: dict[tuple[int, int], int] = {}
            row = [(note.start, voice, index) for voice in voices for index, note in enumerate(content.get(voice, ()))]
            for _, voice, index in sorted(row):
                note = content[voice][index]
                tones = []
                for tone in note.tones:
                    place = (tone.letter, tone.octave)
                    valid = now.get(place, usual[tone.letter])
                    reminded = place not in now and old.get(place, tone.accidental) != tone.accidental
                    shown = not note.tied_from and (valid != tone.accidental or reminded)
                    now[place] = tone.accidental
                    tones.append(replace(tone, sign=_SIGNS[tone.accidental] if shown else ""))
                content[voice][index] = replace(note, tones=tuple(tones))
            old = {place: accidental for place, accidental in now.items() if accidental != usual[place[0]]}
    return bars
