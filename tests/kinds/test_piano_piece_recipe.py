"""The house recipe in real sandboxes: whatever the brief, the piece is accepted; a seed gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import wave
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from studio.brief import Brief, RunOptions
from studio.contract import Report
from studio.kinds import get_kind, parse_brief
from studio.models import make_model
from studio.pipeline.work import Order, work
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.kinds.pianos import BRIEFS, brief_of, briefs
from tests.support.recorders import MemoryRecorder

SVG = "{http://www.w3.org/2000/svg}"
KIND = get_kind("piano_piece")
QUICK = {"01-calm-in-a-minor", "en-one-bar", "zh-festival-two-four", "en-exact-to-the-beat"}
BY_NAME = {path.stem: parse_brief(json.loads(path.read_text(encoding="utf-8"))) for path in BRIEFS.glob("*.json")}
BY_NAME |= {sample.name: parse_brief(sample.brief) for sample in KIND.samples()}
CASES = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in sorted(BY_NAME)]

Make = Callable[..., tuple[Report, Path]]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Works a brief with the recipe: the report, and the folder of outputs."""
    given = Settings(data_dir=tmp_path / "studio")
    engine = engine_for(given)
    count = 0

    def run(brief: Brief, seed: int | None = None) -> tuple[Report, Path]:
        nonlocal count
        count += 1
        folder = tmp_path / f"made-{count}"
        recipe = KIND.recipe(brief)
        assert recipe is not None
        model = make_model("recipe", given, recipe=recipe.name, recipe_calls=recipe.calls)
        chosen = KIND.default_seed(brief) if seed is None else seed
        order = Order(f"piano-{count}", brief, RunOptions(), (), model, seed=chosen)
        outcome = work(order, engine, MemoryRecorder(), folder, given)
        assert outcome.report is not None, outcome.message
        return outcome.report, folder / "output"

    return run


def accepted(report: Report) -> None:
    assert [(finding.id, finding.message) for finding in report.failed] == []
    assert report.verdict == "accept"


@pytest.mark.parametrize("name", CASES)
def test_the_piece_is_accepted(name: str, make: Make) -> None:
    brief = BY_NAME[name]
    report, output = make(brief)
    accepted(report)
    measured = {finding.id: finding.measured for finding in report.checks}
    assert measured["audio.audible"] == pytest.approx(-18, abs=0.7)
    assert float(str(measured["audio.not_clipped"])) <= -1.0
    assert float(str(measured["audio.matches_midi"])) >= 0.6
    assert {preview.path for preview in report.previews} == {"thumbnail.webp", "waveform.webp"}
    midi, sound = report.facts["midi"], report.facts["audio"]
    assert isinstance(midi, dict)
    assert isinstance(sound, dict)
    notes = midi["notes"]
    assert isinstance(notes, list)
    assert notes
    assert all(isinstance(note, list) and len(note) == 5 and note[4] in (0, 1) for note in notes)
    with wave.open(str(output / "preview.wav")) as file:
        assert (file.getnchannels(), file.getframerate()) == (2, 44100)
        tail = file.getnframes() / 44100 - float(str(midi["end_s"]))
        assert 1.5 <= tail <= 3
    sheet = (output / "sheet_music.md").read_text(encoding="utf-8")
    assert brief.title in sheet
    names = {section["name"] for section in brief.params["structure"]}
    assert all(name in sheet for name in names)
    assert {"svg.well_formed", "svg.safe", "svg.not_blank"} <= set(measured)
    score = ElementTree.parse(output / "score.svg")
    words = {" ".join("".join(text.itertext()).split()) for text in score.iter(f"{SVG}text")}
    assert brief.title in words or " ".join(words).startswith(brief.title.split()[0])
    assert len(names) == 1 or names <= words
    assert 20_000 < (output / "score.svg").stat().st_size < 4_000_000
    assert (output / "score.musicxml").read_text(encoding="utf-8").count("<measure ") == midi["bars"]


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(make: Make) -> None:
    brief = brief_of({"duration_s": {"min": 6, "max": 9}, "structure": [{"name": "Theme", "bars": 4}]})
    prints = []
    for seed in (5, 5, 6):
        _, output = make(brief, seed)
        prints.append({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in output.iterdir()})
    assert prints[0] == prints[1]
    assert all(prints[0][name] != prints[2][name] for name in prints[0])


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(brief=briefs(longest_s=120))
def test_any_valid_brief_is_accepted(brief: Brief, make: Make) -> None:
    report, _ = make(brief)
    accepted(report)
