"""A shell command taken apart into the programs that it starts, each with its words. Nothing is run or expanded.

The words come from the standard library's `shlex`. A full parser of bash would know more of the language; those that
are kept are either under the GPL (bashlex) or C code (tree-sitter), which should not read a stranger's text outside of
a sandbox. What `shlex` cannot read is split at white space.
"""

from __future__ import annotations

import re
import shlex
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_CHARS = 20_000  # of a command without the texts that it writes; later ones are left out
MAX_TEXT = 400_000  # of a command with them
MAX_DEPTH = 3  # of commands within commands
_OPERATORS = ";|&()<>\n"
_QUOTED_OPERATOR = re.compile(r"(['\"])[;|&()<>]+\1|\\[;|&()<>]")
_HERE = re.compile(r"(?<!<)<<(?!<)-?[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|\\?([\w.+-]+))")
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=.*", re.DOTALL)
_NOWHERE = re.compile(r"/dev/(null|std(in|out|err)|tty|fd/\d+)|-|\d+")


@dataclass
class Command:
    """One program with its words, the text that it is given as its input, and whether files are read or written."""

    words: list[str] = field(default_factory=list)
    stdin: str = ""
    redirected: bool = False


def commands(text: str, depth: int = 0) -> Iterator[Command]:
    """The commands of a shell text in order, with those in substitutions."""
    shell, texts = _without_texts(text[:MAX_TEXT])
    current = Command()
    tokens = iter(_tokens(shell[:MAX_CHARS]))
    for token in tokens:
        if not token:
            continue
        if not _is_operator(token):
            if current.words or not _ASSIGNMENT.fullmatch(token):
                current.words.append(token)
            if depth < MAX_DEPTH:
                for found in _SUBSTITUTION.finditer(token):
                    yield from commands(found[1] or found[2] or "", depth + 1)
        elif ("<" in token or ">" in token) and "(" not in token:
            _redirect(current, token, next(tokens, ""), texts)
        else:
            yield current
            current = Command()
    yield current


def _redirect(command: Command, operator: str, target: str, texts: list[str]) -> None:
    if operator == "<<":
        command.stdin = texts[int(target)] if target.isdigit() and int(target) < len(texts) else ""
    elif operator != "<<<" and not _NOWHERE.fullmatch(target):
        command.redirected = True


def _is_operator(token: str) -> bool:
    return bool(token) and all(char in _OPERATORS for char in token)


def _without_texts(text: str) -> tuple[str, list[str]]:
    """The text without comments and here-documents; in the place of each stands `<< N`, its number among them."""
    lines = text.replace("\\\n", " ").split("\n")
    kept: list[str] = []
    texts: list[str] = []
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line.strip(), []).append(number)
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if line.lstrip().startswith("#"):
            continue
        for found in list(_HERE.finditer(line)):
            end = next(filter(None, found.groups()))
            ends = places.get(end, [])
            if (place := bisect_left(ends, at)) < len(ends):  # else it is something that looks alike, such as a shift
                line = line.replace(found[0], f" << {len(texts)} ", 1)
                stop = ends[place]
                texts.append("\n".join(lines[at:stop]))
                at = stop + 1
        kept.append(line)
    return "\n".join(kept), texts


def _tokens(text: str) -> list[str]:
    text = _QUOTED_OPERATOR.sub("_", text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        return [part for token in lexer for part in _apart(token)]
    except ValueError:  # a quotation without its end
        return [part for line in text.split("\n") for part in (*line.split(), "\n")]


def _apart(token: str) -> list[str]:
    """Operators that stand side by side: `);` ends twice, `&&\n` too; one with < or > stays whole."""
    if _is_operator(token) and ("<" in token or ">" in token):
        before, _, after = token.rpartition("\n")
        return ["\n", after] if before or token.startswith("\n") else [token]
    return [token]
