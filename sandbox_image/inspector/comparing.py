"""Two files side by side: does a second one look, sound or play like the first, where their bytes differ?

Run in a sandbox: reads pairs.json (a list of {path, old, new}), prints one answer a pair: `alike` or not, and by what.
Pictures and frames are compared by structural similarity, sound by pitch classes over time, loudness and length, MIDI
files by their notes. Anything else has no likeness here, only bytes.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.pictures import on_white, similarity
from sandbox_image.inspector.sound import chroma_of_sound, likeness, loudness_lufs

Array: TypeAlias = Any  # numpy.ndarray
Answer: TypeAlias = "tuple[bool, str]"

SIDE_PX = 512
PICTURE = 0.97  # SSIM; anti-aliasing and codecs cost 0.01 to 0.02
FRAME, FRAMES, FRAME_PX = 0.93, 12, 192
SECONDS = 0.1
LOUDNESS_LU, CHROMA, STILL = 1.0, 0.9, 0.99
RATE = 22050
NOTES, TICK_S = 0.99, 0.02
_LIMIT_S = 60.0
_FFMPEG = ("ffmpeg", "-v", "error", "-nostdin", "-protocol_whitelist", "file,pipe", "-threads", "2")


class Unlike(Exception):
    """They cannot be alike; says why."""


def pictures(old: Path, new: Path) -> Answer:
    """Two raster pictures, of the same size and by SSIM."""
    return _like_pictures(_opened(old), _opened(new))


def drawings(old: Path, new: Path) -> Answer:
    """Two SVG files, as they are drawn."""
    return _like_pictures(_drawn(old), _drawn(new))


def films(old: Path, new: Path) -> Answer:
    """Two films: length, size, frames at even distances, and the sound."""
    before, after = _probe(old), _probe(new)
    if before.get("size") != after.get("size"):
        raise Unlike(f"{after.get('size')}, recorded {before.get('size')}")
    length = _same_length(before, after)
    worst = 1.0
    for number in range(FRAMES):
        at = max(0.0, length - 0.25) * number / (FRAMES - 1)
        first, second = _frame(old, at), _frame(new, at)
        if (first is None) != (second is None):
            raise Unlike(f"one of them has no frame at {at:.1f} s")
        if first is not None and second is not None:
            worst = min(worst, similarity(first, second))
    told = f"the least alike of {FRAMES} frames by {worst:.3f}"
    if before["sound"] != after["sound"]:
        raise Unlike("one of them has no sound")
    if before["sound"]:
        heard, words = sounds(old, new)
        return worst >= FRAME and heard, f"{told}; {words}"
    return worst >= FRAME, told


def sounds(old: Path, new: Path) -> Answer:
    """Two recordings: length, loudness (ITU-R BS.1770), and pitch classes over time."""
    first, second = _samples(old), _samples(new)
    if abs(len(first) - len(second)) > SECONDS * RATE:
        raise Unlike(f"{len(second) / RATE:.2f} s of sound, recorded {len(first) / RATE:.2f} s")
    loud = [loudness_lufs(samples, RATE) for samples in (first, second)]
    quiet = [math.isinf(value) for value in loud]
    if all(quiet):
        return True, "both silent"
    if any(quiet):
        raise Unlike("one of them is silent")
    apart = abs(loud[0] - loud[1])
    chroma = [chroma_of_sound(samples, RATE) for samples in (first, second)]
    moving, still = likeness(*chroma), _frame_by_frame(*chroma)
    alike = moving >= CHROMA or still >= STILL
    told = f"{apart:.2f} LU apart, pitch classes alike by {max(moving, still):.3f}"
    return apart <= LOUDNESS_LU and alike, told


def _frame_by_frame(first: Array, second: Array) -> float:
    """The mean cosine of two chromagrams' frames: a sound that never changes has no course to correlate."""
    import numpy

    count = min(len(first), len(second))
    lengths = numpy.linalg.norm(first[:count], axis=1) * numpy.linalg.norm(second[:count], axis=1)
    heard = lengths > 0
    return float(((first[:count] * second[:count]).sum(axis=1)[heard] / lengths[heard]).mean()) if heard.any() else 0.0


def notes(old: Path, new: Path) -> Answer:
    """Two MIDI files: the share of notes that both have, by pitch and begin."""
    first, second = _played(old), _played(new)
    count = max(first.total(), second.total())
    if not count:
        return True, "no notes in either"
    share = (first & second).total() / count
    return share >= NOTES, f"{share:.1%} of {count} notes are the same"


_RASTER = (".png", ".jpg", ".jpeg", ".webp", ".gif")
_SOUND = (".wav", ".mp3", ".ogg", ".flac", ".m4a", ".opus")
COMPARERS: Mapping[str, Callable[[Path, Path], Answer]] = {
    **dict.fromkeys(_RASTER, pictures),
    **dict.fromkeys((".mp4", ".webm", ".mov"), films),
    **dict.fromkeys(_SOUND, sounds),
    **dict.fromkeys((".mid", ".midi"), notes),
    ".svg": drawings,
}


def _opened(file: Path) -> Any:
    import PIL.Image

    PIL.Image.MAX_IMAGE_PIXELS = 100_000_000
    return on_white(PIL.Image.open(file))


def _drawn(file: Path) -> Any:
    import io

    import PIL.Image

    size = str(SIDE_PX)
    done = subprocess.run(
        ["rsvg-convert", "-w", size, "-h", size, "--keep-aspect-ratio", str(file)],
        capture_output=True,
        timeout=_LIMIT_S,
        check=True,
    )
    return on_white(PIL.Image.open(io.BytesIO(done.stdout)))


def _like_pictures(old: Any, new: Any) -> Answer:
    import PIL.Image

    if old.size != new.size:
        raise Unlike(f"{new.width} × {new.height} px, recorded {old.width} × {old.height}")
    zoom = min(1.0, SIDE_PX / max(old.size))
    size = (max(1, round(old.width * zoom)), max(1, round(old.height * zoom)))
    value = similarity(*(image.resize(size, PIL.Image.Resampling.BOX) for image in (old, new)))
    return value >= PICTURE, f"alike by {value:.3f} (structural similarity)"


def _probe(file: Path) -> dict[str, Any]:
    argv = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_type,width,height:format=duration", "-of", "json"]
    done = subprocess.run([*argv, str(file)], capture_output=True, timeout=_LIMIT_S, check=True)
    told = json.loads(done.stdout)
    streams = told.get("streams", [])
    film: dict[str, Any] = next((stream for stream in streams if stream.get("codec_type") == "video"), {})
    return {
        "size": f"{film.get('width')} × {film.get('height')} px",
        "seconds": float(told["format"]["duration"]),
        "sound": any(stream.get("codec_type") == "audio" for stream in streams),
    }


def _same_length(before: dict[str, Any], after: dict[str, Any]) -> float:
    if abs(before["seconds"] - after["seconds"]) > SECONDS:
        raise Unlike(f"{after['seconds']:.2f} s, recorded {before['seconds']:.2f} s")
    return float(min(before["seconds"], after["seconds"]))


def _frame(file: Path, at: float) -> Array | None:
    """The frame at a time, as a square; None behind the last one."""
    import numpy

    square = f"scale={FRAME_PX}:{FRAME_PX}"
    argv = [*_FFMPEG, "-ss", f"{at:.3f}", "-i", str(file), "-frames:v", "1", "-vf", square]
    done = subprocess.run([*argv, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, timeout=_LIMIT_S)
    if len(done.stdout) != FRAME_PX * FRAME_PX * 3:
        return None
    return numpy.frombuffer(done.stdout, numpy.uint8).reshape(FRAME_PX, FRAME_PX, 3)


def _samples(file: Path) -> Array:
    import numpy

    argv = [*_FFMPEG, "-i", str(file), "-vn", "-ac", "1", "-ar", str(RATE), "-t", "1800", "-f", "f32le", "-"]
    done = subprocess.run(argv, capture_output=True, timeout=_LIMIT_S, check=True)
    return numpy.frombuffer(done.stdout, numpy.float32).reshape(-1, 1)


def _played(file: Path) -> Counter[tuple[int, int]]:
    import mido

    at, found = 0.0, Counter[tuple[int, int]]()
    for message in mido.MidiFile(file, clip=True):
        at += message.time
        if message.type == "note_on" and message.velocity:
            found[message.note, round(at / TICK_S)] += 1
    return found


def answer(path: str, old: Path, new: Path) -> dict[str, Any]:
    """Whether one pair is alike, and by what."""
    comparer = COMPARERS.get(Path(path).suffix.lower())
    if comparer is None:
        return {"path": path, "alike": False, "detail": "its bytes differ"}
    try:
        alike, detail = comparer(old, new)
    except Unlike as error:
        alike, detail = False, str(error)
    except Exception as error:  # a stranger's file
        alike, detail = False, f"cannot be compared: {type(error).__name__}"
    return {"path": path, "alike": bool(alike), "detail": detail[:300]}


def main() -> None:
    """Compare the pairs that pairs.json in the folder names."""
    folder = Path(sys.argv[1])
    pairs = json.loads((folder / "pairs.json").read_text(encoding="utf-8"))
    print(json.dumps([answer(pair["path"], folder / pair["old"], folder / pair["new"]) for pair in pairs]))
