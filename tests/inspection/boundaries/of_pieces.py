"""Limits of checks of MIDI files and recordings."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from tests.inspection import music
from tests.inspection.boundaries.boundary import Boundary, Files, Side
from tests.inspection.music import ARGS, GOOD_MIDI, MIDI, WALTZ, WAV, Tone, midi, wav

RATE = 8000


def piece(tones: Sequence[Tone] = WALTZ, **more: object) -> Files:
    """A MIDI file."""
    return {MIDI: midi(tones, **more)}  # type: ignore[arg-type]


def struck(*pitches: int, right: Sequence[int] = ()) -> Files:
    """The waltz, and a chord after it: the left hand's and the right hand's keys."""
    tones = [Tone(12, 1, pitch, 70, 1) for pitch in pitches] + [Tone(12, 1, pitch) for pitch in right]
    return piece([*WALTZ, *tones])


def tone(peak: float, seconds: float = 8.0, rate: int = RATE, silent: tuple[float, float] = (0, 0)) -> Files:
    """A sine of 997 Hz with so high a peak, silent between two times; beside it the waltz as a MIDI file of 7.2 s."""
    samples = [peak * math.sin(2 * math.pi * 997 * at / rate) for at in range(round(seconds * rate))]
    begin, end = (round(at * rate) for at in silent)
    samples[begin:end] = [0.0] * (end - begin)
    return {MIDI: GOOD_MIDI, WAV: wav(samples, rate=rate, bits=24)}


def loud(lufs: float) -> Files:
    """A tone of this loudness: a sine of 997 Hz at full scale in one channel has −3.01 LUFS (ITU-R BS.1770-4)."""
    return tone(10 ** ((lufs + 3.01) / 20), 2.0, 44100)


def lasting(seconds: float) -> Files:
    """A recording of this length."""
    return {MIDI: GOOD_MIDI, WAV: wav([0.1] * round(seconds * RATE), rate=RATE)}


def mixed(share: float) -> Files:
    """The waltz with so much of another piece in it."""
    other = [each._replace(beat=(each.beat + 6) % 12, pitch=each.pitch + 6) for each in WALTZ]
    both = zip(music.GOOD_SOUND, music.sound(other), strict=True)
    return {MIDI: GOOD_MIDI, WAV: wav([(1 - share) * own + share * strange for own, strange in both])}


def tune() -> list[Tone]:
    """Forty notes of A minor that do not come back in the same order."""
    draw, scale = random.Random(4), (57, 59, 60, 62, 64, 65, 67, 69, 71, 72, 74, 76)
    return [Tone(beat, 1, draw.choice(scale)) for beat in range(40)]


def faster(speed: float) -> Files:
    """A tune played faster than it is written."""
    return {MIDI: midi(tune()), WAV: wav(music.sound(tune(), seconds=24.5, bpm=100 * speed, rate=RATE), rate=RATE)}


def dwelling(strange: float) -> Files:
    """A bar of A minor, five of its dominant, and A minor again; so many beats of D♯ in 83."""
    bars = [(57, 60, 64), *[(52, 56, 59, 62)] * 5, (45, 57, 60, 64)]
    tones = [Tone(3 * bar, 3, pitch, 70, int(pitch < 60)) for bar, chord in enumerate(bars) for pitch in chord]
    return piece([*tones, Tone(9, strange, 63)], key=None)


CLUSTERS = [Tone(beat / 2, 0.5, 60 + beat % 12) for beat in range(23)]
RINGING = [*WALTZ, Tone(9, 4.5, 45, 70, 1)]
ENOUGH = {"file": WAV, "loudness_lufs": -50}

BOUNDARIES = [
    Boundary(
        "midi.parses", "no note longer than 60 s",
        Side("60 s", piece([*WALTZ, Tone(12, 100, 60)])), Side("60.6 s", piece([*WALTZ, Tone(12, 101, 60)])),
        ("A note of 61 s at 7.2 s", "end it sooner"), ARGS["midi.parses"], "time",
    ),
    Boundary(
        "midi.parses", "every note ended",
        Side("ended", piece()), Side("one is not", piece(more=[(6, bytes([0x90, 60, 80]))])),
        ("1 note is switched on and never off, the first at 3.6 s", "give each note its note-off"),
        ARGS["midi.parses"], "time",
    ),
    Boundary(
        "midi.piano_only", "programs 1 to 8",
        Side("program 8", piece(program=7)), Side("program 9", piece(program=8)),
        ("has program 9; use 1 to 8",), ARGS["midi.piano_only"], "time",
    ),
    Boundary(
        "midi.piano_only", "nothing on channel 10",
        Side("channel 9", piece(channels=(0, 8))), Side("channel 10", piece(channels=(0, 9))),
        ("notes are on channel 10, the drums; move",), ARGS["midi.piano_only"], "time",
    ),
    Boundary(
        "midi.tempo", "at most 110 (and 0.1 %: 110.11) a minute",
        Side("110.10", piece(bpm=110.10)), Side("110.12", piece(bpm=110.12)),
        ("The tempo is 110.1 quarters a minute; bring it into 90–110",), ARGS["midi.tempo"], "time",
    ),
    Boundary(
        "midi.tempo", "at least 90 (less 0.1 %: 89.91) a minute",
        Side("89.92", piece(bpm=89.92)), Side("89.90", piece(bpm=89.90)),
        ("The tempo is 89.9 quarters a minute; bring it into 90–110",), ARGS["midi.tempo"], "time",
    ),
    Boundary(
        "midi.tempo", "more than half of the time in the range",
        Side("51 % at 100", piece(bpm=120, more=[(5.4, music.tempo(100)), (12, music.tempo(100))])),
        Side("49 % at 100", piece(bpm=120, more=[(6.6, music.tempo(100)), (12, music.tempo(100))])),
        ("The tempo is 120.0 quarters a minute",), ARGS["midi.tempo"], "time",
    ),
    Boundary(
        "midi.duration", "at least its minimum less 0.05 s",
        Side("7.20 of 7.24 s", piece(), {"min": 7.24}), Side("7.20 of 7.26 s", piece(), {"min": 7.26}),
        ("lasts 7.20 s; make it 7.26 to 8 s long",), ARGS["midi.duration"], "time",
    ),
    Boundary(
        "midi.duration", "at most its maximum and 0.05 s",
        Side("7.20 of 7.16 s", piece(), {"max": 7.16}), Side("7.20 of 7.14 s", piece(), {"max": 7.14}),
        ("lasts 7.20 s; make it 7 to 7.14 s long",), ARGS["midi.duration"], "time",
    ),
    Boundary(
        "midi.bars", "the structure's number",
        Side("4 of 4", piece()), Side("4 of 5", piece(), {"bars": 5}),
        ("There are 4 bars of 3/4; the brief's structure has 5: write 1 more",), ARGS["midi.bars"], "time",
    ),
    Boundary(
        "midi.bars", "the last bar by onset or by release",
        Side("a last note through bar 5 of 5", piece(RINGING), {"bars": 5}),
        Side("bar 5 of 3", piece(RINGING), {"bars": 3}),
        ("There are 5 bars of 3/4; the brief's structure has 3: leave out 2",), ARGS["midi.bars"], "time",
    ),
    Boundary(
        "midi.bars", "the brief's meter",
        Side("3/4", piece()), Side("6/8", piece(meter=(6, 8))),
        ("The time signature is 6/8; write the piece in 3/4",), ARGS["midi.bars"], "time",
    ),
    Boundary(
        "midi.key", "the key's signature and its tonic in the last bass",
        Side("1 sharp, G", piece([*CLUSTERS, Tone(11.5, 0.5, 43, 70, 1)], key=(1, False))),
        Side("1 sharp, A", piece([*CLUSTERS, Tone(11.5, 0.5, 45, 70, 1)], key=(1, False))),
        ("write the piece in G major", "is the first outside of it"), {**ARGS["midi.key"], "tonic": 7, "minor": False},
        "time",
    ),
    Boundary(
        "midi.key", "3 % of durations outside of the scale of a close",
        Side("2.4 of 83.4 beats", dwelling(2.4)), Side("2.7 of 83.7 beats", dwelling(2.7)),
        ("write the piece in A minor", "D♯/E♭4 at 5.4 s"), ARGS["midi.key"], "time",
    ),
    Boundary(
        "midi.playable", "from A0, pitch 21",
        Side("21", struck(21, 33)), Side("20", struck(20, 33)),
        ("Pitch 20 at 7.2 s is not on a piano (21 to 108); move it",), ARGS["midi.playable"], "time",
    ),
    Boundary(
        "midi.playable", "up to C8, pitch 108",
        Side("108", struck(right=(96, 108))), Side("109", struck(right=(96, 109))),
        ("Pitch 109 at 7.2 s is not on a piano (21 to 108); move it",), ARGS["midi.playable"], "time",
    ),
    Boundary(
        "midi.playable", "at most 10 keys at once",
        Side("10", struck(48, 49, 50, 51, 52, right=(72, 73, 74, 75, 76))),
        Side("11", struck(48, 49, 50, 51, 52, 53, right=(72, 73, 74, 75, 76))),
        ("11 keys are down at 7.2 s", "at most 10; leave some out"), ARGS["midi.playable"], "time",
    ),
    Boundary(
        "midi.playable", "a hand reaches a major tenth, 16 semitones",
        Side("16", struck(36, 52, right=(84, 100))), Side("17", struck(36, 53, right=(84, 101))),
        ("A hand must reach 17 semitones at 7.2 s, a tenth is 16; move a note",), ARGS["midi.playable"], "time",
    ),
    Boundary(
        "audio.decodes", "as many bytes as the header promises",
        Side("all", lasting(1)), Side("one less", {WAV: wav([0.1] * RATE, rate=RATE)[:-1]}),
        ("the data chunk promises 16,000 bytes and 15,999 are there; write the header after",), ARGS["audio.decodes"],
    ),
    Boundary(
        "audio.duration", "ends 3 s (and 0.15 s) after the MIDI file's 7.2 s",
        Side("10.34 s", lasting(10.34)), Side("10.36 s", lasting(10.36)),
        ("lasts 10.36 s and composition.mid ends at 7.20 s; cut the rest off",), ARGS["audio.duration"], "time",
    ),
    Boundary(
        "audio.duration", "ends 0.3 s before the last release at the earliest",
        Side("6.91 s", lasting(6.91)), Side("6.89 s", lasting(6.89)),
        ("lasts 6.89 s and composition.mid ends at 7.20 s; render it to its end",), ARGS["audio.duration"], "time",
    ),
    Boundary(
        "audio.audible", "at least −35 LUFS",
        Side("−34.9 LUFS", loud(-34.9)), Side("−35.1 LUFS", loud(-35.1)),
        ("is -35.1 LUFS; raise it",), {**ENOUGH, "loudness_lufs": -35},
    ),
    Boundary(
        "audio.audible", "at least −50 LUFS in an open work",
        Side("−49.9 LUFS", loud(-49.9)), Side("−50.1 LUFS", loud(-50.1)),
        ("is -50.1 LUFS; raise it",), ENOUGH,
    ),
    Boundary(
        "audio.audible", "no silence of more than 3 s inside the piece",
        Side("3.00 s", tone(0.3, silent=(2, 5))), Side("3.05 s", tone(0.3, silent=(2, 5.05))),
        ("is silent for 3.05 s from 2.0 s on; let the piece sound",), ARGS["audio.audible"], "time",
    ),
    Boundary(
        "audio.not_clipped", "a true peak of at most −0.1 dBTP",
        Side("−0.12 dB", tone(10 ** (-0.12 / 20), 1.0, 44100)), Side("−0.08 dB", tone(10 ** (-0.08 / 20), 1.0, 44100)),
        ("dBTP; lower it to −1 dBTP",), ARGS["audio.not_clipped"], "time",
    ),
    Boundary(
        "audio.matches_midi", "a correlation of at least 0.45",
        Side("53 % of another piece", mixed(0.53)), Side("55 % of it", mixed(0.55)),
        ("does not follow composition.mid (correlation 0.4", "render it from that file"), ARGS["audio.matches_midi"],
        "time",
    ),
    Boundary(
        "audio.matches_midi", "at most 3.9 % faster or slower",
        Side("3 % faster", faster(1.03)), Side("6 % faster", faster(1.06)),
        ("plays about 1.06 times as fast", "render it from that file"), ARGS["audio.matches_midi"], "time",
    ),
]  # fmt: skip
