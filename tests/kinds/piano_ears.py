"""What a listener tells pieces apart by, as numbers: how a piece sounds on the whole, and how unlike two pieces are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from studio.kinds.piano_piece.recipe.left_hand import Struck
from studio.kinds.piano_piece.recipe.performance import Performance
from studio.kinds.piano_piece.recipe.piece import Piece

# Two pieces with at least this distance are taken for two pieces; one heard again, or in another key, has 0.
UNLIKE = 0.2


@dataclass(frozen=True)
class Impression:
    """A piece on the whole. Pitches are MIDI numbers, speeds a second or a minute, shares 0..1."""

    melody: float  # mean pitch
    bass: float  # mean of the lowest keys of the bars
    onsets: float  # keys struck a second, both hands
    velocity: float
    tempo: float
    length: float  # how long a key is held, of the time to the next one of its hand
    colour: float  # time outside of the natural scale

    @property
    def steps(self) -> tuple[float, ...]:
        """The same in noticeable steps: a third, a quarter more onsets, a dynamic mark, 8 % of tempo, and so on."""
        logs = math.log(self.onsets) / math.log(1.25), math.log(self.tempo) / math.log(1.08)
        return (self.melody / 3.5, self.bass / 3.5, logs[0], self.velocity / 8, logs[1], self.length / 0.2,
                self.colour / 0.04)  # fmt: skip


def impression(piece: Piece, performance: Performance) -> Impression:
    """How a piece sounds on the whole."""
    keys = performance.keys
    right = [key for key in keys if key.hand == 0]
    bar = piece.bars.bar
    lows: dict[int, int] = {}
    for key in keys:
        lows[key.start // bar] = min(key.pitch, lows.get(key.start // bar, 127))
    spans = []
    for hand in (0, 1):
        starts = sorted({key.start for key in keys if key.hand == hand})
        after = dict(pairwise(starts))
        own = (key for key in keys if key.hand == hand and key.start in after)
        spans += [min(2.0, (key.end - key.start) / (after[key.start] - key.start)) for key in own]
    scale = {(piece.key.tonic + step) % 12 for step in piece.key.scale}
    whole = sum(key.end - key.start for key in keys)
    return Impression(
        melody=sum(note.pitch * note.length for note in piece.melody) / sum(note.length for note in piece.melody),
        bass=sum(lows.values()) / len(lows),
        onsets=len({(key.start, key.hand) for key in keys}) / performance.seconds,
        velocity=sum(key.velocity for key in right) / len(right),
        tempo=performance.bpm,
        length=sum(spans) / len(spans),
        colour=sum(key.end - key.start for key in keys if key.pitch % 12 not in scale) / whole,
    )


def distance(one: tuple[Piece, Performance], other: tuple[Piece, Performance]) -> float:
    """From 0, the same, to 1: the mean of four unlikenesses that each see another side of the music.

    Melody as triples of intervals, rhythm as triples of values, harmony as pitch classes above the tonic bar by bar,
    and the accompaniment as what the left hand strikes in each bar. A profile's unlikeness is 1 − its cosine. None
    depends on the key, on the tempo or on the loudness.
    """
    first, second = _profiles(one[0]), _profiles(other[0])
    sides = [1 - _cosine(left, right) for left, right in zip(first, second, strict=True)]
    bars = list(zip(_chroma(*one), _chroma(*other), strict=False))
    sides.append(sum(1 - _cosine(left, right) for left, right in bars) / len(bars))
    return sum(sides) / len(sides)


def _profiles(piece: Piece) -> tuple[Counter[Hashable], Counter[Hashable], Counter[Hashable]]:
    melody, beat, bar = piece.melody, piece.bars.beat, piece.bars.bar
    moves = [after.step - note.step for note, after in pairwise(melody)]
    values = [note.length / beat for note in melody]
    rhythm: Counter[Hashable] = Counter(zip(values, values[1:], values[2:], strict=False))
    left: Counter[Hashable] = Counter((struck.start % bar, *_shape(piece, struck)) for struck in piece.left)
    return Counter(zip(moves, moves[1:], moves[2:], strict=False)), rhythm, left


def _shape(piece: Piece, struck: Struck) -> tuple[int, ...]:
    """How long, and which of the harmony's keys, counted from the bass: what a figure is made of."""
    slot = next(slot for slot in reversed(piece.slots) if slot.start <= struck.start)
    keys = sorted({slot.bass, *slot.voices})
    return (struck.length, *(keys.index(pitch) if pitch in keys else -1 for pitch in struck.pitches))


def _chroma(piece: Piece, performance: Performance) -> list[Mapping[Hashable, float]]:
    """Time of each pitch class above the tonic, for each bar."""
    bar = piece.bars.bar
    found: list[Counter[Hashable]] = [Counter() for _ in range(piece.request.total_bars)]
    for key in performance.keys:
        found[min(key.start // bar, len(found) - 1)][(key.pitch - piece.key.tonic) % 12] += key.end - key.start
    return list(found)


def _cosine(one: Mapping[Hashable, float], other: Mapping[Hashable, float]) -> float:
    product = sum(value * other.get(name, 0) for name, value in one.items())
    norms = [math.sqrt(sum(value * value for value in each.values())) for each in (one, other)]
    return product / (norms[0] * norms[1]) if norms[0] and norms[1] else float(norms == [0, 0])


def apart(groups: Mapping[str, Sequence[Impression]]) -> dict[tuple[str, str], float]:
    """For each two groups how many noticeable steps lie between their means, over all sides together (Euclidean)."""
    means = {
        name: [sum(side) / len(side) for side in zip(*(each.steps for each in group), strict=True)]
        for name, group in groups.items()
    }
    names = sorted(means)
    return {
        (one, other): math.dist(means[one], means[other])
        for index, one in enumerate(names)
        for other in names[index + 1 :]
    }
