"""Recorded runs, read from a file: our own `trajectory.jsonl`, OpenAI chat messages, or ATIF.

A recording keeps the replies in order, each with its calls, and the results that the calls had then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from studio.brief import JsonObject
from studio.errors import BriefError, Problem
from studio.record.atif import RAW
from studio.record.turns import last_attempt
from studio.trajectory import (
    Call,
    Event,
    Header,
    ModelReply,
    ToolCalled,
    ToolResult,
    as_text,
    decode_lines,
)

MAX_FILE_BYTES = 512 << 20


@dataclass(frozen=True)
class RecordedResult:
    """What a call came to when it was recorded; `exit_status` is None where the record does not say it."""

    output: str
    exit_status: int | None = None


@dataclass(frozen=True)
class Recording:
    """A recorded sequence of replies. `replies` holds the calls of each; `results` has one entry a call, in order."""

    replies: tuple[tuple[Call, ...], ...]
    results: tuple[RecordedResult | None, ...]
    header: Header | None = None

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(call for reply in self.replies for call in reply)

    @property
    def origin(self) -> str | None:
        """What made the recorded run, in a word, where its header says so."""
        if self.header is None:
            return None
        made_by = self.header.made_by
        return made_by.model or (f"recipe {made_by.recipe}" if made_by.recipe else made_by.replay_of)


def read_recording(path: Path) -> Recording:
    """The recording in `path`. Raises BriefError that says what the file should be."""
    recording = _from_text(_text(path), path.name)
    if not recording.calls:
        raise BriefError([Problem("", f"{path.name} holds no tool call, so there is nothing to replay")])
    return recording


def read_lines(path: Path) -> list[Header | Event]:
    """The header and events of a trajectory.jsonl. Raises BriefError where it is none."""
    try:
        return list(decode_lines(_text(path).split("\n")))
    except ValueError as error:
        raise BriefError([Problem("", f"{path.name} is not a trajectory.jsonl: {error}")]) from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:  # what has no size of its own, such as a pipe, is read to the limit too
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise BriefError([Problem("", f"{path.name} is larger than {MAX_FILE_BYTES >> 20} MiB")])
        return content.decode("utf-8")
    except OSError as error:
        raise BriefError([Problem("", f"{path} cannot be read: {error.strerror or error}")]) from None
    except UnicodeDecodeError:
        raise BriefError([Problem("", f"{path.name} is not UTF-8 text")]) from None


def _from_text(text: str, name: str) -> Recording:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None  # more than one line of JSON: ours, or nothing that can be read
    if isinstance(value, dict) and "messages" in value:
        return replace(from_messages(value["messages"]), header=_header(value.get("header")))
    if isinstance(value, dict) and str(value.get("schema_version")).startswith("ATIF-"):
        extra = value.get("extra")
        return replace(
            from_atif(value.get("steps")), header=_header(extra.get("header") if isinstance(extra, dict) else None)
        )
    if isinstance(value, list):
        return from_messages(value)
    try:
        return from_events(decode_lines(text.split("\n")))  # not splitlines: U+2028 may stand in a string
    except ValueError as error:
        raise BriefError(
            [Problem("", f"{name} is neither a trajectory.jsonl nor OpenAI messages or ATIF in JSON: {error}")]
        ) from None


def from_events(items: Iterable[Header | Event]) -> Recording:
    """The last attempt of a trajectory: from its last `job.started` on, where it has one."""
    header, events = last_attempt(items)
    told = [event for event in events if isinstance(event, ModelReply) and event.calls]
    called = [event for event in events if isinstance(event, ToolCalled)]
    if told:
        replies = tuple(tuple(event.calls) for event in told)
    else:  # a recipe or a replay: nobody replied, calls only
        replies = tuple((Call(id=event.id, name=event.name, arguments=as_text(event.arguments)),) for event in called)
    results_by_id = {event.id: event for event in events if isinstance(event, ToolResult)}
    by_id = {key: RecordedResult(event.output, event.exit_status) for key, event in results_by_id.items()}
    results = tuple(by_id.get(call.id) for reply in replies for call in reply)
    return Recording(replies, results, header)


def from_messages(messages: Any) -> Recording:
    """A recording from OpenAI chat messages: assistant messages with `tool_calls`, tool messages with their results."""
    if not isinstance(messages, list):
        raise BriefError([Problem("/messages", "must be a list of chat messages")])
    replies: list[tuple[Call, ...]] = []
    results: dict[int, RecordedResult] = {}
    open_calls: dict[str, list[int]] = {}
    count = 0
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            raise BriefError([Problem(f"/messages/{index}", "must be an object with a role")])
        if message.get("role") == "assistant" and message.get("tool_calls"):
            calls = _calls(message["tool_calls"], f"/messages/{index}/tool_calls")
            for call in calls:
                open_calls.setdefault(call.id, []).append(count)
                count += 1
            replies.append(calls)
        elif message.get("role") == "tool":
            waiting = open_calls.get(str(message.get("tool_call_id")))
            if waiting:
                results[waiting.pop(0)] = RecordedResult(_content(message.get("content")))
    return Recording(tuple(replies), tuple(results.get(number) for number in range(count)))


def from_atif(steps: Any) -> Recording:
    """A recording from the steps of an ATIF trajectory: those of the agent that have calls."""
    if not isinstance(steps, list):
        raise BriefError([Problem("/steps", "must be a list of steps")])
    replies: list[tuple[Call, ...]] = []
    results: list[RecordedResult | None] = []
    for index, step in enumerate(steps):
        given = step.get("tool_calls") if isinstance(step, dict) else None
        if not given:
            continue
        calls = _atif_calls(given, f"/steps/{index}/tool_calls")
        observed = step.get("observation")
        listed = observed.get("results") if isinstance(observed, dict) else None
        found = {
            result.get("source_call_id"): _atif_result(result)
            for result in (listed if isinstance(listed, list) else ())
            if isinstance(result, dict)
        }
        replies.append(calls)
        results += [found.get(call.id) for call in calls]
    return Recording(tuple(replies), tuple(results))


def _atif_calls(value: Any, where: str) -> tuple[Call, ...]:
    calls = []
    for index, item in enumerate(value if isinstance(value, list) else [value]):
        if not isinstance(item, dict) or not isinstance(item.get("function_name"), str):
            raise BriefError([Problem(f"{where}/{index}", "must be an object with function_name and arguments")])
        extra = item.get("extra")
        raw = extra.get(RAW) if isinstance(extra, dict) else None
        arguments = raw if isinstance(raw, str) else as_text(item.get("arguments") or {})
        calls.append(Call(id=str(item.get("tool_call_id") or index), name=item["function_name"], arguments=arguments))
    return tuple(calls)


def _atif_result(result: JsonObject) -> RecordedResult:
    extra = result.get("extra")
    status = extra.get("exit_status") if isinstance(extra, dict) else None
    return RecordedResult(_content(result.get("content")), status if isinstance(status, int) else None)


def _header(value: Any) -> Header | None:
    """The header that an export of the studio's holds; without one a replay has no brief of its own."""
    try:
        return Header.model_validate(value) if isinstance(value, dict) else None
    except ValidationError:
        return None


def _calls(value: Any, where: str) -> tuple[Call, ...]:
    if not isinstance(value, list):
        raise BriefError([Problem(where, "must be a list of tool calls")])
    calls = []
    for index, item in enumerate(value):
        function: JsonObject | None = item.get("function") if isinstance(item, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise BriefError([Problem(f"{where}/{index}/function", "must be an object with name and arguments")])
        arguments = function.get("arguments")
        calls.append(
            Call(
                id=str(item.get("id") or f"call_{index + 1}"),
                name=function["name"],
                arguments="" if arguments is None else as_text(arguments),
            )
        )
    return tuple(calls)


def _content(value: Any) -> str:
    if isinstance(value, list):  # parts
        return "".join(str(part.get("text") or "") for part in value if isinstance(part, dict))
    return value if isinstance(value, str) else ""
