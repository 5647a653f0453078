"""CountdownVideoKind: parameters, prompt, contract, recipe and samples of the countdown, in one place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from studio.brief import Brief, JsonObject, digest
from studio.contract import Contract
from studio.errors import Problem
from studio.kinds.base import ArtifactKind, Recipe, Sample
from studio.kinds.countdown_video.contract import ENTRY, TEXT, UNMEASURED, countdown_contract
from studio.kinds.countdown_video.params import CountdownVideoParams, contradictions
from studio.kinds.countdown_video.prompt import TEMPLATE, countdown_prompt
from studio.kinds.countdown_video.words import CALLED, countdown_video_params
from studio.kinds.sentence import Sentence
from studio.trajectory import Call

RECIPE = "countdown_video/1"
COMMAND_S = 600  # the largest film on a busy machine
_HERE = Path(__file__).parent
_PROGRAMS = "/testbed/countdown"


@cache
def _recipe_calls() -> tuple[Call, ...]:
    """Create each program, run the main one, submit. The same for every brief: the programs read it."""
    calls: list[tuple[str, JsonObject]] = []
    for source in sorted((_HERE / "recipe").glob("*.py")):
        text = source.read_text(encoding="utf-8")
        calls.append(
            ("str_replace_editor", {"command": "create", "path": f"{_PROGRAMS}/{source.name}", "file_text": text})
        )
    calls.append(("execute_bash", {"command": "cd /testbed && python3 -m countdown.make", "timeout": COMMAND_S}))
    calls.append(("submit", {"summary": "The countdown as a film, and its description."}))
    return tuple(
        Call(id=f"recipe-{number}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for number, (name, arguments) in enumerate(calls, start=1)
    )


class CountdownVideoKind(ArtifactKind):
    """A short film that counts down to a greeting."""

    name: ClassVar[str] = "countdown_video"
    label: ClassVar[str] = "Countdown video"
    summary: ClassVar[str] = "A short film that counts down to a greeting: MP4 with sound."
    params_model: ClassVar[type[BaseModel]] = CountdownVideoParams
    prompt_version: ClassVar[int] = 1
    prompt_template: ClassVar[str] = TEMPLATE
    entry: ClassVar[str] = ENTRY
    text_equivalent: ClassVar[str | None] = TEXT
    recipe_ignores: ClassVar[tuple[str, ...]] = ("prompt",)
    unmeasured: ClassVar[tuple[str, ...]] = UNMEASURED
    called: ClassVar[tuple[str, ...]] = CALLED
    layout_fields: ClassVar[tuple[str, ...]] = ("colors", "style")

    def contradictions(self, params: Any) -> Sequence[Problem]:
        return contradictions(params)

    def default_seed(self, brief: Brief) -> int:
        """As the base has it, with the frame's shape as part of the layout."""
        layout: JsonObject = {key: brief.params.get(key) for key in self.layout_fields}
        width, height = brief.params.get("width", 1280), brief.params.get("height", 720)
        layout["shape"] = "wide" if width > height else "tall" if height > width else "square"
        return int(digest({"kind": self.name, "layout": layout})[:8], 16)

    def read(self, sentence: Sentence) -> JsonObject:
        return countdown_video_params(sentence)

    def prompt(self, brief: Brief) -> str:
        params = CountdownVideoParams.model_validate(brief.params)
        return countdown_prompt(brief, params, [(check.id, check.expected) for check in self.contract(brief).checks])

    def contract(self, brief: Brief) -> Contract:
        return countdown_contract(CountdownVideoParams.model_validate(brief.params))

    def recipe(self, brief: Brief) -> Recipe | None:
        return Recipe(name=RECIPE, calls=_recipe_calls())

    def samples(self) -> Sequence[Sample]:
        return [
            Sample(name=path.stem, brief=Brief.model_validate_json(path.read_text(encoding="utf-8")))
            for path in sorted((_HERE / "samples").glob("*.json"))
        ]
