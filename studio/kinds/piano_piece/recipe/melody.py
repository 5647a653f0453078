"""The melody: each phrase is the best path through the scale's steps under the rules of singable lines.

Rules that always hold: chord tones on strong beats (or a prepared suspension that falls); other notes are reached and
left by step; no augmented second, no tritone, no seventh; leading tones rise and chord sevenths fall when the harmony
changes; no parallel fifths or octaves with the bass; one highest note. What is left is weighed: steps before leaps, the
motif's shape where the plan asks for it, an arch over the phrase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .harmony import Slot
from .theory import Key

WIDTH = 48  # states that a search keeps
WIDE = 80  # highest notes that are tried where the usual places have none
# How much a move of so many steps is minded; a piece keeps to one of these.
_TASTES = (
    {0: 0.9, 1: 0.0, 2: 0.7, 3: 1.6, 4: 2.3, 5: 3.6, 7: 4.5},  # walks
    {0: 1.4, 1: 0.3, 2: 0.0, 3: 0.9, 4: 1.6, 5: 3.2, 7: 4.2},  # likes thirds
    {0: 0.0, 1: 0.1, 2: 0.9, 3: 1.5, 4: 2.2, 5: 3.4, 7: 4.5},  # repeats notes
)


@dataclass(frozen=True)
class Place:
    """Where a note will be: time, the harmony, how strong the beat is, and what the plan wants of it."""

    start: int
    length: int
    slot: Slot
    after: Slot | None  # the harmony of the next note
    strength: int  # 2 strong, 1 a beat, 0 between beats
    opens: bool  # the first note of its harmony
    interval: int | None = None  # the motif's step from the note before
    fixed: tuple[int, ...] = ()  # degrees that are wanted
    bar: int = 0
    echo: int = 0  # how many notes ago the motif began, where it begins again


@dataclass(frozen=True)
class Sung:
    """A note of the melody."""

    start: int
    length: int
    step: int
    alteration: int
    pitch: int
    bar: int


@dataclass(frozen=True)
class Before:
    """What was sung just before a phrase."""

    step: int
    pitch: int
    slot: Slot
    opened: int  # the pitch with which the last harmony began


@dataclass(frozen=True)
class _State:
    cost: float
    steps: tuple[int, ...]
    pitches: tuple[int, ...]
    opened: tuple[int, int] | None  # pitch and bass at the last change of harmony
    owed: int = 0  # 1: leave by step; -1: fall by step
    leapt: int = 0  # the last leap of a fourth or more, with its sign


class Singer:
    """Writes phrases within one range of steps."""

    def __init__(self, key: Key, low: int, high: int, rng: Random) -> None:
        self.key, self.low, self.high = key, low, high
        self.forced = 0  # phrases for which a rule had to be broken
        self._rng = rng
        self._taste = rng.choice(_TASTES)

    def phrase(self, places: Sequence[Place], before: Before | None, crest: float) -> list[Sung]:
        """The best line for these places; `crest` is where in the range the highest note should lie, 0..1."""
        best: _State | None = None
        for strict, many in ((3, 4), (2, 10), (2, WIDE), (1, WIDE), (0, WIDE), (1, 0), (0, 0)):
            for peak_at, peak in self._peaks(places, crest, strict, many):
                found = self._search(places, before, peak_at, peak, strict)
                if found is not None and (best is None or found.cost < best.cost):
                    best = found
                    if many == WIDE:
                        break
            if best is not None:
                self.forced += not many
                break
        if best is None:
            self.forced += 1
            return self._plain(places)
        return [
            Sung(place.start, place.length, step, self._alteration(place, step), pitch, place.bar)
            for place, step, pitch in zip(places, best.steps, best.pitches, strict=True)
        ]

    def fit(self, rhythm: Sequence[int], moves: Sequence[int], on_beat: Sequence[bool]) -> float:
        """How badly a motif sits on the tonic chord: 0 when some start puts chord tones on the beats."""
        best = 9.0
        for start in range(self.low, self.high + 1):
            steps = [start + sum(moves[:at]) for at in range(len(rhythm))]
            if min(steps) < self.low or max(steps) > self.high - 2:
                continue
            wrong = sum(step % 7 not in (0, 2, 4) for step, strong in zip(steps, on_beat, strict=True) if strong)
            best = min(best, 1.5 * wrong)
        return best

    def _plain(self, places: Sequence[Place]) -> list[Sung]:
        """Where no line obeys all rules: the chord tone nearest to the middle, each time."""
        middle = (self.low + self.high) // 2
        found = []
        for place in places:
            tones = [step for step in range(self.low, self.high + 1) if step % 7 in place.slot.chord.degrees]
            step = min(tones, key=lambda each: abs(each - middle))
            alteration = self._alteration(place, step)
            found.append(Sung(place.start, place.length, step, alteration, self.key.pitch(step, alteration), place.bar))
        return found

    def _alteration(self, place: Place, step: int) -> int:
        return place.slot.chord.alteration(step)

    def _peaks(self, places: Sequence[Place], crest: float, strict: int, many: int) -> list[tuple[int, int]]:
        """Candidates for the one highest note, at most `many`: its index and its step. With WIDE it may be anywhere."""
        if not many or len(places) < 3:
            return [(-1, self.high + 1)]
        total = places[-1].start + places[-1].length - places[0].start
        wanted = self.low + round((self.high - self.low) * crest)
        wide = many == WIDE
        found = []
        for index, place in enumerate(places if wide else places[:-1]):
            share = (place.start - places[0].start) / total
            if not wide and (not 0.2 <= share <= 0.85 or (place.strength == 0 and len(places) > 4)):
                continue
            for peak in range(self.low + 2, self.high + 1) if wide else (wanted, wanted - 1, wanted + 1, wanted - 2):
                if peak <= self.high and (strict <= 2 or peak % 7 in place.slot.chord.degrees):
                    cost = abs(share - 0.62) * 4 + abs(peak - wanted) * 0.5 + (2 - place.strength) * 0.4
                    found.append((cost + self._rng.random() * 0.8, index, peak))
        found.sort()
        return [(index, peak) for _, index, peak in found[:many]] or [(-1, self.high + 1)]

    def _search(
        self, places: Sequence[Place], before: Before | None, peak_at: int, peak: int, strict: int
    ) -> _State | None:
        steps = (before.step,) if before else ()
        pitches = (before.pitch,) if before else ()
        opened = (before.opened, before.slot.bass) if before else None
        states = [_State(0.0, steps, pitches, opened)]
        shift = len(steps)
        for index, place in enumerate(places):
            reached: dict[tuple[object, ...], _State] = {}
            last = places[index - 1].slot if index else (before.slot if before else None)
            arch = self._arch(index, len(places), peak_at, peak)
            for state in states:
                for step in range(self.low, self.high + 1):
                    if step >= peak and index != peak_at or (index == peak_at and step != peak):
                        continue
                    found = self._extended(state, place, last, step, index == 0, strict)
                    if found is None:
                        continue
                    cost = found.cost + 0.14 * abs(step - arch) + self._rng.random() * 0.35
                    mark = (found.steps[-2:], found.opened, found.owed)
                    if mark not in reached or reached[mark].cost > cost:
                        reached[mark] = _State(cost, found.steps, found.pitches, found.opened, found.owed, found.leapt)
            states = sorted(reached.values(), key=lambda state: state.cost)[: WIDTH if strict == 3 else 4 * WIDTH]
            if not states:
                return None
        # What a phrase ends on must not pull: the next one may begin anywhere.
        pulling = (places[-1].slot.chord.leading, places[-1].slot.chord.seventh)
        whole = [state for state in states if state.owed == 0 and state.steps[-1] % 7 not in pulling]
        if not whole:
            return None
        best = min(whole, key=lambda state: state.cost)
        return _State(best.cost, best.steps[shift:], best.pitches[shift:], best.opened)

    def _arch(self, index: int, count: int, peak_at: int, peak: int) -> float:
        """The height of a smooth rise to the peak and fall from it."""
        if peak_at < 0:
            return (self.low + self.high) / 2
        base = self.low + (self.high - self.low) * 0.35
        if index <= peak_at:
            return base + (peak - base) * (index / max(1, peak_at))
        return peak - (peak - base) * (index - peak_at) / max(1, count - 1 - peak_at)

    def _extended(
        self, state: _State, place: Place, last: Slot | None, step: int, opening: bool, strict: int
    ) -> _State | None:
        """The state after one more note, or None where a rule forbids it."""
        chord, degree = place.slot.chord, step % 7
        alteration = chord.alteration(step)
        pitch = self.key.pitch(step, alteration)
        inside = degree in chord.degrees
        if place.fixed and degree not in place.fixed and (strict or not inside or place.after is None):
            return None
        if not state.steps:
            if not inside:
                return None
            return _State(self._at_rest(place, step), (step,), (pitch,), (pitch, place.slot.bass))
        previous, old_pitch = state.steps[-1], state.pitches[-1]
        move, semitones = step - previous, pitch - old_pitch
        size = abs(move)
        cost, owed = state.cost, 0
        if state.owed and (move != -1 if state.owed < 0 else size != 1):
            return None
        if not inside:
            prepared = move == 0 and semitones == 0 and place.opens and place.strength > 0
            if prepared and place.length >= 240:
                owed, cost = -1, cost + 0.5
            elif place.strength == 2 or size != 1 or (strict == 3 and place.length > 480):
                return None
            else:
                owed, cost = 1, cost + 0.25 + 0.9 * place.strength
        if size == 6 or size > 7 or (size == 5 and strict > 1 and abs(semitones) > 9):
            return None
        if (size == 1 and abs(semitones) > 2) or (size == 0 and semitones) or (abs(semitones) == 6):
            return None
        if last is not None and last.chord != place.slot.chord and not self._resolved(last, previous, step, semitones):
            return None
        if last is not None and last.bass != place.slot.bass:
            if self._parallel(old_pitch, last.bass, pitch, place.slot.bass):
                return None
            direct = (
                (pitch - place.slot.bass) % 12 in (0, 7)
                and size > 1
                and (semitones > 0) == (place.slot.bass > last.bass)
            )
            cost += 1.0 * direct
        opened = state.opened
        if place.opens:
            if opened and self._parallel(opened[0], opened[1], pitch, place.slot.bass):
                return None
            opened = (pitch, place.slot.bass)
        if chord.leading == degree and (pitch - place.slot.bass) % 12 == 0:
            return None
        if state.leapt:
            if (move > 0) == (state.leapt > 0) and size > 1:
                return None
            cost += 1.0 * (move != 0 and (move > 0) == (state.leapt > 0)) + 0.5 * (size > 2)
        if size == 0 and len(state.steps) > 1 and state.steps[-2] == previous:
            cost += 1.5
        if len(state.steps) > 2 and state.steps[-1] == state.steps[-3] and step == state.steps[-2] and size:
            cost += 1.0  # to and fro between two notes
        if place.interval is not None and not opening:
            cost += 2.4 * min(3, abs(move - place.interval))
        else:
            cost += self._taste.get(size, 3.0) * (0.6 if opening else 1.0)
        if place.echo and len(state.steps) >= place.echo and state.steps[-place.echo] == step:
            cost += 1.3  # a sequence says more than a repetition
        cost += self._at_rest(place, step)
        return _State(cost, (*state.steps, step), (*state.pitches, pitch), opened, owed, move if size > 2 else 0)

    def _at_rest(self, place: Place, step: int) -> float:
        """How well a note suits its place by itself: roots and thirds on long strong notes, no bare seventh."""
        chord, degree = place.slot.chord, step % 7
        cost = 0.0
        if degree == chord.seventh:
            cost += 0.5
        if place.strength == 2 and len(chord.degrees) > 2 and degree == chord.degrees[2]:
            cost += 0.2
        if degree == chord.leading and place.after is place.slot:
            cost += 0.3
        return cost

    def _resolved(self, last: Slot, previous: int, step: int, semitones: int) -> bool:
        """Whether tones that pull are followed: the leading tone up, a seventh down (or kept)."""
        degree = previous % 7
        if degree == last.chord.leading:
            return step - previous == 1 and semitones == 1
        if degree == last.chord.seventh and last.chord.leading is not None:
            return step - previous in (-1, 0)
        return True

    @staticmethod
    def _parallel(pitch_a: int, bass_a: int, pitch_b: int, bass_b: int) -> bool:
        """Whether two voices move from a fifth or octave to another one of the same kind."""
        if pitch_a == pitch_b or bass_a == bass_b:
            return False
        first, second = (pitch_a - bass_a) % 12, (pitch_b - bass_b) % 12
        return first == second and first in (0, 7)


def motif_shape(count: int, rng: Random) -> list[int]:
    """Steps between `count` notes: mostly seconds, at most one leap, within a sixth, and not all one way."""
    for _ in range(200):
        moves: list[int] = []
        leaps = 0
        for index in range(count - 1):
            if leaps == 0 and rng.random() < 0.45:
                size, leaps = rng.choice((2, 2, 3, 4)), 1
            else:
                size = 1
            turn = rng.random() < 0.45 if index else rng.random() < 0.5
            sign = (-1 if turn else 1) if not moves else ((-1 if moves[-1] > 0 else 1) * (1 if turn else -1))
            moves.append(sign * size)
        heights = [sum(moves[:at]) for at in range(count)]
        if max(heights) - min(heights) <= 5 and (count < 4 or (max(moves) > 0 > min(moves))):
            return moves
    return [1] * (count - 1)
