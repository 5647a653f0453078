"""A record as messages in the OpenAI chat form: what the model was told and said, and what its calls came to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel, Field

from studio.brief import JsonObject
from studio.record.turns import Turn, last_attempt, turns_of
from studio.trajectory import Event, Header, Note


class ChatFunction(BaseModel):
    """A function and the raw JSON text of its arguments."""

    name: str
    arguments: str


class ChatCall(BaseModel):
    """One tool call."""

    id: str
    type: Literal["function"] = "function"
    function: ChatFunction


class ChatMessage(BaseModel):
    """One message. `tool_calls` is an assistant's, `tool_call_id` a tool's."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: list[ChatCall] | None = None
    tool_call_id: str | None = None


class Chat(BaseModel):
    """A whole conversation. `header` is the record's own first line, by which a replay knows the brief."""

    header: Header | None = None
    tools: list[JsonObject] = Field(default_factory=list)
    messages: list[ChatMessage]

    def as_json(self) -> str:
        """The conversation as a JSON object, without what is not there."""
        return self.model_dump_json(by_alias=True, exclude_none=True)


def as_chat(items: Iterable[Header | Event], opening: Iterable[ChatMessage], tools: list[JsonObject]) -> Chat:
    """The last attempt as messages. A tool's message is what the model saw, which may be a part of the output."""
    header, events = last_attempt(items)
    messages = list(opening)
    for said in turns_of(events):
        if isinstance(said, Turn):
            messages += _messages(said)
        elif isinstance(said, Note):
            messages.append(ChatMessage(role="user", content=said.text))
    return Chat(header=header, tools=tools, messages=messages)


def _messages(turn: Turn) -> list[ChatMessage]:
    calls = [
        ChatCall(id=call.id, function=ChatFunction(name=call.name, arguments=call.arguments)) for call in turn.calls
    ]
    text = turn.reply.text if turn.reply else ""
    messages = [ChatMessage(role="assistant", content=text or (None if calls else ""), tool_calls=calls or None)]
    for call in turn.calls:
        if result := turn.results.get(call.id):
            shown = result.output if result.shown is None else result.shown
            messages.append(ChatMessage(role="tool", content=shown, tool_call_id=call.id))
    return messages
