"""Pictures of music: the piano roll of a MIDI file and the waveform of a recording."""

from __future__ import annotations

import io
from typing import Any, TypeAlias

from sandbox_image.inspector.midi_music import Music, bar_lines, main_meter
from sandbox_image.inspector.registry import Picture
from sandbox_image.inspector.subject import Unfit

Array: TypeAlias = Any  # numpy.ndarray

WIDTH, ROLL_HEIGHT, WAVE_HEIGHT = 640, 400, 160
SCALE = 2  # drawn larger, then reduced, so that edges are smooth
PAPER, BLACK_KEYS, LINE, STRONG_LINE = "#FBF9F5", "#F3EFE8", "#E7E1D6", "#CFC7B8"
RIGHT, LEFT = (194, 65, 43), (31, 78, 121)  # the hands' colours at full velocity
INK = "#1F4E79"
_BLACK = frozenset({1, 3, 6, 8, 10})


def draw_roll(music: Music, hands: list[int]) -> Picture:
    """Time from left to right, pitch upwards, a lane per key; louder notes are darker."""
    import PIL.Image
    import PIL.ImageDraw

    if not music.notes:
        raise Unfit(f"{music.path} has no note to draw.", music.path)
    width, height = WIDTH * SCALE, ROLL_HEIGHT * SCALE
    low = min(note.pitch for note in music.notes) - 3
    high = max(note.pitch for note in music.notes) + 3
    low, high = min(low, high - 30), max(high, low + 30)
    begin, end = music.first_s, max(music.last_s, music.first_s + 0.5)
    margin = 12 * SCALE
    image = PIL.Image.new("RGB", (width, height), PAPER)
    pen = PIL.ImageDraw.Draw(image)

    def x_of(second: float) -> float:
        return margin + (second - begin) / (end - begin) * (width - 2 * margin)

    def y_of(pitch: float) -> float:
        return height * (high - pitch) / (high - low)

    lane = height / (high - low)
    for pitch in range(low, high + 1):
        if pitch % 12 in _BLACK:
            pen.rectangle((0, y_of(pitch + 0.5), width, y_of(pitch - 0.5)), fill=BLACK_KEYS)
        if pitch % 12 == 0:
            pen.line((0, y_of(pitch - 0.5), width, y_of(pitch - 0.5)), fill=STRONG_LINE, width=SCALE)
    lines = bar_lines(music, *(main_meter(music) or (4, 4)))
    if len(lines) <= width // 12:
        for tick in lines:
            if begin <= (at := music.seconds(tick)) <= end:
                pen.line((x_of(at), 0, x_of(at), height), fill=LINE, width=SCALE)
    for note, hand in zip(music.notes, hands, strict=True):
        colour = _tint(LEFT if hand else RIGHT, note.velocity)
        left, right = x_of(note.start_s), x_of(note.end_s)
        box = (
            left,
            y_of(note.pitch) - lane * 0.42,
            max(left + SCALE, right - SCALE),
            y_of(note.pitch) + lane * 0.42,
        )
        pen.rounded_rectangle(box, radius=min(lane * 0.3, 3 * SCALE), fill=colour)
    return _webp(image, WIDTH, ROLL_HEIGHT)


def _tint(colour: tuple[int, int, int], velocity: int) -> tuple[int, int, int]:
    """The colour mixed with paper: quiet notes are pale."""
    share = 0.4 + 0.6 * min(1.0, velocity / 100)
    red, green, blue = (round(part * share + 251 * (1 - share)) for part in colour)
    return red, green, blue


def draw_wave(samples: Array) -> Picture:
    """The envelope of a recording: for each column the extremes and, darker, the root mean square. Shape (n, ch)."""
    import numpy
    import PIL.Image
    import PIL.ImageDraw

    width, height = WIDTH * SCALE, WAVE_HEIGHT * SCALE
    mono = samples.mean(axis=1)
    image = PIL.Image.new("RGB", (width, height), PAPER)
    pen = PIL.ImageDraw.Draw(image)
    edges = numpy.linspace(0, len(mono), width // 2 + 1).astype(int)
    top = max(float(numpy.abs(mono).max(initial=0.0)), 1e-4)
    middle, reach = height / 2, height * 0.46
    pen.line((0, middle, width, middle), fill=STRONG_LINE, width=SCALE)
    for column, (start, stop) in enumerate(zip(edges, edges[1:], strict=False)):
        part = mono[start : max(stop, start + 1)]
        if not len(part):
            continue
        x = column * 2
        pen.rectangle(
            (x, middle - float(part.max()) / top * reach, x + 1, middle - float(part.min()) / top * reach),
            fill=(146, 172, 199),
        )
        level = float(numpy.sqrt(numpy.mean(part.astype("float64") ** 2))) / top * reach
        pen.rectangle((x, middle - level, x + 1, middle + level), fill=INK)
    return _webp(image, WIDTH, WAVE_HEIGHT)


def _webp(image: Any, width: int, height: int) -> Picture:
    import PIL.Image

    small = image.resize((width, height), PIL.Image.Resampling.LANCZOS)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=86, method=4)
    return Picture(out.getvalue(), width, height)
