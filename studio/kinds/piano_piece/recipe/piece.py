"""Composes a piece: form, harmony, melody and left hand, from a brief's parameters and a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .form import Phrase, Section, phrases_of, sections_of
from .grammar import Grammar
from .hands import left_hand, right_hand
from .harmony import Bars, Slot, layout, with_bass, with_voices
from .left_hand import VARIANTS, Struck, texture_of
from .looks import Look, look_of
from .melody import Before, Singer, Sung, motif_shape
from .moods import Mood, mood_of
from .plan import Motif, Planner, places_of, sing
from .rhythm import Rhythms
from .theory import Key

QUARTER = 480  # ticks
DRAFTS = 6
STIRRED = 85  # moods that are louder begin and end as they go on


@dataclass(frozen=True)
class Request:
    """What the brief asks for. `low`..`high` are beats a minute, `shortest`..`longest` seconds."""

    title: str
    language: str
    mood: str
    key_name: str
    meter: str
    low: float
    high: float
    shortest: float
    longest: float
    structure: tuple[tuple[str, int], ...]

    @classmethod
    def read(cls, brief: dict[str, Any]) -> Request:
        """From the brief as the studio wrote it, its parameters with defaults."""
        params = brief["params"]
        return cls(
            title=brief["title"],
            language=brief.get("language") or "en",
            mood=params["mood"],
            key_name=params["key"],
            meter=params["meter"],
            low=params["bpm"]["min"],
            high=params["bpm"]["max"],
            shortest=params["duration_s"]["min"],
            longest=params["duration_s"]["max"],
            structure=tuple((section["name"], section["bars"]) for section in params["structure"]),
        )

    @property
    def compound(self) -> bool:
        return self.meter.endswith("/8")

    @property
    def beat(self) -> int:
        """Ticks of the beat that the tempo counts."""
        return QUARTER * 3 // 2 if self.compound else QUARTER

    @property
    def bar(self) -> int:
        """Ticks of a bar."""
        number, unit = self.meter.split("/")
        return QUARTER * 4 * int(number) // int(unit)

    @property
    def total_bars(self) -> int:
        return sum(bars for _, bars in self.structure)

    def near_tempo(self, share: float) -> float:
        """The tempo at this share of the range, as near as the length allows."""
        beats = self.total_bars * self.bar / self.beat
        low, high = max(self.low, beats * 60 / self.longest), min(self.high, beats * 60 / self.shortest)
        wanted = self.low + (self.high - self.low) * share
        return min(max(wanted, low), max(low, high))


@dataclass(frozen=True)
class Piece:
    """A composition in ticks: what the right hand sings and adds, and what the left hand plays."""

    request: Request
    key: Key
    mood: Mood
    look: Look
    motif: Motif
    bars: Bars
    sections: tuple[Section, ...]
    phrases: tuple[Phrase, ...]
    slots: tuple[Slot, ...]
    melody: tuple[Sung, ...]
    added: tuple[Struck, ...]
    left: tuple[Struck, ...]

    @property
    def end(self) -> int:
        """Ticks of all bars."""
        return self.request.total_bars * self.bars.bar


def compose(request: Request, seed: int) -> Piece:
    """The piece for a request; the same seed gives the same piece.

    Where a draft breaks a rule for want of a better note, another is drawn; the best of a few is taken.
    """
    best: tuple[int, Piece] | None = None
    for draft in range(DRAFTS):
        found = _draft(request, f"{seed}/{draft}")
        if best is None or found[0] < best[0]:
            best = found
        if best[0] == 0:
            break
    assert best is not None
    return best[1]


def _draft(request: Request, seed: str) -> tuple[int, Piece]:
    """One piece, and how many rules it breaks."""
    key = Key.named(request.key_name)
    middle = request.near_tempo(0.5)
    mood = mood_of(request.mood, key.minor, middle, request.compound)
    rng = Random(f"{mood.name}/{seed}")
    tempo = request.near_tempo(mood.tempo)
    beats = request.bar // request.beat
    bars = Bars(request.bar, request.beat, beats, beats * 60 / tempo)
    eighth_s = 60 / tempo * 240 / request.beat
    sections = sections_of(list(request.structure))
    phrases = phrases_of(sections)
    look = look_of(mood, rng)
    slots = _harmony(phrases, bars, key, mood, look, rng)
    motif, melody, forced = _melody(request, phrases, slots, bars, key, mood, look, eighth_s, rng)
    ceilings = [
        min(note.pitch for note in melody if note.start < slot.end and note.start + note.length > slot.start)
        for slot in slots
    ]
    slots = with_voices(slots, key, ceilings)
    texture = texture_of(bars, request.compound, eighth_s, mood.pace_s, rng.randrange(VARIANTS))
    left, more = left_hand(slots, phrases, look, texture, key, melody, mood.loud < STIRRED)
    piece = Piece(
        request=request,
        key=key,
        mood=mood,
        look=look,
        motif=motif,
        bars=bars,
        sections=tuple(sections),
        phrases=tuple(phrases),
        slots=tuple(slots),
        melody=tuple(melody),
        added=tuple(right_hand(melody, slots, phrases, mood, look, key, bars)),
        left=tuple(left),
    )
    return forced + more, piece


def _harmony(phrases: Sequence[Phrase], bars: Bars, key: Key, mood: Mood, look: Look, rng: Random) -> list[Slot]:
    slots: list[Slot] = []
    question: list[str] = []
    known: dict[tuple[str, int, int], list[str]] = {}
    grammar = Grammar(look.grammar, key, mood, rng)
    for number, phrase in enumerate(phrases):
        mark = (phrase.role, phrase.number, phrase.bars)
        opening = question[:2] if phrase.role == "theme" and phrase.number % 2 and rng.random() < 0.7 else []
        if phrase.again and mark in known:
            opening = known[mark][:3]
        found, names = layout(phrase, number, bars, key, grammar, look.changes, opening)
        known[mark] = names
        question = names if phrase.question else question
        slots += found
    return with_bass(slots, key, mood, rng)


def _melody(
    request: Request,
    phrases: Sequence[Phrase],
    slots: Sequence[Slot],
    bars: Bars,
    key: Key,
    mood: Mood,
    look: Look,
    eighth_s: float,
    rng: Random,
) -> tuple[Motif, list[Sung], int]:
    rhythms = Rhythms(request.meter, eighth_s, mood.lively, look.rhythm, rng)
    low = min(range(-14, 14), key=lambda step: (abs(key.pitch(step) - mood.lowest), step))
    singer = Singer(key, low, low + 9, rng)
    motif = _motif(rhythms, singer, mood, rng)
    planner = Planner(motif, rhythms, rng, bars)
    melody: list[Sung] = []
    before: Before | None = None
    for number, phrase in enumerate(phrases):
        own = [slot for slot in slots if slot.phrase == number]
        last = number == len(phrases) - 1
        wanted = (1, 4) if phrase.cadence == "half" else (0,) if last or phrase.number % 2 else (0, 2)
        places = places_of(phrase, planner.phrase(phrase, last), own, bars, request.meter, wanted)
        sung = sing(singer, phrase, places, before)
        melody += sung
        opened = next(note.pitch for note in sung if note.start >= own[-1].start)
        before = Before(sung[-1].step, sung[-1].pitch, own[-1], opened)
    return motif, melody, singer.forced


def _motif(rhythms: Rhythms, singer: Singer, mood: Mood, rng: Random) -> Motif:
    """A bar with a face: three to five notes if it can be, not all alike, whose shape fits the tonic chord."""
    best, best_cost = Motif((rhythms.length,), ()), 99.0
    for _ in range(24):
        rhythm = rhythms.bar(max(mood.lively, 0.4))
        count = len(rhythm)
        moves = motif_shape(count, rng)
        cost = singer.fit(rhythm, moves, rhythms.strengths(rhythm)) + 1.5 * max(0, 3 - count) + 1.0 * max(0, count - 5)
        cost += 1.0 * (len(set(rhythm)) == 1) + rng.random() * 0.8
        if cost < best_cost:
            best, best_cost = Motif(tuple(rhythm), tuple(moves)), cost
    return best
