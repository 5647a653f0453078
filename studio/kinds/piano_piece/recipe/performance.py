"""How the piece is played: tempo, loudness, touch and pedal. Nothing is left to chance: phrases and meter decide."""

from __future__ import annotations

import bisect
from dataclasses import dataclass

from .left_hand import Struck
from .melody import Sung
from .piece import Piece

RUBATO = 0.04
ROLL_S, LAST_ROLL_S = 0.035, 0.085  # between the notes of a rolled chord
PEDAL_S = 0.09  # after the change of harmony the pedal goes down again


@dataclass(frozen=True)
class Key:
    """A key pressed: ticks, pitch, velocity; hand 0 is the right one."""

    start: int
    end: int
    pitch: int
    velocity: int
    hand: int


@dataclass(frozen=True)
class Performance:
    """What goes into the MIDI file. `tempos` are (tick, beats a minute), `pedal` (tick, value)."""

    keys: tuple[Key, ...]
    tempos: tuple[tuple[int, float], ...]
    pedal: tuple[tuple[int, int], ...]
    end: int
    bpm: float
    seconds: float


def perform(piece: Piece) -> Performance:
    """Play the piece within the brief's tempo and length."""
    factors, bpm = _tempo(piece)
    beat = piece.bars.beat
    times = [0.0]
    for factor in factors:
        times.append(times[-1] + 60 / (bpm * factor))
    clock = _Clock(beat, times)
    keys = _right(piece, clock) + _left(piece, clock)
    keys = _without_collisions(keys)
    tempos = [(index * beat, bpm * factor) for index, factor in enumerate(factors)]
    return Performance(tuple(keys), tuple(tempos), _pedal(piece, clock), piece.end, bpm * _median(factors), times[-1])


@dataclass(frozen=True)
class _Clock:
    beat: int
    times: list[float]

    def ticks(self, start: int, seconds: float) -> int:
        """How many ticks from `start` last so many seconds."""
        index = min(start // self.beat, len(self.times) - 2)
        return round(seconds * self.beat / (self.times[index + 1] - self.times[index]))

    def seconds(self, tick: int) -> float:
        index = min(tick // self.beat, len(self.times) - 2)
        length = self.times[index + 1] - self.times[index]
        return self.times[index] + (tick / self.beat - index) * length


def _tempo(piece: Piece) -> tuple[list[float], float]:
    """The speed of each beat, 1 as usual, and the tempo in beats a minute that keeps both of the brief's ranges."""
    request = piece.request
    wanted = request.near_tempo(piece.mood.tempo)
    for share in (1.0, 0.7, 0.45, 0.2, 0.08, 0.0):
        factors = _factors(piece, share)
        middle, total = _median(factors), sum(60 / factor for factor in factors)
        for margin in (0.03, 0.0):
            low = max(request.low / middle, total / (request.longest - margin))
            high = min(request.high / middle, total / max(0.1, request.shortest + margin))
            if low <= high:
                return factors, min(max(wanted, low), high)
    # No room for any freedom: as the brief's arithmetic allows it, to the tick.
    total = 60.0 * len(factors)
    return factors, min(max(wanted, total / request.longest), max(total / request.shortest, total / request.longest))


def _factors(piece: Piece, share: float) -> list[float]:
    """Each beat's speed: phrases press on a little and linger at their ends; the last bars slow down."""
    bars, beat = piece.bars, piece.bars.beat
    last_chord = piece.slots[-1].start
    room = min(2 * bars.bar, piece.phrases[-1].bars * bars.bar // 2 + bars.bar // 2, last_chord)
    found = []
    for index in range(piece.end // beat):
        at = index * beat
        phrase = next(each for each in reversed(piece.phrases) if each.first_bar * bars.bar <= at)
        place = (at - phrase.first_bar * bars.bar + beat / 2) / (phrase.bars * bars.bar)
        factor = 1 + RUBATO * share * max(-1.0, 1 - 2 * (abs(place - 0.4) / 0.6) ** 2)
        if room and at >= last_chord - room:
            progress = min(1.0, (at + beat - (last_chord - room)) / room)
            factor *= 1 - (1 - piece.mood.slowing) * share * progress**1.6
        found.append(factor)
    return found


def _median(factors: list[float]) -> float:
    """The speed than which half of the time is slower."""
    spans = sorted((factor, 1 / factor) for factor in factors)
    half, passed = sum(span for _, span in spans) / 2, 0.0
    for factor, span in spans:
        passed += span
        if passed >= half:
            return factor
    return spans[-1][0]


def _level(piece: Piece, at: int) -> float:
    """The velocity of a melody note of middling height here: the section's loudness and the phrase's arch."""
    bars = piece.bars.bar
    number = bisect.bisect_right([phrase.first_bar * bars for phrase in piece.phrases], at) - 1
    phrase = piece.phrases[number]
    place = (at - phrase.first_bar * bars) / (phrase.bars * bars)
    base = {"intro": -8, "theme": 0, "contrast": 5, "outro": -6}[phrase.role]
    if phrase.role in ("theme", "contrast"):
        base += 4 * (not phrase.question) + 3 * min(2, phrase.again)
    swell = 1 - (abs(place - 0.6) / (0.6 if place < 0.6 else 0.4)) ** 2
    fade = 0.0
    if phrase.cadence == "final":
        fade = -7 * max(0.0, place - 0.4)
        if piece.mood.name in ("dramatic", "cheerful"):
            fade = 4 * place
    return piece.mood.loud + base + piece.mood.arch * (swell - 0.45) + fade


def _accent(piece: Piece, at: int) -> float:
    bars = piece.bars
    offset = at % bars.bar
    if offset == 0:
        return 4
    if offset % bars.beat:
        return -4
    return 2 if bars.beats == 4 and offset * 2 == bars.bar else 0


def _velocity(value: float) -> int:
    return max(22, min(116, round(value)))


def _right(piece: Piece, clock: _Clock) -> list[Key]:
    keys: list[Key] = []
    middle = sum(note.pitch for note in piece.melody) / len(piece.melody)
    last = piece.melody[-1]
    for index, note in enumerate(piece.melody):
        after = piece.melody[index + 1] if index + 1 < len(piece.melody) else None
        velocity = _level(piece, note.start) + _accent(piece, note.start) + 0.7 * (note.pitch - middle)
        delay = _last_roll(piece, clock, note, 4) if note is last else 0
        length = _touch(piece, note, after, clock)
        keys.append(Key(note.start + delay, note.start + max(length, delay + 60), note.pitch, _velocity(velocity), 0))
    for struck in piece.added:
        velocity = (_level(piece, struck.start) + _accent(piece, struck.start)) * struck.weight
        delay = _last_roll(piece, clock, last, 3) if struck.start == last.start else 0
        length = struck.length if struck.start == last.start else struck.length * 19 // 20
        for pitch in struck.pitches:
            keys.append(Key(struck.start + delay, struck.start + length, pitch, _velocity(velocity), 0))
    return keys


def _touch(piece: Piece, note: Sung, after: Sung | None, clock: _Clock) -> int:
    """How long a melody note is held: legato, a breath at the end of a phrase, short ones lighter in light moods."""
    if after is None:
        return note.length
    breath = any(phrase.first_bar == after.bar and after.bar != note.bar for phrase in piece.phrases)
    if after.pitch == note.pitch or breath:
        return note.length - min(note.length // 4, clock.ticks(note.start, 0.09))
    if note.length <= piece.bars.beat // 2:
        return max(60, round(note.length * piece.mood.detached))
    return note.length


def _last_roll(piece: Piece, clock: _Clock, last: Sung, number: int) -> int:
    """By how many ticks the `number`-th note of the last chord comes late."""
    if last.start != piece.slots[-1].start:
        return 0
    room = last.length // 3
    return min(room, number * clock.ticks(last.start, LAST_ROLL_S))


def _left(piece: Piece, clock: _Clock) -> list[Key]:
    keys: list[Key] = []
    share = 0.74 if piece.mood.name in ("dramatic", "solemn") else 0.68
    for struck in piece.left:
        level = _level(piece, struck.start) * share
        velocity = (level + 0.5 * _accent(piece, struck.start)) * struck.weight
        final = struck is piece.left[-1]
        for number, pitch in enumerate(struck.pitches):
            delay = _delay(piece, clock, struck, number, final)
            end = struck.start + (struck.sounding or struck.length)
            keys.append(Key(struck.start + delay, max(end, struck.start + delay + 30), pitch, _velocity(velocity), 1))
    return keys


def _delay(piece: Piece, clock: _Clock, struck: Struck, number: int, final: bool) -> int:
    if not struck.rolled:
        return 0
    if final:
        return min(struck.length // 3, number * clock.ticks(struck.start, LAST_ROLL_S))
    return min(struck.length // 4, number * clock.ticks(struck.start, ROLL_S))


def _without_collisions(keys: list[Key]) -> list[Key]:
    """The same keys in order of time; one that is struck again is let go before, in either hand."""
    found: list[Key] = []
    sounding: dict[int, int] = {}
    for key in sorted(keys, key=lambda each: (each.start, each.hand, each.pitch)):
        index = sounding.get(key.pitch)
        if index is not None and found[index].end > key.start:
            old = found[index]
            if old.start >= key.start - 20:
                # Both hands at once: one key, the longer and louder of the two.
                end, velocity = max(old.end, key.end), max(old.velocity, key.velocity)
                found[index] = Key(old.start, end, old.pitch, velocity, old.hand)
                continue
            found[index] = Key(old.start, key.start - 1, old.pitch, old.velocity, old.hand)
        sounding[key.pitch] = len(found)
        found.append(key)
    return found


def _pedal(piece: Piece, clock: _Clock) -> tuple[tuple[int, int], ...]:
    """Up and down again with each harmony; light moods lift it halfway."""
    events: list[tuple[int, int]] = []
    for index, slot in enumerate(piece.slots):
        same = index and piece.slots[index - 1].chord == slot.chord and slot.place == "final"
        down = slot.start + min(slot.length // 4, clock.ticks(slot.start, PEDAL_S))
        if index and not same:
            events.append((slot.start, 0))
        if not same:
            events.append((down if index else 0, 127 if piece.mood.full_pedal else 90))
        if not piece.mood.full_pedal and slot.place != "final":
            events.append((slot.start + slot.length * 3 // 5, 0))
    events.append((piece.end, 0))
    return tuple(events)
