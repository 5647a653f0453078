"""What the recipe composes, by the rules of harmony and of hands: pure programs, no sandbox needed."""

from __future__ import annotations

import hashlib
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from studio.brief import Brief
from studio.kinds.piano_piece.recipe.moods import mood_of
from studio.kinds.piano_piece.recipe.performance import Performance, perform
from studio.kinds.piano_piece.recipe.piece import Piece, compose
from studio.kinds.piano_piece.recipe.sheet import sheet_music
from studio.kinds.piano_piece.recipe.theory import Key
from tests.kinds.pianos import Lesson, brief_of, briefs, request_of, sample

SAMPLES = ("01-calm-in-a-minor", "02-moonlit-river-zh", "03-cheerful-six-eight")
unhurried = settings(
    max_examples=15, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


def made(brief: Brief, seed: int) -> tuple[Piece, Performance]:
    piece = compose(request_of(brief), seed)
    return piece, perform(piece)


@unhurried
@given(briefs(), st.integers(0, 2**53 - 1))
def test_the_rules_hold_for_any_brief(brief: Brief, seed: int) -> None:
    piece, performance = made(brief, seed)
    assert Lesson(piece).faults() == []
    for slot in piece.slots[:-1]:
        lowest = min(
            note.pitch for note in piece.melody if note.start < slot.end and note.start + note.length > slot.start
        )
        assert slot.bass < slot.voices[0] <= slot.voices[1] <= slot.voices[2] < lowest
    assert piece.melody[-1].step % 7 == 0
    assert piece.slots[-1].chord.classes(piece.key)[0] == piece.key.tonic == piece.slots[-1].bass % 12
    assert [note.start for note in piece.melody] == sorted({note.start for note in piece.melody})


@unhurried
@given(briefs(), st.integers(0, 1000))
def test_tempo_and_length_are_kept_for_any_brief(brief: Brief, seed: int) -> None:
    _, performance = made(brief, seed)
    bpm, length = brief.params["bpm"], brief.params["duration_s"]
    assert bpm["min"] * 0.9995 <= performance.bpm <= bpm["max"] * 1.0005
    assert length["min"] - 0.04 <= performance.seconds <= length["max"] + 0.04


@unhurried
@given(briefs(), st.integers(0, 1000))
def test_hands_can_play_it(brief: Brief, seed: int) -> None:
    _, performance = made(brief, seed)
    struck: dict[tuple[int, int], list[int]] = defaultdict(list)
    changes = []
    for key in performance.keys:
        assert 21 <= key.pitch <= 108
        assert 1 <= key.velocity <= 127
        assert key.start < key.end <= performance.end
        struck[key.hand, key.start].append(key.pitch)
        changes += [(key.start, 1), (key.end, -1)]
    assert all(max(pitches) - min(pitches) <= 16 and len(pitches) <= 5 for pitches in struck.values())
    down = most = 0
    for _, change in sorted(changes):
        down += change
        most = max(most, down)
    assert most <= 10
    for pitch in {key.pitch for key in performance.keys}:
        spans = sorted((key.start, key.end) for key in performance.keys if key.pitch == pitch)
        assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:], strict=False))


@pytest.mark.parametrize("name", SAMPLES)
def test_melodies_sing(name: str) -> None:
    moves = []
    for seed in range(6):
        piece, _ = made(sample(name), seed)
        moves += Lesson(piece).moves()
    assert sum(move <= 1 for move in moves) / len(moves) > 0.55
    assert sum(move > 4 for move in moves) / len(moves) < 0.05


@pytest.mark.parametrize("name", SAMPLES)
def test_the_theme_returns_to_its_motif(name: str) -> None:
    """Each phrase of the theme begins with the motif's rhythm, whole or varied in one place."""
    piece, _ = made(sample(name), 4)
    rhythms = defaultdict(list)
    for note in piece.melody:
        rhythms[note.bar].append(note.length)
    theme = [phrase for phrase in piece.phrases if phrase.role == "theme" and phrase.bars > 2]
    first = rhythms[theme[0].first_bar]
    assert len(first) > 1
    assert sum(rhythms[bar] == first for bar in rhythms) >= 3


@pytest.mark.parametrize("name", SAMPLES)
def test_the_performance_breathes(name: str) -> None:
    piece, performance = made(sample(name), 2)
    tempos = [bpm for tick, bpm in performance.tempos]
    body = [
        bpm / performance.bpm for tick, bpm in performance.tempos if tick < piece.phrases[-1].first_bar * piece.bars.bar
    ]
    assert max(body) < 1.085
    assert min(body) > 0.92
    assert len({round(bpm, 3) for bpm in tempos}) > 4
    assert tempos[-1] < 0.9 * performance.bpm
    right = [key.velocity for key in performance.keys if key.hand == 0]
    left = [key.velocity for key in performance.keys if key.hand == 1]
    assert max(right) - min(right) >= 15
    assert sum(right) / len(right) > sum(left) / len(left) + 8
    downs = [tick for tick, value in performance.pedal if value]
    assert len(downs) >= len(piece.slots) - 1
    assert performance.pedal[-1] == (piece.end, 0)


def _fingerprint(brief: Brief, seed: int) -> str:
    piece, performance = made(brief, seed)
    return hashlib.sha256(repr((performance, sheet_music(piece, performance))).encode()).hexdigest()


def test_a_seed_decides_everything_and_another_sounds_different() -> None:
    brief = sample(SAMPLES[0])
    prints = {seed: _fingerprint(brief, seed) for seed in range(6)}
    assert prints == {seed: _fingerprint(brief, seed) for seed in range(6)}
    assert len(set(prints.values())) == 6


def test_another_title_is_the_same_music() -> None:
    brief = sample(SAMPLES[0])
    renamed = brief.model_copy(update={"title": "Another *title*"})
    (_piece, one), (_, other) = made(brief, 3), made(renamed, 3)
    assert one == other
    assert r"# Another \*title\*" in sheet_music(compose(request_of(renamed), 3), one)


@pytest.mark.parametrize(
    ("words", "mood"),
    [
        ("calm, gentle", "calm"), ("平静而温柔", "calm"), ("ruhig", "calm"), ("спокойно", "calm"),
        ("Cheerful!", "cheerful"), ("欢快", "cheerful"), ("楽しい", "cheerful"), ("heiter", "cheerful"),
        ("joyeux", "cheerful"),
        ("solemn", "solemn"), ("庄严", "solemn"), ("feierlich", "solemn"), ("厳かな", "solemn"),
        ("dreamy, a little sad", "dreamy"), ("梦幻", "dreamy"), ("träumerisch", "dreamy"), ("rêveur", "dreamy"),
        ("dramatic", "dramatic"), ("激昂", "dramatic"), ("stürmisch", "dramatic"), ("dramático", "dramatic"),
        ("melancholic", "wistful"), ("忧伤", "wistful"), ("грустно", "wistful"), ("حزين", "wistful"),
    ],
)  # fmt: skip
def test_moods_are_known_in_many_languages(words: str, mood: str) -> None:
    assert mood_of(words, minor=False, beats_per_minute=100, beat_is_dotted=False).name == mood


def test_without_a_known_word_key_and_tempo_decide() -> None:
    found = {(minor, bpm): mood_of("qqq", minor, bpm, beat_is_dotted=False).name
             for minor in (False, True) for bpm in (50, 90, 150)}  # fmt: skip
    assert found == {
        (False, 50): "dreamy", (False, 90): "calm", (False, 150): "cheerful",
        (True, 50): "solemn", (True, 90): "wistful", (True, 150): "dramatic",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "sharps", "third"),
    [("A minor", 0, "C"), ("F# minor", 3, "A"), ("Gb major", -6, "B♭"), ("F# major", 6, "A♯"), ("Cb major", -7, "E♭"),
     ("G# major", -4, "B♯"), ("A# minor", 7, "C♯"), ("Eb minor", -6, "G♭"), ("D# minor", 6, "F♯"),
     ("Db minor", 4, "F♭")],
)  # fmt: skip
def test_keys_are_spelled_as_they_are_named(name: str, sharps: int, third: str) -> None:
    key = Key.named(name)
    assert key.sharps == sharps
    assert key.degree_name(2) == third


def test_the_sheet_in_two_languages() -> None:
    piece, performance = made(sample("02-moonlit-river-zh"), 1)
    text = sheet_music(piece, performance)
    assert "降D大调 (D♭ major)" in text
    assert "1=D♭" in text
    assert f"♩ = {performance.bpm:.0f}" in text
    assert text.count("\n| ") == 18 + 2 * 4  # a row a bar, two of headings a section
    unknown = brief_of({"mood": "calm"}, language="sw")
    text = sheet_music(*made(unknown, 1))
    assert "A minor" in text
    assert "Key" not in text
