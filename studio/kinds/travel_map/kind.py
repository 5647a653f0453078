"""TravelMapKind: parameters, prompt, contract, recipe and samples of the travel map, in one place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from studio.brief import Brief, JsonObject, digest
from studio.contract import Contract
from studio.errors import BriefError, Problem
from studio.kinds.base import ArtifactKind, Recipe, Sample
from studio.kinds.sentence import Sentence
from studio.kinds.travel_map.contract import ENTRY, ITINERARY, UNMEASURED, travel_map_contract
from studio.kinds.travel_map.params import TravelMapParams, contradictions
from studio.kinds.travel_map.prompt import TEMPLATE, travel_map_prompt
from studio.kinds.travel_map.words import CALLED, travel_map_params
from studio.trajectory import Call

RECIPE = "travel_map/2"
_HERE = Path(__file__).parent
_PROGRAMS = "/testbed/travel_map"
_SOURCES = (".py", ".js", ".css", ".html")


@cache
def _recipe_calls() -> tuple[Call, ...]:
    """Create each program, run the main one, submit. The same for every brief: the programs read it."""
    calls: list[tuple[str, JsonObject]] = []
    for source in sorted((_HERE / "recipe").iterdir()):
        if source.suffix in _SOURCES:
            text = source.read_text(encoding="utf-8")
            calls.append(
                ("str_replace_editor", {"command": "create", "path": f"{_PROGRAMS}/{source.name}", "file_text": text})
            )
    calls.append(("execute_bash", {"command": "cd /testbed && python3 -m travel_map.make"}))
    calls.append(("submit", {"summary": "The map as one page, and the itinerary as text."}))
    return tuple(
        Call(id=f"recipe-{number}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for number, (name, arguments) in enumerate(calls, start=1)
    )


class TravelMapKind(ArtifactKind):
    """A trip as one interactive page with a map, and the same plan as text."""

    name: ClassVar[str] = "travel_map"
    label: ClassVar[str] = "Travel map"
    summary: ClassVar[str] = "A trip day by day on an interactive map, in one page that works offline."
    params_model: ClassVar[type[BaseModel]] = TravelMapParams
    prompt_version: ClassVar[int] = 3
    prompt_template: ClassVar[str] = TEMPLATE
    entry: ClassVar[str] = ENTRY
    text_equivalent: ClassVar[str | None] = ITINERARY
    recipe_ignores: ClassVar[tuple[str, ...]] = ("prompt",)
    unmeasured: ClassVar[tuple[str, ...]] = UNMEASURED
    called: ClassVar[tuple[str, ...]] = CALLED
    layout_fields: ClassVar[tuple[str, ...]] = ("days",)

    def contradictions(self, params: Any) -> Sequence[Problem]:
        return contradictions(params)

    def default_seed(self, brief: Brief) -> int:
        """As the base has it, with the number of stops as part of the layout."""
        layout: JsonObject = {key: brief.params.get(key) for key in self.layout_fields}
        layout["stops"] = len(brief.params.get("stops") or [])
        return int(digest({"kind": self.name, "layout": layout})[:8], 16)

    def read(self, sentence: Sentence) -> JsonObject:
        return travel_map_params(sentence)

    def prompt(self, brief: Brief) -> str:
        params = TravelMapParams.model_validate(brief.params)
        return travel_map_prompt(brief, params, [(check.id, check.expected) for check in self.contract(brief).checks])

    def contract(self, brief: Brief) -> Contract:
        return travel_map_contract(TravelMapParams.model_validate(brief.params))

    def recipe(self, brief: Brief) -> Recipe | None:
        """The programs of the recipe. Raises BriefError at /params/stops where only a model could choose the stops."""
        if not brief.params.get("stops"):
            message = "the recipe chooses no places: give the stops of the trip, or ask for a model"
            raise BriefError([Problem("/params/stops", message)])
        return Recipe(name=RECIPE, calls=_recipe_calls())

    def samples(self) -> Sequence[Sample]:
        return [
            Sample(name=path.stem, brief=Brief.model_validate_json(path.read_text(encoding="utf-8")))
            for path in sorted((_HERE / "samples").glob("*.json"))
        ]
