"""From a chat completion to a Reply: which calls it makes, also where a weak model wrote them into its words."""

from __future__ import annotations

import json
from collections.abc import Sequence

from studio.models.families import thought_and_said
from studio.models.prose import Reading, clean_name, read_calls
from studio.models.repeating import LEAST, collapsed
from studio.models.text_protocol import before_invention
from studio.models.types import Reply, ToolSchema
from studio.models.wire import Completion, calls_of
from studio.trajectory import Call

CUT = "length"
REPEATED = "repetition"
FILTERED = "content_filter"
TEXT_FORM = "a fenced block"

WAS_CUT = (
    "Your last reply was cut off at its length limit, and what was not finished in it was not run. Write less at once, "
    "for example a long file in several parts."
)
WAS_REPEATED = (
    "Your last reply repeated itself without an end and was cut off; no call in it was run. Say what you do next in "
    "one sentence and call a tool."
)
WAS_WITHHELD = (
    "Your last reply was withheld, whole or in part, by the provider's content filter. Go on in other words, with a "
    "tool call."
)
WAS_INVENTED = (
    "You wrote the result of a call by yourself. It was not read: call a tool, stop, and wait for its result."
)


def reply_of(
    completion: Completion,
    tools: Sequence[ToolSchema],
    *,
    by_text: bool,
    request_id: str | None,
    seconds: float,
    remarks: tuple[str, ...] = (),
) -> Reply:
    """The reply that a completion is. Half a call is never one: neither of a reply that was cut nor of a repetition."""
    choice = completion.choices[0]
    said = choice.message
    thought, whole = thought_and_said(said.content or said.refusal or "")
    text = whole if by_text else collapsed(whole, LEAST)
    cut = choice.finish_reason == CUT
    repeated = choice.finish_reason == REPEATED or (text != whole and not said.tool_calls)
    advice = WAS_REPEATED if repeated else WAS_CUT if cut else WAS_WITHHELD if choice.finish_reason == FILTERED else ""
    calls = () if repeated else _native(calls_of(said.tool_calls or []), tools, cut=cut)
    told = list(remarks)
    if not calls and tools and not repeated:
        kept = before_invention(text) if by_text else text
        reading = read_calls(kept, tools, cut=cut, shell_blocks=by_text)
        calls = reading.calls
        if calls:
            text = reading.text
            told += _how(reading, by_text=by_text)
            advice = advice or (WAS_INVENTED if kept != whole else "")
    if repeated:
        told.append("The reply repeated itself without an end; it was cut off, and no call in it was run.")
    return Reply(
        text=text,
        reasoning=said.reasoning_content or said.reasoning or thought,
        calls=calls,
        finish_reason=REPEATED if repeated else choice.finish_reason,
        usage=completion.usage.usage() if completion.usage else None,
        seconds=seconds,
        request_id=request_id,
        remarks=tuple(told),
        advice=advice,
    )


def _native(calls: Sequence[Call], tools: Sequence[ToolSchema], *, cut: bool) -> tuple[Call, ...]:
    """The calls with clean names; of a reply that was cut those only whose arguments are whole."""
    known = {tool.name for tool in tools}
    named = [call.model_copy(update={"name": clean_name(call.name, known)}) for call in calls if call.name]
    return tuple(call for call in named if not cut or _whole(call.arguments))


def _whole(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments, strict=False), dict)
    except (ValueError, RecursionError):
        return False


def _how(reading: Reading, *, by_text: bool) -> list[str]:
    """A remark for the record where calls stood in another form than the one that the model was told."""
    odd = [form for form in reading.forms if not (by_text and form == TEXT_FORM)]
    if not odd:
        return []
    count = f"{len(reading.calls)} calls were" if len(reading.calls) > 1 else "A call was"
    return [f"{count} written into the words of the reply and read from there: {', '.join(odd)}."]
