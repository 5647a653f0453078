"""MIDI and WAV files made by hand, for deliveries to judge: a few bars of a waltz, played by sine tones."""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Sequence
from typing import NamedTuple

MIDI, WAV, SHEET = "composition.mid", "preview.wav", "sheet_music.md"
TICKS = 480


class Tone(NamedTuple):
    """A note: beats (quarters) from the begin, length in beats, pitch, velocity, hand (0 right, 1 left)."""

    beat: float
    length: float
    pitch: int
    velocity: int = 80
    hand: int = 0


def _bar(number: int, bass: int, chord: tuple[int, ...], tune: tuple[int, ...]) -> list[Tone]:
    at = number * 3
    tones = [Tone(at, 3, bass, 70, 1)]
    tones += [Tone(at + beat, 1, pitch, 60, 1) for beat in (1, 2) for pitch in chord]
    return tones + [Tone(at + beat, 1, pitch, 85) for beat, pitch in enumerate(tune)]


WALTZ = [
    *_bar(0, 45, (57, 60), (72, 71, 69)),
    *_bar(1, 50, (53, 57), (74, 77, 74)),
    *_bar(2, 40, (52, 56), (71, 76, 74)),
    *_bar(3, 45, (57, 60), (72, 71, 69)),
]


def _size(value: int) -> bytes:
    """A variable-length quantity."""
    found = bytes([value & 0x7F])
    while value := value >> 7:
        found = bytes([value & 0x7F | 0x80]) + found
    return found


def meta(kind: int, content: bytes) -> bytes:
    """A meta event without its time."""
    return bytes([0xFF, kind]) + _size(len(content)) + content


def tempo(bpm: float) -> bytes:
    """Quarters a minute."""
    return meta(0x51, round(6e7 / bpm).to_bytes(3, "big"))


def track(rows: Sequence[tuple[float, bytes]], ended: bool = True) -> bytes:
    """A track's chunk from events at beats, in this order where beats are equal."""
    content, now = b"", 0
    for beat, event in sorted(rows, key=lambda row: row[0]):
        tick = round(beat * TICKS)
        content += _size(tick - now) + event
        now = tick
    content += _size(0) + meta(0x2F, b"") if ended else b""
    return b"MTrk" + struct.pack(">I", len(content)) + content


def header(tracks: int, kind: int = 1, division: int = TICKS) -> bytes:
    """The file's first chunk."""
    return b"MThd" + struct.pack(">IHHH", 6, kind, tracks, division)


def midi(
    tones: Sequence[Tone] = WALTZ,
    bpm: float = 100,
    meter: tuple[int, int] | None = (3, 4),
    key: tuple[int, bool] | None = (0, True),
    program: int = 0,
    more: Sequence[tuple[float, bytes]] = (),
    channels: tuple[int, int] = (0, 1),
) -> bytes:
    """A file of format 1: conductor with `more` events, right hand, left hand."""
    rows: list[tuple[float, bytes]] = [(0, tempo(bpm))]
    if meter:
        rows.append((0, meta(0x58, bytes([meter[0], int(math.log2(meter[1])), 24, 8]))))
    if key:
        rows.append((0, meta(0x59, struct.pack("bB", key[0], key[1]))))
    chunks = [track([*rows, *more])]
    for hand, channel in enumerate(channels):
        own = [(0.0, bytes([0xC0 | channel, program]))]
        for tone in tones:
            if tone.hand == hand:
                own.append((tone.beat + tone.length, bytes([0x80 | channel, tone.pitch, 0])))
        for tone in tones:
            if tone.hand == hand:
                own.append((tone.beat, bytes([0x90 | channel, tone.pitch, tone.velocity])))
        chunks.append(track(own))
    return header(len(chunks)) + b"".join(chunks)


def sound(
    tones: Sequence[Tone] = WALTZ, seconds: float = 8.5, bpm: float = 100, rate: int = 11025, level: float = 0.5
) -> list[float]:
    """Decaying sine tones, their peak at `level` of full scale; cut or filled with silence to `seconds`."""
    samples = [0.0] * round(seconds * rate)
    for tone in tones:
        begin = round(tone.beat * 60 / bpm * rate)
        end = min(len(samples), begin + round((tone.length * 60 / bpm + 0.6) * rate))
        step = 2 * math.pi * 440 * 2 ** ((tone.pitch - 69) / 12) / rate
        for at in range(begin, end):
            samples[at] += tone.velocity * math.sin((at - begin) * step) * math.exp(-2.5 * (at - begin) / rate)
    top = max(max(samples), -min(samples), 1e-9)
    return [sample * level / top for sample in samples]


def chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a RIFF file, filled up to an even length."""
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def wav(
    samples: Sequence[float],
    rate: int = 11025,
    bits: int = 16,
    channels: int = 1,
    extensible: bool = False,
    before: bytes = b"",
    after: bytes = b"",
) -> bytes:
    """PCM; every channel has the same samples."""
    top = (1 << (bits - 1)) - 1
    whole = array("i", (round(max(-1.0, min(1.0, sample)) * top) for sample in samples))
    width = bits // 8
    if bits == 8:
        data = b"".join(bytes([value + 128]) * channels for value in whole)
    else:
        data = b"".join(value.to_bytes(width, "little", signed=True) * channels for value in whole)
    form = struct.pack("<HHIIHH", 0xFFFE if extensible else 1, channels, rate, rate * channels * width,
                       channels * width, bits)  # fmt: skip
    if extensible:
        guid = bytes.fromhex("0100000000001000800000aa00389b71")
        form += struct.pack("<HHI", 22, bits, 3) + guid
    body = b"WAVE" + chunk(b"fmt ", form) + before + chunk(b"data", data) + after
    return b"RIFF" + struct.pack("<I", len(body)) + body


GOOD_MIDI = midi()
GOOD_SOUND = sound()
GOOD_WAV = wav(GOOD_SOUND)
GOOD_SHEET = b"# Waltz\n\nA minor, 100 beats a minute\n\n| Am | Dm | E7 | Am |\n"

# Arguments as the piano piece's contract gives them, for the four bars above.
ARGS: dict[str, dict[str, object]] = {
    "midi.parses": {"file": MIDI, "longest_note_s": 60},
    "midi.piano_only": {"file": MIDI},
    "midi.tempo": {"file": MIDI, "min": 90, "max": 110, "beat_quarters": 1.0},
    "midi.duration": {"file": MIDI, "min": 7, "max": 8},
    "midi.bars": {"file": MIDI, "bars": 4, "beats": 3, "unit": 4},
    "midi.key": {"file": MIDI, "tonic": 9, "minor": True},
    "midi.playable": {"file": MIDI},
    "audio.decodes": {"file": WAV},
    "audio.duration": {"file": WAV, "midi": MIDI, "after_s": 3},
    "audio.audible": {"file": WAV, "midi": MIDI, "loudness_lufs": -35, "silence_s": 3},
    "audio.not_clipped": {"file": WAV, "true_peak_db": -0.1},
    "audio.matches_midi": {"file": WAV, "midi": MIDI, "minimum": 0.45},
    "text.present": {
        "file": SHEET,
        "needs": [
            {"what": "the key", "any": ["A minor", "a-Moll"]},
            {"what": "the tempo", "number": [90, 110]},
            {"what": "the chords", "chords": 2},
        ],
    },
}

_BOTH = {MIDI: GOOD_MIDI, WAV: GOOD_WAV}
_OTHER = [tone._replace(beat=(tone.beat + 6) % 12, pitch=tone.pitch + 6) for tone in WALTZ]

# Check → the delivery that passes, the delivery that fails, words that the message of the failure must hold.
EXAMPLES: dict[str, tuple[dict[str, bytes], dict[str, bytes], str]] = {
    "midi.parses": ({MIDI: GOOD_MIDI}, {MIDI: GOOD_MIDI[:-9]}, "ends in the middle"),
    "midi.piano_only": ({MIDI: GOOD_MIDI}, {MIDI: midi(program=40)}, "program 41"),
    "midi.tempo": ({MIDI: GOOD_MIDI}, {MIDI: midi(bpm=140)}, "140.0 quarters"),
    "midi.duration": ({MIDI: GOOD_MIDI}, {MIDI: midi(WALTZ[:-9])}, "lasts 5.40 s"),
    "midi.bars": ({MIDI: GOOD_MIDI}, {MIDI: midi(WALTZ[:-8])}, "structure has 4"),
    "midi.key": (
        {MIDI: GOOD_MIDI},
        {MIDI: midi([tone._replace(pitch=tone.pitch + 3) for tone in WALTZ], key=(-3, True))},
        "C minor",
    ),
    "midi.playable": ({MIDI: GOOD_MIDI}, {MIDI: midi([*WALTZ, Tone(12, 1, 109)])}, "not on a piano"),
    "audio.decodes": ({WAV: GOOD_WAV}, {WAV: GOOD_WAV[:-1000]}, "promises"),
    "audio.duration": (_BOTH, {MIDI: GOOD_MIDI, WAV: wav(sound(seconds=11))}, "cut the rest off"),
    "audio.audible": (_BOTH, {MIDI: GOOD_MIDI, WAV: wav([0.0] * 90_000)}, "silent"),
    "audio.not_clipped": ({WAV: GOOD_WAV}, {WAV: wav(sound(level=1.0))}, "dBTP"),
    "audio.matches_midi": (_BOTH, {MIDI: GOOD_MIDI, WAV: wav(sound(_OTHER))}, "does not follow"),
    "text.present": ({SHEET: GOOD_SHEET}, {SHEET: b"# Waltz\n\nPlay it at 100, slowly. Am, Dm\n"}, "the key"),
}
