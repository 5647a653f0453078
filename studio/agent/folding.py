"""How one message or one step of a conversation is made short, and what is said in the place of what went."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from studio.models.types import Message
from studio.trajectory import Call

Step: TypeAlias = Sequence[Message]  # a reply, the results of its calls, and what was said before the next one

MESSAGE_BYTES = 16  # what a message takes beside its words
LEAST = 600  # characters; a shorter result is not worth folding
LEAST_ARGUMENT = 300
HEAD, TAIL = 160, 100  # what stays of a result
WORDS = 400  # what stays of a reply's words
LEAST_CUT = 1200
LOST_NOTHING = "Nothing is lost in the sandbox"


def size_of(message: Message) -> int:
    """The bytes of a message's words and calls; pictures are counted apart."""
    calls = sum(len((call.name + call.arguments).encode("utf-8", "replace")) + MESSAGE_BYTES for call in message.calls)
    return len(message.text.encode("utf-8", "replace")) + calls + MESSAGE_BYTES


def split(messages: Sequence[Message]) -> tuple[list[Message], list[Step]]:
    """What comes before the first reply, and the steps."""
    head: list[Message] = []
    steps: list[list[Message]] = []
    for message in messages:
        if message.role == "assistant":
            steps.append([message])
        elif steps:
            steps[-1].append(message)
        else:
            head.append(message)
    return head, list(steps)


def reports(steps: Sequence[Step]) -> frozenset[str]:
    """The id of the last submit that has a result; nothing where there was none."""
    for step in reversed(steps):
        answered = {message.call_id for message in step if message.role == "tool"}
        for call in reversed(step[0].calls):
            if call.name == "submit" and call.id in answered:
                return frozenset({call.id})
    return frozenset()


def fold_step(step: Step, files: Mapping[str, str], spare: frozenset[str]) -> tuple[Step, set[str]]:
    """The step with long results, arguments and words folded, and the ids of the calls whose results were.

    Results of the calls in `spare` stay; `files` says where a call's output is kept.
    """
    calls = {call.id: call for call in step[0].calls}
    folded: list[Message] = []
    ids: set[str] = set()
    for message in step:
        call = calls.get(message.call_id or "")
        if message.role == "assistant":
            folded.append(_fold_reply(message))
        elif call is not None and len(message.text) > LEAST and call.id not in spare:
            folded.append(_fold_result(message, call, files.get(call.id)))
            ids.add(call.id)
        else:
            folded.append(message)
    return folded, ids


def fold_pictures(messages: Sequence[Message], kept: int) -> list[Message]:
    """The messages with words in place of all pictures but the last ones."""
    seen = [index for index, message in enumerate(messages) if message.pictures]
    old = set(seen[: max(0, len(seen) - kept)])
    return [_without_pictures(message) if index in old else message for index, message in enumerate(messages)]


def cut_longest(messages: Sequence[Message]) -> list[Message] | None:
    """The messages with the longest result or argument at half its length; None where none is long.

    For what is too long even alone: a last step with several whole outputs, in a small context.
    """
    longest = max(range(len(messages)), key=lambda index: _longest_in(messages[index]), default=None)
    if longest is None or _longest_in(messages[longest]) <= LEAST_CUT:
        return None
    message = messages[longest]
    short = replace(message, text=_halved(message.text)) if message.role == "tool" else _fold_reply(message)
    return [short if index == longest else other for index, other in enumerate(messages)]


def _longest_in(message: Message) -> int:
    if message.role == "tool":
        return len(message.text)
    if message.role != "assistant":
        return 0
    foldable = [len(call.arguments) for call in message.calls if _fold_call(call) is not call]
    return max([*foldable, len(message.text) if len(message.text) > LEAST else 0], default=0)


def _halved(text: str) -> str:
    keep = len(text) // 4
    cut = f"\n[… {len(text) - 2 * keep} characters are left out here to save room. {LOST_NOTHING}. …]\n"
    return text[:keep] + cut + text[-keep:]


def _fold_result(message: Message, call: Call, file: str | None) -> Message:
    text = message.text
    last = text.rstrip().rpartition("\n")[2][-TAIL:]  # of a command its exit status and folder
    return replace(
        message,
        text=f"{text[:HEAD]}\n[… {len(text) - HEAD} characters of this result are left out to save room. "
        f"{_again(call, file)}]\n{last}",
    )


def _again(call: Call, file: str | None) -> str:
    """How to see a result again."""
    if file:
        return f"All of it is in {file}: look with sed -n 1,80p {file}"
    if call.name == "str_replace_editor":
        return f"View {str(_parsed(call).get('path', 'the file'))[:200]} again to see it"
    if call.name == "submit":
        return "A later report follows"
    return f"{LOST_NOTHING}: run the command again to see it"


def _fold_reply(message: Message) -> Message:
    text = message.text
    if len(text) > LEAST:
        text = f"{text[:WORDS]} [… {len(text) - WORDS} characters left out to save room]"
    return replace(message, text=text, calls=tuple(map(_fold_call, message.calls)))


def _fold_call(call: Call) -> Call:
    """The call with its long arguments cut; it stays a JSON object, as providers want."""
    if len(call.arguments) <= LEAST_ARGUMENT:
        return call
    given = _parsed(call)
    if not given:
        cut = f"{call.arguments[:HEAD]} [… {len(call.arguments) - HEAD} characters left out to save room]"
        return call.model_copy(update={"arguments": cut}) if len(cut) < len(call.arguments) else call
    where = f"; the file {str(given['path'])[:200]} has what came of it" if "path" in given else ""
    short = {name: _fold_value(value, where) for name, value in given.items()}
    return call if short == given else call.model_copy(update={"arguments": json.dumps(short, ensure_ascii=False)})


def _fold_value(value: Any, where: str) -> Any:
    if not isinstance(value, str) or len(value) <= LEAST_ARGUMENT:
        return value
    cut = f"{value[:HEAD]} [… {len(value) - HEAD} characters left out to save room{where}]"
    return cut if len(cut) < len(value) else value


def _without_pictures(message: Message) -> Message:
    text = f"{message.text} [no longer shown, to save room; view it again to see it]"
    return replace(message, text=text, pictures=())


def _parsed(call: Call) -> dict[str, Any]:
    try:
        value = json.loads(call.arguments, strict=False)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
