"""What stands in a conversation for steps that are left out: a list of what was done, a line each."""

from __future__ import annotations

import json
from collections.abc import Sequence

from studio.models.types import Message

BEGIN = "Steps that are left out here to save room"
LINE = 140  # characters of a step
LEAST_LINES = 5


def line(step: Sequence[Message]) -> str:
    """One step in a line: its calls, and how the last of them ended."""
    calls = "; ".join(_said(call.name, call.arguments) for call in step[0].calls) or step[0].text
    results = [message.text for message in step if message.role == "tool"]
    end = ""
    if results:  # a report begins with its verdict, a command's result ends with its status
        submitted = step[0].calls[-1].name == "submit"
        end = results[-1].partition("\n")[0] if submitted else results[-1].rstrip().rpartition("\n")[2]
    return f"{_short(calls, LINE)} -> {_short(end, 60)}" if end else _short(calls, LINE)


def digest(lines: Sequence[str], most: int) -> Message:
    """The message for these steps: the last lines that fit into `most` characters, and how many came before."""
    shown: list[str] = []
    room = most
    for index in range(len(lines) - 1, -1, -1):
        room -= len(lines[index]) + 8
        if room < 0 and len(shown) >= LEAST_LINES:
            break
        shown.append(f"- {lines[index]}")
    before = len(lines) - len(shown)
    listed = [f"({before} more before these.)"] if before else []
    return Message(
        "user",
        "\n".join(
            [
                f"{BEGIN} ({len(lines)} in all). The files that they made are still there; `ls -la /testbed` shows "
                "them. What was done, and how it ended:",
                *listed,
                *reversed(shown),
            ]
        ),
        passing=True,
    )


def is_digest(message: Message) -> bool:
    """Is this the message that `digest` made before?"""
    return message.role == "user" and message.passing and message.text.startswith(BEGIN)


def _said(name: str, arguments: str) -> str:
    try:
        given = json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        given = arguments
    if isinstance(given, dict):
        if name == "str_replace_editor":
            return f"{given.get('command', 'edit')} {given.get('path', '')}"
        given = given.get("command", "")
    return f"{name} {given}".rstrip() if name != "execute_bash" else str(given)


def _short(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
