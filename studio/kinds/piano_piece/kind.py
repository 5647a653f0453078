"""PianoPieceKind: parameters, prompt, contract, recipe and samples of the piano piece, in one place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from studio.brief import Brief, JsonObject
from studio.contract import Contract
from studio.errors import Problem
from studio.kinds.base import ArtifactKind, Recipe, Sample
from studio.kinds.piano_piece.contract import ENTRY, SHEET, UNMEASURED, piano_contract
from studio.kinds.piano_piece.params import PianoPieceParams, contradictions
from studio.kinds.piano_piece.prompt import TEMPLATE, piano_prompt
from studio.kinds.piano_piece.words import CALLED, piano_piece_params
from studio.kinds.sentence import Sentence
from studio.trajectory import Call

RECIPE = "piano_piece/1"
_HERE = Path(__file__).parent
_PROGRAMS = "/testbed/piano"


@cache
def _recipe_calls() -> tuple[Call, ...]:
    """Create each program, run the main one, submit. The same for every brief: the programs read it."""
    calls: list[tuple[str, JsonObject]] = []
    for source in sorted((_HERE / "recipe").glob("*.py")):
        text = source.read_text(encoding="utf-8")
        calls.append(
            ("str_replace_editor", {"command": "create", "path": f"{_PROGRAMS}/{source.name}", "file_text": text})
        )
    calls.append(("execute_bash", {"command": "cd /testbed && python3 -m piano.make", "timeout": 300}))
    calls.append(("submit", {"summary": "The composition, its recording, the sheet and the engraved score."}))
    return tuple(
        Call(id=f"recipe-{number}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for number, (name, arguments) in enumerate(calls, start=1)
    )


class PianoPieceKind(ArtifactKind):
    """A composition for piano as MIDI, with a recording and a written sheet."""

    name: ClassVar[str] = "piano_piece"
    label: ClassVar[str] = "Piano piece"
    summary: ClassVar[str] = (
        "A composition for piano: MIDI, a recording, an engraved score, and a sheet with chords and numbered notation."
    )
    params_model: ClassVar[type[BaseModel]] = PianoPieceParams
    prompt_version: ClassVar[int] = 3
    prompt_template: ClassVar[str] = TEMPLATE
    entry: ClassVar[str] = ENTRY
    text_equivalent: ClassVar[str | None] = SHEET
    recipe_ignores: ClassVar[tuple[str, ...]] = ("prompt",)
    unmeasured: ClassVar[tuple[str, ...]] = UNMEASURED
    called: ClassVar[tuple[str, ...]] = CALLED
    layout_fields: ClassVar[tuple[str, ...]] = ("mood", "key", "meter", "bpm", "duration_s", "structure")

    def contradictions(self, params: Any) -> Sequence[Problem]:
        return contradictions(params)

    def read(self, sentence: Sentence) -> JsonObject:
        return piano_piece_params(sentence)

    def prompt(self, brief: Brief) -> str:
        params = PianoPieceParams.model_validate(brief.params)
        return piano_prompt(brief, params, [(check.id, check.expected) for check in self.contract(brief).checks])

    def contract(self, brief: Brief) -> Contract:
        return piano_contract(PianoPieceParams.model_validate(brief.params))

    def recipe(self, brief: Brief) -> Recipe | None:
        return Recipe(name=RECIPE, calls=_recipe_calls())

    def samples(self) -> Sequence[Sample]:
        return [
            Sample(name=path.stem, brief=Brief.model_validate_json(path.read_text(encoding="utf-8")))
            for path in sorted((_HERE / "samples").glob("*.json"))
        ]
