"""What both hands play beside the melody: figures of the left hand, and what the right hand adds below its tune."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from .form import Phrase
from .harmony import Bars, Slot
from .left_hand import FIGURES, Struck, Texture
from .looks import Look
from .melody import Sung
from .moods import Mood
from .theory import Key


def right_hand(
    melody: Sequence[Sung],
    slots: Sequence[Slot],
    phrases: Sequence[Phrase],
    mood: Mood,
    look: Look,
    key: Key,
    bars: Bars,
) -> list[Struck]:
    """Chord tones under the melody's longer notes, as the look and the mood have them; under the last note always."""
    found: list[Struck] = []
    for note in melody:
        slot = next(slot for slot in slots if slot.start <= note.start < slot.end)
        phrase = phrases[slot.phrase]
        final = slot.place == "final" and note is melody[-1]
        if look.right == "chords" and not final:
            if note.start % bars.beat == 0 and note.length >= min(bars.beat, 480):
                found += _parts(note, slot, look.figures[phrase.role == "contrast"] == "hymn", key)
            continue
        full = look.right == "thirds" and mood.doubled and note.length >= 480
        full = full and (note.start == slot.start or note.length >= 720)
        full = full or (look.right == "octaves" and note.length >= bars.beat)
        rich = phrase.role == "contrast" or (phrase.role == "theme" and (phrase.number % 2 == 1 or phrase.again > 0))
        if full and rich and not final and look.right == "octaves" and note.pitch - 12 > slot.voices[2]:
            found.append(Struck(note.start, note.length, (note.pitch - 12,), 0.85))
        elif final or (full and rich):
            found += _below(note, slot, key, 1, slot.voices[2])
    return found


def _parts(note: Sung, slot: Slot, hymn: bool, key: Key) -> list[Struck]:
    """Alto and tenor of a hymn, whose bass and lowest inner voice the left hand has; else two notes of the chord."""
    if not hymn:
        return _below(note, slot, key, 2, slot.voices[2])
    inner = tuple(voice for voice in slot.voices[1:] if 2 < note.pitch - voice <= 14)
    return [Struck(note.start, note.length, inner, 0.78)] if inner else []


def _below(note: Sung, slot: Slot, key: Key, count: int, floor: int) -> list[Struck]:
    """Chord tones from a third to an octave under a note, not the leading tone, above the left hand."""
    classes = slot.chord.classes(key)
    lead = None
    if slot.chord.leading is not None:
        lead = classes[slot.chord.degrees.index(slot.chord.leading)]
    found = []
    for pitch in range(note.pitch - 3, note.pitch - (10 if count == 1 else 13), -1):
        if pitch % 12 in classes and pitch % 12 not in (lead, note.pitch % 12) and pitch > floor:
            found.append(pitch)
        if len(found) == count:
            break
    return [Struck(note.start, note.length, tuple(found), 0.8)] if found else []


def left_hand(
    slots: Sequence[Slot],
    phrases: Sequence[Phrase],
    look: Look,
    texture: Texture,
    key: Key,
    melody: Sequence[Sung],
    held: bool,
) -> tuple[list[Struck], int]:
    """The look's figure for each harmony, begin and end quieter if `held`; also how often a rule had to be broken."""
    found: list[Struck] = []
    forced = 0
    before: tuple[int, int] | None = None  # the last note of the bass line: tick and pitch
    for index, slot in enumerate(slots):
        phrase = phrases[slot.phrase]
        if slot.place == "final":
            found.append(_last_chord(slot, key, ceiling=melody[-1].pitch))
            continue
        name = look.figures[phrase.role == "contrast"]
        slow = texture.bars.seconds > 2.6 and slot.length * texture.bars.seconds / texture.bars.bar > 2.6
        quiet = (phrase.role == "outro" and phrase.cadence == "final" and slot.place != "cadence") or (
            phrase.role == "intro" and phrase.number == 0 and slot.place == "first"
        )
        if held and quiet and not slow and name not in ("chords", "drive", "hymn"):
            name = "held"
        struck = FIGURES[name](slot, texture)
        after = slots[index + 1] if index + 1 < len(slots) else None
        for swing in (2, 3, 0):
            if not _parallel(struck, before, after, melody):
                break
            struck = FIGURES[name](slot, replace(texture, swing=swing))
        forced += _parallel(struck, before, after, melody)
        before = next(((each.start, each.pitches[0]) for each in reversed(struck) if each.line), before)
        found += struck
    return found, forced


def _parallel(
    struck: Sequence[Struck], before: tuple[int, int] | None, after: Slot | None, melody: Sequence[Sung]
) -> bool:
    """Whether the bass line of a figure and the melody move in parallel fifths or octaves."""
    line = [before] if before else []
    line += [(each.start, each.pitches[0]) for each in struck if each.line]
    line += [(after.start, after.bass)] if after else []
    tops = [_top(melody, at) for at, _ in line]
    for (old, new), (high, higher) in zip(
        zip(line, line[1:], strict=False), zip(tops, tops[1:], strict=False), strict=True
    ):
        first, second = (high - old[1]) % 12, (higher - new[1]) % 12
        if first == second and first in (0, 7) and high != higher and old[1] != new[1]:
            return True
    return False


def _top(melody: Sequence[Sung], at: int) -> int:
    """The melody's pitch at a tick."""
    return melody[bisect_right(melody, at, key=lambda note: note.start) - 1].pitch


def _last_chord(slot: Slot, key: Key, ceiling: int) -> Struck:
    """Root, fifth and tenth from below, rolled, held to the end; deep, and under the melody."""
    classes = slot.chord.classes(key)
    third = (classes[1] - classes[0]) % 12
    root = slot.bass - 12 if slot.bass >= 45 or slot.bass + 12 + third >= ceiling else slot.bass
    return Struck(slot.start, slot.length, (root, root + 7, root + 12 + third), 1.05, rolled=True, line=True)
