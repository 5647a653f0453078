"""Answers that are odd and can be read all the same, or are refusals with a remedy of their own; over real HTTP."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from studio.errors import ModelError
from studio.models import Message, Reply
from studio.models.openai import OpenAIModel
from studio.models.reading import WAS_CUT, WAS_WITHHELD
from studio.tools import SCHEMAS
from tests.support.openai_server import Answer, call_delta, delta, fails, says, scripted, serving, streams

HELLO = [Message("system", "You make things."), Message("user", "Make one.")]
END = delta("stop")
LS = '{"command": "ls -l"}'


def asked(answer: Answer, **given: Any) -> Reply:
    with serving(answer) as server:
        model = OpenAIModel(scripted(server.url, **given), api_key=None)
        try:
            return model.query(HELLO, SCHEMAS, 20.0)
        finally:
            model.close()


def stream(*datas: str, before: bytes = b"", content_type: str = "text/event-stream", **headers: str) -> Answer:
    body = before + b"".join(f"data: {data}\n\n".encode() for data in (*datas, "[DONE]"))
    pieces = (gzip.compress(body),) if headers else (body[:1], body[1:2], body[2:])
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer("", content_type=content_type, pieces=pieces, headers=named)


def raw_delta(content: str) -> str:
    """A chunk whose content is written as JSON escapes."""
    return f'{{"choices": [{{"index": 0, "delta": {{"content": "{content}"}}}}]}}'


def with_field(**fields: Any) -> str:
    return json.dumps({**json.loads(says("Fine.").body), **fields})


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (stream(delta(content="Fine."), END, before=b"\xef\xbb\xbf"), "Fine."),
        (stream(delta(content="Fine."), END, Content_Encoding="gzip"), "Fine."),
        (stream(raw_delta("a\\ud83d"), raw_delta("\\ude00b"), END), "a😀b"),
        (stream(raw_delta("a\\ud83d"), raw_delta("b"), END), "a\ufffdb"),
        (Answer("", pieces=(b"\xef\xbb\xbf" + says("Fine.").body.encode(),)), "Fine."),
        (Answer(says("Fine.").body.replace("Fine", "a\\ud83d")), "a\ufffd."),
        (Answer(with_field(choices=[{"message": {"content": {"type": "text", "text": "Fine."}}}])), "Fine."),
        (Answer(with_field(choices=[{"message": {"content": "Fine.", "tool_calls": [None]}}])), "Fine."),
        (Answer(with_field(choices=[{"message": {"content": "Fine."}, "finish_reason": {"type": "stop"}}])), "Fine."),
    ],
    ids=["mark", "gzip", "pair", "half", "whole-mark", "whole-half", "part", "null-call", "odd-reason"],
)  # fmt: skip
def test_odd_bytes_and_forms_are_read(answer: Answer, text: str) -> None:
    reply = asked(answer)
    assert reply.text == text
    reply.text.encode()


@pytest.mark.parametrize(
    ("usage", "prompt"),
    [
        ({"prompt_tokens": "100"}, 100),
        ({"prompt_tokens": -5}, None),
        ({"prompt_tokens": 10**30}, None),
        ({"prompt_tokens": "many", "completion_tokens": 4}, None),
        ({"prompt_tokens": 7, "prompt_tokens_details": [], "completion_tokens_details": "none"}, 7),
        ([1], None),
        ("free", None),
    ],
)
@pytest.mark.parametrize("in_stream", [True, False])
def test_usage_that_is_nonsense_is_unknown_and_the_reply_is_kept(
    usage: Any, prompt: int | None, in_stream: bool
) -> None:
    last = json.dumps({"choices": [], "usage": usage})
    reply = asked(stream(delta(content="Fine."), END, last) if in_stream else Answer(with_field(usage=usage)))
    assert reply.text == "Fine."
    assert (reply.usage.prompt_tokens if reply.usage else None) == prompt


def test_a_piece_of_a_call_without_its_function_is_passed_over() -> None:
    nothing = {"index": 0, "function": None}
    parts = [call_delta(0, "a", "execute_bash", LS[:9]), nothing, call_delta(0, arguments=LS[9:])]
    reply = asked(streams(*(delta(tool_calls=[part]) for part in parts), delta("tool_calls")))
    assert [(call.name, call.arguments) for call in reply.calls] == [("execute_bash", LS)]


def test_arguments_of_a_million_characters_arrive_whole() -> None:
    text = "\n".join(f"{number} {number * 7919 % 99_991}" for number in range(80_000))
    arguments = json.dumps({"command": "create", "path": "/testbed/big.txt", "file_text": text})
    reply = asked(says(None, ("str_replace_editor", arguments)))
    assert len(arguments) > 900_000
    assert reply.calls[0].arguments == arguments


CALL = f'<tool_call>{{"name": "execute_bash", "arguments": {LS}}}</tool_call>'
THOUGHTS = {
    "think": f"<think>\nI could submit()\nor not.\n</think>\n\nI look.\n{CALL}",
    "think without its beginning": f"I could submit()\nor not.\n</think>\nI look.\n{CALL}",
    "thinking": f"<thinking>I could submit() or not.</thinking>I look.\n{CALL}",
    "channels": (
        "<|channel|>analysis<|message|>I could submit() or not.<|end|><|start|>assistant<|channel|>final<|message|>"
        f"I look.\n{CALL}<|return|>"
    ),
}


@pytest.mark.parametrize("form", THOUGHTS)
@pytest.mark.parametrize("tools", ["auto", "text"])
def test_thoughts_among_the_words_are_reasoning_and_no_call_in_them_is_run(form: str, tools: str) -> None:
    reply = asked(says(THOUGHTS[form]), tools=tools)
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [("execute_bash", json.loads(LS))]
    assert reply.text == "I look."
    assert reply.reasoning.split() == ["I", "could", "submit()", "or", "not."]


def test_a_thought_that_does_not_end_says_nothing() -> None:
    reply = asked(says("<think>I could do\nsubmit()\n", finish_reason="length"))
    assert (reply.text, reply.calls, reply.reasoning) == ("", (), "I could do\nsubmit()")
    assert reply.advice == WAS_CUT
    assert asked(says("<think>\n\n</think>\n\nFine.")).text == "Fine."
    assert asked(says("A page with <think> in it.")).text == "A page with <think> in it."


FAMILIES = {
    "harmony": (
        "<|channel|>analysis<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.execute_bash "
        f"<|constrain|>json<|message|>{LS}<|call|>"
    ),
    "kimi": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.execute_bash:0<|tool_call_argument_begin|>"
        f"{LS}<|tool_call_end|><|tool_calls_section_end|>"
    ),
    "deepseek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>execute_bash\n```json\n"
        f"{LS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "deepseek, later": f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>execute_bash<｜tool▁sep｜>{LS}<｜tool▁call▁end｜>",
    "mistral": f"[TOOL_CALLS]execute_bash[ARGS]{LS}",
}


@pytest.mark.parametrize("form", FAMILIES)
def test_a_familys_own_marks_are_read_where_the_server_leaves_them(form: str) -> None:
    reply = asked(says(FAMILIES[form]))
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [("execute_bash", json.loads(LS))]
    assert reply.text == ""


def test_a_reply_that_a_filter_withheld_is_told_to_the_model() -> None:
    assert asked(says("", finish_reason="content_filter")).advice == WAS_WITHHELD


@pytest.mark.parametrize(
    ("answer", "remedy"),
    [
        (Answer(json.dumps({"error": {"message": "Filtered.", "code": "content_filter"}}), 400), "in other words"),
        (fails(400, "Your prompt was flagged by our safety system."), "in other words"),
        (fails(405, "Method Not Allowed"), "check STUDIO_OPENAI_BASE_URL"),
    ],
)
def test_a_refusal_for_its_content_or_address_has_its_own_remedy(answer: Answer, remedy: str) -> None:
    with pytest.raises(ModelError) as caught:
        asked(answer)
    assert caught.value.retry is None
    assert remedy in str(caught.value)


def test_an_address_without_v1_is_pointed_at() -> None:
    with serving(Answer("<html>Not Found</html>", 404, content_type="text/html")) as server:
        model = OpenAIModel(scripted(server.url.removesuffix("/v1")), api_key=None)
        with pytest.raises(ModelError, match="mostly ends with /v1"):
            model.query(HELLO, SCHEMAS, 20.0)
        model.close()


def test_an_error_that_comes_as_a_bare_event_may_pass() -> None:
    with pytest.raises(ModelError, match="502: overloaded") as caught:
        asked(stream('{"type": "overloaded_error", "message": "overloaded"}'))
    assert caught.value.retry is not None
