"""Files whose bytes differ, side by side in a sandbox: what looks, sounds or plays the same, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.blobs import Blobs, open_blobs
from studio.jobs import FileView
from studio.pipeline.reproducing import compare_outputs
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings

MAKING = r"""
mkdir -p output/old output/new
film() { ffmpeg -v error -f lavfi -i "$1" -f lavfi -i "sine=frequency=$2:duration=2" -t 2 -crf "$3" -shortest "$4"; }
film testsrc2=s=320x180:r=12 440 18 output/old/film.mp4
film testsrc2=s=320x180:r=12 440 27 output/new/film.mp4
film testsrc2=s=320x180:r=12 440 18 output/old/other.mp4
film mandelbrot=s=320x180:r=12 440 18 output/new/other.mp4
film testsrc2=s=320x180:r=12 440 18 output/old/sound.mp4
film testsrc2=s=320x180:r=12 620 18 output/new/sound.mp4
python3 - <<'X'
import mido, numpy, wave
from PIL import Image

rng = numpy.random.default_rng(1)
RATE = 22050

def tune(pitches):
    at = numpy.arange(RATE // 2) / RATE
    return numpy.concatenate([numpy.sin(2 * numpy.pi * 440 * 2 ** ((p - 69) / 12) * at) * 0.4 for p in pitches])

def save(name, samples):
    with wave.open(name, "wb") as out:
        out.setparams((1, 2, RATE, 0, "NONE", ""))
        out.writeframes((samples * 32767).astype("<i2").tobytes())

song, other = [60, 64, 67, 72, 65, 69, 62, 71], [61, 66, 70, 63, 68, 61, 66, 73]
noise = rng.normal(0, 0.002, RATE * 4)
save("output/old/song.wav", tune(song)); save("output/new/song.wav", tune(song) + noise)
save("output/old/loud.wav", tune(song)); save("output/new/loud.wav", tune(song) * 0.5)
save("output/old/tune.wav", tune(song)); save("output/new/tune.wav", tune(other))

def midi(name, pitches, velocity):
    track = mido.MidiTrack()
    for p in pitches:
        track += [mido.Message("note_on", note=p, velocity=velocity), mido.Message("note_off", note=p, time=240)]
    file = mido.MidiFile(); file.tracks.append(track); file.save(name)

midi("output/old/song.mid", song, 70); midi("output/new/song.mid", song, 71)
midi("output/old/tune.mid", song, 70); midi("output/new/tune.mid", other, 70)
page = rng.integers(0, 255, (9, 9, 3), dtype="uint8")
picture = Image.fromarray(page).resize((300, 300))
picture.save("output/old/page.jpg", quality=95); picture.save("output/new/page.jpg", quality=80)
picture.save("output/old/turned.png"); picture.rotate(90).save("output/new/turned.png")
picture.save("output/old/size.png"); picture.resize((200, 200)).save("output/new/size.png")
X
echo broken > output/old/broken.png; echo other > output/new/broken.png
echo one > output/old/words.md; echo two > output/new/words.md
echo only > output/old/gone.txt; echo only > output/new/came.txt; echo a > output/old/a.txt; echo a > output/new/a.txt
"""


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data_dir=tmp_path_factory.mktemp("studio"))


@pytest.fixture(scope="module")
def sides(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[FileView], ...]:
    folder = tmp_path_factory.mktemp("files")
    sandbox = engine_for(settings).start(SandboxSpec(owner="test"))
    try:
        made = sandbox.execute(MAKING, 120.0)
        assert made.exit_status == 0, made.output
        sandbox.download(sandbox.manifest(), folder, limit=64 << 20)
    finally:
        sandbox.kill()
    return tuple(_kept(open_blobs(settings), folder / side) for side in ("old", "new"))


def _kept(blobs: Blobs, folder: Path) -> list[FileView]:
    return [
        FileView(path=path.name, media_type="", bytes=path.stat().st_size, sha256=blobs.put(path))
        for path in sorted(folder.iterdir())
    ]


def test_what_looks_sounds_and_plays_the_same_is_told_from_what_does_not(
    settings: Settings, sides: tuple[list[FileView], ...]
) -> None:
    old, new = sides
    found = compare_outputs(engine_for(settings), open_blobs(settings), old, new, "test")
    by_verdict: dict[str, set[str]] = {}
    for file in found:
        by_verdict.setdefault(file.verdict, set()).add(file.path)
    told = {file.path: file.detail for file in found}
    assert by_verdict["same"] == {"a.txt"}, told
    assert by_verdict["alike"] == {"film.mp4", "song.wav", "song.mid", "page.jpg"}, told
    assert told["gone.txt"] == "not made"
    assert told["came.txt"] == "not in the record"
    assert told["words.md"] == "its bytes differ"
    assert "recorded 300 × 300" in told["size.png"]
    assert "cannot be compared" in told["broken.png"]
