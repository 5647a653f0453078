"""OpenKind: parameters, prompt and contract of anything that no other kind is for. It has no recipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from studio.brief import Brief, JsonObject
from studio.contract import Contract
from studio.errors import Problem
from studio.kinds.base import ArtifactKind, Recipe, Sample
from studio.kinds.open.contract import UNMEASURED, open_contract
from studio.kinds.open.params import OpenParams, contradictions
from studio.kinds.open.prompt import TEMPLATE, open_prompt
from studio.kinds.open.words import CALLED, open_params
from studio.kinds.sentence import Sentence

_HERE = Path(__file__).parent
_WORDS = ("text/markdown", "text/plain")


class OpenKind(ArtifactKind):
    """Files of the types that a person names, made by a model from its words."""

    name: ClassVar[str] = "open"
    label: ClassVar[str] = "Open work"
    summary: ClassVar[str] = (
        "Files of your choice, such as a page, a chart, a table or a text. It takes a language model."
    )
    params_model: ClassVar[type[BaseModel]] = OpenParams
    prompt_version: ClassVar[int] = 1
    prompt_template: ClassVar[str] = TEMPLATE
    entry: ClassVar[str] = ""
    has_recipe: ClassVar[bool] = False
    prompt_needed: ClassVar[bool] = True
    recipe_ignores: ClassVar[tuple[str, ...]] = ()
    unmeasured: ClassVar[tuple[str, ...]] = UNMEASURED
    called: ClassVar[tuple[str, ...]] = CALLED
    layout_fields: ClassVar[tuple[str, ...]] = ("deliverables",)

    def contradictions(self, params: Any) -> Sequence[Problem]:
        return contradictions(params)

    def read(self, sentence: Sentence) -> JsonObject:
        return open_params(sentence)

    def entry_of(self, brief: Brief) -> str:
        """The first of the deliverables."""
        return OpenParams.model_validate(brief.params).deliverables[0].path

    def text_equivalent_of(self, brief: Brief) -> str | None:
        """The first file of words besides the entry, which says itself what it is."""
        further = OpenParams.model_validate(brief.params).deliverables[1:]
        return next((each.path for each in further if each.media_type in _WORDS), None)

    def prompt(self, brief: Brief) -> str:
        params = OpenParams.model_validate(brief.params)
        return open_prompt(brief, params, [(check.id, check.expected) for check in self.contract(brief).checks])

    def contract(self, brief: Brief) -> Contract:
        return open_contract(OpenParams.model_validate(brief.params))

    def recipe(self, brief: Brief) -> Recipe | None:
        return None

    def samples(self) -> Sequence[Sample]:
        return [
            Sample(name=path.stem, brief=Brief.model_validate_json(path.read_text(encoding="utf-8")))
            for path in sorted((_HERE / "samples").glob("*.json"))
        ]
