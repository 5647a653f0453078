"""The plan of a piece: its phrases with rhythm and motif, bar by bar, and the melody sung over the harmony."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from .form import Phrase
from .harmony import Bars, Slot
from .melody import Before, Place, Singer, Sung
from .rhythm import Rhythms


@dataclass(frozen=True)
class Motif:
    """What the piece is made of: a bar's rhythm in ticks, and the steps between its notes."""

    rhythm: tuple[int, ...]
    moves: tuple[int, ...]

    @property
    def inverted(self) -> Motif:
        return Motif(self.rhythm, tuple(-move for move in self.moves))

    @property
    def backwards(self) -> Motif:
        return Motif(self.rhythm[::-1], tuple(-move for move in reversed(self.moves)))

    def with_rhythm(self, rhythm: Sequence[int]) -> Motif:
        """The same shape over another rhythm, as far as it has notes for it."""
        moves = [self.moves[at] if at < len(self.moves) else (-1 if at % 2 else 1) for at in range(len(rhythm) - 1)]
        return Motif(tuple(rhythm), tuple(moves))


@dataclass(frozen=True)
class Planned:
    """A bar of melody: its values in ticks, and the motif's steps where it states it."""

    rhythm: tuple[int, ...]
    moves: tuple[int, ...] | None = None


class Planner:
    """Decides which bars of a phrase state the motif, vary it, go on freely, or close."""

    def __init__(self, motif: Motif, rhythms: Rhythms, rng: Random, bars: Bars) -> None:
        self._motif, self._rhythms, self._rng, self._bars = motif, rhythms, rng, bars
        self._free: dict[tuple[str, bool], tuple[int, ...]] = {}

    def phrase(self, phrase: Phrase, last_of_piece: bool) -> list[Planned]:
        """The bars of a phrase, the closing one included."""
        shape = self._shape(phrase)
        found = []
        for bar in range(phrase.bars - 1):
            if bar % 2 == 0:
                motif = shape
                if bar >= 2 and phrase.role == "theme" and not phrase.question:
                    motif = shape.inverted
                if (phrase.again or phrase.number >= 2) and bar == 2:
                    motif = motif.with_rhythm(self._rhythms.varied(motif.rhythm))
                found.append(Planned(motif.rhythm, motif.moves))
            else:
                found.append(Planned(self._free_rhythm(phrase)))
        if last_of_piece:
            found.append(Planned((self._bars.bar,)))  # cut where the last chord begins
            if len(found) > 3 and phrase.role == "outro":
                found[-2] = Planned((self._bars.bar,)) if self._bars.seconds < 3.2 else found[-2]
        elif phrase.bars == 1:
            found.append(Planned(shape.rhythm, shape.moves))
        else:
            found.append(Planned(tuple(self._rhythms.close(phrase.question or phrase.role == "intro"))))
        return found

    def _shape(self, phrase: Phrase) -> Motif:
        if phrase.role == "contrast":
            return self._motif.inverted if phrase.number % 2 == 0 else self._motif.backwards
        if phrase.role == "theme" and phrase.number % 2 and self._rng.random() < 0.35:
            return self._motif.with_rhythm(self._rhythms.varied(self._motif.rhythm))
        return self._motif

    def _free_rhythm(self, phrase: Phrase) -> tuple[int, ...]:
        """Answers remember the question's rhythm."""
        mark = (phrase.role, phrase.number >= 2)
        if mark not in self._free or self._rng.random() < 0.25:
            lively = {"intro": 0.0, "outro": 0.0}.get(phrase.role)
            self._free[mark] = tuple(self._rhythms.bar(lively))
        return self._free[mark]


def places_of(
    phrase: Phrase, planned: Sequence[Planned], slots: Sequence[Slot], bars: Bars, meter: str, wanted: tuple[int, ...]
) -> list[Place]:
    """Every note's place; the note on which the last harmony begins gets the degrees that are wanted there."""
    found: list[Place] = []
    stated = -1
    offset = phrase.first_bar * bars.bar
    for number, bar in enumerate(planned):
        at = offset + number * bars.bar
        values = _cut_at(bar.rhythm, [slot.start - at for slot in slots])
        moves = bar.moves if bar.moves is not None and len(values) == len(bar.rhythm) else None
        echo = len(found) - stated if moves and stated >= 0 else 0
        if moves:
            stated = len(found)
        for index, value in enumerate(values):
            slot = next(each for each in slots if each.start <= at < each.end)
            found.append(
                Place(
                    start=at,
                    length=value,
                    slot=slot,
                    after=None,
                    strength=_strength(at - offset - number * bars.bar, meter, bars),
                    opens=not found or found[-1].slot is not slot,
                    interval=moves[index - 1] if moves and index else None,
                    bar=phrase.first_bar + number,
                    echo=0 if index else echo,
                )
            )
            at += value
    last = slots[-1]
    for index, place in enumerate(found):
        after = found[index + 1].slot if index + 1 < len(found) else None
        fixed = wanted if place.slot is last and place.opens else ()
        strength = 2 if place.opens else place.strength
        found[index] = replace(place, after=after, fixed=fixed, strength=strength)
    return found


def _cut_at(values: Sequence[int], marks: Sequence[int]) -> list[int]:
    """The same values, a note that is held over a mark cut there, so that a change of harmony meets a note."""
    found: list[int] = []
    at = 0
    for value in values:
        inside = sorted(mark for mark in marks if at < mark < at + value)
        for begin, end in zip([at, *inside], [*inside, at + value], strict=True):
            found.append(end - begin)
        at += value
    return found


def _strength(offset: int, meter: str, bars: Bars) -> int:
    if offset == 0:
        return 2
    if offset % bars.beat:
        return 0
    return 2 if meter in ("4/4", "12/8") and offset * 2 == bars.bar else 1


def sing(singer: Singer, phrase: Phrase, places: Sequence[Place], before: Before | None) -> list[Sung]:
    """The phrase's melody. Questions climb less than answers; the theme climbs highest."""
    crest = {"intro": 0.62, "theme": 0.8, "contrast": 0.9, "outro": 0.6}[phrase.role]
    if phrase.role == "theme":
        crest += 0.2 if not phrase.question else 0.0
    return singer.phrase(places, before, min(1.0, crest))
