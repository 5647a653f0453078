"""How a page shows the texts of a step: cut in the middle, each under its name."""

from __future__ import annotations

import json
from dataclasses import dataclass

from studio.record.steps import StepCall
from web.i18n import gettext

SHOWN_CHARS = 12_000  # of one text on a page; the whole of it is in the downloadable record


@dataclass(frozen=True)
class Passage:
    """A text as a page shows it: whole, or its head and tail with the number of characters left out between."""

    head: str
    tail: str = ""
    left_out: int = 0

    @property
    def lines(self) -> int:
        return self.head.count("\n") + self.tail.count("\n") + 1


def passage(text: str, limit: int = SHOWN_CHARS) -> Passage:
    """`text`, cut in its middle when it is longer than `limit` characters."""
    if len(text) <= limit:
        return Passage(text)
    head, tail = limit * 2 // 3, limit // 3
    return Passage(text[:head], text[-tail:], len(text) - head - tail)


def call_title(call: StepCall) -> str:
    """The call in one line."""
    if call.name == "execute_bash":
        lines = _argument(call, "command").strip().splitlines()
        return lines[0][:160] if lines else gettext("(no command)")
    if call.name == "str_replace_editor":
        return f"{_argument(call, 'command')} {_argument(call, 'path')}"[:160].strip()
    return _argument(call, "summary")[:160] if call.name == "submit" else ""


def asked(call: StepCall) -> list[tuple[str, Passage]]:
    """What a person may want to read of the arguments: a name for each text, empty for a shell command."""
    if isinstance(call.arguments, str):
        return [(gettext("arguments, not JSON"), passage(call.arguments))]
    if call.name == "execute_bash":
        return [("", passage(_argument(call, "command")))]
    known = call.arguments if isinstance(call.arguments, dict) else {}
    skipped = {"command", "path"} if call.name == "str_replace_editor" else set()
    return [(name, passage(_argument(call, name))) for name in known if name not in skipped and _argument(call, name)]


def _argument(call: StepCall, name: str) -> str:
    """One argument as text; empty where it was not given."""
    value = call.arguments.get(name) if isinstance(call.arguments, dict) else None
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
