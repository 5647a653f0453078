"""Tools for models that know no tool calls: an addition to the system prompt, and a conversation of plain words.

The protocol is that of docs/text-protocol.md: a call is a fenced block marked `tool` with one JSON object; results come
as the user's words. What a model writes instead is read as far as it can be (studio/models/prose.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from studio.models.types import Message, ToolSchema
from studio.trajectory import Call

RESULT = "Result of"
_INVENTED = re.compile(rf"^[ \t>*]*(?:{RESULT} `?\w+`?|Observation)[ \t*]*:", re.M)


def addition(tools: Sequence[ToolSchema]) -> str:
    """What the system prompt is told of the tools and of the form of a call."""
    told = "\n".join(f"- `{tool.name}`: {tool.description} Arguments: {_arguments(tool)}" for tool in tools)
    return (
        "How to call a tool\n"
        "Write a fenced block marked `tool` that holds one JSON object with the tool's name and its arguments, and "
        "nothing after it:\n\n"
        '```tool\n{"name": "execute_bash", "arguments": {"command": "ls -l /testbed/input"}}\n```\n\n'
        "Then stop. The result comes as the next message, which begins with `Result of`; never write it yourself. "
        'One call a message is best. Within a string write a line break as \\n and a quotation mark as \\".\n\n'
        f"The tools\n{told}"
    )


def as_words(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> list[Message]:
    """The conversation without tool messages: the system prompt with the addition, then user and assistant in turn."""
    names: dict[str, str] = {}
    words: list[Message] = []
    for message in messages:
        names |= {call.id: call.name for call in message.calls}
        plain = _plain(message, names)
        if words and words[-1].role == plain.role:  # many templates of chats know nothing but turns
            pictures = words[-1].pictures + plain.pictures
            words[-1] = replace(words[-1], text=f"{words[-1].text}\n\n{plain.text}", pictures=pictures)
        else:
            words.append(plain)
    if tools:
        if not words or words[0].role != "system":
            words.insert(0, Message("system", ""))
        words[0] = replace(words[0], text=f"{words[0].text}\n\n{addition(tools)}".lstrip())
    return words


def before_invention(text: str) -> str:
    """`text` up to where the model goes on to write a result by itself; whole where it does not."""
    found = _INVENTED.search(text)
    return text[: found.start()].rstrip() if found and text[: found.start()].strip() else text


def _plain(message: Message, names: dict[str, str]) -> Message:
    if message.role == "tool":
        return Message("user", f"{RESULT} {names.get(message.call_id or '', 'the call')}:\n{message.text}")
    if not message.calls:
        return message
    blocks = "\n".join(f"```tool\n{_written(call)}\n```" for call in message.calls)
    return Message("assistant", f"{message.text}\n\n{blocks}".lstrip())


def _written(call: Call) -> str:
    try:
        arguments = json.loads(call.arguments, strict=False) if call.arguments.strip() else {}
    except (ValueError, RecursionError):
        arguments = call.arguments
    return json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)


def _arguments(tool: ToolSchema) -> str:
    properties = tool.parameters.get("properties", {})
    required = tool.parameters.get("required", [])
    told = []
    for name, schema in properties.items():
        kind = "one of " + ", ".join(schema["enum"]) if "enum" in schema else schema.get("type", "string")
        said = f" ({schema['description'].rstrip('.')})" if "description" in schema else ""
        told.append(f"`{name}` {kind}{'' if name in required else ', optional'}{said}")
    return "; ".join(told) + "."
