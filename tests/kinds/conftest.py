"""Artifacts made by the house recipe in real sandboxes, judged by the real inspector."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from studio.brief import Brief, InputFile, JsonObject, RunOptions
from studio.kinds import get_kind, parse_brief
from studio.models import make_model
from studio.pipeline.work import Order, Outcome, work
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.support.recorders import MemoryRecorder

BRIEFS = Path(__file__).parent / "poster_briefs"


@dataclass(frozen=True)
class Made:
    """What came of one order."""

    outcome: Outcome
    output: Path

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each delivered file, by its path."""
        files = sorted(path for path in self.output.rglob("*") if path.is_file())
        return {str(path.relative_to(self.output)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    @property
    def notes(self) -> str:
        return (self.output / "design_specs.md").read_text(encoding="utf-8")

    @property
    def svg(self) -> str:
        return (self.output / "poster.svg").read_text(encoding="utf-8")


Make = Callable[..., Made]


def brief_of(name: str) -> Brief:
    """A brief of this folder, or a sample of the kind."""
    for sample in get_kind("poster").samples():
        if sample.name == name:
            return parse_brief(sample.brief)
    return parse_brief(json.loads((BRIEFS / f"{name}.json").read_text(encoding="utf-8")))


def small(**params: Any) -> Brief:
    """A brief that is quick to make."""
    event = {"name": "Night Swim", "date": "Friday 21 August", "venue": "Old Lido"}
    given: JsonObject = {"event": event, "raster_height": 500, "social": [], **params}
    return parse_brief({"kind": "poster", "title": "Night Swim", "params": given})


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Works a brief with the recipe: `make(brief, seed=…, inputs=…)`."""
    settings = Settings(data_dir=tmp_path / "studio")
    engine = engine_for(settings)
    count = 0

    def run(brief: Brief, seed: int | None = None, inputs: tuple[InputFile, ...] = ()) -> Made:
        nonlocal count
        count += 1
        folder = tmp_path / f"made-{count}"
        kind = get_kind(brief.kind)
        recipe = kind.recipe(brief)
        assert recipe is not None
        model = make_model("recipe", settings, recipe=recipe.name, recipe_calls=recipe.calls)
        chosen = kind.default_seed(brief) if seed is None else seed
        order = Order(f"poster-{count}", brief, RunOptions(), inputs, model, seed=chosen)
        outcome = work(order, engine, MemoryRecorder(), folder, settings)
        return Made(outcome, folder / "output")

    return run
