"""Piano pieces as notation programs, sequencers and models write them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from studio.brief import Brief
from studio.sandboxes.types import Sandbox
from tests.inspection.cases.case import Case, Files
from tests.inspection.music import MIDI, SHEET, WAV, Tone, chunk, header, meta, midi, sound, tempo, track, wav

RATE = 11025
_BASS = ((45, (57, 60, 64)), (50, (57, 62, 65)), (40, (56, 59, 64)), (45, (57, 60, 64)),
         (41, (57, 60, 65)), (50, (57, 62, 65)), (40, (56, 59, 62)), (45, (57, 60, 64)))  # fmt: skip
_TUNE = ((76, 74, 72), (77, 76, 74), (76, 74, 71), (72, 71, 69), (69, 72, 77), (77, 74, 72), (71, 74, 71), (69,) * 3)


def _piece(shift: int = 0, order: Sequence[int] = range(8)) -> list[Tone]:
    """Eight bars in A minor."""
    tones = []
    for place, bar in enumerate(order):
        (bass, chord), at = _BASS[bar], 3 * place
        tones.append(Tone(at, 3, bass + shift, 70, 1))
        tones += [Tone(at + beat, 1, pitch + shift, 55, 1) for beat in (1, 2) for pitch in chord]
        tones += [Tone(at + beat, 1, pitch + shift, 85) for beat, pitch in enumerate(_TUNE[bar])]
    return tones


PIECE = _piece()
PLAIN = midi(PIECE)
_sounds: dict[str, list[float]] = {}


def _sound(name: str = "", tones: Sequence[Tone] = PIECE, seconds: float = 16.0) -> list[float]:
    """The piece as sine tones; made once."""
    if name not in _sounds:
        _sounds[name] = sound(tones, seconds, rate=RATE)
    return _sounds[name]


def brief(**params: object) -> Brief:
    """Eight bars of a waltz."""
    asked = {
        "key": "A minor",
        "meter": "3/4",
        "bpm": {"min": 90, "max": 110},
        "duration_s": {"min": 12, "max": 17},
        "structure": [{"name": "A", "bars": 8}],
    }
    return Brief(kind="piano_piece", title="Waltz", params={**asked, **params})


def _case(
    name: str, verdict: str, how: str, file: bytes = PLAIN, recording: bytes | None = None, fails: str = "",
    quick: bool = False, asked: Brief | None = None, sheet: str = "",
) -> Case:  # fmt: skip
    text = sheet or "# Waltz\n\nA minor, 100 beats a minute\n\n| Am | Dm | E7 | Am | F | Dm | E7 | Am |\n"

    def make(darkroom: Sandbox) -> Files:
        return {MIDI: file, WAV: wav(_sound()) if recording is None else recording, SHEET: text}

    return Case(name, verdict, how, asked or brief(), make, tuple(fails.split()), quick)  # type: ignore[arg-type]


def _one_track(tones: Sequence[Tone], ended: bool = True, more: Sequence[tuple[float, bytes]] = ()) -> bytes:
    """Format 0, all on one channel, so that both hands switch the same keys."""
    rows = [(0.0, tempo(100)), (0.0, meta(0x58, bytes([3, 2, 24, 8]))), (0.0, meta(0x59, b"\0\1"))]
    rows += [(tone.beat + tone.length, bytes([0x80, tone.pitch, 0])) for tone in tones]
    rows += [(tone.beat, bytes([0x90, tone.pitch, tone.velocity])) for tone in tones]
    return header(1, 0) + track([*rows, *more], ended)


def _floats(samples: Sequence[float]) -> bytes:
    form = struct.pack("<HHIIHHH", 3, 1, RATE, RATE * 4, 4, 32, 0)
    body = b"WAVE" + chunk(b"fmt ", form) + chunk(b"fact", struct.pack("<I", len(samples)))
    body += chunk(b"data", struct.pack(f"<{len(samples)}f", *samples))
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _stereo(left: Sequence[float], right: Sequence[float]) -> bytes:
    values = [round(32767 * sample) for pair in zip(left, right, strict=True) for sample in pair]
    form = struct.pack("<HHIIHH", 1, 2, RATE, RATE * 4, 4, 16)
    body = b"WAVE" + chunk(b"fmt ", form) + chunk(b"data", struct.pack(f"<{len(values)}h", *values))
    return b"RIFF" + struct.pack("<I", len(body)) + body


def _at_speed(speed: float) -> bytes:
    """The piece at a tempo of its own, and two seconds of silence, so that it is about as long as it should be."""
    return wav(_sound(f"at {speed}", [t._replace(beat=t.beat / speed, length=t.length / speed) for t in PIECE], 16.0))


def _late(seconds: float) -> bytes:
    return wav(([0.0] * round(seconds * RATE) + _sound())[: round(16.5 * RATE)])


def _unknown_length() -> bytes:
    whole = wav(_sound())
    return whole[:4] + b"\xff" * 4 + whole[8:40] + b"\xff" * 4 + whole[44:]


UPBEAT = midi([Tone(0, 1, 76), *(tone._replace(beat=tone.beat + 1) for tone in PIECE)], meter=(1, 4),
              more=[(1, meta(0x58, bytes([3, 2, 24, 8])))])  # fmt: skip
SIX_EIGHT = brief(meter="6/8", duration_s={"min": 8, "max": 14.5})
WAVERING = [(1.5 * step, tempo(100 + 5 * (step % 3 - 1))) for step in range(14)]
SLOWING = midi(PIECE, more=[*WAVERING, (21, tempo(80)), (22, tempo(65)), (23, tempo(50))])
CHORD = midi([*PIECE, *(Tone(21, 3, pitch, 50, int(pitch < 60)) for pitch in (33, 36, 40, 43, 48, 52, 67, 72, 76, 84))])
DWELLING = _piece(order=(0, 2, 2, 2, 6, 2, 2, 7))
CLOSES_ELSEWHERE = _piece(order=(0, 2, 2, 2, 6, 2, 2, 2))
OTHER_KEYS = _piece(order=(3, 6, 1, 4, 7, 2, 5, 0))

CASES = [
    _case("both hands on one channel", "accept", "format 0, equal pitches of both hands meet", _one_track(PIECE),
          quick=True),
    _case("sung and described", "accept", "system exclusive, lyrics, track names in UTF-8", midi(PIECE, more=[
        (0, b"\xf0\x05\x7e\x7f\x09\x01\xf7"), (0, meta(3, "夜曲 – Вальс".encode())), (3, meta(5, b"la"))])),
    _case("rubato and a ritardando", "accept", "a tempo event every other beat", SLOWING,
          wav(_sound("slowing", PIECE, 16.5))),
    _case("an upbeat in a bar of its own", "accept", "1/4, then 3/4: as notation programs write it", UPBEAT,
          wav(_sound("upbeat", [Tone(0, 1, 76), *(t._replace(beat=t.beat + 1) for t in PIECE)], 16.5)), quick=True),
    _case("notes of no length", "accept", "a key that is struck and let go at the same tick", _one_track(PIECE, more=[
        (b, bytes([s, 88, 40])) for b in range(2, 20, 3) for s in (0x90, 0x80)])),
    _case("no key signature", "accept", "a sequencer writes none", midi(PIECE, key=None)),
    _case("eleven keys at once", "accept", "a last chord over both pedals", CHORD, fails="midi.playable"),
    _case("a harpsichord", "accept", "program 7 of General MIDI is among the pianos", midi(PIECE, program=6)),
    _case("six bars of its dominant", "accept", "no key signature; the notes lean to E, the close says A",
          midi(DWELLING, key=None), wav(_sound("dwelling", DWELLING)), quick=True),
    _case("a recording a hair too slow", "accept", "a sampler's clock, 2 % off", recording=_at_speed(0.98)),
    _case("samples as floats", "accept", "written by soundfile or scipy without a cast", recording=_floats(_sound())),
    _case("a second of silence first", "accept", "a recording begins before the player does", recording=_late(1.0),
          quick=True),
    _case("one channel turned over", "accept", "a widening effect; the sum of both is silent",
          recording=_stereo(_sound(), [-sample for sample in _sound()])),
    _case("a recording with an offset", "accept", "a cheap sound card", recording=wav([s + 0.04 for s in _sound()])),
    _case("a sheet without tempo", "accept", "only key and chords are told", fails="text.present",
          sheet="# Waltz\n\nA minor\n\n| Am | Dm | E7 |\n"),
    _case("four seconds of silence first", "reject", "the count-in was rendered too", recording=_late(4.0),
          fails="audio.audible"),
    _case("no end of the track", "reject", "bytes written by hand, the last event forgotten",
          _one_track(PIECE, ended=False), fails="midi.parses"),
    _case("twice as fast, twice as long", "reject", "200 a minute in half notes for 100 in quarters",
          midi([tone._replace(beat=2 * tone.beat, length=2 * tone.length) for tone in PIECE], bpm=200),
          fails="midi.tempo"),
    _case("quarters for dotted quarters", "reject", "6/8 at 100 quarters is 67 beats", midi(PIECE, meter=(6, 8)),
          fails="midi.tempo", asked=SIX_EIGHT),
    _case("a semitone up", "reject", "transposed for a singer", midi(_piece(1), key=(-5, True)), fails="midi.key"),
    _case("strings that never play", "reject", "a program change left by the template",
          midi(PIECE, more=[(0, bytes([0xC5, 48]))]), fails="midi.piano_only"),
    _case("a bar too few", "reject", "seven bars of eight", midi(_piece(order=range(7))),
          wav(_sound("seven", _piece(order=range(7)), 14.0)), fails="midi.bars"),
    _case("the bars in another order", "reject", "rendered before the form was changed",
          recording=wav(_sound("order", OTHER_KEYS)), fails="audio.matches_midi", quick=True),
    _case("a length that was never known", "reject", "ffmpeg wrote the header into a pipe",
          recording=_unknown_length(), fails="audio.decodes"),
    _case("a recording at the draft's tempo", "reject", "7 % faster, silence to the full length",
          recording=_at_speed(1.07), fails="audio.matches_midi", quick=True),
    _case("it never comes home", "reject", "six bars of the dominant, and the last one too",
          midi(CLOSES_ELSEWHERE, key=None), wav(_sound("elsewhere", CLOSES_ELSEWHERE)), fails="midi.key"),
    _case("too loud", "reject", "a gain of four, cut at full scale",
          recording=wav([max(-1.0, min(1.0, 4 * sample)) for sample in _sound()]), fails="audio.not_clipped"),
    _case("a recording that stops halfway", "reject", "the renderer ran out of time, the rest is zeros",
          recording=wav(_sound()[: 7 * RATE] + [0.0] * (9 * RATE)), fails="audio.audible"),
]  # fmt: skip
