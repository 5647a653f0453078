"""Harmony: which chords, how long each, which note in the bass, and how the inner voices move."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from .form import Phrase
from .grammar import Grammar
from .moods import Mood
from .theory import Chord, Key, chords_of

PATHS = 6  # voicings of the same harmonies that a search keeps


@dataclass(frozen=True)
class Slot:
    """A chord for a while: ticks from the piece's begin, the bass and the inner voices as pitches."""

    start: int
    length: int
    chord: Chord
    phrase: int
    place: str = "inner"  # first, inner, cadence (the dominant of one), end or final
    bass: int = 0
    voices: tuple[int, ...] = ()

    @property
    def end(self) -> int:
        return self.start + self.length


@dataclass(frozen=True)
class Bars:
    """How bars are made: ticks of a bar and a beat, beats a bar; seconds of a bar at the chosen tempo."""

    bar: int
    beat: int
    beats: int
    seconds: float


def layout(
    phrase: Phrase, number: int, bars: Bars, key: Key, grammar: Grammar, changes: float, opening: Sequence[str]
) -> tuple[list[Slot], list[str]]:
    """The harmonies of a phrase in time: about `changes` a bar, more where bars are long or few, fewer where they fly.

    Also the plain progression, for an answer to begin with.
    """
    spans = _spans(phrase, bars, changes)
    plain = grammar.progression(phrase, len(spans), opening)
    names = grammar.coloured(plain, phrase.cadence)
    offered = chords_of(key)
    slots = []
    for index, ((start, length), name) in enumerate(zip(spans, names, strict=True)):
        place = "first" if index == 0 else "inner"
        if index == len(spans) - 1:
            place = "final" if phrase.cadence == "final" else "end"
        elif index == len(spans) - 2 and phrase.cadence == "authentic" or phrase.cadence == "final" and name == "V7":
            place = "cadence"
        slots.append(Slot(phrase.first_bar * bars.bar + start, length, offered[name], number, place))
    return slots, plain


def _spans(phrase: Phrase, bars: Bars, changes: float) -> list[tuple[int, int]]:
    """Start and length of each harmony within the phrase, in ticks."""
    first = -(-bars.beats // 2) * bars.beat  # the longer half of a bar
    halves = bars.beats > 1
    if bars.seconds < (2.1 if changes < 1 else 0.95) and phrase.bars >= 4:
        # Only the cadence keeps its bars.
        pairs, odd = divmod(phrase.bars - 2, 2)
        found = [(0, bars.bar)] if odd else []
        found += [((odd + 2 * pair) * bars.bar, 2 * bars.bar) for pair in range(pairs)]
        return found + [((phrase.bars - left) * bars.bar, bars.bar) for left in (2, 1)]
    found = []
    for bar in range(phrase.bars):
        last = bar == phrase.bars - 1
        split = halves and bars.seconds > (1.6 if changes > 1 else 4.2) and not last
        if phrase.bars <= 3 and halves and phrase.cadence != "half":
            split = split or bar == phrase.bars - 2 or (phrase.bars == 1)
        if phrase.bars == 1 and halves and phrase.cadence == "half":
            split = True
        # A last chord does not ring for ever: in a very long bar it comes in the middle.
        split = split or (last and phrase.cadence == "final" and halves and bars.seconds > 6)
        if split:
            found += [(bar * bars.bar, first), (bar * bars.bar + first, bars.bar - first)]
        else:
            found.append((bar * bars.bar, bars.bar))
    return found


def with_bass(slots: Sequence[Slot], key: Key, mood: Mood, rng: Random) -> list[Slot]:
    """A singing bass: inversions where they make it move by step, roots at cadences (least-cost path)."""
    low, high = mood.bass
    layers: list[list[tuple[int, float]]] = []
    for slot in slots:
        options = []
        for position, pitch_class in enumerate(slot.chord.classes(key)[:2]):
            if (cost := _position_cost(slot, position)) is None:
                continue
            for pitch in range(low, high + 1):
                if pitch % 12 == pitch_class:
                    options.append((pitch, cost + rng.random() * 0.5))
        layers.append(options)
    costs = [[cost + abs(pitch - (low + high) / 2) * 0.05 for pitch, cost in layers[0]]]
    back: list[list[int]] = []
    for index in range(1, len(layers)):
        row, came = [], []
        for pitch, cost in layers[index]:
            best = min(
                range(len(layers[index - 1])),
                key=lambda at: costs[-1][at] + _bass_move(slots, index, layers[index - 1][at][0], pitch, key),
            )
            came.append(best)
            row.append(costs[-1][best] + _bass_move(slots, index, layers[index - 1][best][0], pitch, key) + cost)
        costs.append(row)
        back.append(came)
    at = min(range(len(costs[-1])), key=costs[-1].__getitem__)
    path = [at]
    for came in reversed(back):
        at = came[at]
        path.append(at)
    path.reverse()
    return [replace(slot, bass=layers[index][path[index]][0]) for index, slot in enumerate(slots)]


def _position_cost(slot: Slot, position: int) -> float | None:
    """How much a root (0) or a third (1) in the bass is minded; None where it may not be."""
    roman = slot.chord.roman
    if roman in ("iio", "N", "viio7"):
        return 0.0 if position == 1 else None
    if slot.place in ("end", "final", "cadence"):
        return 0.0 if position == 0 else None
    if slot.place == "first":
        return 0.0 if position == 0 else 1.4
    return 0.0 if position == 0 else 0.25


def _bass_move(slots: Sequence[Slot], index: int, before: int, pitch: int, key: Key) -> float:
    previous, slot = slots[index - 1], slots[index]
    leap = abs(pitch - before)
    cost = {0: 0.9, 1: 0.1, 2: 0.0, 3: 0.5, 4: 0.6, 5: 0.6, 6: 3.0, 7: 0.9, 8: 1.8, 9: 2.0, 12: 1.7}.get(leap, 2.8)
    if previous.chord == slot.chord and leap == 0:
        cost = 0.3
    if previous.chord.leading is not None and previous.chord != slot.chord:
        lead = key.tonic + key.scale[previous.chord.leading] + previous.chord.alteration(previous.chord.leading)
        if before % 12 == lead % 12 and pitch - before != 1:
            cost += 20
    return cost


def with_voices(slots: Sequence[Slot], key: Key, ceilings: Sequence[int]) -> list[Slot]:
    """Three inner voices for each harmony, moving little, below `ceilings` (the melody) and above the bass.

    Common tones stay; leading tones rise and sevenths fall; the leading tone is not doubled.
    """
    paths: list[tuple[float, tuple[Slot, ...]]] = [(0.0, ())]
    for slot, ceiling in zip(slots, ceilings, strict=True):
        options = _voicings(slot, key, ceiling)
        longer = [
            (cost + _voicing_cost(slot, voices, path[-1] if path else None, key, ceiling), path, voices)
            for cost, path in paths
            for voices in options
        ]
        best: dict[tuple[int, ...], tuple[float, tuple[Slot, ...]]] = {}
        for cost, path, voices in sorted(longer, key=lambda item: (item[0], item[2])):
            if voices not in best:
                best[voices] = (cost, (*path, replace(slot, voices=voices)))
            if len(best) == PATHS:
                break
        paths = list(best.values())
    return list(paths[0][1])


def _voicings(slot: Slot, key: Key, ceiling: int) -> Sequence[tuple[int, ...]]:
    classes = slot.chord.classes(key)
    for slack in (0, 3, 7, 24):
        top = min(ceiling - 1, max(slot.bass + 20, 62)) + slack
        pitches = [pitch for pitch in range(slot.bass + 3, min(top, ceiling - 1 + slack) + 1) if pitch % 12 in classes]
        wanted = set(classes[1:2]) | set(classes[3:])
        wanted.discard(slot.bass % 12)
        found = [
            voices
            for voices in itertools.combinations(pitches, 3)
            if wanted <= {pitch % 12 for pitch in voices} and voices[2] - voices[0] <= 14
        ]
        if found:
            return found
        if slack == 0:
            close = [pitch for pitch in range(slot.bass + 1, ceiling) if pitch % 12 in classes]
            found = [each for each in itertools.combinations_with_replacement(close, 3) if each[0] < each[2]]
            if found:
                return found
    return [(slot.bass + 7, slot.bass + 12, slot.bass + 16)]


def _voicing_cost(slot: Slot, voices: tuple[int, ...], before: Slot | None, key: Key, ceiling: int) -> float:
    classes = slot.chord.classes(key)
    lead = None
    if slot.chord.leading is not None:
        lead = classes[slot.chord.degrees.index(slot.chord.leading)]
    cost = abs(sum(voices) / 3 - 56) * 0.25 + (voices[2] - voices[0] > 9) * 0.4
    used = [voice % 12 for voice in (slot.bass, *voices)]
    cost += 3.0 * (lead is not None and used.count(lead) > 1)
    cost += 1.0 * (len(set(used)) < min(3, len(classes)))
    cost += 0.6 * (voices[0] - slot.bass < 7)  # close thirds are muddy low down
    cost += 2.0 * (voices[0] - slot.bass < 7 and slot.bass < 48)
    cost += 1.5 * (voices[2] > ceiling - 3)
    if before is None:
        return cost
    cost += sum(abs(new - old) for new, old in zip(voices, before.voices, strict=True)) * 0.5
    if before.chord.leading is not None and before.chord != slot.chord:
        old_classes = before.chord.classes(key)
        old_lead = old_classes[before.chord.degrees.index(before.chord.leading)]
        old_seventh = old_classes[3] if len(old_classes) > 3 else None
        for new, old in zip(voices, before.voices, strict=True):
            if old % 12 == old_lead and (old + 1) % 12 in classes and new != old + 1:
                cost += 16
            if old % 12 == old_seventh and not -2 <= new - old <= 0:
                cost += 4
    lines = [(before.bass, slot.bass), *zip(before.voices, voices, strict=True)]
    for (low_a, low_b), (high_a, high_b) in itertools.combinations(lines, 2):
        if (high_a - low_a) % 12 == (high_b - low_b) % 12 and (high_a - low_a) % 12 in (0, 7):
            cost += 14 * (low_a != low_b and high_a != high_b)
    return cost
