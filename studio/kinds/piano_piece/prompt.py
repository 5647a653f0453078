"""What a model is told about a piano brief."""

from __future__ import annotations

from studio.brief import Brief
from studio.kinds.piano_piece.contract import required_files
from studio.kinds.piano_piece.params import PianoPieceParams

TEMPLATE = """\
Compose a piece for piano. The whole brief is in /testbed/input/brief.json (its `params`), attachments lie beside it, \
documents in /testbed/documents; /testbed/input/run.json holds a `seed` for choices that may vary.

What the person wants, in their own words:
{wish}

Mood: {mood}. Key: {key}. Meter: {meter}. Tempo: {low:g}–{high:g} {beat} a minute. Length: {shortest:g}–{longest:g} s \
from the first onset to the last release. Form: {form}; {bars} bars. Language of the sheet (BCP 47): {language}.

Deliver to /testbed/output: {files}
- composition.mid: format 1, the right hand and the left in tracks of their own, with time signature, key signature \
and tempo events; piano only; every note ended.
- preview.wav: that file rendered by FluidSynth, about −18 LUFS, true peak at most −1 dB, the last chord fading out \
within 2.5 s of the MIDI file's end.
- sheet_music.md: key, tempo, form, the chord of each bar, the melody in note names and in numbered notation (简谱).
- If you can, score.svg, engraved by Verovio (with score.musicxml): two staves, key, meter, tempo, dynamics, slurs; \
notes spelled by the key, eighths beamed by the beat.

How it is judged, by programs in a clean sandbox:
{checks}

What good sounds like: the form is heard. The intro states a motif, the theme's question and answer (four bars each) \
vary it by sequence, inversion or rhythm, the outro brings it home with V–I or iv–i and a last chord that rings. \
Harmony with functions and voice leading: common tones kept, no parallel fifths or octaves between melody and bass, \
inversions for a singing bass, leading tones resolved. A melody within a tenth, mostly steps, one high point a phrase, \
chord tones on strong beats. Hands within a tenth. The mood decides register, pace, touch, colour (calm: low motion, \
sevenths; cheerful: high, light, secondary dominants; solemn: low, four parts, borrowed chords; dreamy: high waves, \
Lydian or Dorian, full pedal; dramatic: deep octaves, Neapolitan, wide dynamics), one texture each: song, dance, \
chorale, ostinato. A performance, not a grid: phrases swell and fade, accents follow the meter, rubato within 4 % at \
their ends, CC 64 changes with the harmony, the end slows down. Beyond that, surprise us.

Read brief.json instead of copying its values. Python with mido, midiutil, verovio, NumPy, SciPy and pyloudnorm are \
installed, and FluidSynth with a good piano in /usr/share/sounds/sf3/default-GM.sf3; `cat /opt/studio/README` says \
what else. You cannot hear it: measure (key, range, parallels, onsets a second, loudness) before you submit; \
`studio-check` runs the same checks on your outputs.
"""


def piano_prompt(brief: Brief, params: PianoPieceParams, checks: list[tuple[str, str]]) -> str:
    """The task in words; `checks` are pairs of a check's id and what it expects."""
    return TEMPLATE.format(
        wish=brief.prompt.strip() or "(nothing further; the parameters say it all)",
        mood=params.mood or "as key and tempo suggest",
        key=params.key,
        meter=params.meter,
        low=params.bpm.min,
        high=params.bpm.max,
        beat="dotted quarters" if params.beat_quarters == 1.5 else "quarters",
        shortest=params.duration_s.min,
        longest=params.duration_s.max,
        form=", ".join(f"{section.name} ({section.bars} bars)" for section in params.structure),
        bars=params.bars,
        language=brief.language,
        files=", ".join(required_files()),
        checks="\n".join(f"- {name}: {expected}" for name, expected in checks),
    )
