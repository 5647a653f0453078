"""Runs within a sandbox: draws films of each world and tells how they move, fit and sound.

`python3 film_measure.py FOLDER` reads FOLDER/brief.json, with the recipe in FOLDER/countdown, and prints a JSON object:
for each world and size how many frames of the counting part repeat the one before, the share of the frame's short side
that the numbers take, the room around the last words, and the music's loudness in LUFS and highest sample.
"""

from __future__ import annotations

import json
import sys
import wave
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
sys.path.insert(0, str(FOLDER))
RATE = 24


def main() -> None:
    from countdown.film import Film
    from countdown.finale import ends, finale_parts
    from countdown.sound import write_sound
    from countdown.stage import Stage, beats_of, scheme_of
    from countdown.worlds import WORLDS

    params = json.loads((FOLDER / "brief.json").read_bytes())
    beats = beats_of(params["start"], 1, params["duration_s"])
    told: dict[str, Any] = {}
    for name, world in WORLDS.items():
        for size in ((320, 180), (180, 320), (240, 240)):
            stage = Stage(size, scheme_of(params["colors"]), beats, 7)
            film = Film(stage, world(stage), finale_parts(params["finale"], params["name"]), None, "en")
            words = [ends(row) for row in film.finale.placed]
            told[f"{name} {size[0]}x{size[1]}"] = {
                "repeats": _repeats(film, beats.finale),
                "room": min(
                    min(left, top, stage.width - right, stage.height - bottom) for left, right, top, bottom in words
                )
                / min(stage.width, stage.height),
                "rows": [row.line.text for row in film.finale.placed],
            }
        sound = FOLDER / "sound.wav"
        write_sound(sound, stage, name)
        told[name] = _sound(sound)
    sys.stdout.write(json.dumps(told))


def _repeats(film: Any, until: float) -> int:
    """Frames that show just what the frame before showed."""
    import numpy as np

    count, last = 0, None
    for number in range(int(until * RATE)):
        pixels = film.frame(number / RATE).pixels[..., :3].copy()
        count += last is not None and np.array_equal(pixels, last)
        last = pixels
    return count


def _sound(path: Path) -> dict[str, float]:
    import numpy as np
    import pyloudnorm

    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2) / 32768
        meter = pyloudnorm.Meter(file.getframerate())
    return {"lufs": float(meter.integrated_loudness(samples)), "peak": float(np.abs(samples).max())}


if __name__ == "__main__":
    main()
