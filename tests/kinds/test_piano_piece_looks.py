"""What tells pieces apart: moods by their table, looks by seed; the score as MusicXML. Pure programs, no sandbox."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random
from xml.etree import ElementTree

import pytest

from studio.examples import random_brief
from studio.examples.words import WORLDS
from studio.kinds.piano_piece.recipe.left_hand import FIGURES, Struck
from studio.kinds.piano_piece.recipe.looks import LOOKS, look_of
from studio.kinds.piano_piece.recipe.moods import MOODS, named_mood
from studio.kinds.piano_piece.recipe.musicxml import musicxml
from studio.kinds.piano_piece.recipe.performance import Performance, perform
from studio.kinds.piano_piece.recipe.piece import Piece, compose
from studio.kinds.piano_piece.recipe.sheet import sheet_music
from studio.kinds.piano_piece.recipe.theory import Key, chords_of
from tests.kinds.piano_ears import UNLIKE, Impression, apart, distance, impression
from tests.kinds.pianos import Lesson, brief_of, request_of, sample

FIVE = ("calm", "cheerful", "solemn", "dreamy", "dramatic")
FORM = {"structure": [{"name": "Intro", "bars": 2}, {"name": "Theme", "bars": 8}, {"name": "Coda", "bars": 2}]}
SHORT = {**FORM, "duration_s": {"min": 15, "max": 26}}


@cache
def played(mood: str, seed: int, key: str = "A minor") -> tuple[Piece, Performance]:
    piece = compose(request_of(brief_of({**SHORT, "mood": mood, "key": key})), seed)
    return piece, perform(piece)


def test_every_mood_has_three_looks_at_least_and_all_words_of_the_tables_are_known() -> None:
    for mood in MOODS:
        assert len({(LOOKS[name].grammar, LOOKS[name].rhythm, LOOKS[name].figures) for name in mood.looks}) >= 3
        for key, table in ((Key.named("C major"), mood.major), (Key.named("C minor"), mood.minor)):
            names = {*table, *(name for names in table.values() for name in names.split())}
            assert names <= set(chords_of(key))
    for look in LOOKS.values():
        assert set(look.figures) <= set(FIGURES)


def test_seeds_take_each_of_a_moods_looks() -> None:
    for mood in MOODS:
        assert {look_of(mood, Random(f"{mood.name}/{seed}/0")).name for seed in range(20)} == set(mood.looks)
    assert len({played("calm", seed)[0].look.name for seed in range(7)}) >= 3


@pytest.mark.parametrize("key", ["A minor", "C major"])
def test_five_moods_sound_apart_from_each_other(key: str) -> None:
    """Each pair at least two noticeable steps apart, over pitch, motion, loudness, speed, touch and colour together."""
    groups: dict[str, list[Impression]] = defaultdict(list)
    for mood in FIVE:
        groups[mood] = [impression(*played(mood, seed, key)) for seed in range(4)]
    found = apart(groups)
    assert len(found) == 10
    assert min(found.values()) >= 2, found


def test_a_pieces_distance_is_nothing_from_itself_and_from_itself_in_another_key() -> None:
    piece, performance = played("calm", 3)

    def up(struck: Struck) -> Struck:
        return replace(struck, pitches=tuple(pitch + 2 for pitch in struck.pitches))

    higher = replace(
        piece,
        key=Key.named("B minor"),
        slots=tuple(
            replace(slot, bass=slot.bass + 2, voices=tuple(voice + 2 for voice in slot.voices)) for slot in piece.slots
        ),
        melody=tuple(replace(note, pitch=note.pitch + 2) for note in piece.melody),
        left=tuple(up(struck) for struck in piece.left),
    )
    keys = tuple(replace(key, pitch=key.pitch + 2) for key in performance.keys)
    assert distance((piece, performance), (piece, performance)) == pytest.approx(0)
    assert distance((piece, performance), (higher, replace(performance, keys=keys))) == pytest.approx(0)


@pytest.mark.parametrize("mood", FIVE)
def test_two_seeds_are_two_pieces(mood: str) -> None:
    pieces = [played(mood, seed) for seed in range(7)]
    found = {(one, other): distance(pieces[one], pieces[other]) for one, other in combinations(range(7), 2)}
    assert min(found.values()) >= UNLIKE, min(found, key=lambda pair: found[pair])


def test_no_fault_in_random_briefs_of_all_languages() -> None:
    for number in range(16):  # two in each language
        brief = random_brief("piano_piece", 7, number)
        piece = compose(request_of(brief), number)
        assert Lesson(piece).faults() == [], (number, brief.title)


@pytest.mark.thorough
def test_no_fault_in_many_random_briefs_and_seeds() -> None:
    marked = {}
    for number in range(48):
        for seed in range(2):
            piece = compose(request_of(random_brief("piano_piece", 8, number)), seed)
            if faults := Lesson(piece).faults():
                marked[number, seed] = faults
    assert marked == {}


@pytest.mark.parametrize("name", ["01-calm-in-a-minor", "03-cheerful-six-eight"])
def test_the_form_is_heard(name: str) -> None:
    """The intro states the motif, the theme begins with it, the outro remembers its rhythm."""
    for seed in range(3):
        piece = compose(request_of(sample(name)), seed)
        rhythms: dict[int, list[int]] = defaultdict(list)
        for note in piece.melody:
            rhythms[note.bar].append(note.length)
        first = {phrase.role: phrase.first_bar for phrase in reversed(piece.phrases)}
        for role in ("intro", "theme", "outro"):
            assert rhythms[first[role]] == list(piece.motif.rhythm), (seed, role)
        theme = [phrase for phrase in piece.phrases if phrase.role == "theme"]
        assert [(phrase.bars, phrase.question) for phrase in theme[:2]] == [(4, True), (4, False)]
        assert {phrase.cadence for phrase in theme if not phrase.question} <= {"authentic"}


def test_words_of_every_language_that_briefs_are_drawn_in_are_known() -> None:
    assert [mood for world in WORLDS for mood in world.moods if named_mood(mood) is None] == []


def test_the_sheet_says_what_an_unknown_mood_became() -> None:
    piece, performance = played("qwertyuiop", 1)
    assert "qwertyuiop (no known mood; key and tempo suggest *mesto, " in sheet_music(piece, performance)
    piece, performance = played("solemn", 1)
    assert f"- **Mood**: solemn (*solenne, {piece.look.italian}*)" in sheet_music(piece, performance)


@pytest.mark.parametrize("number", range(8))
def test_the_written_score_has_all_bars_whole_and_all_notes(number: int) -> None:
    piece = compose(request_of(random_brief("piano_piece", 9, number)), number)
    root = ElementTree.fromstring(musicxml(piece, perform(piece)))
    measures = root.findall("part/measure")
    assert len(measures) == piece.request.total_bars
    assert root.findtext("work/work-title") == piece.request.title
    attacks: dict[str | None, int] = defaultdict(int)
    for measure in measures:
        lengths: dict[str | None, int] = defaultdict(int)
        beams = 0
        for note in measure.findall("note"):
            if note.find("chord") is None:
                lengths[note.findtext("voice")] += int(note.findtext("duration") or 0)
            tied = any(tie.get("type") == "stop" for tie in note.findall("tie"))
            attacks[note.findtext("staff")] += note.find("pitch") is not None and not tied
            assert note.find("pitch") is None or note.findtext("type"), "a value that can be written"
            for beam in note.findall("beam"):
                beams += {"begin": 1, "end": -1}.get(beam.text or "", 0)
        assert set(lengths.values()) == {piece.bars.bar}, "each voice fills the bar"
        assert beams == 0
    assert attacks["1"] == len(piece.melody) + sum(len(each.pitches) for each in piece.added)
    assert attacks["2"] == sum(len(each.pitches) for each in piece.left)
    assert {name.text for name in root.iter("rehearsal")} == {section.name for section in piece.sections}
    assert root.find(".//metronome/per-minute") is not None
    assert len(root.findall(".//slur[@type='start']")) == len(root.findall(".//slur[@type='stop']"))
    hairpins = [wedge.get("type") for wedge in root.iter("wedge")]
    assert hairpins[1::2] == ["stop"] * (len(hairpins) // 2)
    assert "stop" not in hairpins[::2]
