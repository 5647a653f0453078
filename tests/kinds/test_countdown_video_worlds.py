"""The four worlds in three shapes: every frame moves on, the last words fit, the music is as loud as it should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import studio.kinds.countdown_video as countdown_video
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec, Upload
from studio.settings import Settings

HERE = Path(__file__).parent
RECIPE = Path(countdown_video.__file__).parent / "recipe"
FOLDER = "/tmp/films"  # noqa: S108  # in the sandbox


@pytest.mark.thorough
def test_every_world_moves_fits_and_sounds(tmp_path: Path) -> None:
    params = {
        "name": "Тимур", "finale": "С днём рождения, {name}!", "start": 3, "duration_s": 6,
        "colors": {"background": "#F4F1E8", "primary": "#1F6F54", "secondary": "#D9822B", "accent": "#F2B134"},
    }  # fmt: skip
    files = [Upload(f"{FOLDER}/countdown/{path.name}", path.read_bytes()) for path in RECIPE.glob("*.py")]
    files.append(Upload(f"{FOLDER}/film_measure.py", (HERE / "film_measure.py").read_bytes()))
    files.append(Upload(f"{FOLDER}/brief.json", json.dumps(params).encode()))
    sandbox = engine_for(Settings(data_dir=tmp_path / "studio")).start(SandboxSpec(owner="films"))
    try:
        sandbox.upload(files)
        status, told, words = sandbox.run(["python3", "-I", f"{FOLDER}/film_measure.py", FOLDER], timeout_s=300)
    finally:
        sandbox.kill()
    assert status == 0, words.decode("utf-8", "replace")[-2000:]
    found = json.loads(told)
    films = {name: seen for name, seen in found.items() if "repeats" in seen}
    assert len(films) == 4 * 3
    for name, seen in films.items():
        assert seen["repeats"] == 0, f"{name}: no frame repeats the one before while numbers are counted"
        assert seen["room"] >= 0.05, f"{name}: the last words keep the safe area"
        assert "Тимур!" in seen["rows"], f"{name}: a name is not cut while it fits on a line"
    for name in ("cosmos", "lanterns", "paper", "party"):
        assert found[name]["lufs"] == pytest.approx(-16.0, abs=1.0), name
        assert found[name]["peak"] < 0.95, name
