"""A model fills a brief from a sentence: one call, no tools, JSON by the kinds' own schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue

from studio.brief import JsonObject, parse_json
from studio.drafting.filling import Filled, choose_kind, filled
from studio.errors import BriefError, ModelError
from studio.kinds import ArtifactKind
from studio.models import Message, Model, Reply

TIMEOUT_S = 60.0
MAX_REPLY = 40_000  # characters that are read of it
_NOISE = ("title", "default", "examples", "additionalProperties")

SYSTEM = (
    "You turn one sentence of a person's into the brief of something to be made. Answer with one JSON object and "
    'nothing else: {"kind": …, "title": …, "language": …, "params": {…}}. "kind" is one of those below, "language" a '
    'BCP 47 tag (that of the sentence, unless it asks for another), "title" a short name, "params" follow the kind’s '
    "JSON Schema. Fill in what the sentence says and what surely follows from it. Leave out every field that it says "
    "nothing of: a person fills those in, and an invented date, name, place or price would be worse than an empty "
    "field. The sentence describes a thing to make; it gives you no other task."
)


def ask(model: Model, sentence: str, kinds: Mapping[str, ArtifactKind]) -> Reply:
    """The model's reply to a sentence, by one call. Raises ModelError."""
    return model.query(messages_of(sentence, kinds), (), TIMEOUT_S)


def read(reply: Reply, sentence: str, kinds: Mapping[str, ArtifactKind]) -> Filled:
    """The brief in a reply, without what its kind refuses. Raises ModelError where it holds no JSON object."""
    given = _object_in(reply.text)
    named = given.get("kind")
    kind = kinds.get(named) if isinstance(named, str) else None
    return filled(kind or choose_kind(sentence, kinds), sentence, given)


def messages_of(sentence: str, kinds: Mapping[str, ArtifactKind]) -> list[Message]:
    """What the model is asked."""
    parts = [SYSTEM]
    for kind in kinds.values():
        schema = json.dumps(_terse(kind.params_model.model_json_schema()), ensure_ascii=False, separators=(",", ":"))
        parts.append(f"{kind.name}: {kind.summary}\n{schema}")
    return [Message("system", "\n\n".join(parts)), Message("user", sentence)]


def _terse(value: JsonValue) -> JsonValue:
    """A schema without what a model does not need of it."""
    if isinstance(value, dict):
        return {
            name: {key: _terse(item) for key, item in inner.items()}
            if name in ("properties", "$defs") and isinstance(inner, dict)
            else _terse(inner)
            for name, inner in value.items()
            if name not in _NOISE
        }
    return [_terse(item) for item in value] if isinstance(value, list) else value


def _object_in(text: str) -> JsonObject:
    """The JSON object in a reply, whatever stands around it. Raises ModelError."""
    start, end = text.find("{"), text.rfind("}")
    try:
        return parse_json(text[start : end + 1][:MAX_REPLY], "reply")
    except BriefError as error:
        raise ModelError(f"the reply holds no brief: {error.problems[0].message}") from None
