"""What stands beside the notes: tempo words, section names, dynamics, hairpins, slurs, pedal, ritardando."""

from __future__ import annotations

from dataclasses import dataclass

from .melody import Sung
from .performance import Performance
from .piece import Piece

# Speed in quarters (or dotted quarters) a minute up to which the word holds.
_TEMPI = ((46, "Largo"), (58, "Lento"), (68, "Adagio"), (80, "Andante"), (96, "Andantino"), (112, "Moderato"),
          (128, "Allegretto"), (152, "Allegro"), (176, "Vivace"), (10_000, "Presto"))  # fmt: skip
_DYNAMICS = ((55, "pp"), (63, "p"), (70, "mp"), (78, "mf"), (90, "f"), (200, "ff"))


@dataclass(frozen=True)
class Mark:
    """A sign at a tick: `kind` is tempo, section, dynamics, crescendo, diminuendo, stop, pedal or words."""

    tick: int
    kind: str
    text: str = ""


@dataclass(frozen=True)
class Slur:
    """From one melody note to another, by their ticks."""

    begin: int
    end: int


def marks_of(piece: Piece, performance: Performance) -> list[Mark]:
    """All signs in order of time."""
    found = [Mark(0, "tempo", f"{tempo_word(performance.bpm)} {piece.mood.manner}".strip())]
    bar = piece.bars.bar
    if len(piece.sections) > 1:
        found += [Mark(section.first_bar * bar, "section", section.name) for section in piece.sections]
    found += _dynamics(piece, performance) + _hairpins(piece) + _pedal(piece) + _slowing(piece)
    order = {"stop": 0, "tempo": 1, "section": 2}
    return sorted(found, key=lambda mark: (mark.tick, order.get(mark.kind, 3)))


def tempo_word(beats_per_minute: float) -> str:
    """The Italian word for a speed."""
    return next(word for most, word in _TEMPI if beats_per_minute <= most)


def _dynamics(piece: Piece, performance: Performance) -> list[Mark]:
    """One for each section whose loudness differs from the one before."""
    found: list[Mark] = []
    for section in piece.sections:
        begin, end = section.first_bar * piece.bars.bar, (section.first_bar + section.bars) * piece.bars.bar
        struck = [key.velocity for key in performance.keys if key.hand == 0 and begin <= key.start < end]
        level = sum(struck) / max(1, len(struck))
        text = next(name for most, name in _DYNAMICS if level <= most)
        if not found or found[-1].text != text:
            found.append(Mark(begin, "dynamics", text))
    return found


def _hairpins(piece: Piece) -> list[Mark]:
    """Each longer phrase opens to its highest note and closes after it."""
    found: list[Mark] = []
    least = max(piece.bars.bar // 2, round(piece.bars.bar / piece.bars.seconds))  # a second, or half a bar
    for phrase in piece.phrases:
        begin, end = phrase.first_bar * piece.bars.bar, (phrase.first_bar + phrase.bars) * piece.bars.bar
        notes = [note for note in piece.melody if begin <= note.start < end]
        if phrase.bars < 3 or len(notes) < 4:
            continue
        top = max(range(len(notes)), key=lambda index: notes[index].pitch)
        opens = begin + piece.bars.bar
        # A hairpin ends before the note that it leads to, so that none goes over a bar line for that alone.
        stop = _end(notes, top - 1, piece.bars.bar)
        if stop - opens >= least and phrase.role != "outro":
            found += [Mark(opens, "crescendo"), Mark(stop, "stop")]
        stop = _end(notes, len(notes) - 2, piece.bars.bar)
        if stop - notes[top].start >= least:
            found += [Mark(notes[top].start, "diminuendo"), Mark(stop, "stop")]
    return found


def _end(notes: list[Sung], index: int, bar: int) -> int:
    """The tick of a note, or of the one before it where that begins a bar: a system might begin there."""
    while index > 0 and notes[index].start % bar == 0:
        index -= 1
    return notes[index].start if index >= 0 else -1


def _pedal(piece: Piece) -> list[Mark]:
    """The word once; the player changes it with the harmony."""
    return [Mark(0, "pedal", "con pedale" if piece.mood.full_pedal else "poco pedale")]


def _slowing(piece: Piece) -> list[Mark]:
    bar, last = piece.bars.bar, piece.slots[-1].start
    at = max(0, (last - 1) // bar * bar)
    return [Mark(at, "words", "rit.")] if last > 0 and piece.request.total_bars > 2 else []


def slurs_of(piece: Piece) -> list[Slur]:
    """Two bars to a slur; light moods speak instead of singing, and have none."""
    if piece.mood.detached < 0.9:
        return []
    found = []
    for phrase in piece.phrases:
        for first in range(phrase.first_bar, phrase.first_bar + phrase.bars, 2):
            stop = min(first + 2, phrase.first_bar + phrase.bars)
            if phrase.first_bar + phrase.bars - stop == 1:
                stop += 1
            if stop - first == 1 and phrase.bars > 1:
                continue
            notes = [note for note in piece.melody if first <= note.bar < stop]
            if len(notes) > 1:
                found.append(Slur(notes[0].start, notes[-1].start))
    return found


def staccato(piece: Piece) -> frozenset[int]:
    """Ticks of the melody notes that are played short."""
    if piece.mood.detached >= 0.9:
        return frozenset()
    short = piece.bars.beat // 2
    return frozenset(note.start for note in piece.melody if note.length <= short)
