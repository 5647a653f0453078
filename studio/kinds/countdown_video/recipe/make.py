"""Makes countdown.mp4 and description.md from /testbed/input/brief.json and run.json.

Run as `python3 -m countdown.make` in /testbed. The same brief, seed and image give the same bytes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .describe import description
from .film import Film, render
from .finale import finale_parts
from .photo import portrait
from .sound import write_sound
from .stage import Stage, beats_of, frame_rate, scheme_of
from .worlds import world_for

INPUT = Path("/testbed/input")
OUTPUT = Path("/testbed/output")


def main() -> None:
    """Read the brief and the seed, make the sound, the film and its description, say what was made."""
    brief = json.loads((INPUT / "brief.json").read_text(encoding="utf-8"))
    run = json.loads((INPUT / "run.json").read_text(encoding="utf-8"))
    params, seed = brief["params"], int(run.get("seed") or 0)
    size = (params["width"], params["height"])
    beats = beats_of(params["start"], params["end"], params["duration_s"])
    stage = Stage(size, scheme_of(params["colors"]), beats, seed)
    world = world_for(stage, params.get("style") or "")
    parts = finale_parts(params["finale"], params["name"])
    photo = portrait(INPUT, params.get("photo"), stage)
    film = Film(stage, world, parts, photo, brief.get("language", ""))
    if len(sys.argv) > 1:
        _stills(film, [float(time) for time in sys.argv[1:]])
        return
    OUTPUT.mkdir(exist_ok=True)
    sound = None
    if params["music"]:
        sound = Path("/tmp/countdown.wav")
        write_sound(sound, stage, world.name)
    render(film, OUTPUT / "countdown.mp4", size, beats.duration, frame_rate(params["fps"]), sound)
    words = " ".join(text for text, _ in parts)
    text = description(brief, stage, world, words, photo is not None)
    (OUTPUT / "description.md").write_text(text, encoding="utf-8")
    print("made:", ", ".join(sorted(path.name for path in OUTPUT.iterdir())))


def _stills(film: Film, times: list[float]) -> None:
    """Single frames as PNG beside the outputs, to look at."""
    from PIL import Image

    for time in times:
        picture = film.frame(time)
        Image.fromarray(picture.pixels[..., 2::-1].copy()).save(f"/testbed/still-{time:06.2f}.png")


if __name__ == "__main__":
    main()
