"""The left hand: figures that spread a harmony over its time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from .harmony import Bars, Slot


@dataclass(frozen=True)
class Struck:
    """Keys struck together: ticks from the piece's begin, pitches, how loud (1 as usual), whether rolled.

    `length` is what is written; `sounding` is how long the keys are held, where that is another time. `line` marks the
    notes of the bass line, `lower` what is written in the lower voice of the staff, under what moves above it.
    """

    start: int
    length: int
    pitches: tuple[int, ...]
    weight: float = 1.0
    rolled: bool = False
    sounding: int | None = None
    line: bool = False
    lower: bool = False


@dataclass(frozen=True)
class Texture:
    """What a figure needs to know: the bars, and how fine it may move (ticks of the short value)."""

    bars: Bars
    short: int
    compound: bool
    variant: int = 0
    swing: int = 1  # of SWINGS: on which of a harmony's bass notes it goes to the fifth


VARIANTS = 3  # of each figure; a piece keeps to one
SWINGS: tuple[Callable[[int, int], bool], ...] = (
    lambda index, count: False,
    lambda index, count: index % 2 == 1,
    lambda index, count: index == count - 1 > 0,
    lambda index, count: index > 0,
)
Figure = Callable[[Slot, Texture], "list[Struck]"]


def texture_of(bars: Bars, compound: bool, eighth_s: float, pace_s: float, variant: int) -> Texture:
    """The short value is the one nearest to `pace_s` seconds that fingers can play."""
    beat = 720 if compound else 480
    values = [120, 240, beat, bars.bar, *([960] if bars.bar % 960 == 0 else [])]
    playable = [value for value in sorted(set(values)) if value * eighth_s / 240 >= 0.12] or [bars.bar]
    short = min(playable, key=lambda value: (abs(math.log(value * eighth_s / 240 / pace_s)), value))
    return Texture(bars, short, compound, variant)


def _cycle(slot: Slot, texture: Texture, order: Sequence[int], hold_bass: bool = True) -> list[Struck]:
    """One key after another; 0 is the bass, 1 to 3 the voices. The bass is held under the others."""
    keys = (slot.bass, *slot.voices)
    found: list[Struck] = []
    for index, at in enumerate(range(slot.start, slot.end, texture.short)):
        key = order[index % len(order)] if index else 0
        length = min(texture.short, slot.end - at)
        sounding = None
        if index == 0 and hold_bass:
            sounding = min(slot.length, max(texture.short, texture.bars.beat * 2))
        beat = (at - slot.start) % texture.bars.beat == 0
        weight = 1.08 if index == 0 else 0.95 if beat else 0.84
        found.append(Struck(at, length, (keys[key],), weight, sounding=sounding, line=index == 0))
    return found


_TENTHS = ((0, 1, 2, 3, 2, 3, 2, 1), (0, 2, 1, 2, 3, 2, 1, 2), (0, 1, 3, 1, 2, 1, 3, 1))
_TENTHS_IN_THREES = ((0, 1, 2, 3, 2, 1), (0, 2, 3, 1, 3, 2), (0, 1, 3, 2, 3, 1))
_WAVES = ((0, 1, 2, 3, 2, 3, 1, 2), (0, 1, 2, 3, 3, 2, 1, 2), (0, 2, 1, 3, 1, 2, 1, 3))
_WAVES_IN_THREES = ((0, 1, 3, 2, 3, 1), (0, 1, 2, 3, 2, 1), (0, 2, 1, 3, 1, 2))
_ALBERTI = ((0, 3, 2, 3), (0, 2, 3, 2), (0, 2, 1, 3))
_ALBERTI_IN_THREES = ((0, 2, 3), (0, 3, 2), (0, 1, 3))
_OSTINATI = ((0, 1, 3, 2, 1, 3, 2, 1), (0, 2, 3, 0, 2, 3, 0, 3), (0, 3, 2, 3, 1, 3, 2, 3))
_OSTINATI_IN_THREES = ((0, 3, 1, 2, 1, 3), (0, 1, 2, 0, 2, 3), (0, 2, 3, 2, 1, 2))


def tenths(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass, then up to the tenth and back."""
    three = texture.compound or texture.bars.beats == 3
    orders = _TENTHS_IN_THREES if three else _TENTHS
    return _cycle(slot, texture, orders[texture.variant])


def waves(slot: Slot, texture: Texture) -> list[Struck]:
    """Up and down in one breath."""
    return _cycle(slot, texture, (_WAVES_IN_THREES if texture.compound else _WAVES)[texture.variant])


def alberti(slot: Slot, texture: Texture) -> list[Struck]:
    """Low, high, middle, high; in threes low, middle, high."""
    order = (_ALBERTI_IN_THREES if texture.compound else _ALBERTI)[texture.variant]
    if texture.bars.beats == 3 and not texture.compound:
        order = (*order, *order[2:])
    return _cycle(slot, texture, order, hold_bass=False)


def ostinato(slot: Slot, texture: Texture) -> list[Struck]:
    """Groups of three, three and two; in threes a turning figure."""
    threes = texture.compound or texture.bars.beats % 3 == 0
    return _cycle(slot, texture, (_OSTINATI_IN_THREES if threes else _OSTINATI)[texture.variant])


def dance(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass on one, the chord on the other beats; in compound meters on the second and third eighth."""
    step = texture.bars.beat
    if texture.compound and texture.short < texture.bars.beat:
        step = 240
    elif texture.short < 240:
        step //= 2
    found: list[Struck] = []
    group = 3 if step == 240 and texture.compound else (2 if texture.bars.beats % 3 else 3)
    for index, at in enumerate(range(slot.start, slot.end, step)):
        length = min(step, slot.end - at)
        odd = SWINGS[texture.swing](index // group, -(-slot.length // (step * group)))
        if index % group == 0:
            low = slot.voices[0] if odd else slot.bass
            found.append(Struck(at, length, (low,), 1.1 if index == 0 else 1.0, line=True))
        elif texture.variant == 1 and group == 3 and index % group == 2 and len(found) > 1:
            found[-1] = replace(found[-1], length=found[-1].length + length, sounding=None)  # long on two
        elif texture.variant == 2 and group == 3 and index % group == 1 and at + step < slot.end:
            found[-1] = replace(found[-1], length=found[-1].length + length)  # the chord on three alone
        elif texture.variant == 2 and group == 2 and length >= 480:
            for part in (at, at + length // 2):
                found.append(Struck(part, length // 2, slot.voices[1:], 0.76, sounding=length // 3))
        elif texture.variant == 1 and group == 2 and length >= 480:
            found.append(Struck(at, length // 2, slot.voices[:2], 0.78, sounding=length * 9 // 20))
            found.append(Struck(at + length // 2, length - length // 2, slot.voices[2:], 0.74))
        else:
            upper = slot.voices[1:] if odd else slot.voices
            found.append(Struck(at, length, upper, 0.78, sounding=length * 9 // 10))
    return found


def offbeat(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass on the beats, the chord between them; in compound meters on the last eighth."""
    beat = texture.bars.beat
    found: list[Struck] = []
    first = beat * 2 // 3 if texture.compound else beat // 2
    for index, at in enumerate(range(slot.start, slot.end, beat)):
        low = slot.voices[0] if SWINGS[texture.swing](index, slot.length // beat) else slot.bass
        if texture.short >= beat:
            found.append(Struck(at, min(beat, slot.end - at), (low,), 1.05, line=True))
            continue
        upper = slot.voices[1:] if texture.variant == 0 else slot.voices[2:] if index % 2 else slot.voices[:2]
        if texture.variant == 2 and index % 2:
            # Two chords after one another, the bass waits.
            found.append(Struck(at, first, slot.voices[1:], 0.8, sounding=first * 2 // 3))
        else:
            found.append(Struck(at, first, (low,), 1.08, sounding=first * 3 // 4, line=True))
        found.append(Struck(at + first, beat - first, upper, 0.82, sounding=(beat - first) * 2 // 3))
    return found


def rocking(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass on one, the chord after it, held to the end of the bar."""
    beat = texture.bars.beat
    if slot.length <= beat:
        return [Struck(slot.start, slot.length, (slot.bass,), line=True)]
    found: list[Struck] = []
    every = min(texture.bars.bar, slot.length)
    for at in range(slot.start, slot.end, every):
        end = min(at + every, slot.end)
        found.append(Struck(at, min(beat, end - at), (slot.bass,), 1.0, sounding=end - at, line=True))
        rest = end - at - beat
        if rest > 0 and texture.variant == 1 and rest >= 2 * beat:
            found.append(Struck(at + beat, beat, slot.voices[:2], 0.78))
            found.append(Struck(at + 2 * beat, rest - beat, slot.voices, 0.74))
        elif rest > 0 and texture.variant == 2 and rest >= 480:
            found.append(Struck(at + beat, 240, slot.voices[:1], 0.78, sounding=rest))
            found.append(Struck(at + beat + 240, rest - 240, slot.voices[1:], 0.78))
        elif rest > 0:
            found.append(Struck(at + beat, rest, slot.voices, 0.8))
    return found


def pulse(slot: Slot, texture: Texture) -> list[Struck]:
    """Soft chords, again and again, over a bass that lies."""
    short = max(texture.short, 240)
    if short >= slot.length:
        return rocking(slot, texture)
    found = [Struck(slot.start, slot.length, (slot.bass,), 1.05, line=True, lower=True)]
    for at in range(slot.start + short, slot.end, short):
        if texture.variant == 1 and (at - slot.start) % texture.bars.beat == 0 and short < texture.bars.beat:
            continue  # between the beats only
        beat = (at - slot.start) % texture.bars.beat == 0
        length = min(short, slot.end - at)
        upper = slot.voices if texture.variant != 2 or beat else slot.voices[1:]
        found.append(Struck(at, length, upper, 0.78 if beat else 0.7, sounding=length * 19 // 20))
    return found


def hymn(slot: Slot, texture: Texture) -> list[Struck]:
    """Bass and tenor of four parts; the right hand has the others."""
    tenor = slot.voices[:1] if slot.voices[0] - slot.bass <= 16 else ()
    every = texture.bars.bar if slot.length > texture.bars.bar else slot.length
    if texture.variant and every >= 2 * texture.bars.beat:
        every = texture.bars.beat * (1 if texture.variant == 1 else max(1, texture.bars.beats // 2))
    found = []
    for index, at in enumerate(range(slot.start, slot.end, every)):
        length = min(every, slot.end - at)
        low = slot.bass - 12 if texture.variant == 2 and index % 2 and slot.bass >= 45 else slot.bass
        found.append(Struck(at, length, (low, *(tenor if low == slot.bass else ())), 1.0, line=True))
    return found


def chords(slot: Slot, texture: Texture) -> list[Struck]:
    """Octaves in the bass and rolled chords that stand."""
    low = (slot.bass - 12, slot.bass) if slot.bass >= 36 else (slot.bass,)
    beat = texture.bars.beat
    slow = texture.bars.seconds / texture.bars.beats > 1.1
    every = beat if slow or texture.compound or texture.short < beat else beat * 2
    if texture.short > beat:
        every = slot.length
    # The hand needs time to come up from the bass.
    first = min(240 if texture.compound else beat, slot.length // 2)
    if texture.compound and texture.bars.seconds / texture.bars.beats < 0.75:
        first = min(beat, slot.length // 2)
    if first < 240 or slot.length <= beat:
        return [Struck(slot.start, slot.length, low, 1.05, line=True)]
    found = [Struck(slot.start, first, low, 1.05, sounding=slot.length, line=True)]
    at = slot.start + first
    while at < slot.end:
        length = min(every - (at - slot.start) % every, slot.end - at)
        if texture.variant == 1 and length >= 480 and length % 480 == 0:
            # Dotted, as in a slow march.
            found.append(Struck(at, length * 3 // 4, slot.voices, 0.85))
            found.append(Struck(at + length * 3 // 4, length // 4, slot.voices[:2], 0.74))
        else:
            found.append(Struck(at, length, slot.voices, 0.85, rolled=texture.variant == 0))
        at += length
    return found


def drive(slot: Slot, texture: Texture) -> list[Struck]:
    """Octaves below, pushing chords above."""
    low = (slot.bass - 12, slot.bass) if slot.bass >= 36 else (slot.bass,)
    short = texture.short if texture.short >= 240 or texture.bars.seconds / texture.bars.beats > 0.9 else 240
    found = []
    for index, at in enumerate(range(slot.start, slot.end, short)):
        length = min(short, slot.end - at)
        beat = (at - slot.start) % texture.bars.beat == 0
        if index == 0:
            held = min(slot.length, texture.bars.beat)
            found.append(Struck(at, length, low, 1.12, sounding=max(length, held), line=True))
        elif beat and short < texture.bars.beat and texture.variant != 2:
            found.append(Struck(at, length, (slot.bass,), 1.0))
        elif texture.variant == 1:
            found.append(Struck(at, length, (slot.voices[(0, 2, 1)[index % 3]],), 0.86))
        else:
            upper = slot.voices if index % 2 else slot.voices[:2]
            found.append(Struck(at, length, upper, 0.8, sounding=length * 9 // 10))
    return found


def held(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass, then the chord note by note; for quiet beginnings and ends."""
    beat, bar = texture.bars.beat, texture.bars.bar
    if slot.length > bar:
        parts = [replace(slot, start=at, length=min(bar, slot.end - at)) for at in range(slot.start, slot.end, bar)]
        return [struck for part in parts for struck in held(part, texture)]
    every = max(beat, slot.length // 3 // beat * beat)
    found = [Struck(slot.start, min(slot.length, every), (slot.bass,), 1.0, sounding=slot.length, line=True)]
    keys = (*slot.voices, slot.voices[1], slot.voices[0])
    for index, at in enumerate(range(slot.start + every, slot.end, every)):
        length = min(every, slot.end - at)
        sounding = slot.end - at if index > 2 else min(every * 2, slot.end - at)
        found.append(Struck(at, length, (keys[index % 5],), 0.82, sounding=sounding))
    return found


FIGURES: dict[str, Figure] = {
    "tenths": tenths,
    "waves": waves,
    "alberti": alberti,
    "ostinato": ostinato,
    "dance": dance,
    "offbeat": offbeat,
    "rocking": rocking,
    "pulse": pulse,
    "hymn": hymn,
    "chords": chords,
    "drive": drive,
    "held": held,
}
