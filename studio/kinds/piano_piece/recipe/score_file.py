"""Writes the performance as a MIDI file of format 1: conductor, right hand, left hand."""

from __future__ import annotations

from pathlib import Path

import mido

from .performance import Performance
from .piece import QUARTER, Piece


def write_midi(path: Path, piece: Piece, performance: Performance, rest_s: float = 0.0) -> None:
    """Write the file; `rest_s` seconds of silence are added at its end, for a renderer to let the last chord fade."""
    file = mido.MidiFile(type=1, ticks_per_beat=QUARTER, charset="utf-8")
    end = performance.end + round(rest_s * performance.tempos[-1][1] / 60 * piece.bars.beat)
    file.tracks = [_conductor(piece, performance, end)]
    for hand, name in enumerate(("Right hand", "Left hand")):
        file.tracks.append(_hand(performance, hand, name, end))
    file.save(path)


def _conductor(piece: Piece, performance: Performance, end: int) -> mido.MidiTrack:
    number, unit = (int(part) for part in piece.request.meter.split("/"))
    rows: list[tuple[int, mido.MetaMessage]] = [
        (0, mido.MetaMessage("track_name", name=piece.request.title)),
        (
            0,
            mido.MetaMessage(
                "time_signature",
                numerator=number,
                denominator=unit,
                clocks_per_click=piece.bars.beat * 24 // QUARTER,
                notated_32nd_notes_per_beat=8,
            ),
        ),
        (0, mido.MetaMessage("key_signature", key=piece.key.signature)),
    ]
    marks = {section.first_bar * piece.bars.bar: section.name for section in piece.sections}
    rows += [(tick, mido.MetaMessage("marker", text=name)) for tick, name in marks.items()]
    for tick, bpm in performance.tempos:
        quarters = bpm * piece.bars.beat / QUARTER
        rows.append((tick, mido.MetaMessage("set_tempo", tempo=round(6e7 / quarters))))
    return _track(rows, end)


def _hand(performance: Performance, hand: int, name: str, end: int) -> mido.MidiTrack:
    rows: list[tuple[int, int, mido.Message]] = [
        (0, -3, mido.MetaMessage("track_name", name=name)),
        (0, -2, mido.Message("program_change", channel=hand, program=0)),
    ]
    for tick, value in performance.pedal:
        rows.append((tick, -1, mido.Message("control_change", channel=hand, control=64, value=value)))
    for key in performance.keys:
        if key.hand == hand:
            rows.append((key.start, 1, mido.Message("note_on", channel=hand, note=key.pitch, velocity=key.velocity)))
            rows.append((key.end, 0, mido.Message("note_off", channel=hand, note=key.pitch, velocity=0)))
    rows.sort(key=lambda row: (row[0], row[1]))
    return _track([(tick, message) for tick, _, message in rows], end)


def _track(rows: list[tuple[int, mido.Message]], end: int) -> mido.MidiTrack:
    track = mido.MidiTrack()
    now = 0
    for tick, message in sorted(rows, key=lambda row: row[0]):
        track.append(message.copy(time=tick - now))
        now = tick
    track.append(mido.MetaMessage("end_of_track", time=max(0, end - now)))
    return track
