"""What a piano piece's outputs must satisfy: a pure function of the brief's parameters.

The arguments of each check, as the inspector measures by them:

| check | args |
| --- | --- |
| `files.present` | `required`: list of paths, each a regular file that is not empty |
| `files.safe` | `max_files`, `max_bytes` |
| `midi.parses` | `file`: path of the MIDI file; `longest_note_s`: no note may be longer |
| `midi.piano_only`, `midi.playable` | `file` |
| `midi.tempo` | `file`; `min`, `max`: beats a minute; `beat_quarters`: quarters a beat has |
| `midi.duration` | `file`; `min`, `max`: seconds |
| `midi.bars` | `file`; `bars`; `beats`, `unit`: the time signature's two numbers |
| `midi.key` | `file`; `tonic`: pitch class, 0 for C; `minor` |
| `audio.decodes` | `file`: path of the WAV file |
| `audio.duration` | `file`, `midi`: paths; `after_s`: the most that the recording may be longer |
| `audio.audible` | `file`, `midi`; `loudness_lufs`: the least; `silence_s`: the longest silence inside the piece |
| `audio.not_clipped` | `file`; `true_peak_db`: the most |
| `audio.matches_midi` | `file`, `midi`; `minimum`: correlation of the chromagrams |
| `svg.well_formed`, `svg.safe`, `svg.not_blank` | `file`; only where the engraved score was made |
| `text.present` | `file`; `needs`: list of `{what, any \\| all \\| number \\| chords}`, what the text must name |
"""

from __future__ import annotations

import math

from pydantic import JsonValue

from studio.contract import MAX_FILES, MAX_OUTPUT_BYTES, Check, Contract
from studio.kinds.piano_piece.keys import is_minor, tonic_of, written_forms
from studio.kinds.piano_piece.params import PianoPieceParams, meter_parts

ENTRY = "composition.mid"
RECORDING = "preview.wav"
SHEET = "sheet_music.md"
SCORE = "score.svg"
UNMEASURED = ("prompt", "mood", "whether the music is beautiful")


def required_files() -> list[str]:
    """Every deliverable that must be there, the entry first."""
    return [ENTRY, RECORDING, SHEET]


def _range(low: float, high: float) -> str:
    return f"{low:g}–{high:g}" if low != high else f"{low:g}"


def piano_contract(params: PianoPieceParams) -> Contract:
    """All checks of a brief; the same parameters give the same contract."""
    beats, unit = meter_parts(params.meter)
    bpm, length = params.bpm, params.duration_s
    midi: dict[str, JsonValue] = {"file": ENTRY}
    audio: dict[str, JsonValue] = {"file": RECORDING}
    both: dict[str, JsonValue] = {"file": RECORDING, "midi": ENTRY}
    files: list[JsonValue] = list(required_files())
    speeds: list[JsonValue] = [math.floor(bpm.min), math.ceil(bpm.max * 1.5 if unit == 8 else bpm.max)]
    forms: list[JsonValue] = list(written_forms(params.key))
    needs: list[JsonValue] = [
        {"what": f"the key ({params.key})", "any": forms},
        {"what": "the tempo in beats a minute", "number": speeds},
        {"what": "the chords", "chords": 2},
    ]
    beat = "dotted quarters" if unit == 8 else "quarters"
    checks = (
        Check(
            id="files.present",
            expected=f"there and not empty: {', '.join(required_files())}",
            args={"required": files},
        ),
        Check(
            id="files.safe",
            expected=f"regular files only, at most {MAX_FILES}, {MAX_OUTPUT_BYTES >> 20} MiB together",
            args={"max_files": MAX_FILES, "max_bytes": MAX_OUTPUT_BYTES},
        ),
        Check(
            id="midi.parses",
            expected="a standard MIDI file of format 0 or 1, every note ended",
            args={**midi, "longest_note_s": 60},
        ),
        Check(id="midi.piano_only", expected="programs 1–8 only, nothing on the drum channel", args={**midi}),
        Check(
            id="midi.tempo",
            expected=f"{_range(bpm.min, bpm.max)} {beat} a minute, as the median over time",
            args={**midi, "min": bpm.min, "max": bpm.max, "beat_quarters": params.beat_quarters},
        ),
        Check(
            id="midi.duration",
            expected=f"{_range(length.min, length.max)} s from the first onset to the last release",
            args={**midi, "min": length.min, "max": length.max},
        ),
        Check(
            id="midi.bars",
            expected=f"{params.bars} bars of {params.meter}",
            args={**midi, "bars": params.bars, "beats": beats, "unit": unit},
        ),
        Check(
            id="midi.key",
            expected=f"{params.key} or its relative by the notes, or by key signature and last bass note",
            args={**midi, "tonic": tonic_of(params.key), "minor": is_minor(params.key)},
        ),
        Check(
            id="midi.playable",
            severity="should",
            expected="A0 to C8, at most ten keys at once, each hand's chord within a tenth",
            args={**midi},
        ),
        Check(id="audio.decodes", expected="a WAV file whose header is true to its samples", args={**audio}),
        Check(
            id="audio.duration",
            expected="ends with the MIDI file, or at most 3 s later",
            args={**both, "after_s": 3},
        ),
        Check(
            id="audio.audible",
            expected="at least −35 LUFS, no silence of more than 3 s inside the piece",
            args={**both, "loudness_lufs": -35, "silence_s": 3},
        ),
        Check(
            id="audio.not_clipped", expected="a true peak of at most −0.1 dBTP", args={**audio, "true_peak_db": -0.1}
        ),
        Check(
            id="audio.matches_midi",
            expected="the recording's pitch classes follow the MIDI file's, correlation at least 0.45",
            args={**both, "minimum": 0.45},
        ),
        Check(
            id="text.present",
            severity="should",
            expected=f"{SHEET} names the key, the tempo and the chords",
            args={"file": SHEET, "needs": needs},
        ),
        *_score(),
    )
    return Contract(kind="piano_piece", entry=ENTRY, checks=checks, unmeasured=UNMEASURED)


def _score() -> list[Check]:
    """What is asked of the engraved score, where there is one."""
    expected = {
        "svg.well_formed": "well-formed XML, root svg",
        "svg.safe": "no script, nothing loaded from elsewhere",
        "svg.not_blank": "more than one flat colour",
    }
    return [
        Check(id=name, if_present=SCORE, expected=f"{SCORE}, where there is one: {words}", args={"file": SCORE})
        for name, words in expected.items()
    ]
