"""The looks of a piece: ways to compose that are each complete, with a harmony, a rhythm and a texture of their own."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from .moods import Mood


@dataclass(frozen=True)
class Look:
    """One way to compose. The words are names of the modules' own tables."""

    name: str
    italian: str  # how the sheet calls it
    grammar: str  # of `grammar.GRAMMARS`: functional, period, loop, hymn
    rhythm: str  # of `rhythm`: singing, dotted, even, long, running
    figures: tuple[str, str]  # of `left_hand.FIGURES`: for the theme, for contrast
    right: str  # what the right hand adds: none, thirds, octaves, chords
    changes: float = 1.0  # harmonies a bar, where the tempo leaves room for them


LOOKS = {
    look.name: look
    for look in (
        Look("song", "canzone", "functional", "singing", ("tenths", "rocking"), "thirds"),
        Look("cradle", "berceuse", "functional", "long", ("rocking", "tenths"), "none"),
        Look("ostinato", "ostinato", "loop", "long", ("ostinato", "tenths"), "none", 0.5),
        Look("chorale", "corale", "hymn", "even", ("hymn", "hymn"), "chords", 2.0),
        Look("sonatina", "sonatina", "period", "running", ("alberti", "dance"), "none"),
        Look("dance", "danza", "functional", "dotted", ("dance", "alberti"), "thirds"),
        Look("bounce", "scherzo", "loop", "running", ("offbeat", "dance"), "thirds"),
        Look("procession", "processione", "functional", "dotted", ("chords", "hymn"), "thirds"),
        Look("elegy", "elegia", "functional", "singing", ("pulse", "tenths"), "none"),
        Look("nocturne", "notturno", "functional", "singing", ("waves", "tenths"), "none"),
        Look("toccata", "toccata", "functional", "running", ("drive", "chords"), "octaves"),
        Look("storm", "tempesta", "loop", "singing", ("waves", "pulse"), "octaves"),
        Look("march", "marcia", "period", "dotted", ("chords", "drive"), "chords"),
    )
}


def look_of(mood: Mood, rng: Random) -> Look:
    """One of the mood's looks."""
    return LOOKS[rng.choice(mood.looks)]
