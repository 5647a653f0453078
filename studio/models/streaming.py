"""Streamed replies: server-sent events of chat completion chunks, put together leniently.

The form is that of the WHATWG HTML standard, "Server-sent events": lines end with CR, LF or both, events with an empty
line, comments begin with a colon. Bytes arrive cut anywhere, also within a character.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from studio.models.repeating import LEAST, Repeating, collapsed
from studio.models.types import OnText
from studio.models.wire import CallPart, Choice, Chunk, Completion, Said, WireUsage, sound

MAX_BYTES = 64 << 20  # of one reply
MAX_REPEATED_CALL = 1 << 16  # a file may hold long runs of the same; a reply in words does not
DONE = "[DONE]"


class BrokenStream(Exception):
    """The stream ended, or said something else, before the reply was whole."""


class StreamedError(Exception):
    """The server reports an error within the stream; `body` is what it said."""

    def __init__(self, body: Any) -> None:
        self.body = body
        super().__init__("error within the stream")


def events(pieces: Iterable[bytes]) -> Iterator[str]:
    """The data of each event, in order. An event that the end of the stream cuts is given too: it may be whole."""
    data: list[str] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield "\n".join(data)
            data = []
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
    if data:
        yield "\n".join(data)


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines of UTF-8; a CR at the end of a piece waits for the LF that may come with the next one."""
    rest = b""
    total = 0
    for piece in _without_mark(pieces):
        total += len(piece)
        if total > MAX_BYTES:
            raise BrokenStream(f"the reply is longer than {MAX_BYTES >> 20} MiB")
        if b"\n" not in piece and b"\r" not in piece and not rest.endswith(b"\r"):
            rest += piece
            continue
        whole = rest + piece
        held = whole.endswith(b"\r")
        parts = (whole[:-1] if held else whole).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        rest = parts.pop() + (b"\r" if held else b"")
        for part in parts:
            yield part.decode("utf-8", "replace")
    if rest:
        yield rest.rstrip(b"\r").decode("utf-8", "replace")


def _without_mark(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes without a byte order mark at their beginning."""
    begin: bytes | None = b""
    for piece in pieces:
        if begin is None:
            yield piece
        elif len(begin := begin + piece) >= len(codecs.BOM_UTF8):
            yield begin.removeprefix(codecs.BOM_UTF8)
            begin = None
    if begin:
        yield begin


@dataclass
class _Slot:
    """A call while its pieces come."""

    index: int | None
    id: str | None
    name: str = ""
    arguments: list[str] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Could these be all of its arguments?"""
        text = "".join(self.arguments)
        try:
            return not text.strip() or isinstance(json.loads(text), dict)
        except (ValueError, RecursionError):
            return False


class Assembly:
    """Takes the events of one stream; `completion` is the whole reply, once `finished`.

    `repeated_text` is how many characters of nothing but repetition end a reply in words.
    """

    def __init__(self, on_text: OnText, repeated_text: int = LEAST) -> None:
        self._least = repeated_text
        self.repeated = False  # the model repeats itself: nothing more need be read
        self._on_text = on_text
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._slots: list[_Slot] = []
        self._reason: str | None = None
        self._done = False
        self._id: str | None = None
        self._usage: WireUsage | None = None
        self._watches = {
            "text": Repeating(repeated_text),
            "reasoning": Repeating(),
            "call": Repeating(MAX_REPEATED_CALL),
        }

    @property
    def finished(self) -> bool:
        """Has the server said that the reply is whole?"""
        return self._done or self._reason is not None

    @property
    def has_usage(self) -> bool:
        return self._usage is not None and self._usage.prompt_tokens is not None

    def take(self, data: str) -> bool:
        """Take one event; True when no more is to come. Raises BrokenStream and StreamedError."""
        if data.strip() == DONE:
            self._done = True
            return True
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            raise BrokenStream("a piece of the reply is not JSON") from None
        if isinstance(value, dict) and value.get("error"):
            raise StreamedError(value["error"])
        if isinstance(value, dict) and "choices" not in value and ("message" in value or "detail" in value):
            raise StreamedError(value)
        try:
            chunk = Chunk.model_validate(value)
        except ValidationError:
            raise BrokenStream("a piece of the reply is no chat completion chunk") from None
        self._id = chunk.id or self._id
        self._usage = chunk.usage or self._usage
        for choice in chunk.choices[:1]:
            self._reason = choice.finish_reason or self._reason
            if choice.delta is not None:
                self._said(choice.delta)
        return self.repeated

    def completion(self) -> Completion:
        """The reply as if it had come whole. Of one that repeated itself the calls are left out, as unfinished."""
        parts = [
            CallPart.model_validate(
                {"id": slot.id, "function": {"name": slot.name, "arguments": sound("".join(slot.arguments))}}
            )
            for slot in self._slots
        ]
        said = Said(
            content=collapsed(sound("".join(self._text)), self._least),
            refusal=sound("".join(self._refusal)) or None,
            reasoning=collapsed(sound("".join(self._reasoning))),
            tool_calls=None if self.repeated else parts,
        )
        choice = Choice(message=said, finish_reason="repetition" if self.repeated else self._reason)
        return Completion(id=self._id, choices=[choice], usage=self._usage)

    def _said(self, delta: Said) -> None:
        for name, piece, kept in (
            ("reasoning", delta.reasoning_content or delta.reasoning, self._reasoning),
            ("text", delta.content, self._text),
            ("text", delta.refusal, self._refusal),
        ):
            if piece:
                kept.append(piece)
                self._tell(name, piece)
        for part in delta.tool_calls or ():
            self._call(part)

    def _call(self, part: CallPart) -> None:
        slot = self._slot_of(part)
        name, arguments = part.function.name, part.function.arguments
        if name and name != slot.name and not slot.arguments:  # servers repeat it, or send it in pieces
            slot.name += name
            self._on_text(f"\n[{name}] " if slot.name == name else name)
        if arguments:
            slot.arguments.append(arguments)
            self._tell("call", arguments)

    def _slot_of(self, part: CallPart) -> _Slot:
        """The call that a piece belongs to: by its index, else the last; but a new name and id begin a new call."""
        known = [slot for slot in self._slots if part.index is None or slot.index == part.index]
        slot = known[-1] if known else None
        named = bool(part.function.name)
        if slot is not None:
            other = part.id is not None and slot.id is not None and part.id != slot.id
            again = part.id is None and part.index is None and named and bool(slot.arguments)
            if not (named and (other or again) and slot.whole):
                slot.id = slot.id or part.id
                return slot
        slot = _Slot(part.index, part.id)
        self._slots.append(slot)
        return slot

    def _tell(self, where: str, piece: str) -> None:
        self._on_text(piece)
        if self._watches[where].take(piece):
            self.repeated = True
