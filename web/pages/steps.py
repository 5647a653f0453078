"""How a page shows the texts of a step: cut in the middle, each under its name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import SequenceMatcher

from studio.record.steps import StepCall
from web.i18n import gettext

SHOWN_CHARS = 12_000  # of one text on a page; the whole of it is in the downloadable record
COMPARED_LINES = 300  # of a replacement, before or after, that is shown line by line


@dataclass(frozen=True)
class Passage:
    """A text as a page shows it: whole, or its head and tail with the number of characters left out between."""

    head: str
    tail: str = ""
    left_out: int = 0

    @property
    def lines(self) -> int:
        return self.head.count("\n") + self.tail.count("\n") + 1

    @property
    def chars(self) -> int:
        return len(self.head) + self.left_out + len(self.tail)


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


def asked(call: StepCall, limit: int = SHOWN_CHARS) -> list[tuple[str, Passage]]:
    """What a person may want to read of the arguments: a name for each text, empty for a shell command."""
    if isinstance(call.arguments, str):
        return [(gettext("arguments, not JSON"), passage(call.arguments, limit))]
    if call.name == "execute_bash":
        return [("", passage(_argument(call, "command"), limit))]
    known = call.arguments if isinstance(call.arguments, dict) else {}
    skipped = {"command", "path"} if call.name == "str_replace_editor" else set()
    if edited(call):
        skipped |= {"old_str", "new_str"}
    shown = {name: _argument(call, name) for name in known if name not in skipped}
    return [(name, passage(text, limit)) for name, text in shown.items() if text]


def edited(call: StepCall) -> list[tuple[str, str]]:
    """The lines of a replacement, each with "-" for taken out, "+" for put in, " " for kept; none of another call."""
    if call.name != "str_replace_editor" or _argument(call, "command") != "str_replace":
        return []
    old, new = _argument(call, "old_str"), _argument(call, "new_str")
    before, after = old.splitlines(), new.splitlines()
    if not old or max(len(before), len(after)) > COMPARED_LINES or len(old) + len(new) > SHOWN_CHARS:
        return []
    lines: list[tuple[str, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [(" ", line) for line in before[a:b]]
        else:
            lines += [("-", line) for line in before[a:b]] + [("+", line) for line in after[c:d]]
    return lines


def _argument(call: StepCall, name: str) -> str:
    """One argument as text; empty where it was not given."""
    value = call.arguments.get(name) if isinstance(call.arguments, dict) else None
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
