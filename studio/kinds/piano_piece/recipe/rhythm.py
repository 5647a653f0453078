"""Rhythms of the melody: bars by meter, quiet or lively, in eighths; slow and fast tempi take finer or coarser ones."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

EIGHTH = 240  # ticks

_QUIET: dict[str, list[list[int]]] = {
    "2/4": [[2, 2], [3, 1], [4], [2, 1, 1]],
    "3/4": [[4, 2], [2, 2, 2], [3, 1, 2], [4, 1, 1], [2, 4]],
    "4/4": [[4, 2, 2], [4, 4], [3, 1, 4], [6, 2], [2, 2, 4], [4, 3, 1]],
    "6/8": [[3, 3], [2, 1, 3], [3, 2, 1], [6], [5, 1]],
    "9/8": [[3, 3, 3], [6, 3], [2, 1, 3, 3], [3, 2, 1, 3], [3, 3, 2, 1]],
    "12/8": [[6, 3, 3], [6, 6], [3, 2, 1, 6], [2, 1, 3, 6], [3, 3, 6], [6, 5, 1]],
}
_LIVELY: dict[str, list[list[int]]] = {
    "2/4": [[2, 1, 1], [1, 1, 2], [1, 1, 1, 1], [3, 1]],
    "3/4": [[2, 1, 1, 2], [2, 1, 1, 1, 1], [3, 1, 1, 1], [1, 1, 2, 2], [2, 2, 1, 1]],
    "4/4": [[2, 1, 1, 2, 2], [3, 1, 2, 2], [2, 2, 2, 1, 1], [1, 1, 2, 1, 1, 2], [3, 1, 3, 1], [2, 1, 1, 4]],
    "6/8": [[2, 1, 2, 1], [1, 1, 1, 3], [3, 1, 1, 1], [2, 1, 1, 1, 1], [1, 1, 1, 2, 1]],
    "9/8": [[2, 1, 2, 1, 3], [1, 1, 1, 2, 1, 3], [3, 1, 1, 1, 2, 1], [2, 1, 1, 1, 1, 3]],
    "12/8": [[2, 1, 2, 1, 3, 3], [2, 1, 1, 1, 1, 3, 3], [3, 1, 1, 1, 2, 1, 3], [1, 1, 1, 2, 1, 3, 2, 1]],
}
# Last bars of phrases: a long note, sometimes an upbeat to the next phrase.
_CLOSES: dict[str, list[list[int]]] = {
    "2/4": [[4], [3, 1]],
    "3/4": [[6], [4, 2], [4, 1, 1]],
    "4/4": [[8], [6, 2], [6, 1, 1]],
    "6/8": [[6], [5, 1], [3, 2, 1]],
    "9/8": [[9], [6, 2, 1], [6, 3]],
    "12/8": [[12], [9, 3], [9, 2, 1]],
}
_SLOW_DOTTED_BEATS = ([720], [480, 240], [240, 240, 240], [360, 120, 240])
_SLOW_BEATS = ([480], [240, 240], [360, 120], [240, 120, 120])  # a quarter in finer values


# What bars of the other characters are put together from: values in eighths, and how gladly each is taken.
_CELLS: dict[str, tuple[tuple[tuple[float, ...], float], ...]] = {
    "dotted": (((1.5, 0.5), 4), ((2,), 2), ((1, 1), 1), ((3, 1), 3), ((4,), 1)),
    "even": (((2,), 5), ((4,), 3), ((1, 1), 1)),
    "long": (((4,), 4), ((3, 1), 2), ((2,), 2), ((6,), 2), ((1, 2, 1), 1)),
    "running": (
        ((1, 1), 3),
        ((2,), 1.5),
        ((1, 0.5, 0.5), 2),
        ((0.5, 0.5, 0.5, 0.5), 1.5),
        ((1.5, 0.5), 1.5),
        ((1, 2, 1), 1.5),
        ((3, 1), 1.5),
    ),
}
_DOTTED_CELLS: dict[str, tuple[tuple[tuple[float, ...], float], ...]] = {
    "dotted": (((2, 1), 4), ((3,), 2), ((1.5, 0.5, 1), 2), ((1, 1, 1), 1)),
    "even": (((3,), 4), ((6,), 2), ((2, 1), 1)),
    "long": (((6,), 3), ((3,), 3), ((2, 1), 1), ((5, 1), 1)),
    "running": (((1, 1, 1), 3), ((2, 1), 2), ((3,), 1), ((1, 0.5, 0.5, 1), 1.5), ((1, 2), 1.5), ((1.5, 0.5, 1), 1)),
}


class Rhythms:
    """The rhythms that suit a meter, a tempo, a mood and a look's character."""

    def __init__(self, meter: str, eighth_s: float, lively: float, character: str, rng: Random) -> None:
        self._meter, self._lively, self._rng = meter, lively, rng
        self._character = character
        # A piece has rhythms of its own: of what its look offers it likes some and hardly uses others.
        self._taste = [rng.choice((0.1, 1.0, 4.0)) for _ in range(8)]
        self._eighth_s = eighth_s
        self._bar = sum(_QUIET[meter][0]) * EIGHTH
        self._beat = 480 if meter.endswith("/4") else 720

    @property
    def length(self) -> int:
        """Ticks of a bar."""
        return self._bar

    def strengths(self, values: Sequence[int]) -> list[bool]:
        """For each note of a bar, whether it begins on a beat."""
        return [sum(values[:at]) % self._beat == 0 for at in range(len(values))]

    def bar(self, lively: float | None = None) -> list[int]:
        """The values of one bar, in ticks."""
        share = self._lively if lively is None else lively
        if self._eighth_s > 0.62:
            return self._slow_bar()
        if self._character in _CELLS:
            return self._from_cells(share)
        table = _LIVELY if self._rng.random() < share else _QUIET
        fitting = self._fitting(table[self._meter]) or self._fitting(_QUIET[self._meter])
        weights = [self._taste[index % len(self._taste)] for index in range(len(fitting))]
        return list(self._rng.choices(fitting, weights)[0]) if fitting else [self._bar]

    def _from_cells(self, lively: float) -> list[int]:
        """A bar of the look's cells; lively moods like many short notes, quiet ones few."""
        cells = (_DOTTED_CELLS if self._beat == 720 else _CELLS)[self._character]
        found: list[int] = []
        while (room := self._bar - sum(found)) > 0:
            offered = []
            for (cell, weight), taste in zip(cells, self._taste, strict=False):
                values = [round(value * EIGHTH) for value in cell]
                starts_well = sum(values) <= self._beat or self._bar % 960 or sum(found) % 960 == 0
                if sum(values) <= room and starts_well and (self._playable(values) or sum(values) == self._bar):
                    offered.append((values, weight * taste * (0.6 + lively if len(values) > 1 else 1.3 - lively * 0.8)))
            if not offered:
                return self._plain_bar()
            rows, weights = zip(*offered, strict=True)
            found += self._rng.choices(rows, weights)[0]
        return found if self._playable(found) else self._plain_bar()

    def _plain_bar(self) -> list[int]:
        """A note a beat, or one for the bar where beats fly."""
        beats = [self._beat] * (self._bar // self._beat)
        return beats if self._playable(beats) else [self._bar]

    def close(self, upbeat: bool) -> list[int]:
        """The last bar of a phrase."""
        if self._bar * self._eighth_s / EIGHTH > 4.5:
            return self._long_close()
        options = self._fitting(_CLOSES[self._meter])
        if not options or not upbeat or self._rng.random() < 0.4:
            return [self._bar]
        return list(self._rng.choice(options))

    def _long_close(self) -> list[int]:
        """In a bar of many seconds the long note takes half, and the melody goes on."""
        found = [-(-self._bar // self._beat // 2) * self._beat]
        beats = _SLOW_DOTTED_BEATS if self._beat == 720 else _SLOW_BEATS
        while sum(found) < self._bar:
            found += self._rng.choice(beats[:2])
        return found

    def varied(self, values: Sequence[int]) -> list[int]:
        """The same rhythm, changed in one place: a long value is split, or two are joined."""
        found = list(values)
        long = [at for at, value in enumerate(found) if value >= 480 and value * self._eighth_s / EIGHTH > 0.5]
        if long and (len(found) < 3 or self._rng.random() < 0.6):
            at = self._rng.choice(long)
            value = found[at]
            if value % 720 == 0:
                first = value * 2 // 3  # two and one, so that the beats stay to be seen
            else:
                first = value * 3 // 4 if value in (480, 960) and self._rng.random() < 0.5 else value // 2
            found[at : at + 1] = [first, value - first]
        elif len(found) > 2:
            at = len(found) - 2
            found[at : at + 2] = [found[at] + found[at + 1]]
        return found if self._playable(found) else list(values)

    def _fitting(self, table: Sequence[Sequence[int]]) -> list[list[int]]:
        bars = [[value * EIGHTH for value in values] for values in table]
        return [values for values in bars if self._playable(values)]

    def _playable(self, values: Sequence[int]) -> bool:
        shortest = min(values) * self._eighth_s / EIGHTH
        return shortest >= (0.13 if self._lively >= 0.5 else 0.17) or len(values) == 1

    def _slow_bar(self) -> list[int]:
        beats = _SLOW_DOTTED_BEATS if self._beat == 720 else _SLOW_BEATS
        found: list[int] = []
        while sum(found) < self._bar:
            fine = self._rng.random() < 0.35 + 0.5 * self._lively
            found += self._rng.choice(beats[1:] if fine else beats[:2])
        return found
