"""ArtifactKind: what one kind of artifact owns. Its parameters, prompt, contract, recipe and samples."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import BaseModel, ValidationError

from studio.brief import Brief, JsonObject, digest, problems_of
from studio.contract import Contract
from studio.errors import BriefError, Problem
from studio.kinds.sentence import Sentence
from studio.trajectory import Call

NO_WORDS = "must not be empty; say in words what is to be made, as nothing else of this brief does"


@dataclass(frozen=True)
class Sample:
    """A brief to start from; `attachments` are files of the kind's own folder (none so far)."""

    name: str
    brief: Brief


@dataclass(frozen=True)
class Recipe:
    """Tool calls that make the artifact with no model. The programs read /testbed/input/brief.json and run.json."""

    name: str  # e.g. "poster/1"
    calls: tuple[Call, ...]


class ArtifactKind(ABC):
    """One kind; a subclass per folder of `studio.kinds`, offered there as `KIND`."""

    name: ClassVar[str]
    label: ClassVar[str]  # "Poster"
    summary: ClassVar[str]  # one sentence for the start page
    params_model: ClassVar[type[BaseModel]]
    entry: ClassVar[str]  # the deliverable that is shown; "" where each brief names its own
    text_equivalent: ClassVar[str | None] = None  # the Markdown deliverable
    has_recipe: ClassVar[bool] = True
    prompt_needed: ClassVar[bool] = False  # do the parameters without words say nothing to make?
    recipe_ignores: ClassVar[tuple[str, ...]] = ("prompt",)  # fields of the brief that the recipe never reads
    prompt_version: ClassVar[int] = 1  # a new number with each change of `prompt_template`
    prompt_template: ClassVar[str] = ""  # the words of `prompt` before a brief's values are put in
    unmeasured: ClassVar[tuple[str, ...]] = ("prompt",)
    called: ClassVar[tuple[str, ...]] = ()  # words by which a sentence asks for it
    layout_fields: ClassVar[tuple[str, ...]] = ()  # parameters that the default seed is derived from

    def parse(self, brief: Brief) -> Brief:
        """The brief with its parameters validated and defaults filled in.

        Raises BriefError with JSON Pointers from the brief's root.
        """
        wordless = [Problem("/prompt", NO_WORDS)] if self.prompt_needed and not brief.prompt.strip() else []
        try:
            params = self.params_model.model_validate(brief.params)
        except ValidationError as error:
            raise BriefError([*wordless, *problems_of(error, "params")]) from None
        if problems := [*wordless, *self.contradictions(params)]:
            raise BriefError(problems)
        return brief.model_copy(update={"params": params.model_dump(mode="json")})

    def entry_of(self, brief: Brief) -> str:
        """The deliverable of a validated brief that is shown."""
        return self.entry

    def text_equivalent_of(self, brief: Brief) -> str | None:
        """The deliverable of a validated brief that says in words what the others show, where there is one."""
        return self.text_equivalent

    def contradictions(self, params: Any) -> Sequence[Problem]:
        """What cannot all be true at once, though each field is valid by itself. Pointers start with /params."""
        return ()

    def read(self, sentence: Sentence) -> JsonObject:
        """Parameters that plain rules find in a sentence, without any that are not sure; they need not be enough."""
        return {}

    def default_seed(self, brief: Brief) -> int:
        """A seed from the kind and the layout fields only, so that another name keeps the design. 0 ≤ seed < 2**32."""
        layout: JsonObject = {key: brief.params.get(key) for key in self.layout_fields}
        return int(digest({"kind": self.name, "layout": layout})[:8], 16)

    @abstractmethod
    def prompt(self, brief: Brief) -> str:
        """What a model is told: the task, the deliverables, how it is judged, what good looks like."""

    @abstractmethod
    def contract(self, brief: Brief) -> Contract:
        """What the outputs must satisfy; a pure function of the brief."""

    @abstractmethod
    def recipe(self, brief: Brief) -> Recipe | None:
        """The house recipe, or None where the kind has none.

        Raises BriefError for a brief that only a model can make.
        """

    @abstractmethod
    def samples(self) -> Sequence[Sample]:
        """Briefs to start from, each valid and accepted when the recipe makes it."""
