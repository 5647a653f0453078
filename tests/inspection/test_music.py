"""Checks of MIDI and sound on what people and programs really write; their limits are in `boundaries/of_pieces.py`."""

from __future__ import annotations

import contextlib
import math
import random

import pytest

from sandbox_image.inspector.midi_music import read_music
from sandbox_image.inspector.subject import Unfit
from studio.contract import Finding
from tests.inspection import music
from tests.inspection.conftest import Judge
from tests.inspection.music import (
    GOOD_SOUND,
    MIDI,
    SHEET,
    WALTZ,
    WAV,
    Tone,
    chunk,
    meta,
    midi,
    sound,
    tempo,
    track,
    wav,
)


def found(judge: Judge, check: str, files: dict[str, bytes], **more: object) -> Finding:
    finding = judge(files, check, **more).checks[0]
    assert finding.verdict != "error", finding.message
    return finding


def passes(judge: Judge, check: str, files: dict[str, bytes], **more: object) -> bool:
    return found(judge, check, files, **more).verdict == "pass"


def test_a_ritardando_may_leave_the_range_but_half_the_piece_may_not(judge: Judge) -> None:
    slows = midi(more=[(9, tempo(60)), (11, tempo(40))])
    assert passes(judge, "midi.tempo", {MIDI: slows})
    assert not passes(judge, "midi.tempo", {MIDI: midi(more=[(5, tempo(60))])})


@pytest.mark.parametrize(("quarters", "good"), [(134, False), (135, True), (165, True), (100, False)])
def test_the_beat_of_six_eight_is_a_dotted_quarter(quarters: float, good: bool, judge: Judge) -> None:
    assert passes(judge, "midi.tempo", {MIDI: midi(bpm=quarters, meter=(6, 8))}, beat_quarters=1.5) is good


def test_duration_begins_with_the_first_note(judge: Judge) -> None:
    late = [tone._replace(beat=tone.beat + 12) for tone in WALTZ]
    assert passes(judge, "midi.duration", {MIDI: midi(late)})
    assert passes(judge, "midi.bars", {MIDI: midi(late)})


RINGING = [*WALTZ, Tone(9, 4.5, 45, 70, 1)]
HELD = [*WALTZ[:-9], Tone(9, 6, 69)]  # a last note through two bars
UPBEAT = [Tone(0, 1, 76), *(tone._replace(beat=tone.beat + 1) for tone in WALTZ)]


@pytest.mark.parametrize(
    ("tones", "bars", "good"),
    [
        (WALTZ, 3, False),
        (WALTZ, 4, True),
        (WALTZ, 5, False),
        (RINGING, 4, True),
        (RINGING, 5, True),
        (RINGING, 6, False),
        (HELD, 5, True),
        (HELD, 3, False),
    ],
)
def test_bars(tones: list[Tone], bars: int, good: bool, judge: Judge) -> None:
    assert passes(judge, "midi.bars", {MIDI: midi(tones)}, bars=bars) is good


def test_an_upbeat_is_a_bar_or_none(judge: Judge) -> None:
    upbeat = [tone._replace(beat=tone.beat + 2) for tone in UPBEAT]
    for bars, good in ((3, False), (4, True), (5, True), (6, False)):
        assert passes(judge, "midi.bars", {MIDI: midi(upbeat)}, bars=bars) is good
    short_first_bar = midi(UPBEAT, meter=(1, 4), more=[(1, meta(0x58, bytes([3, 2, 24, 8])))])
    assert passes(judge, "midi.bars", {MIDI: short_first_bar}, bars=5)


def test_the_meter_is_the_briefs(judge: Judge) -> None:
    finding = found(judge, "midi.bars", {MIDI: midi(meter=(4, 4))}, bars=3)
    assert finding.verdict == "fail"
    assert "4/4" in finding.message
    assert passes(judge, "midi.bars", {MIDI: midi(meter=None)})


def test_the_key_or_its_relative(judge: Judge) -> None:
    in_c = [Tone(beat, 1, pitch) for beat, pitch in enumerate((60, 64, 67, 72, 65, 69, 67, 71, 67, 64, 62, 60))]
    plain = midi(in_c, key=None)
    assert passes(judge, "midi.key", {MIDI: plain}, tonic=0, minor=False)
    assert passes(judge, "midi.key", {MIDI: plain}, tonic=9, minor=True)
    assert not passes(judge, "midi.key", {MIDI: plain}, tonic=7, minor=False)
    assert not passes(judge, "midi.key", {MIDI: plain}, tonic=0, minor=True)


@pytest.mark.parametrize(
    ("sharps", "bass", "good"), [(1, 43, True), (1, 45, False), (0, 43, False), (-11, 43, True), (None, 43, False)]
)
def test_key_signature_and_last_bass_note_together(sharps: int | None, bass: int, good: bool, judge: Judge) -> None:
    """Chromatic notes say no key; G major has one sharp."""
    clusters = [Tone(beat / 2, 0.5, 60 + beat % 12) for beat in range(23)]
    key = None if sharps is None else (sharps, False)
    found_key = found(judge, "midi.key", {MIDI: midi([*clusters, Tone(11.5, 0.5, bass, 70, 1)], key=key)},
                      tonic=7, minor=False)  # fmt: skip
    by_notes = "G major" in str(found_key.measured) or "E minor" in str(found_key.measured)
    assert not by_notes
    assert (found_key.verdict == "pass") is good


def chord(*pitches: int, hand: int = 1) -> list[Tone]:
    return [*WALTZ, *(Tone(12, 1, pitch, 70, hand) for pitch in pitches)]


@pytest.mark.parametrize(
    ("tones", "good"),
    [
        (chord(45, 52, 61), True),  # a major tenth
        (chord(45, 52, 62), True),  # wider as written, but two hands can take it
        (chord(36, 53, 70), False),
        ([*WALTZ, *(Tone(12 + at / 8, 2, 40 + 12 * at, 70, 1) for at in range(4))], True),  # rolled
    ],
)
def test_playable(tones: list[Tone], good: bool, judge: Judge) -> None:
    assert passes(judge, "midi.playable", {MIDI: midi(tones)}) is good


ON, OFF = bytes([0x92, 60, 80]), bytes([0x82, 60, 0])
PLAIN = music.header(1, 0) + track([(0, ON), (1, OFF)])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (music.header(1, 0) + track([(0, ON), (1, bytes([0x92, 60, 0]))]), ""),  # velocity 0 ends a note
        (music.header(1, 0) + track([(0, ON + b"\x01\x40\x50"), (1, OFF + b"\0\x40\0")]), ""),  # running status
        (music.header(1, 0) + b"XFIH\0\0\0\2ab" + PLAIN[14:], ""),  # an unknown chunk
        (music.header(1, 0) + track([(0, ON), (2, bytes([0xB2, 123, 0]))]), ""),  # all notes off
        (music.header(1, 0) + track([(0, ON)]), "never off"),
        (music.header(1, 0) + track([(0, ON), (1, ON), (2, OFF)]), "never off"),
        (music.header(1, 0) + track([]), "no note"),
        (music.header(1, 0) + track([(0, ON), (1, OFF)], ended=False), "end-of-track"),
        (music.header(2, 1) + PLAIN[14:], "promises 2 tracks"),
        (music.header(1, 1) + PLAIN[14:] + PLAIN[14:], "promises 1 tracks"),
        (music.header(1, 2) + PLAIN[14:], "format 2"),
        (music.header(1, 0, 0xE728) + PLAIN[14:], "frames"),
        (music.header(1, 0) + track([(0, ON), (400_000, OFF)]), "an hour"),
        (music.header(1, 0) + track([(0, ON), (140, OFF)]), "longer than a piano sounds"),
        (music.header(1, 0) + track([(0, meta(0x51, b"\0\0\0")), (0, ON), (1, OFF)]), "nobody plays"),
        (music.header(1, 0) + track([(0, ON), (0, b"\x90\x85\x10"), (1, OFF)]), "cut short"),
        (music.header(1, 0) + b"MTrk\0\0\0\x0b\xff\xff\xff\xff\x7f\x92\x3c\x50\0\xff\x2f", "four bytes"),
        (b"RIFF" + PLAIN, "MThd"),
    ],
)
def test_what_a_midi_file_may_be(content: bytes, words: str, judge: Judge) -> None:
    finding = found(judge, "midi.parses", {MIDI: content})
    assert (finding.verdict == "pass") is (not words), finding.message
    assert words in finding.message


def test_broken_midi_files_never_break_the_reader() -> None:
    rng = random.Random(7)
    for _ in range(1500):
        broken = bytearray(music.GOOD_MIDI)
        for _ in range(rng.randint(1, 12)):
            broken[rng.randrange(len(broken))] = rng.randrange(256)
        with contextlib.suppress(Unfit):
            assert read_music(MIDI, bytes(broken[: rng.randint(0, len(broken))])).score.end_tick >= 0


TAIL = chunk(b"LIST", b"INFOINAM\6\0\0\0March\0")


@pytest.mark.parametrize(
    "content",
    [
        wav(GOOD_SOUND, bits=24),
        wav(GOOD_SOUND, bits=24, extensible=True, channels=2),
        wav(GOOD_SOUND, bits=8),
        wav(GOOD_SOUND, bits=32),
        wav(GOOD_SOUND, before=TAIL),
        wav(GOOD_SOUND, after=TAIL),
        wav(GOOD_SOUND[:-1], bits=8, after=TAIL),  # an odd length, filled up
    ],
)
def test_sound_files_of_many_kinds(content: bytes, judge: Judge) -> None:
    report = judge({MIDI: midi(), WAV: content}, "audio.decodes", "audio.audible", "audio.matches_midi")
    assert [finding.verdict for finding in report.checks] == ["pass"] * 3, report.checks


def _with(at: int, content: bytes) -> bytes:
    return music.GOOD_WAV[:at] + content + music.GOOD_WAV[at + len(content) :]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (music.GOOD_WAV[44:], "RIFF"),
        (_with(4, b"\xff\xff\xff\xff"), "header promises"),
        (_with(40, b"\xff\xff\xff\xff"), "promises"),
        (_with(40, b"\0\0\0\0"), "promises"),
        (wav([]), "no samples"),
        (music.GOOD_WAV + b"more", "header promises"),
        (_with(20, b"\x55\0"), "PCM"),  # MP3 in a WAV file
        (_with(22, b"\2\0"), "do not fit"),
        (_with(24, b"\0\0\0\0"), "0 Hz"),
        (b"RF64" + music.GOOD_WAV[4:], "RF64"),
        (b"RIFF", "RIFF"),
        (wav(GOOD_SOUND, before=chunk(b"LIST", b"x")), "LIST"),
    ],
)
def test_headers_that_lie(content: bytes, words: str, judge: Judge) -> None:
    finding = found(judge, "audio.decodes", {WAV: content})
    assert finding.verdict == "fail"
    assert words in finding.message


def test_a_recording_that_stops_halfway_is_silent_inside(judge: Judge) -> None:
    assert not passes(judge, "audio.audible", {MIDI: midi(), WAV: wav(sound(seconds=3.5))})


def test_a_peak_between_the_samples(judge: Judge) -> None:
    """A quarter of the sampling rate, an eighth of a turn late: samples reach 0.78, the curve between them 1.1."""
    tone = [1.1 * math.sin(math.pi / 2 * at + math.pi / 4) for at in range(22050)]
    assert max(tone) < 0.79
    finding = found(judge, "audio.not_clipped", {WAV: wav(tone, rate=44100)})
    assert finding.verdict == "fail"
    assert finding.measured == pytest.approx(20 * math.log10(1.1), abs=0.3)


def test_a_recording_of_another_piece_in_the_same_key(judge: Judge) -> None:
    order = [9, 0, 6, 3]
    other = [tone._replace(beat=order[int(tone.beat // 3)] + tone.beat % 3) for tone in WALTZ]
    assert not passes(judge, "audio.matches_midi", {MIDI: midi(), WAV: wav(sound(other))})


def test_a_recording_that_begins_a_little_late(judge: Judge) -> None:
    late = [0.0] * 4000 + list(GOOD_SOUND[:-4000])
    assert passes(judge, "audio.matches_midi", {MIDI: midi(), WAV: wav(late)})


@pytest.mark.parametrize(
    ("sheet", "good"),
    [
        ("a minor · 100 · Am Dm", True),
        ("A MINOR, ♩ = 90, Am – E7/G♯", True),
        ("a-Moll; Tempo 110,0; Am, F♯m7♭5", True),
        ("A minor, 89, Am Dm", False),
        ("A minor, 100, Am Am Am", False),
        ("A piece in a minor key at 100. Play it softly.", False),
    ],
)
def test_the_sheet_names_key_tempo_and_chords(sheet: str, good: bool, judge: Judge) -> None:
    assert passes(judge, "text.present", {SHEET: sheet.encode()}) is good
