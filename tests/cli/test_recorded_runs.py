"""Four runs that a strong model made through another harness: imported, done again here, and their files play."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from studio.sandboxes import engine_for
from studio.sandboxes.types import Sandbox, SandboxSpec
from studio.settings import Settings
from tests.support.command import start

FOLDER = os.environ.get("STUDIO_TEST_TRAJECTORIES")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER, reason="STUDIO_TEST_TRAJECTORIES does not name the folder of recorded runs"),
]


def told(sandbox: Sandbox, *argv: str) -> str:
    """What a program in the sandbox prints; it must end well and say nothing bad."""
    status, out, err = sandbox.run(argv, timeout_s=120)
    assert status == 0, err.decode("utf-8", "replace")
    assert not err.strip(), err.decode("utf-8", "replace")
    return out.decode()


def plays(sandbox: Sandbox, path: str) -> float:
    """Every frame and sample decodes; the length in seconds."""
    told(sandbox, "ffmpeg", "-v", "error", "-nostdin", "-i", path, "-f", "null", "-")
    return float(told(sandbox, "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path))


def shows(sandbox: Sandbox, path: str) -> int:
    """How many colours a picture has."""
    program = "import sys, PIL.Image; print(len(PIL.Image.open(sys.argv[1]).convert('RGB').getcolors(1 << 24)))"
    return int(told(sandbox, "python3", "-c", program, path))


def page_renders(sandbox: Sandbox, output: str) -> None:
    text = sandbox.read(f"{output}/map.html", 16 << 20).decode()
    assert "</html>" in text.lower()
    assert len(text) > 5_000


def poster_renders(sandbox: Sandbox, output: str) -> None:
    told(sandbox, "rsvg-convert", "-w", "400", "-o", "/tmp/drawn.png", f"{output}/poster.svg")
    assert shows(sandbox, "/tmp/drawn.png") > 100
    assert shows(sandbox, f"{output}/poster.png") > 100


def film_plays(sandbox: Sandbox, output: str) -> None:
    assert plays(sandbox, f"{output}/birthday_countdown.mp4") > 5


def music_plays(sandbox: Sandbox, output: str) -> None:
    for name in ("preview.wav", "preview.mp3"):
        assert plays(sandbox, f"{output}/{name}") > 10
    program = "import sys, mido; print(sum(m.type == 'note_on' for m in mido.MidiFile(sys.argv[1])))"
    assert int(told(sandbox, "python3", "-c", program, f"{output}/composition.mid")) > 50


RUNS: dict[str, tuple[Callable[[Sandbox, str], None], set[str]]] = {
    "01_travel_planning": (page_renders, {"map.html"}),
    "02_poster_design": (poster_renders, {"poster.svg", "poster.png", "design_specs.md"}),
    "03_video_creation": (film_plays, {"birthday_countdown.mp4"}),
    "04_music_composition": (music_plays, {"composition.mid", "preview.wav", "preview.mp3", "sheet_music.md"}),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_recorded_run_is_done_again_and_its_files_play(name: str, tmp_path: Path) -> None:
    check, wanted = RUNS[name]
    recorded = Path(FOLDER or "")
    inputs = [word for path in sorted((recorded / "input").iterdir()) for word in ("--attach", str(path))]
    words = ("replay", str(recorded / f"{name}.openai.json"), *inputs, "--out", "here", "--json")
    out, err = start(*words, cwd=tmp_path).communicate(timeout=900)  # its words may hold a traceback of the record's
    answer = json.loads(out)
    output = tmp_path / "here" / "output"
    assert wanted <= {path.name for path in output.rglob("*")}, (answer, err)
    assert answer["calls"] == len(json.loads((tmp_path / "here" / "comparison.json").read_text()))
    settings = Settings(data_dir=tmp_path / "data")
    sandbox = engine_for(settings).start(SandboxSpec(owner="test", outputs=output.resolve()))
    try:
        check(sandbox, "/testbed/output")
    finally:
        sandbox.kill()
