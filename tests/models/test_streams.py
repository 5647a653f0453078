"""Streamed replies over real HTTP, in all the ways that servers send them."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence

import pytest

from studio.errors import Canceled, ModelError
from studio.models import Message, Reply
from studio.models.openai import BY_TEXT, NO_STREAM, NO_STREAM_USAGE, OpenAIModel
from studio.models.repeating import period
from studio.tools import SCHEMAS
from tests.support.openai_server import Answer, call_delta, delta, fails, says, scripted, serving, streams

HELLO = [Message("system", "You make things."), Message("user", "Make one.")]
WORDS = (delta(role="assistant", content=""), delta(content="Grüße, "), delta(content="世界 🎬"))
END = delta(finish_reason="stop")
EVENTS = tuple(f"data: {data}\n\n".encode() for data in (*WORDS, END))
LS = '{"command": "ls -l"}'
HALF = call_delta(0, "c1", "execute_bash", '{"command": "rm')


def asked(*answers: Answer, times: int = 1, **given: object) -> tuple[list[Reply], list[str], list[dict[str, object]]]:
    """The replies, the pieces that were told while they came, and the requests."""
    pieces: list[str] = []
    with serving(*answers) as server:
        model = OpenAIModel(scripted(server.url, **given), api_key=None)
        replies = [model.query(HELLO, SCHEMAS, 10.0, pieces.append) for _ in range(times)]
        model.close()
        return replies, pieces, server.requests


def one(answer: Answer, **given: object) -> Reply:
    return asked(answer, **given)[0][0]


@pytest.mark.parametrize("size", [None, 1, 7, 100_000])
def test_words_arrive_as_they_are_said_wherever_the_bytes_are_cut(size: int | None) -> None:
    (reply,), pieces, requests = asked(streams(*WORDS, END, size=size))
    assert reply.text == "".join(pieces) == "Grüße, 世界 🎬"
    assert len(pieces) == 2
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 10)
    assert reply.request_id == "req-1"
    assert requests[0]["stream_options"] == {"include_usage": True}


def test_the_first_words_are_there_before_the_last() -> None:
    said = threading.Event()
    with serving(streams(WORDS[1], hold=True, done=False, usage=None)) as server:
        model = OpenAIModel(scripted(server.url), api_key=None)

        def hear(piece: str) -> None:
            assert piece == "Grüße, "
            said.set()
            raise Canceled("heard enough")

        with pytest.raises(Canceled):
            model.query(HELLO, SCHEMAS, 10.0, hear)
        assert said.is_set()
        assert server.held.wait(30)  # it was still talking
        model.close()


@pytest.mark.parametrize(
    "answer",
    [
        streams(*WORDS, END, done=False),
        streams(*WORDS, done=True, usage=None),
        streams(*WORDS, END, done=False, cut=True),
        Answer(
            "",
            content_type="text/event-stream; charset=utf-8",
            pieces=(
                b": keep-alive\n\n",
                b"event: message\r\n",
                *(f"data:{data}\r\n\r\n: ping\r\n\r\n".encode() for data in (*WORDS, END)),
                b"retry: 10\rdata: [DONE]\r\r",
            ),
        ),
        Answer("", content_type="text/event-stream", pieces=(*EVENTS[:-1], EVENTS[-1].rstrip())),
        Answer("", content_type="application/octet-stream", pieces=EVENTS),
    ],
    ids=["no-done", "no-finish-reason", "cut-after-the-end", "comments-and-crlf", "no-last-line-end", "odd-type"],
)  # fmt: skip
def test_a_whole_reply_is_taken_however_it_ends(answer: Answer) -> None:
    assert one(answer).text == "Grüße, 世界 🎬"


@pytest.mark.parametrize(
    "answer",
    [
        streams(WORDS[1], done=False, usage=None, cut=True),
        streams(WORDS[1], done=False, usage=None),
        streams(delta(tool_calls=[HALF]), done=False, cut=True, usage=None),
        streams(WORDS[1], "{broken", END),
        streams(WORDS[1], '"a word"', END),
        Answer("", content_type="text/event-stream", pieces=(b"\n",)),
    ],
    ids=["line-cut", "ended-early", "half-a-call", "not-json", "no-chunk", "nothing"],
)  # fmt: skip
def test_half_a_reply_is_none(answer: Answer) -> None:
    with pytest.raises(ModelError, match="broke off in the middle of its reply") as caught:
        one(answer)
    assert caught.value.retry is not None


SUBMIT = call_delta(1, "c2", "submit", "{}")
CALLS: dict[str, Sequence[dict[str, object]]] = {
    "in pieces": [
        call_delta(0, "c1", "execute_bash", ""),
        call_delta(0, arguments=LS[:6]),
        call_delta(0, arguments=LS[6:]),
        SUBMIT,
    ],
    "index gaps": [call_delta(3, "c1", "execute_bash", LS), call_delta(7, "c2", "submit", "{}")],
    "name later": [call_delta(0, "c1"), call_delta(0, name="execute_bash"), call_delta(0, arguments=LS), SUBMIT],
    "name in pieces": [
        call_delta(0, "c1", "execute"),
        call_delta(0, name="_bash"),
        call_delta(0, arguments=LS),
        SUBMIT,
    ],
    "id and name each time": [
        call_delta(0, "c1", "execute_bash", LS[:9]),
        call_delta(0, "c1", "execute_bash", LS[9:]),
        SUBMIT,
    ],
    "one index for all": [call_delta(0, "c1", "execute_bash", LS), call_delta(0, "c2", "submit", "{}")],
    "no index": [
        call_delta(None, "c1", "execute_bash", LS[:9]),
        call_delta(None, arguments=LS[9:]),
        call_delta(None, "c2", "submit", "{}"),
    ],
    "no index and no id": [call_delta(None, None, "execute_bash", LS), call_delta(None, None, "submit", "{}")],
    "one id for all": [call_delta(0, "c", "execute_bash", LS), call_delta(1, "c", "submit", "{}")],
    "arguments as objects": [call_delta(0, "c1", "execute_bash", {"command": "ls -l"}), SUBMIT],
}


@pytest.mark.parametrize("form", CALLS)
def test_calls_are_put_together(form: str) -> None:
    reply = one(streams(*(delta(tool_calls=[part]) for part in CALLS[form]), delta(finish_reason="tool_calls")))
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [
        ("execute_bash", {"command": "ls -l"}),
        ("submit", {}),
    ]
    assert all(call.id for call in reply.calls)


def test_reasoning_and_calls_are_told_too() -> None:
    chunks = (delta(reasoning_content="First look."), delta(tool_calls=[call_delta(0, "c", "execute_bash", LS)]), END)
    (reply,), pieces, _ = asked(streams(*chunks))
    assert reply.reasoning == "First look."
    assert "".join(pieces) == f"First look.\n[execute_bash] {LS}"


def test_a_server_that_does_not_stream_is_asked_for_whole_replies() -> None:
    whole = Answer(says("Whole.").body)
    replies, _, requests = asked(whole, times=2)
    assert [reply.text for reply in replies] == ["Whole.", "Whole."]
    assert [reply.remarks for reply in replies] == [(NO_STREAM,), ()]
    assert "stream" not in requests[1]


def test_a_stream_without_usage_is_fine_where_nothing_is_paid() -> None:
    replies, _, requests = asked(streams(*WORDS, END, usage=None), times=2)
    assert [reply.usage for reply in replies] == [None, None]
    assert all(request["stream"] for request in requests)


def test_where_it_is_paid_usage_is_worth_more_than_a_stream() -> None:
    paid = {"prompt": 1.0, "completion": 2.0}
    replies, _, requests = asked(streams(*WORDS, END, usage=None), Answer(says("Whole.").body), times=2, prices=paid)
    assert replies[0].remarks == (NO_STREAM_USAGE,)
    assert replies[1].usage is not None
    assert "stream" not in requests[1]


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ("Unrecognized request argument supplied: stream_options", "stream_options"),
        ("streaming is not supported for this model", "stream"),
        ("registry.example/gemma does not support tools", "tools"),
        ('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "tools"),
    ],
)
def test_what_a_server_refuses_is_left_out_of_the_next_request(words: str, left_out: str) -> None:
    with serving(fails(400, words), says("Fine.")) as server:
        model = OpenAIModel(scripted(server.url), api_key=None)
        with pytest.raises(ModelError) as caught:
            model.query(HELLO, SCHEMAS, 10.0)
        assert caught.value.retry is not None
        assert (caught.value.retry.after_s, caught.value.retry.counted) == (0.0, False)
        reply = model.query(HELLO, SCHEMAS, 10.0)
        model.close()
        assert left_out in server.requests[0]
        assert left_out not in server.requests[1]
    assert (BY_TEXT in reply.remarks) == (left_out == "tools")


@pytest.mark.parametrize(
    ("words", "given", "remedy"),
    [
        ("streaming is not supported", {"stream": True}, "stream = false"),
        ("this model does not support tools", {"tools": "native"}, 'tools = "text"'),
    ],
)
def test_what_the_profile_insists_on_is_an_error_with_its_remedy(
    words: str, given: dict[str, object], remedy: str
) -> None:
    with pytest.raises(ModelError, match=remedy) as caught:
        one(fails(400, words), **given)
    assert caught.value.retry is None


@pytest.mark.parametrize("line", ["I will do it now.\n", "a", "\n", "- item\n- other item with more words in it\n"])
@pytest.mark.parametrize("stream", [True, False])
def test_endless_repetition_is_cut_off_and_no_call_in_it_is_run(line: str, stream: bool) -> None:
    chunks = [delta(tool_calls=[call_delta(0, "c", "submit", "{}")])] + [delta(content=line * 50)] * 200
    endless = streams(*chunks, done=False, usage=None, hold=True)
    whole = says(f"Well.\n{line * 6000}")
    reply = one(endless if stream else whole, stream=stream)
    assert reply.calls == ()
    assert reply.finish_reason == "repetition"
    assert len(reply.text) < 400
    assert "times in all" in reply.text
    assert "repeated itself" in reply.advice


def test_a_long_reply_is_no_repetition() -> None:
    text = "".join(f"Line {number} of a long list.\n" for number in range(2000))
    assert one(streams(delta(content=text), END)).text == text
    assert period(text[-4096:]) is None


def test_a_reply_that_drips_on_is_given_up_in_time() -> None:
    drip = streams(*(delta(content=str(number)) for number in range(200)), pause_s=0.05)
    with serving(drip) as server:
        model = OpenAIModel(scripted(server.url), api_key=None)
        with pytest.raises(ModelError, match="did not answer in time"):
            model.query(HELLO, SCHEMAS, 1.0)
        model.close()
