"""Tool calls that a model writes into its words: fenced or tagged JSON, XML-like tags, Action lines, Python-like calls.

Each reader gives what it found with its place. Outside of marks that can only be a call, a name counts only where it is
a known tool's, and the call stands by itself: words about a call are no call. A call that the end of the reply cuts is
never read.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from studio.models.families import family_calls
from studio.models.types import ToolSchema
from studio.trajectory import Call

MAX_CALLS = 32
_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w.+-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S)
_TAGGED = re.compile(r"<(tool_call|tool_calls|function_call|tool)>\s*(.*?)\s*(?:</\1>|\Z)", re.S)
_FUNCTION = re.compile(r"<(?:function|invoke)(?:=|\s+name=)[\"']?([\w.:-]+)[\"']?\s*>(.*?)</(?:function|invoke)>", re.S)
_PARAMETER = re.compile(r"<parameter(?:=|\s+name=)[\"']?([\w.-]+)[\"']?\s*>\n?(.*?)\n?</parameter>", re.S)
_KEYED = re.compile(r"<arg_key>\s*([\w.-]+)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.S)
_MARKED = re.compile(r"(?:<\|python_tag\|>|\[TOOL_CALLS\]|<\|tool_call\|>|<\|tool_call_begin\|>)\s*(?=[\[{])")
_ACTION = re.compile(
    r"^[ \t*]*Action[ \t*]*:[ \t*`]*([\w.:-]+)[ \t*`]*\n+[ \t*]*Action[ _]Input[ \t*]*:[ \t*]*(.*?)"
    r"(?=^[ \t*]*(?:Observation|Thought|Action|Final Answer)[ \t*]*:|\Z)",
    re.M | re.S | re.I,
)
_NAME = ("name", "tool", "tool_name", "function", "function_name", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params")
_SHELLS = frozenset({"bash", "sh", "shell", "console", "zsh"})
SHELL_TOOL = "execute_bash"


@dataclass(frozen=True)
class Found:
    """A call in a text: from `start` to `end`, read by the reader called `form`."""

    start: int
    end: int
    name: str
    arguments: str
    form: str

    def beside(self, other: Found) -> bool:
        """Do both stand: apart from each other, or side by side in one block?"""
        apart = self.end <= other.start or self.start >= other.end
        return apart or (self.start, self.end, self.form) == (other.start, other.end, other.form)


@dataclass(frozen=True)
class Reading:
    """A text without its calls, the calls, and the names of the forms in which they stood."""

    text: str
    calls: tuple[Call, ...] = ()
    forms: tuple[str, ...] = ()


def read_calls(text: str, tools: Collection[ToolSchema], *, cut: bool, shell_blocks: bool) -> Reading:
    """The calls in `text`, in their order.

    `cut`: the reply was ended by its length, so only what is whole in itself, as JSON is, is read at its end.
    `shell_blocks`: where there is no other call, one fenced shell block alone is a command.
    """
    names = {tool.name: _sole_argument(tool) for tool in tools}
    readers: tuple[Callable[[str, _Known], Iterator[Found]], ...] = (
        _families, _tagged, _functions, _marked, _fenced, _actions, _python_like, _bare,
    )  # fmt: skip
    known = _Known(names, cut)
    taken: list[Found] = []
    for reader in readers:
        for found in reader(text, known):
            if all(found.beside(other) for other in taken):
                taken.append(found)
    if not taken and shell_blocks and SHELL_TOOL in names:
        taken = list(_shell(text, known))
    return _reading(text, sorted(taken, key=lambda found: found.start)[:MAX_CALLS])


def clean_name(name: str, known: Collection[str]) -> str:
    """A tool's name without what models put around it: `functions.submit`, `submit()`, `submit<|channel|>json`."""
    bare = re.split(r"<\||\(", name.strip(" `'\"*\n\t"))[0].strip()
    last = re.split(r"[.:/]", bare)[-1]
    return next((found for found in (bare, last, last.lower()) if found in known), bare)


@dataclass(frozen=True)
class _Known:
    """The tools by name, each with the argument that a bare text stands for; and whether the reply was cut."""

    names: dict[str, str | None]
    cut: bool

    def call(self, name: str, arguments: Any, *, sure: bool) -> tuple[str, str] | None:
        """Name and raw arguments; None where the name is unknown and nothing else makes `sure` that it is a call."""
        clean = clean_name(name, self.names)
        if clean not in self.names and not sure:
            return None
        if isinstance(arguments, str):
            stripped = arguments.strip()
            sole = self.names.get(clean)
            if sole and not stripped.startswith(("{", '"{')):
                return clean, json.dumps({sole: arguments}, ensure_ascii=False)
            return clean, stripped
        return clean, "" if arguments is None else json.dumps(arguments, ensure_ascii=False)

    def of_value(self, value: Any, *, sure: bool) -> list[tuple[str, str]]:
        """The calls that a JSON value stands for."""
        if isinstance(value, list):
            return [call for item in value for call in self.of_value(item, sure=sure)]
        if not isinstance(value, dict):
            return []
        for name in ("tool_calls", "calls"):
            if isinstance(value.get(name), list):
                return self.of_value(value[name], sure=sure)
        inner = value.get("function") or value.get("function_call") or value.get("tool_call")
        if isinstance(inner, dict):
            return self.of_value(inner, sure=sure)
        if len(value) == 1:
            (only, content), *_ = value.items()
            if clean_name(only, self.names) in self.names and isinstance(content, dict | str):
                return [call for call in [self.call(only, content, sure=False)] if call]
        called: str | None = next((value[key] for key in _NAME if isinstance(value.get(key), str)), None)
        if called is None:
            return []
        given = next((value[key] for key in _ARGUMENTS if key in value), None)
        if given is None and not any(key in value for key in _ARGUMENTS):
            given = {key: item for key, item in value.items() if key not in _NAME and key not in ("id", "type")}
        return [call for call in [self.call(called, given, sure=sure)] if call]


def _sole_argument(tool: ToolSchema) -> str | None:
    required = tool.parameters.get("required")
    return required[0] if isinstance(required, list) and len(required) == 1 else None


def _values(text: str) -> list[Any] | None:
    """The JSON values that `text` holds and nothing else, one after the other; None where it is not JSON."""
    decoder = json.JSONDecoder(strict=False)  # a raw line break within a string is what was meant
    values, at = [], 0
    text = text.strip().rstrip(";")
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        values.append(value)
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
    return values or None


def _all(known: _Known, text: str, span: tuple[int, int], form: str, *, sure: bool) -> Iterator[Found]:
    for value in _values(text) or ():
        for name, arguments in known.of_value(value, sure=sure):
            yield Found(*span, name, arguments, form)


def _families(text: str, known: _Known) -> Iterator[Found]:
    for start, end, name, value in family_calls(text):
        if call := known.call(name, value, sure=True):
            yield Found(start, end, *call, "a model's own mark")


def _tagged(text: str, known: _Known) -> Iterator[Found]:
    for match in _TAGGED.finditer(text):
        closed = match[0].endswith(f"</{match[1]}>")
        body = re.sub(r"^```\w*\n|\n```$", "", match[2])
        yield from _all(known, body, match.span(), f"<{match[1]}>", sure=True)
        keyed = dict(_KEYED.findall(body))
        if keyed and closed and (call := known.call(body.split("<")[0], keyed, sure=True)):
            yield Found(*match.span(), *call, f"<{match[1]}>")


def _functions(text: str, known: _Known) -> Iterator[Found]:
    for match in _FUNCTION.finditer(text):
        given: Any = dict(_PARAMETER.findall(match[2])) or match[2].strip() or None
        if call := known.call(match[1], given, sure=True):
            yield Found(*match.span(), *call, "<function=…>")


def _marked(text: str, known: _Known) -> Iterator[Found]:
    for match in _MARKED.finditer(text):
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        for name, arguments in known.of_value(value, sure=True):
            yield Found(match.start(), end, name, arguments, "a model's own mark")


def _fenced(text: str, known: _Known) -> Iterator[Found]:
    for match in _FENCE.finditer(text):
        closed = match[0].rstrip().endswith(match[1]) and "\n" in match[0].rstrip()[: -len(match[1])]
        sure = match[2].lower() in ("tool", "tool_call", "tool_calls", "tool_code", "call")
        yield from _all(known, match[3], match.span(), "a fenced block", sure=sure)
        if known.cut and not closed:
            continue
        if clean_name(match[2], known.names) in known.names and (call := known.call(match[2], match[3], sure=False)):
            yield Found(*match.span(), *call, "a fenced block")
        for name, arguments in _python_calls(match[3], known) or ():
            yield Found(*match.span(), name, arguments, "a call as in Python")


def _actions(text: str, known: _Known) -> Iterator[Found]:
    matches = list(_ACTION.finditer(text))
    for match in matches:
        if known.cut and match is matches[-1] and match.end() == len(text):
            continue
        given = re.sub(r"^```\w*\n?|\n?```\s*$", "", match[2].strip())
        if call := known.call(match[1], given or None, sure=False):
            yield Found(*match.span(), *call, "Action and Action Input")


def _python_like(text: str, known: _Known) -> Iterator[Found]:
    """Calls such as `execute_bash(command="ls")` that begin a line; over several lines where strings are."""
    pattern = "|".join(map(re.escape, known.names))
    for match in re.finditer(rf"^[ \t]*(?:[\w.]+\.)?(?:{pattern})\(", text, re.M) if pattern else ():
        for end in (hit.end() for hit in re.finditer(r"\)[ \t]*(?:\n|\Z)", text[match.start() :])):
            calls = _python_calls(text[match.start() : match.start() + end], known)
            if calls is not None:
                for name, arguments in calls:
                    yield Found(match.start(), match.start() + end, name, arguments, "a call as in Python")
                break


def _python_calls(source: str, known: _Known) -> list[tuple[str, str]] | None:
    """The calls that are all of `source`, with literal arguments; None where it is anything else."""
    if len(source) > 1 << 20 or "(" not in source:
        return None
    try:
        body = ast.parse(source.strip()).body
        calls = [node.value for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
        if not calls or len(calls) != len(body):
            return None
        return [_python_call(call, known) for call in calls]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _python_call(call: ast.Call, known: _Known) -> tuple[str, str]:
    """Raises ValueError where it is no call of a tool with literal arguments."""
    name = clean_name(ast.unparse(call.func), known.names)
    if name not in known.names:
        raise ValueError(name)
    given = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg}
    sole = known.names[name]
    if len(call.args) == 1 and not given:
        value = ast.literal_eval(call.args[0])
        given = value if isinstance(value, dict) else {sole: value} if sole else {}
    elif call.args:
        raise ValueError("several arguments without names")
    return name, json.dumps(given, ensure_ascii=False)


def _bare(text: str, known: _Known) -> Iterator[Found]:
    """The whole text is JSON, or ends with an object that is a call."""
    yield from _all(known, text, (0, len(text)), "JSON without a mark", sure=False)
    at = text.find("\n{")
    if at >= 0:
        yield from _all(known, text[at:], (at, len(text)), "JSON without a mark", sure=False)


def _shell(text: str, known: _Known) -> Iterator[Found]:
    blocks = [match for match in _FENCE.finditer(text) if match[2].lower() in _SHELLS and match[3].strip()]
    if len(blocks) != 1 or (known.cut and not blocks[0][0].rstrip().endswith(blocks[0][1])):
        return
    arguments = json.dumps({"command": blocks[0][3].rstrip("\n")}, ensure_ascii=False)
    yield Found(*blocks[0].span(), SHELL_TOOL, arguments, "a shell block")


def _reading(text: str, found: list[Found]) -> Reading:
    words, at = [], 0
    for call in found:
        words.append(text[at : max(at, call.start)])
        at = max(at, call.end)
    words.append(text[at:])
    calls = tuple(Call(id=f"call_{n}", name=f.name, arguments=f.arguments) for n, f in enumerate(found, start=1))
    return Reading("".join(words).strip() if found else text, calls, tuple(dict.fromkeys(f.form for f in found)))
