"""The film: frames drawn one after the other straight into ffmpeg."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from .cairo import Picture
from .confetti import Confetti
from .faces import Faces
from .figures import Figures
from .finale import Finale
from .lettering import Typesetter
from .stage import Stage
from .world import Moment, World


class Film:
    """All layers of one film; `frame(time)` draws them."""

    def __init__(
        self, stage: Stage, world: World, parts: list[tuple[str, bool]], photo: Picture | None, language: str
    ) -> None:
        self._stage, self._world = stage, world
        words = "".join(text for text, _ in parts)
        setter = Typesetter(Faces(world.face, language, words))
        self.figures = Figures(stage, setter, world.inks, world.card, world.ring)
        self.finale = Finale(stage, setter, parts, photo, world.inks, world.card, world.ring)
        self._confetti = Confetti(stage, stage.random("confetti"), world.confetti)
        self._picture = Picture(*stage.pixels, stage.scale)

    def frame(self, time: float) -> Picture:
        """The frame at `time` seconds; the same picture is drawn over at the next call."""
        beats, pen = self._stage.beats, self._picture.pen
        place, since = beats.at(time)
        over = place >= len(beats.numbers)
        moment = Moment(time, place, since, over)
        self._world.behind(pen, moment)
        if over:
            self._confetti.draw(pen, since)
            self.finale.draw(pen, since)
        else:
            self.figures.draw(pen, place, since)
        self._picture.flush()
        return self._picture


def frame_times(duration: float, rate: Fraction) -> Iterator[float]:
    """When each frame is shown, in seconds."""
    for number in range(max(1, round(duration * rate))):
        yield float(number / rate)


def encoder(target: Path, size: tuple[int, int], rate: Fraction, sound: Path | None) -> list[str]:
    """ffmpeg's command: H.264 in yuv420p that browsers play, AAC, the index first; the same bytes each time."""
    small = size[0] * size[1] < 300_000
    command = ["ffmpeg", "-y", "-v", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "bgr0",
               "-s", f"{size[0]}x{size[1]}", "-r", str(rate), "-i", "pipe:0"]  # fmt: skip
    if sound:
        command += ["-i", str(sound), "-c:a", "aac", "-b:a", "128k"]
    command += ["-vf", "scale=out_color_matrix=bt709:out_range=tv:flags=bilinear,format=yuv420p",
                "-c:v", "libx264", "-preset", "veryfast", "-crf", "16" if small else "20", "-threads", "2",
                "-profile:v", "high", "-g", str(max(10, round(2 * rate))), "-colorspace", "bt709",
                "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
                "-movflags", "+faststart", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact",
                "-flags:a", "+bitexact", str(target)]  # fmt: skip
    return command


def render(
    film: Film, target: Path, size: tuple[int, int], duration: float, rate: Fraction, sound: Path | None
) -> None:
    """Draw and encode the whole film. Raises CalledProcessError when ffmpeg fails."""
    command = encoder(target, size, rate, sound)
    with subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin
        for time in frame_times(duration, rate):
            pixels = film.frame(time).pixels
            view = memoryview(np.ascontiguousarray(pixels)).cast("B")
            done = 0
            while done < len(view):
                done += process.stdin.write(view[done:]) or 0
        process.stdin.close()
        status = process.wait()
    if status:
        raise subprocess.CalledProcessError(status, command[0])
