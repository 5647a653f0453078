"""PosterKind: parameters, prompt, contract, recipe and samples of the poster, in one place."""

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
from studio.kinds.poster.contract import ENTRY, SPECS, UNMEASURED, poster_contract
from studio.kinds.poster.params import PosterParams, contradictions
from studio.kinds.poster.prompt import TEMPLATE, poster_prompt
from studio.kinds.poster.words import CALLED, poster_params
from studio.kinds.sentence import Sentence
from studio.trajectory import Call

RECIPE = "poster/1"
_HERE = Path(__file__).parent
_PROGRAMS = "/testbed/poster"


@cache
def _recipe_calls() -> tuple[Call, ...]:
    """Create each program, run the main one, submit. The same for every brief: the programs read it."""
    calls: list[tuple[str, JsonObject]] = []
    for source in sorted((_HERE / "recipe").glob("*.py")):
        text = source.read_text(encoding="utf-8")
        calls.append(
            ("str_replace_editor", {"command": "create", "path": f"{_PROGRAMS}/{source.name}", "file_text": text})
        )
    calls.append(("execute_bash", {"command": "cd /testbed && python3 -m poster.make"}))
    calls.append(("submit", {"summary": "The poster, its PNG, the social versions and the design notes."}))
    return tuple(
        Call(id=f"recipe-{number}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for number, (name, arguments) in enumerate(calls, start=1)
    )


class PosterKind(ArtifactKind):
    """An event's poster as SVG, PNG and PDF, with versions for social media."""

    name: ClassVar[str] = "poster"
    label: ClassVar[str] = "Poster"
    summary: ClassVar[str] = "A poster for an event: SVG, PNG and PDF, with versions for social media."
    params_model: ClassVar[type[BaseModel]] = PosterParams
    prompt_version: ClassVar[int] = 3
    prompt_template: ClassVar[str] = TEMPLATE
    entry: ClassVar[str] = ENTRY
    text_equivalent: ClassVar[str | None] = SPECS
    recipe_ignores: ClassVar[tuple[str, ...]] = ("prompt",)
    unmeasured: ClassVar[tuple[str, ...]] = UNMEASURED
    called: ClassVar[tuple[str, ...]] = CALLED
    layout_fields: ClassVar[tuple[str, ...]] = ("page", "palette")

    def contradictions(self, params: Any) -> Sequence[Problem]:
        return contradictions(params)

    def default_seed(self, brief: Brief) -> int:
        """As the base has it, with the numbers of speakers and highlights as part of the layout, without the bleed."""
        layout: JsonObject = {key: brief.params.get(key) for key in self.layout_fields}
        page = layout["page"]
        if isinstance(page, dict):
            layout["page"] = {key: value for key, value in page.items() if key != "bleed_mm"}
        layout |= {key: len(brief.params.get(key) or []) for key in ("speakers", "highlights")}
        return int(digest({"kind": self.name, "layout": layout})[:8], 16)

    def read(self, sentence: Sentence) -> JsonObject:
        return poster_params(sentence)

    def prompt(self, brief: Brief) -> str:
        params = PosterParams.model_validate(brief.params)
        return poster_prompt(brief, params, [(check.id, check.expected) for check in self.contract(brief).checks])

    def contract(self, brief: Brief) -> Contract:
        return poster_contract(PosterParams.model_validate(brief.params))

    def recipe(self, brief: Brief) -> Recipe | None:
        return Recipe(name=RECIPE, calls=_recipe_calls())

    def samples(self) -> Sequence[Sample]:
        return [
            Sample(name=path.stem, brief=Brief.model_validate_json(path.read_text(encoding="utf-8")))
            for path in sorted((_HERE / "samples").glob("*.json"))
        ]
