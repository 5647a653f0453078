"""A recipe from a trajectory: the calls that made the result, without the dead ends. A pure function over events.

Conservative: a call goes only where the record shows that nothing that comes later can depend on it.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from studio.trajectory import Call, Event, JobStarted, ToolCalled, ToolResult, as_text

# Programs that only look, whatever their arguments are (redirections are looked at apart).
_LOOKING = """
cat cmp cut date df diff du echo egrep exiftool fc-list fc-match ffprobe fgrep file free grep head hexdump id identify
jq ls md5sum mediainfo nl nproc od pdffonts pdfinfo printf pwd readlink realpath rg sha1sum sha256sum stat strings
studio-check tac tail test tr tree true uname uniq uptime wc whereis which whoami xxd
"""
_LOOKS = frozenset(_LOOKING.split())
# What may only look, with the arguments that make it do more.
_LOOKS_UNLESS = {
    "find": re.compile(r"-(delete|exec|execdir|ok|okdir|fprint|fprintf|fls)\b"),
    "sort": re.compile(r"-o|--output"),
    "sed": re.compile(r"^(?!.*-n)|-i|--in-place|\bw\b"),
}
_VERSIONS = re.compile(r"(python3?|node|npm|pip3?|ffmpeg|fluidsynth|rsvg-convert) +(--version|-version|-V|list|freeze)")
_HARMLESS_REDIRECTION = re.compile(r"[0-9&]?>>?\s*(/dev/null|&[0-9-])")
# What reaches beyond the files below /testbed, or stays in the shell.
_LASTING = re.compile(
    r"(^|[\s;&|({])(cd|pushd|popd|export|source|\.|alias|unset|set|shopt|declare|local|function|trap|umask|eval|exec|"
    r"pip3?|npm|npx|apt|apt-get|mkdir|touch|cp|mv|ln|tee|nohup|kill|pkill)(\s|$)"
    r"|(^|[\s;&|])\w+=|\(\)\s*\{|/tmp\b|/home\b|/dev/shm|~|\$HOME|-m\s+(pip|venv)|&\s*$"
)


@dataclass(frozen=True)
class Dropped:
    """A call that the recipe does without: its number in the record, from 1, and why."""

    number: int
    name: str
    why: str


@dataclass(frozen=True)
class Derived:
    """The calls of a recipe in their order, and those that were left out."""

    calls: tuple[Call, ...]
    dropped: tuple[Dropped, ...]


@dataclass(frozen=True)
class _Done:
    """A call with its result; `before` is the shell's folder when it began."""

    number: int
    called: ToolCalled
    result: ToolResult | None
    before: str

    @property
    def call(self) -> Call:
        return Call(id=f"recipe-{self.number}", name=self.called.name, arguments=as_text(self.called.arguments))

    def argument(self, name: str) -> str:
        given: Any = self.called.arguments
        value = given.get(name) if isinstance(given, dict) else None
        return value if isinstance(value, str) else ""


def all_calls(events: Iterable[Event]) -> Derived:
    """Every call of the last attempt, as a recipe."""
    return Derived(tuple(done.call for done in _done(events)), ())


def effective_calls(events: Iterable[Event]) -> Derived:
    """The calls of the last attempt that its result may rest on."""
    everything = _done(events)
    reasons: dict[int, str] = {}
    for done in everything:
        if why := _without_effect(done):
            reasons[done.number] = why
    _drop_submits(everything, reasons)
    _drop_overwritten(everything, reasons)
    return Derived(
        tuple(done.call for done in everything if done.number not in reasons),
        tuple(
            Dropped(done.number, done.called.name, reasons[done.number])
            for done in everything
            if done.number in reasons
        ),
    )


def _done(events: Iterable[Event]) -> list[_Done]:
    called: list[ToolCalled] = []
    results: dict[str, ToolResult] = {}
    for event in events:
        if isinstance(event, JobStarted):
            called, results = [], {}
        elif isinstance(event, ToolCalled):
            called.append(event)
        elif isinstance(event, ToolResult):
            results[event.id] = event
    found: list[_Done] = []
    folder = "/testbed"
    for number, call in enumerate(called, start=1):
        result = results.get(call.id)
        found.append(_Done(number, call, result, folder))
        folder = (result.cwd if result else None) or folder
    return found


def _without_effect(done: _Done) -> str | None:
    """Why the call by itself changed nothing that lasts, or None where it did or may have."""
    result = done.result
    if result is None or result.timed_out or any("__pycache__" not in path for path in result.files_changed):
        return None
    if result.is_error:
        return "it was not carried out"
    if done.called.name == "str_replace_editor":
        return "it only looked at a file" if done.argument("command") == "view" else None
    if done.called.name != "execute_bash" or (result.cwd or done.before) != done.before:
        return None
    command = done.argument("command")
    if _only_looks(command):
        return "it only looked"
    lasting = _LASTING.search(command) or not _within(done.before, "/testbed")
    if result.exit_status not in (0, None) and not lasting:
        return f"it failed with status {result.exit_status} and changed no file"
    return None


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + "/")


def _only_looks(command: str) -> bool:
    """Every program of the command is one that only looks, and nothing is written to a file."""
    plain = _HARMLESS_REDIRECTION.sub(" ", command)
    if any(mark in plain for mark in (">", "<<", "`", "$(", "<(", "{", "=")) or re.search(r"(?<!&)&(?!&)", plain):
        return False
    parts = [part.strip() for part in re.split(r"&&|\|\||[;|\n]", plain)]
    return all(_part_only_looks(part) for part in parts if part and not part.startswith("#"))


def _part_only_looks(part: str) -> bool:
    try:
        words = shlex.split(part)
    except ValueError:  # a separator within quotes: not to be judged by parts
        return False
    if not words:
        return True
    program = posixpath.basename(words[0])
    if program in _LOOKS_UNLESS:
        return not _LOOKS_UNLESS[program].search(" ".join(words[1:]))
    return program in _LOOKS or _VERSIONS.match(part) is not None


def _drop_submits(everything: Sequence[_Done], reasons: dict[int, str]) -> None:
    """Only the last submit counts: an inspection changes nothing in the sandbox."""
    submits = [done for done in everything if done.called.name == "submit" and done.number not in reasons]
    for done in submits[:-1]:
        reasons[done.number] = "the outputs were not accepted yet"


def _drop_overwritten(everything: Sequence[_Done], reasons: dict[int, str]) -> None:
    """Edits of a file that is written anew before anything could have read it."""
    anew: set[str] = set()
    undone: set[str] = set()  # what an undo brings back may be any earlier edit
    for done in reversed(everything):
        if done.number in reasons:
            continue
        if done.called.name != "str_replace_editor":
            anew.clear()
            continue
        path, command = posixpath.normpath(done.argument("path")), done.argument("command")
        if command == "undo_edit":
            undone.add(path)
        elif path in undone:
            continue
        elif command in ("create", "str_replace", "insert") and path in anew:
            reasons[done.number] = "the file was written anew before anything used it"
        elif command == "create":
            anew.add(path)
