"""A brief from a sentence: its kind, what fills its fields, and which needed ones stay empty."""

from __future__ import annotations

import copy
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue, ValidationError

from studio.brief import Brief, JsonObject
from studio.errors import BriefError, Problem
from studio.kinds import ArtifactKind
from studio.kinds.sentence import Sentence
from studio.kinds.titles import default_title

MISSING = "required field is missing"
ROUNDS = 12


@dataclass(frozen=True)
class Filled:
    """A brief as far as it could be filled; `missing` are JSON Pointers of needed fields that stay empty.

    `params` hold nothing that the kind refuses, beside what is missing.
    """

    kind: ArtifactKind
    title: str
    language: str
    prompt: str
    params: JsonObject
    missing: tuple[str, ...]

    @property
    def brief(self) -> JsonObject:
        """The brief as a form takes it up; it need not be whole."""
        return {
            "kind": self.kind.name,
            "title": self.title,
            "language": self.language,
            "prompt": self.prompt,
            "params": self.params,
        }


def choose_kind(sentence: str, kinds: Mapping[str, ArtifactKind]) -> ArtifactKind:
    """The kind that a sentence asks for: by the words that a kind is called by, then by those that they share.

    Scripts without spaces are compared by pairs of characters. Where nothing fits, a kind that is made from words
    alone, else the first.
    """
    said, wanted = Sentence(sentence), _terms(sentence)

    def fit(kind: ArtifactKind) -> int:
        own = len(wanted & _terms(f"{kind.name} {kind.label} {kind.summary}"))
        samples = [wanted & _terms(" ".join(_strings(sample.brief.model_dump()))) for sample in kind.samples()]
        return 10 * len(said.has((*kind.called, kind.label))) + 3 * own + max(map(len, samples), default=0)

    best = max(kinds.values(), key=fit)
    return best if fit(best) else next((kind for kind in kinds.values() if kind.prompt_needed), best)


def fill_by_rule(sentence: str, kinds: Mapping[str, ArtifactKind]) -> Filled:
    """The brief that plain rules read in a sentence."""
    kind, said = choose_kind(sentence, kinds), Sentence(sentence)
    return filled(kind, sentence, {"title": said.quoted, "language": said.language, "params": kind.read(said)})


def filled(kind: ArtifactKind, sentence: str, given: JsonObject) -> Filled:
    """`given` (title, language, params: anybody's words) as far as it holds; the sentence becomes the prompt."""
    params, missing = _what_holds(kind, given.get("params"))
    title = _held("title", given.get("title")) or default_title(kind, params)
    language = _held("language", given.get("language")) or Sentence(sentence).language
    prompt = _held("prompt", sentence) or ""
    return Filled(kind, title, language, prompt, params, missing)


def _held(name: str, value: JsonValue) -> str | None:
    """The value of one of the brief's own fields, where it can stand there."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        return None
    try:
        return str(getattr(Brief.model_validate({"kind": "any", "title": "any", name: value}), name))
    except ValidationError:
        return None


def _what_holds(kind: ArtifactKind, value: JsonValue) -> tuple[JsonObject, tuple[str, ...]]:
    """The parameters without whatever the kind refuses, and the pointers of those that are needed and not there."""
    params: JsonObject = copy.deepcopy(value) if isinstance(value, dict) else {}
    params = {name: item for name, item in params.items() if name in kind.params_model.model_fields}
    for _ in range(ROUNDS):
        problems = _problems(kind, params)
        wrong = [problem.pointer for problem in problems if problem.message != MISSING]
        if not wrong:
            return params, _needed(kind, params, problems)
        for place in wrong:
            _drop(params, place)
    return {}, _needed(kind, {}, _problems(kind, {}))


def _problems(kind: ArtifactKind, params: JsonObject) -> tuple[Problem, ...]:
    try:
        kind.parse(Brief(kind=kind.name, title="any", prompt="any", params=params))
    except BriefError as error:
        return error.problems
    return ()


def _drop(params: JsonObject, place: str) -> None:
    """Take away what a problem is about; where that is no field of its own, the whole parameter."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[2:]]
    if not parts:
        params.clear()
        return
    holder: JsonValue = params
    for part in parts[:-1]:
        holder = holder.get(part) if isinstance(holder, dict) else None
    if isinstance(holder, dict) and parts[-1] in holder:
        del holder[parts[-1]]
    else:
        params.pop(parts[0], None)


def _needed(kind: ArtifactKind, params: JsonObject, problems: Iterable[Problem]) -> tuple[str, ...]:
    """Pointers of needed fields that are empty; of a needed group that is not there, those of its own."""
    found: list[str] = []
    for problem in problems:
        name = problem.pointer.removeprefix("/params/")
        field = kind.params_model.model_fields.get(name)
        inner = field.annotation if field else None
        if name not in params and isinstance(inner, type) and issubclass(inner, BaseModel):
            found += [f"/params/{name}/{own}" for own, item in inner.model_fields.items() if item.is_required()]
        else:
            found.append(problem.pointer)
    return tuple(dict.fromkeys(found))


def _terms(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    found = {word.rstrip("s") for word in re.findall(r"[^\W\d_]{3,}", folded)}
    for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}", folded):
        found |= {run[index : index + 2] for index in range(len(run) - 1)}
    return found


def _strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
