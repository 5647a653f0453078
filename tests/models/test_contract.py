"""What every model owes the agent: replies in order, usage, named errors. Over real HTTP where there is a provider."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from studio.errors import ModelError
from studio.models import Message, Model, ReplayModel
from studio.models.openai import OpenAIModel
from studio.tools import SCHEMAS
from studio.trajectory import Call, MadeBy
from tests.support.openai_server import Answer, OpenAIServer, bash, fails, says, serving

KEY = "sk-scripted-key-000111222"
HELLO = [Message("system", "You make things."), Message("user", "Make one.")]


@contextmanager
def model_at(server: OpenAIServer, max_retries: int = 2) -> Iterator[OpenAIModel]:
    model = OpenAIModel("scripted", base_url=server.url, api_key=KEY, max_retries=max_retries)
    yield model
    model.close()


def error_of(*answers: Answer, timeout_s: float = 30.0, max_retries: int = 0) -> ModelError:
    with serving(*answers) as server, model_at(server, max_retries) as model:
        with pytest.raises(ModelError) as caught:
            model.query(HELLO, SCHEMAS, timeout_s)
        return caught.value


def both_models() -> Iterator[Model]:
    calls = [("execute_bash", '{"command": "ls"}'), ("submit", "{}")]
    yield ReplayModel([[Call(id="call_1", name=n, arguments=a)] for n, a in calls], MadeBy(recipe="x/1"))
    with serving(*(says(None, call) for call in calls)) as server, model_at(server) as model:
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


def test_it_tries_again_after_429_and_500() -> None:
    busy = fails(429, retry_after="0.05")
    with serving(busy, fails(500), says("Here.")) as server, model_at(server) as model:
        assert model.query(HELLO, SCHEMAS, 10.0).text == "Here."
        assert len(server.requests) == 3


def test_a_server_that_stays_down_is_a_model_error_after_the_retries() -> None:
    with serving(fails(500, "out of memory")) as server, model_at(server, max_retries=1) as model:
        with pytest.raises(ModelError, match="500: .*out of memory") as caught:
            model.query(HELLO, SCHEMAS, 10.0)
        assert len(server.requests) == 2
    assert caught.value.status == 500


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (401, "STUDIO_OPENAI_API_KEY"),
        (403, "permissions"),
        (404, "no model 'scripted'"),
        (429, "rate limit or quota"),
        (400, "refused"),
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
        url = server.url
    model = OpenAIModel("scripted", base_url=url, api_key=None, max_retries=0)
    with pytest.raises(ModelError, match="cannot be reached.*STUDIO_OPENAI_BASE_URL"):
        model.query(HELLO, SCHEMAS, 5.0)
    model.close()


def test_an_address_that_is_none_is_a_model_error() -> None:
    model = OpenAIModel("scripted", base_url="not an address", api_key=None, max_retries=0)
    with pytest.raises(ModelError, match="STUDIO_OPENAI_BASE_URL"):
        model.query(HELLO, SCHEMAS, 5.0)
    model.close()
