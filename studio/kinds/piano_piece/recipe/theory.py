"""Keys, scale steps and chords: what a note is called, and what it is for.

A step counts the scale's notes from the tonic above middle C: 0 is that tonic, 7 the one an octave higher, -1 the
seventh degree below. An alteration moves a step by semitones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

LETTERS = "CDEFGAB"
NATURALS = (0, 2, 4, 5, 7, 9, 11)
MAJOR = (0, 2, 4, 5, 7, 9, 11)
MINOR = (0, 2, 3, 5, 7, 8, 10)
SIGNS = {-2: "𝄫", -1: "♭", 0: "", 1: "♯", 2: "𝄪"}


@dataclass(frozen=True)
class Key:
    """A major or minor key."""

    letter: int
    accidental: int
    minor: bool

    @classmethod
    def named(cls, name: str) -> Key:
        """The key called e.g. "F# minor"."""
        tonic, mode = name.split()
        return cls(LETTERS.index(tonic[0]), tonic.count("#") - tonic[1:].count("b"), mode == "minor")

    @cached_property
    def tonic(self) -> int:
        """The tonic's pitch class."""
        return (NATURALS[self.letter] + self.accidental) % 12

    @cached_property
    def scale(self) -> tuple[int, ...]:
        return MINOR if self.minor else MAJOR

    def pitch(self, step: int, alteration: int = 0) -> int:
        """The MIDI pitch of a step."""
        octave, degree = divmod(step, 7)
        return 60 + self.tonic + 12 * octave + self.scale[degree] + alteration

    def spelled(self, degree: int, alteration: int = 0) -> tuple[int, int]:
        """Letter (0 = C) and accidental of a degree."""
        letter = (self.letter + degree) % 7
        pitch_class = (self.tonic + self.scale[degree % 7] + alteration) % 12
        return letter, (pitch_class - NATURALS[letter] + 6) % 12 - 6

    def note_name(self, step: int, alteration: int = 0) -> str:
        """Scientific pitch notation, as A4 or F♯5."""
        letter, accidental = self.spelled(step % 7, alteration)
        octave = (self.pitch(step, alteration) - accidental) // 12 - 1
        return f"{LETTERS[letter]}{SIGNS[accidental]}{octave}"

    def degree_name(self, degree: int, alteration: int = 0) -> str:
        """Letter and accidental without an octave."""
        letter, accidental = self.spelled(degree, alteration)
        return f"{LETTERS[letter]}{SIGNS[accidental]}"

    @property
    def sharps(self) -> int:
        """Of the key signature, flats negative; keys that would need more than seven are written enharmonically."""
        major = (self.tonic + 3) % 12 if self.minor else self.tonic
        count = major * 7 % 12
        flat = self.accidental < 0 or (self.accidental == 0 and count > 6)
        if count > 7 or (flat and count >= 5):
            count -= 12
        return count

    @property
    def signature(self) -> str:
        """The key signature as MIDI libraries name it, with a tonic that fits its sharps."""
        fifths = ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"]
        minors = ["Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#"]
        return f"{minors[self.sharps + 7]}m" if self.minor else fifths[self.sharps + 7]


@dataclass(frozen=True)
class Chord:
    """Tones from the root upwards as (degree, alteration). `leading` is the degree that must rise to the next root."""

    roman: str
    tones: tuple[tuple[int, int], ...]
    leading: int | None = None
    seventh: int | None = None

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        return tuple(degree for degree, _ in self.tones)

    @cached_property
    def _altered(self) -> dict[int, int]:
        return dict(self.tones)

    def alteration(self, degree: int) -> int:
        """By how much a degree is altered while this chord sounds."""
        return self._altered.get(degree % 7, 0)

    def classes(self, key: Key) -> tuple[int, ...]:
        """Pitch classes, the root first."""
        return tuple((key.tonic + key.scale[degree] + alteration) % 12 for degree, alteration in self.tones)

    def symbol(self, key: Key, bass_class: int | None = None) -> str:
        """As lead sheets write it: Am, E7/G♯."""
        root, *others = self.classes(key)
        shape = tuple((other - root) % 12 for other in others)
        quality = _QUALITIES[shape]
        name = key.degree_name(*self.tones[0]) + quality
        if bass_class is not None and bass_class != root:
            inner = dict(zip(self.classes(key), self.tones, strict=True))
            name += "/" + key.degree_name(*inner[bass_class])
        return name


_QUALITIES = {
    (4, 7): "",
    (3, 7): "m",
    (3, 6): "dim",
    (4, 8): "aug",
    (4, 7, 10): "7",
    (4, 7, 11): "maj7",
    (3, 7, 10): "m7",
    (3, 6, 10): "m7♭5",
    (3, 6, 9): "dim7",
}


def _chord(roman: str, root: int, *alterations: int, leading: int | None = None) -> Chord:
    tones = tuple(((root + 2 * index) % 7, change) for index, change in enumerate(alterations))
    return Chord(roman, tones, leading, tones[3][0] if len(tones) > 3 else None)


IN_MAJOR = {
    chord.roman: chord
    for chord in (
        _chord("I", 0, 0, 0, 0),
        _chord("ii", 1, 0, 0, 0),
        _chord("iii", 2, 0, 0, 0),
        _chord("IV", 3, 0, 0, 0),
        _chord("V", 4, 0, 0, 0, leading=6),
        _chord("vi", 5, 0, 0, 0),
        _chord("Imaj7", 0, 0, 0, 0, 0),
        _chord("ii7", 1, 0, 0, 0, 0),
        _chord("IVmaj7", 3, 0, 0, 0, 0),
        _chord("V7", 4, 0, 0, 0, 0, leading=6),
        _chord("vi7", 5, 0, 0, 0, 0),
        _chord("V7/V", 1, 0, 1, 0, 0, leading=3),
        _chord("V7/IV", 0, 0, 0, 0, -1, leading=2),
        _chord("V7/ii", 5, 0, 1, 0, 0, leading=0),
        _chord("V7/vi", 2, 0, 1, 0, 0, leading=4),
        _chord("iii7", 2, 0, 0, 0, 0),
        _chord("II", 1, 0, 1, 0),  # of the Lydian mode
        _chord("bVII", 6, -1, 0, 0),  # of the Mixolydian mode
        _chord("iv", 3, 0, -1, 0),
    )
}
IN_MINOR = {
    chord.roman: chord
    for chord in (
        _chord("i", 0, 0, 0, 0),
        _chord("iio", 1, 0, 0, 0),
        _chord("III", 2, 0, 0, 0),
        _chord("iv", 3, 0, 0, 0),
        _chord("V", 4, 0, 1, 0, leading=6),
        _chord("VI", 5, 0, 0, 0),
        _chord("VII", 6, 0, 0, 0),
        _chord("iv7", 3, 0, 0, 0, 0),
        _chord("V7", 4, 0, 1, 0, 0, leading=6),
        _chord("VImaj7", 5, 0, 0, 0, 0),
        _chord("viio7", 6, 1, 0, 0, 0, leading=6),
        _chord("V7/V", 1, 0, 1, 1, 0, leading=3),
        _chord("V7/iv", 0, 0, 1, 0, 0, leading=2),
        _chord("IV", 3, 0, 1, 0),  # of the Dorian mode
        _chord("v", 4, 0, 0, 0),  # of the Aeolian mode
        _chord("i7", 0, 0, 0, 0, 0),
        _chord("IIImaj7", 2, 0, 0, 0, 0),
        _chord("N", 1, -1, 0, 0),
    )
}


def chords_of(key: Key) -> dict[str, Chord]:
    """The chords that a key offers, by their Roman numerals."""
    return IN_MINOR if key.minor else IN_MAJOR
