"""Which chord follows which: progressions of Roman numerals by a look's grammar, coloured by the mood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from .form import Phrase
from .moods import Mood
from .theory import Key, chords_of

Moves = Mapping[str, Mapping[str, float]]

# What may follow what, and how gladly: tonic, then predominant, then dominant.
_FUNCTIONAL_MAJOR: Moves = {
    "I": {"vi": 4, "IV": 3, "ii": 2, "V": 1.5, "iii": 1.2},
    "ii": {"V": 5},
    "iii": {"vi": 3, "IV": 3},
    "IV": {"V": 3, "ii": 2, "I": 1.5},
    "V": {"I": 3, "vi": 2},
    "vi": {"IV": 4, "ii": 3, "iii": 0.6},
}
_FUNCTIONAL_MINOR: Moves = {
    "i": {"VI": 4, "iv": 3, "VII": 1.6, "III": 1.5, "V": 1.5, "iio": 0.8},
    "iio": {"V": 5},
    "III": {"VI": 3, "iv": 2, "VII": 0.8},
    "iv": {"V": 3, "i": 1.5, "VII": 1.4, "iio": 0.7},
    "V": {"i": 3, "VI": 2},
    "VI": {"iv": 2.5, "III": 2, "iio": 1.2, "VII": 1},
    "VII": {"III": 3, "VI": 0.8},
}
# Tonic and dominant answer each other, as in a sonatina or a march.
_PERIOD_MAJOR: Moves = {
    "I": {"V": 4, "IV": 2, "ii": 1.5},
    "ii": {"V": 5},
    "IV": {"I": 2, "V": 2},
    "V": {"I": 5, "vi": 0.8},
    "vi": {"ii": 2, "IV": 1},
}
_PERIOD_MINOR: Moves = {
    "i": {"V": 4, "iv": 2, "iio": 1},
    "iio": {"V": 5},
    "iv": {"i": 2, "V": 2},
    "V": {"i": 5, "VI": 0.8},
    "VI": {"iv": 2, "iio": 1},
}
# Hymns step through many chords and come back by the subdominant.
_HYMN_MAJOR: Moves = {
    "I": {"V": 3, "IV": 3, "vi": 2, "iii": 1},
    "ii": {"V": 4, "vi": 1},
    "iii": {"vi": 2, "IV": 3},
    "IV": {"I": 4, "V": 2, "ii": 2},
    "V": {"I": 3, "vi": 3},
    "vi": {"iii": 2, "IV": 2, "ii": 2, "V": 1},
}
_HYMN_MINOR: Moves = {
    "i": {"V": 2, "iv": 3, "VI": 2, "VII": 2},
    "iio": {"V": 4},
    "III": {"VI": 2, "iv": 2, "VII": 2},
    "iv": {"i": 4, "V": 2, "VII": 1},
    "V": {"i": 3, "VI": 2},
    "VI": {"III": 3, "iv": 2, "VII": 1},
    "VII": {"III": 3, "i": 1, "VI": 1},
}
_MOVES: dict[str, tuple[Moves, Moves]] = {
    "functional": (_FUNCTIONAL_MAJOR, _FUNCTIONAL_MINOR),
    "period": (_PERIOD_MAJOR, _PERIOD_MINOR),
    "hymn": (_HYMN_MAJOR, _HYMN_MINOR),
    "loop": (_FUNCTIONAL_MAJOR, _FUNCTIONAL_MINOR),
}
# Four chords that go round.
_LOOPS = (
    ("I V vi IV", "I vi IV V", "vi IV I V", "I iii IV V", "I IV vi V", "IV I V vi"),
    ("i VI III VII", "i VII VI VII", "i iv VI V", "i III VII iv", "VI VII i III", "i VI iv VII"),
)
# Where a coloured chord may go: the plain names that may come after it.
_GOES_TO = {
    "V7/V": "V V7", "N": "V V7", "V7/ii": "ii ii7 V7/V", "V7/vi": "vi vi7 V7/ii", "V7/iv": "iv iv7 IV",
    "V7/IV": "IV IVmaj7 iv",
    "II": "I Imaj7", "iv": "I Imaj7 V V7", "bVII": "I IV", "IV": "i i7 VII", "v": "i i7 VI VImaj7", "viio7": "i i7",
    "i7": "iv iv7 VI VImaj7 IV VII", "vi7": "ii ii7 IV II IVmaj7 iii iii7 V", "ii7": "V V7", "iv7": "V V7 VII i i7",
}  # fmt: skip


class Grammar:
    """Writes the progressions of one piece."""

    def __init__(self, name: str, key: Key, mood: Mood, rng: Random) -> None:
        self._loops = name == "loop"
        self._key, self._mood, self._rng = key, mood, rng
        self._moves = _MOVES[name][key.minor]
        self._loop = rng.choice(_LOOPS[key.minor]).split()

    def progression(self, phrase: Phrase, count: int, opening: Sequence[str] = ()) -> list[str]:
        """Numerals for `count` harmonies of a phrase, the last ones its cadence; it begins as `opening` if it can."""
        minor = self._key.minor
        one, dominant = ("i" if minor else "I"), "V"
        tail = self._tail(phrase, count)
        if count <= len(tail):
            return tail[-count:]
        if self._loops:
            return [*self._round(phrase, count - len(tail), tail), *tail]
        starts = [one]
        if phrase.role == "contrast" and phrase.number % 2 == 0:
            starts = ["VI", "III", "iv"] if minor else ["vi", "IV", "ii"]
        elif phrase.role == "outro" and count > 3:
            starts = [one, "iv", "VI"] if minor else [one, "IV", "vi"]
        starts = [start for start in starts if start in self._moves]
        target = dominant if tail[0] == "V7" else tail[0]
        if opening and count > len(tail) + len(opening) and opening[-1] in self._moves:
            found = self._walk(opening[-1], count - len(tail) - len(opening), target)
            if found is not None:
                return [*opening, *found, *tail]
        self._rng.shuffle(starts)
        for start in starts:
            found = self._walk(start, count - len(tail) - 1, target)
            if found is not None:
                return [start, *found, *tail]
        return [one] * (count - len(tail)) + tail

    def _tail(self, phrase: Phrase, count: int) -> list[str]:
        """The cadence: V–I, or by the subdominant at the end of quiet moods; loops close without a leading tone."""
        minor = self._key.minor
        one = "i" if minor else "I"
        if phrase.cadence == "half":
            return ["VII" if self._loops and minor else "V"]
        if phrase.cadence == "authentic":
            return [("VII" if minor else "IV"), one] if self._loops else ["V7", one]
        if self._mood.ending == "plagal" and count >= 5:
            return ["V7", one, "iv" if minor or self._rng.random() < 0.6 else "IV", one]
        return ["V7", one, one] if count >= 4 else ["V7", one]

    def _round(self, phrase: Phrase, count: int, tail: Sequence[str]) -> list[str]:
        """The loop, from its third chord for contrast, as long as it takes."""
        shift = 2 if phrase.role == "contrast" else 0
        found = [self._loop[(index + shift) % 4] for index in range(count)]
        before_last = "V" if tail[0] == "V7" else tail[0]
        while found and found[-1] == before_last:
            found[-1] = self._rng.choice(("iv", "VI") if self._key.minor else ("ii", "vi"))
        return found

    def _walk(self, chord: str, left: int, target: str) -> list[str] | None:
        if left == 0:
            return [] if target in self._moves[chord] and chord != target else None
        options = [name for name in self._moves[chord] if not (left == 1 and name == target)]
        weights = self._moves[chord]
        order = sorted(options, key=lambda name: self._rng.random() ** (1 / weights[name]), reverse=True)
        for name in order:
            rest = self._walk(name, left - 1, target)
            if rest is not None:
                return [name, *rest]
        return None

    def coloured(self, names: Sequence[str], cadence: str) -> list[str]:
        """The same progression, chords of the mood's table in place of plain ones where they lead on well."""
        table = self._mood.minor if self._key.minor else self._mood.major
        offered = chords_of(self._key)
        found = list(names)
        keep = 4 if cadence == "final" and self._mood.ending == "plagal" else 3 if cadence == "final" else 1
        for index in range(len(found) - 1 - keep, 0, -1):
            if self._rng.random() >= self._mood.colour:
                continue
            options = [
                name
                for name in table.get(found[index], "").split()
                if name in offered and found[index + 1] in _GOES_TO.get(name, found[index + 1]).split()
            ]
            if options:
                found[index] = self._rng.choice(options)
        return found
