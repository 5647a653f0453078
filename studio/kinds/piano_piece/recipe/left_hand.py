"""The left hand: figures that spread a harmony over its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .harmony import Bars, Slot


@dataclass(frozen=True)
class Struck:
    """Keys struck together: ticks from the piece's begin, pitches, how loud (1 as usual), whether rolled."""

    start: int
    length: int
    pitches: tuple[int, ...]
    weight: float = 1.0
    rolled: bool = False


@dataclass(frozen=True)
class Texture:
    """What a figure needs to know: the bars, and how fine it may move (ticks of the short value)."""

    bars: Bars
    short: int
    compound: bool


Figure = Callable[[Slot, Texture], "list[Struck]"]


def texture_of(bars: Bars, compound: bool, eighth_s: float) -> Texture:
    """Short values last between about 0.16 and 0.6 s."""
    short = 240
    if eighth_s < 0.16:
        short = 720 if compound else 480
        if short * eighth_s / 240 < 0.2:
            short = bars.bar
    elif eighth_s > 0.6:
        short = 120
    return Texture(bars, short, compound)


def _cycle(slot: Slot, texture: Texture, order: Sequence[int], hold_bass: bool = True) -> list[Struck]:
    """One key after another; 0 is the bass, 1 to 3 the voices. The bass is held under the others."""
    keys = (slot.bass, *slot.voices)
    found: list[Struck] = []
    for index, at in enumerate(range(slot.start, slot.end, texture.short)):
        key = order[index % len(order)] if index else 0
        length = min(texture.short, slot.end - at)
        if index == 0 and hold_bass:
            length = min(slot.length, max(texture.short, texture.bars.beat * 2))
        beat = (at - slot.start) % texture.bars.beat == 0
        found.append(Struck(at, length, (keys[key],), 1.08 if index == 0 else 0.95 if beat else 0.84))
    return found


def tenths(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass, then up to the tenth and back."""
    return _cycle(
        slot, texture, (0, 1, 2, 3, 2, 1) if texture.compound or texture.bars.beats == 3 else (0, 1, 2, 3, 2, 3, 2, 1)
    )


def waves(slot: Slot, texture: Texture) -> list[Struck]:
    """Up and down in one breath."""
    return _cycle(slot, texture, (0, 1, 2, 3, 2, 3, 1, 2) if not texture.compound else (0, 1, 3, 2, 3, 1))


def alberti(slot: Slot, texture: Texture) -> list[Struck]:
    """Low, high, middle, high; in threes low, middle, high."""
    order = (0, 2, 3) if texture.compound else (0, 3, 2, 3) if texture.bars.beats != 3 else (0, 3, 2, 3, 2, 3)
    return _cycle(slot, texture, order, hold_bass=False)


def waltz(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass on one, the chord on the other beats; in compound meters on the second and third eighth."""
    step = texture.bars.beat
    if texture.compound and texture.short < texture.bars.beat:
        step = 240
    elif texture.short < 240:
        step //= 2
    found: list[Struck] = []
    group = 3 if step == 240 and texture.compound else (2 if texture.bars.beats % 3 else 3)
    fifth = slot.voices[0]
    for index, at in enumerate(range(slot.start, slot.end, step)):
        length = min(step, slot.end - at)
        if index % group == 0:
            low = slot.bass if (index // group) % 2 == 0 else fifth
            found.append(Struck(at, length, (low,), 1.1 if index == 0 else 1.0))
        else:
            upper = slot.voices[1:] if (index // group) % 2 and fifth == slot.voices[0] else slot.voices
            found.append(Struck(at, length * 9 // 10, upper, 0.78))
    return found


def chords(slot: Slot, texture: Texture) -> list[Struck]:
    """Octaves in the bass and rolled chords that stand."""
    low = (slot.bass - 12, slot.bass) if slot.bass >= 36 else (slot.bass,)
    beat = texture.bars.beat
    every = beat if texture.bars.seconds / texture.bars.beats > 1.1 or texture.compound else beat * 2
    if texture.short > beat:
        every = slot.length
    found = [Struck(slot.start, slot.length, low, 1.05)]
    # The hand needs time to come up from the bass.
    later = 240 if texture.compound else every // 2
    first = slot.start + min(later, slot.length // 2)
    for at in range(first, slot.end, every):
        found.append(Struck(at, min(every, slot.end - at), slot.voices, 0.85, rolled=True))
    return found


def drive(slot: Slot, texture: Texture) -> list[Struck]:
    """Octaves below, pushing chords above."""
    low = (slot.bass - 12, slot.bass) if slot.bass >= 36 else (slot.bass,)
    found = []
    for index, at in enumerate(range(slot.start, slot.end, texture.short)):
        length = min(texture.short, slot.end - at)
        beat = (at - slot.start) % texture.bars.beat == 0
        if index == 0:
            found.append(Struck(at, min(slot.length, texture.bars.beat), low, 1.12))
        elif beat and texture.short < texture.bars.beat:
            found.append(Struck(at, length, (slot.bass,), 1.0))
        else:
            found.append(Struck(at, length * 9 // 10, slot.voices if index % 2 else slot.voices[:2], 0.8))
    return found


def held(slot: Slot, texture: Texture) -> list[Struck]:
    """The bass, then the chord rolled once; for quiet beginnings and ends."""
    beat = texture.bars.beat
    if slot.length <= beat:
        return [Struck(slot.start, slot.length, (slot.bass,), 1.0)]
    found = [Struck(slot.start, slot.length, (slot.bass,), 1.0)]
    every = max(beat, slot.length // 3 // beat * beat)
    keys = (*slot.voices, slot.voices[1], slot.voices[0])
    for index, at in enumerate(range(slot.start + every, slot.end, every)):
        found.append(
            Struck(at, slot.end - at if index > 2 else min(every * 2, slot.end - at), (keys[index % 5],), 0.82)
        )
    return found


FIGURES: dict[str, Figure] = {
    "tenths": tenths,
    "waltz": waltz,
    "alberti": alberti,
    "chords": chords,
    "waves": waves,
    "drive": drive,
    "held": held,
}
