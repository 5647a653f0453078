"""The chat completion form as servers really send it: read leniently, for they differ in what they leave out."""

from __future__ import annotations

import base64
import codecs
import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from studio.brief import JsonObject
from studio.models.types import Message, ToolSchema
from studio.trajectory import Call, ReplyUsage

MOST_TOKENS = 10**9  # more than any reply has; a greater figure is nonsense


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


def _text_only(value: Any) -> Any:
    return value if isinstance(value, str) else None


def _joined(value: Any) -> Any:
    """Some servers give a list of parts, or one part."""
    if isinstance(value, list):
        return "".join(str(part.get("text") or "") for part in value if isinstance(part, dict))
    return str(value.get("text") or "") if isinstance(value, dict) else value


def _objects(value: Any) -> Any:
    """A list without what is no object in it."""
    return [item for item in value if isinstance(item, dict | BaseModel)] if isinstance(value, list) else value


def _count(value: Any) -> Any:
    """A number of tokens; None where it is none that can be."""
    try:
        count = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return count if 0 <= count <= MOST_TOKENS and not isinstance(value, bool) else None


def _object_only(value: Any) -> Any:
    return value if isinstance(value, dict | BaseModel) else None


def sound(text: str) -> str:
    """The text with halves of surrogate pairs joined, and lone ones, which no encoding can hold, replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class FunctionPart(_Lenient):
    """A call's function, or a piece of it."""

    name: str = ""
    arguments: str = ""

    @field_validator("name", "arguments", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        if value is None:
            return ""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class CallPart(_Lenient):
    """A call, or a piece of it."""

    index: int | None = None
    id: str | None = None
    function: FunctionPart = FunctionPart()

    @field_validator("function", mode="before")
    @classmethod
    def _some(cls, value: Any) -> Any:
        return FunctionPart() if value is None else value

    @field_validator("id", mode="before")
    @classmethod
    def _id(cls, value: Any) -> Any:
        return str(value) if value not in (None, "") else None


class Said(_Lenient):
    """What an assistant said: a message, or a piece of one."""

    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[CallPart] | None = None

    _parts = field_validator("content", mode="before")(_joined)
    _calls = field_validator("tool_calls", mode="before")(_objects)
    _thought = field_validator("reasoning", "reasoning_content", "refusal", mode="before")(_text_only)


class Choice(_Lenient):
    message: Said
    finish_reason: str | None = None

    _reason = field_validator("finish_reason", mode="before")(_text_only)


class _Details(_Lenient):
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    _counts = field_validator("cached_tokens", "reasoning_tokens", mode="before")(_count)


class WireUsage(_Lenient):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None

    _counts = field_validator("prompt_tokens", "completion_tokens", mode="before")(_count)
    _details = field_validator("prompt_tokens_details", "completion_tokens_details", mode="before")(_object_only)

    def usage(self) -> ReplyUsage:
        """The counts as the record keeps them."""
        prompt, completion = self.prompt_tokens_details, self.completion_tokens_details
        return ReplyUsage(
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            cached_tokens=prompt.cached_tokens if prompt else None,
            reasoning_tokens=completion.reasoning_tokens if completion else None,
        )


class Completion(_Lenient):
    """A whole chat completion."""

    id: str | None = None
    choices: list[Choice] = Field(min_length=1)
    usage: WireUsage | None = None

    _used = field_validator("usage", mode="before")(_object_only)


def completion_of(body: bytes) -> Completion:
    """A whole answer, read. Raises ValidationError."""
    body = body.removeprefix(codecs.BOM_UTF8)
    try:
        return Completion.model_validate_json(body)
    except ValidationError:
        if b"\\ud" not in body.lower():  # half a surrogate pair, which the strict parser refuses
            raise
    try:
        text = json.dumps(json.loads(body), ensure_ascii=False)
    except (ValueError, RecursionError):
        text = body.decode("utf-8", "replace")
    return Completion.model_validate_json(sound(text))


class ChunkChoice(_Lenient):
    delta: Said | None = None
    finish_reason: str | None = None

    _reason = field_validator("finish_reason", mode="before")(_text_only)


class Chunk(_Lenient):
    """One event of a streamed completion."""

    id: str | None = None
    choices: list[ChunkChoice] = Field(default_factory=list)
    usage: WireUsage | None = None

    _used = field_validator("usage", mode="before")(_object_only)

    @field_validator("choices", mode="before")
    @classmethod
    def _none(cls, value: Any) -> Any:
        return [] if value is None else value


def calls_of(parts: list[CallPart]) -> tuple[Call, ...]:
    """Calls as the record keeps them; one without an id gets its number."""
    return tuple(
        Call(id=part.id or f"call_{number}", name=part.function.name.strip(), arguments=part.function.arguments)
        for number, part in enumerate(parts, start=1)
    )


def tool_param(tool: ToolSchema) -> JsonObject:
    """A tool as it is sent."""
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def message_param(message: Message) -> JsonObject:
    """A message as it is sent."""
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id or "", "content": message.text}
    if message.pictures:
        pictures = [
            {"type": "image_url", "image_url": {"url": _inline(picture.media_type, picture.content)}}
            for picture in message.pictures
        ]
        return {"role": message.role, "content": [{"type": "text", "text": message.text}, *pictures]}
    if not message.calls:
        return {"role": message.role, "content": message.text}
    return {
        "role": "assistant",
        "content": message.text or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _valid_json(call.arguments)},
            }
            for call in message.calls
        ],
    }


def _inline(media_type: str, content: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def _valid_json(arguments: str) -> str:
    """Arguments as they may be sent back: several servers refuse a conversation that holds broken JSON."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    return arguments if isinstance(value, dict) else json.dumps({"broken_arguments": arguments}, ensure_ascii=False)
