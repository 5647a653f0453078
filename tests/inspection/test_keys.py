"""Which key a piece is in, at the limits of what its notes and its close say; and where a tempo holds."""

from __future__ import annotations

import pytest

from sandbox_image.inspector.midi_music import Music, closes_in, key_by_notes, longest_at, median_tempo, read_music
from tests.inspection.music import MIDI, Tone, midi, tempo

A_MINOR, E_SEVEN = (57, 60, 64), (52, 56, 59, 62)


def _read(tones: list[Tone], **more: object) -> Music:
    return read_music(MIDI, midi(tones, key=None, **more))  # type: ignore[arg-type]


def _chord(bar: int, pitches: tuple[int, ...]) -> list[Tone]:
    return [Tone(3 * bar, 3, pitch, 70, int(pitch < 60)) for pitch in pitches]


def _dwelling(*last: int, strange: float = 0.0) -> Music:
    """A bar of the tonic, five of its dominant, and a last chord; `strange`: beats of D♯, which is not in A minor."""
    tones = _chord(0, A_MINOR)
    for bar in range(1, 6):
        tones += _chord(bar, E_SEVEN)
    return _read([*tones, *_chord(6, last), *([Tone(9, strange, 63)] if strange else [])])


def test_a_piece_that_dwells_on_its_dominant_is_in_the_key_in_which_it_closes() -> None:
    piece = _dwelling(45, *A_MINOR)
    assert key_by_notes(piece.notes)[:2] != (9, True)
    assert closes_in(piece, 9, True)
    assert not closes_in(piece, 9, False)  # A major has another third
    assert not closes_in(piece, 4, True)


@pytest.mark.parametrize(
    ("last", "closes"),
    [
        ((45, 60, 64), True),
        ((45, 60, 64, 67), True),  # with a seventh
        ((45, 52), True),  # without a third
        ((45, 61, 64), False),  # A major
        ((45, 62, 65), False),  # D minor over its fifth
        ((40, 57, 60), False),  # A minor over its fifth: the bass is not the tonic
    ],
)
def test_the_last_chord(last: tuple[int, ...], closes: bool) -> None:
    assert closes_in(_dwelling(*last), 9, True) is closes


@pytest.mark.parametrize(("beats", "closes"), [(2, True), (3, False)])
def test_a_few_passing_notes_may_be_strange(beats: float, closes: bool) -> None:
    """The chords hold 81 beats; three in a hundred of all may lie outside of the scale."""
    assert closes_in(_dwelling(45, *A_MINOR, strange=beats), 9, True) is closes


def test_where_the_tempo_that_counts_holds_longest() -> None:
    piece = _read([Tone(beat, 1, 60) for beat in range(24)], more=[(4, tempo(80)), (6, tempo(100)), (20, tempo(50))])
    assert round(median_tempo(piece)) == 100
    begin, end = longest_at(piece, median_tempo(piece))
    assert begin == pytest.approx(4 * 0.6 + 2 * 0.75)
    assert end == pytest.approx(begin + 14 * 0.6)
