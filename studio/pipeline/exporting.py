"""The record of a run in the forms that others read: ATIF, and messages in the OpenAI chat form.

A record holds its prompts by hash alone. Those that are still in use stand in the exports word for word; of others
the brief is told instead.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import chain
from typing import Literal, TypeAlias

from studio.agent.prompts import SYSTEM
from studio.brief import Brief
from studio.errors import BriefError, NotFound
from studio.kinds import get_kind
from studio.record.atif import as_atif
from studio.record.chat import ChatMessage, as_chat
from studio.tools import SCHEMAS
from studio.trajectory import Event, Header

Form: TypeAlias = Literal["atif", "openai"]

TOOLS = [
    {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }
    for tool in SCHEMAS
]


def export(items: Iterator[Header | Event], form: Form, job_id: str | None = None) -> str:
    """The last attempt of a record as one JSON text."""
    first = next(items, None)
    header = first if isinstance(first, Header) else Header()
    everything = chain([] if first is None else [first], items)
    if form == "atif":
        return as_atif(everything, opening_of(header), TOOLS, job_id).as_json()
    return as_chat(everything, opening_of(header), TOOLS).as_json()


def opening_of(header: Header) -> list[ChatMessage]:
    """What the model was told first, as far as it is known; a recipe is shown the brief alone."""
    known = {_sha256(text): text for text in (SYSTEM, _kind_prompt(header.brief))}
    messages = [
        ChatMessage(role="user" if name.startswith("kind/") else "system", content=known[sha256])
        for name, sha256 in header.prompts.items()
        if sha256 in known
    ]
    if header.brief is not None and not any(message.role == "user" for message in messages):
        brief = json.dumps(header.brief.model_dump(mode="json"), ensure_ascii=False)
        messages.append(ChatMessage(role="user", content=f"The brief:\n{brief}"))
    return messages


def _kind_prompt(brief: Brief | None) -> str:
    try:
        return get_kind(brief.kind).prompt(brief) if brief else ""
    except (NotFound, BriefError, ValueError):  # a kind that is gone, or takes other parameters now
        return ""


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
