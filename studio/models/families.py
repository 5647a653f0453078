"""Marks that families of models put into their words, where a server leaves them there: thoughts, channels, calls.

The forms are those of the models' chat templates: `<think>` (Qwen, DeepSeek and others; often without its beginning,
which the template has written), the channels of OpenAI's harmony format, and the marks around calls of Kimi, DeepSeek
and Mistral.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_THINK = "think|thinking|thought|reasoning"
_BEGINS = re.compile(rf"\A\s*<({_THINK})>", re.I)
_ENDS = re.compile(rf"</({_THINK})>[ \t]*\n?", re.I)
_CHANNEL = re.compile(
    r"(?:<\|start\|>\s*assistant\s*)?<\|channel\|>\s*(\w+)([^<]*)(<\|constrain\|>[^<]*)?<\|message\|>"
    r"(.*?)(?:<\|(?:end|call|return)\|>|(?=<\|(?:start|channel)\|>)|\Z)",
    re.S,
)
_CALLS = (
    re.compile(r"<\|channel\|>\s*\w+[^<]*?\bto=([\w.-]+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>\s*(?=\{)"),
    re.compile(
        r"(?:<\|tool_calls_section_begin\|>\s*)?<\|tool_call_begin\|>\s*([\w.-]+)(?::\d+)?\s*"
        r"<\|tool_call_argument_begin\|>\s*(?=\{)"
    ),
    re.compile(
        r"(?:<｜tool▁calls▁begin｜>\s*)?<｜tool▁call▁begin｜>\s*(?:function<｜tool▁sep｜>)?([\w.-]+)\s*"
        r"(?:<｜tool▁sep｜>\s*|\n```json\s*)(?=\{)"
    ),
    re.compile(r"(?:\[TOOL_CALLS\]|\A)\s*([\w.-]+)\[ARGS\]\s*(?=\{)"),
)
_AFTER = re.compile(
    r"\s*(?:```\s*)?(?:<\|call\|>|<\|tool_call_end\|>|<｜tool▁call▁end｜>)?"
    r"\s*(?:<\|tool_calls_section_end\|>|<｜tool▁calls▁end｜>)?"
)


def thought_and_said(text: str) -> tuple[str, str]:
    """What the words think and what they say, without the marks between; calls in a channel stay as they are."""
    if "<|channel|>" in text:
        return _by_channel(text)
    begin, end = _BEGINS.match(text), _ENDS.search(text)
    if begin is None and end is None:
        return "", text
    start = begin.end() if begin else 0
    if end is None:
        return text[start:].strip(), ""
    return text[start : end.start()].strip(), text[end.end() :].lstrip("\n")


def _by_channel(text: str) -> tuple[str, str]:
    thought: list[str] = []
    said = [text[: text.index("<|channel|>")].replace("<|start|>assistant", "")]
    for match in _CHANNEL.finditer(text):
        name, address, content = match[1], match[2], match[4]
        if "to=" in address:
            said.append(match[0][match[0].index("<|channel|>") :])
        elif name == "analysis":
            thought.append(content.strip())
        else:
            said.append(content)
    return "\n".join(thought), "\n".join(part.strip() for part in said if part.strip())


def family_calls(text: str) -> Iterator[tuple[int, int, str, Any]]:
    """Each call between such marks: where it begins and ends, the name as written, and the arguments."""
    for pattern in _CALLS:
        for match in pattern.finditer(text):
            try:
                value, end = json.JSONDecoder(strict=False).raw_decode(text, match.end())
            except (ValueError, RecursionError):
                continue
            after = _AFTER.match(text, end)
            yield match.start(), after.end() if after else end, match[1], value
