"""What every model owes the agent: replies in order, usage, named errors. Over real HTTP where there is a provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from studio.errors import ContextLengthExceeded, ModelError
from studio.models import Message, Model, ReplayModel
from studio.models.faults import retry_after
from studio.models.openai import OpenAIModel
from studio.models.types import Picture
from studio.settings import Settings
from studio.tools import SCHEMAS
from studio.trajectory import Call, MadeBy
from tests.support.openai_server import Answer, OpenAIServer, bash, delta, fails, says, scripted, serving, streams

KEY = "sk-scripted-key-000111222"
HELLO = [Message("system", "You make things."), Message("user", "Make one.")]


@contextmanager
def model_at(server: OpenAIServer, **given: Any) -> Iterator[OpenAIModel]:
    model = OpenAIModel(scripted(server.url, **given), api_key=KEY)
    yield model
    model.close()


def error_of(*answers: Answer, timeout_s: float = 30.0, **given: Any) -> ModelError:
    with serving(*answers) as server, model_at(server, **given) as model:
        with pytest.raises(ModelError) as caught:
            model.query(HELLO, SCHEMAS, timeout_s)
        return caught.value


def both_models() -> Iterator[Model]:
    calls = [("execute_bash", '{"command": "ls"}'), ("submit", "{}")]
    yield ReplayModel([[Call(id="call_1", name=n, arguments=a)] for n, a in calls], MadeBy(recipe="x/1"))
    for stream in (True, False):
        with serving(*(says(None, call) for call in calls)) as server, model_at(server, stream=stream) as model:
            yield model


def test_a_model_gives_its_calls_in_order() -> None:
    for model in both_models():
        replies = [model.query(HELLO, SCHEMAS, 10.0) for _ in range(2)]
        assert [reply.calls[0].name for reply in replies] == ["execute_bash", "submit"]
        assert json.loads(replies[0].calls[0].arguments) == {"command": "ls"}
        assert not any(reply.exhausted for reply in replies)


def test_a_replay_is_exhausted_after_its_last_call_and_can_start_over() -> None:
    model = ReplayModel([[Call(id="1", name="submit", arguments="")]], MadeBy(replay_of="x"))
    assert model.query(HELLO, SCHEMAS, 1.0).calls
    assert model.query(HELLO, SCHEMAS, 1.0).exhausted
    assert model.restarted().query(HELLO, SCHEMAS, 1.0).calls


def test_a_request_carries_key_messages_and_tools() -> None:
    conversation = [
        *HELLO,
        Message("assistant", "Looking.", (Call(id="c1", name="execute_bash", arguments='{"command": "ls"}'),)),
        Message("tool", "(no output)", call_id="c1"),
    ]
    with serving(says("Fine.")) as server, model_at(server) as model:
        model.query(conversation, SCHEMAS, 10.0)
        request = server.requests[0]
        assert server.keys == [f"Bearer {KEY}"]
    assert request["model"] == "scripted"
    assert [message["role"] for message in request["messages"]] == ["system", "user", "assistant", "tool"]
    assert request["messages"][2]["tool_calls"][0]["function"]["name"] == "execute_bash"
    assert request["messages"][3] == {"role": "tool", "tool_call_id": "c1", "content": "(no output)"}
    assert [tool["function"]["name"] for tool in request["tools"]] == ["execute_bash", "str_replace_editor", "submit"]


def test_broken_arguments_are_sent_back_as_valid_json() -> None:
    broken = Message("assistant", "", (Call(id="c1", name="execute_bash", arguments='{"command": "ls'),))
    with serving(says("Sorry.")) as server, model_at(server) as model:
        model.query([*HELLO, broken, Message("tool", "not JSON", call_id="c1")], SCHEMAS, 10.0)
        sent = server.requests[0]["messages"][2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {"broken_arguments": '{"command": "ls'}


def test_a_reply_tells_text_reasoning_usage_and_request_id() -> None:
    usage = {
        "prompt_tokens": 900,
        "completion_tokens": 70,
        "prompt_tokens_details": {"cached_tokens": 512},
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    answer = says("Two things.", bash("ls"), bash("pwd"), usage=usage, reasoning_content="First look.")
    with serving(answer) as server, model_at(server) as model:
        reply = model.query(HELLO, SCHEMAS, 10.0)
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("Two things.", "First look.", "tool_calls")
    assert [json.loads(call.arguments)["command"] for call in reply.calls] == ["ls", "pwd"]
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (900, 70)
    assert (reply.usage.cached_tokens, reply.usage.reasoning_tokens) == (512, 40)
    assert reply.request_id == "req-1"


def test_a_server_that_leaves_things_out_is_understood() -> None:
    body = {"choices": [{"message": {"tool_calls": [{"function": {"name": "submit", "arguments": {}}}]}}]}
    with serving(Answer(json.dumps(body))) as server, model_at(server) as model:
        reply = model.query(HELLO, SCHEMAS, 10.0)
    assert [(call.name, call.arguments) for call in reply.calls] == [("submit", "{}")]
    assert reply.calls[0].id
    assert reply.usage is None


@pytest.mark.parametrize(
    ("answer", "after_s"),
    [
        (fails(429), None),
        (fails(429, retry_after="7"), 7.0),
        (fails(503, retry_after="0"), 0.0),
        (fails(429, retry_after_ms="250"), 0.25),
        (fails(429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"), 0.0),
        (fails(429, retry_after="soon"), None),
        (fails(408), None),
        (fails(409), None),
        (fails(500), None),
        (fails(529), None),
        (streams(delta(content="Hal"), done=False, usage=None), None),
        (streams(delta(content="Hal"), done=False, usage=None, cut=True), None),
        (streams(json.dumps({"error": {"message": "overloaded", "code": 503}})), None),
        (Answer('{"choices": [{"message": {"content": "Hal'), None),
    ],
)
def test_what_may_pass_says_when_to_try_again(answer: Answer, after_s: float | None) -> None:
    error = error_of(answer)
    assert error.retry is not None
    assert error.retry.counted
    assert error.retry.after_s == after_s


def test_retry_after_may_be_a_date() -> None:
    noon = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
    assert retry_after({"retry-after": "Sun, 01 Mar 2026 12:01:30 GMT"}, noon) == 90.0


@pytest.mark.parametrize("answer", [fails(401), fails(403), fails(404), fails(402), fails(429, "insufficient_quota")])
def test_what_will_not_pass_is_not_tried_again(answer: Answer) -> None:
    assert error_of(answer).retry is None


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."),
        (400, "Your input exceeds the context window of this model. Please adjust your input and try again."),
        (400, "Input tokens exceed the configured limit of 272000 tokens."),
        (400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
        (400, "the request exceeds the available context size, try increasing it"),
        (400, "The input (9000 tokens) is longer than the model's context length (8192 tokens)."),
        (400, "Requested token count exceeds the model's maximum context length of 8192 tokens."),
        (500, "input length exceeds the context length"),
        (400, "prompt too long; exceeded max context length by 812 tokens"),
        (400, "prompt is too long: 210000 tokens > 200000 maximum"),
        (413, "The input token count (40000) exceeds the maximum number of tokens allowed (32768)."),
        (400, "Trying to keep the first 5000 tokens when context the overflows."),
    ],
)
def test_a_conversation_that_is_too_long_is_an_error_of_its_own(status: int, said: str) -> None:
    error = error_of(fails(status, said))
    assert isinstance(error, ContextLengthExceeded)
    assert error.status == status


def test_the_key_is_masked_where_the_server_says_it() -> None:
    error = error_of(fails(401, f"Incorrect API key provided: {KEY}."))
    assert KEY not in str(error)
    assert "provided: •••" in str(error)


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (401, "STUDIO_OPENAI_API_KEY"),
        (403, "permissions"),
        (404, "no model 'scripted'"),
        (429, "rate limit or quota"),
        (400, "extra_body"),
    ],
)
def test_a_refusal_names_its_remedy(status: int, remedy: str) -> None:
    error = error_of(fails(status, "no"))
    assert error.status == status
    assert remedy in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        Answer("this is not JSON"),
        Answer("<html>gateway</html>", content_type="text/html"),
        Answer("{}"),
        Answer('{"choices": []}'),
        Answer('{"choices": [{"message": null}]}'),
        Answer('{"choices": [{"message": {"tool_calls": "submit"}}]}'),
        Answer("[1, 2]"),
        Answer(""),
    ],
)
def test_a_malformed_answer_is_a_model_error(answer: Answer) -> None:
    assert "not a chat completion" in str(error_of(answer))


def test_a_slow_server_is_given_up_in_time() -> None:
    assert "did not answer in time" in str(error_of(Answer("{}", hold=True), timeout_s=1.0))


def test_a_server_that_is_not_there_is_named() -> None:
    with serving(says("")) as server:
        profile = scripted(server.url)
    model = OpenAIModel(profile, api_key=None)
    with pytest.raises(ModelError, match=r"cannot be reached.*STUDIO_OPENAI_BASE_URL"):
        model.query(HELLO, SCHEMAS, 5.0)
    model.close()


def test_an_address_that_is_none_is_a_model_error() -> None:
    settings = Settings(openai_base_url="not an address")
    profile = settings.profile("openai:some-model")
    assert profile is not None
    model = OpenAIModel(profile, api_key=None)
    with pytest.raises(ModelError, match="STUDIO_OPENAI_BASE_URL"):
        model.query(HELLO, SCHEMAS, 5.0)
    model.close()


def test_extra_body_and_headers_are_sent() -> None:
    given = {"extra_body": {"temperature": 0.25}, "extra_headers": {"X-Title": "Studio"}}
    with serving(says("Fine.")) as server, model_at(server, **given) as model:
        model.query(HELLO, SCHEMAS, 10.0)
        assert server.requests[0]["temperature"] == 0.25
        assert server.headers[0]["x-title"] == "Studio"


def test_a_picture_is_sent_as_a_part() -> None:
    shown = Message("user", "Look.", pictures=(Picture("image/png", b"\x89PNG"),))
    with serving(says("Fine.")) as server, model_at(server) as model:
        model.query([HELLO[0], shown], (), 10.0)
        text, picture = server.requests[0]["messages"][1]["content"]
        assert "tools" not in server.requests[0]
    assert text == {"type": "text", "text": "Look."}
    assert picture["image_url"]["url"] == "data:image/png;base64,iVBORw=="
