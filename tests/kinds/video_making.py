"""Countdown briefs, and films made of them by the house recipe in real sandboxes, judged by the real inspector."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.brief import Brief, InputFile, JsonObject, RunOptions
from studio.kinds import get_kind, parse_brief
from studio.models import make_model
from studio.pipeline.work import Order, Outcome, work
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.support.recorders import MemoryRecorder

KIND = get_kind("countdown_video")
BRIEFS = Path(__file__).parent / "video_briefs"
NAMES = sorted([path.stem for path in BRIEFS.glob("*.json")] + [sample.name for sample in KIND.samples()])


@dataclass(frozen=True)
class MadeFilm:
    """What came of one order."""

    outcome: Outcome
    output: Path

    @property
    def digest(self) -> str:
        """SHA-256 of the film."""
        return hashlib.sha256((self.output / "countdown.mp4").read_bytes()).hexdigest()

    @property
    def description(self) -> str:
        return (self.output / "description.md").read_text(encoding="utf-8")

    @property
    def picture(self) -> str:
        """The sentence that says in which world it plays."""
        return next(
            line for line in self.description.splitlines() if line.startswith(("A ", "Deep ")) and "A coun" not in line
        )


def brief_of(name: str) -> Brief:
    """A brief of this folder, or a sample of the kind."""
    for sample in KIND.samples():
        if sample.name == name:
            return parse_brief(sample.brief)
    return parse_brief(json.loads((BRIEFS / f"{name}.json").read_text(encoding="utf-8")))


def short(**params: Any) -> Brief:
    """A brief that is quick to make."""
    given: JsonObject = {"name": "Ida", "start": 2, "duration_s": 3.5, "width": 240, "height": 136, "fps": 12, **params}
    return parse_brief({"kind": "countdown_video", "title": "For Ida", "params": given})


def make_film(folder: Path, brief: Brief, seed: int | None = None, inputs: tuple[InputFile, ...] = ()) -> MadeFilm:
    """Work a brief with the recipe, in a new folder below `folder`."""
    settings = Settings(data_dir=folder / "studio")
    target = folder / f"made-{len(list(folder.iterdir()))}"
    recipe = KIND.recipe(brief)
    assert recipe is not None
    model = make_model("recipe", settings, recipe=recipe.name, recipe_calls=recipe.calls)
    chosen = KIND.default_seed(brief) if seed is None else seed
    order = Order("film", brief, RunOptions(), inputs, model, seed=chosen)
    outcome = work(order, engine_for(settings), MemoryRecorder(), target, settings)
    return MadeFilm(outcome, target / "output")
