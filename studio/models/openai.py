"""`openai:MODEL`: chat completions of any OpenAI-compatible server, through the `openai` package.

The package retries 408, 409, 429, 5xx and connection failures itself, with backoff and `Retry-After`. The body of an
answer is read here, leniently: servers differ in what they leave out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from studio.errors import ModelError
from studio.models.types import Message, Reply, ToolSchema
from studio.settings import Settings
from studio.trajectory import Call, MadeBy, ReplyUsage

OPENAI_URL = "https://api.openai.com/v1"
MAX_RETRIES = 4
CONNECT_S = 10.0
MAX_WAIT_S = 600.0  # the longest wait for one answer
NO_KEY = "not-needed"  # local servers want some key, whichever


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Function(_Lenient):
    name: str = ""
    arguments: str = ""

    @field_validator("name", "arguments", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        if value is None:
            return ""
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class _ToolCall(_Lenient):
    id: str | None = None
    function: _Function


class _Message(_Lenient):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    tool_calls: list[_ToolCall] | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _joined(cls, value: Any) -> Any:
        """Some servers give a list of parts."""
        if isinstance(value, list):
            return "".join(str(part.get("text") or "") for part in value if isinstance(part, dict))
        return value

    @field_validator("reasoning", "reasoning_content", mode="before")
    @classmethod
    def _text_only(cls, value: Any) -> Any:
        return value if isinstance(value, str) else None


class _Choice(_Lenient):
    message: _Message
    finish_reason: str | None = None


class _Details(_Lenient):
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class _Usage(_Lenient):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None


class _Completion(_Lenient):
    id: str | None = None
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class OpenAIModel:
    """One model of one server."""

    def __init__(self, name: str, *, base_url: str | None, api_key: str | None, max_retries: int = MAX_RETRIES) -> None:
        self.name = name
        self.base_url = base_url or OPENAI_URL
        self.made_by = MadeBy(model=f"openai:{name}")
        self._client = openai.OpenAI(
            api_key=api_key or NO_KEY, base_url=self.base_url, max_retries=max_retries, timeout=MAX_WAIT_S
        )

    @classmethod
    def from_settings(cls, name: str, settings: Settings) -> OpenAIModel:
        """The model called `name` at the server that the settings name."""
        key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
        return cls(name, base_url=settings.openai_base_url, api_key=key)

    def query(self, messages: Sequence[Message], tools: Sequence[ToolSchema], timeout_s: float) -> Reply:
        """The next reply. Raises ModelError, with the remedy, when the server refuses or stays down.

        `timeout_s` bounds each attempt's wait for the answer.
        """
        started = time.monotonic()
        wait = max(1.0, min(timeout_s, MAX_WAIT_S))
        try:
            raw = self._client.chat.completions.with_raw_response.create(
                model=self.name,
                messages=[_message_param(message) for message in messages],
                tools=[_tool_param(tool) for tool in tools],
                timeout=httpx2.Timeout(wait, connect=min(CONNECT_S, wait)),
            )
            body = raw.http_response.text
        except openai.OpenAIError as error:
            raise self._model_error(error) from None
        except httpx2.InvalidURL:
            raise ModelError(f"{self.base_url} is not an address; check STUDIO_OPENAI_BASE_URL") from None
        return _reply(self._read(body), raw.request_id, time.monotonic() - started)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _read(self, body: str) -> _Completion:
        try:
            return _Completion.model_validate_json(body)
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in fault["loc"])
            raise ModelError(
                f"the server at {self.base_url} gave an answer that is not a chat completion "
                f"({where + ': ' if where else ''}{fault['msg'][:120]}); check STUDIO_OPENAI_BASE_URL"
            ) from None

    def _model_error(self, error: openai.OpenAIError) -> ModelError:
        where = f"the server at {self.base_url}"
        if isinstance(error, openai.APITimeoutError):
            return ModelError(f"{where} did not answer in time, on any attempt; try again or allow more time")
        if isinstance(error, openai.APIConnectionError):
            cause = f" ({error.__cause__})" if error.__cause__ else ""
            return ModelError(f"{where} cannot be reached{cause}; check STUDIO_OPENAI_BASE_URL and the network")
        if not isinstance(error, openai.APIStatusError):
            return ModelError(f"{where}: {str(error)[:400]}")
        said = _said(error)
        remedy = {
            401: "check STUDIO_OPENAI_API_KEY",
            403: f"the key may not use {self.name}; check its permissions",
            404: f"there is no model {self.name!r} there; check the name and STUDIO_OPENAI_BASE_URL",
            429: "the rate limit or quota is used up; wait, or raise it with the provider",
            400: "the request was refused; the model may not know tool calls, or the conversation is too long",
        }.get(error.status_code, "the provider has a fault; try again later" if error.status_code >= 500 else "")
        text = f"{where} answered {error.status_code}: {said}" + (f". Remedy: {remedy}" if remedy else "")
        return ModelError(text, status=error.status_code)


def _said(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        said = body.get("message") or (body.get("error") if isinstance(body.get("error"), str) else None)
        if isinstance(said, str):
            return said[:400]
    return error.message[:400]


def _message_param(message: Message) -> ChatCompletionMessageParam:
    if message.role == "system":
        return {"role": "system", "content": message.text}
    if message.role == "user":
        return {"role": "user", "content": message.text}
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id or "", "content": message.text}
    if not message.calls:
        return {"role": "assistant", "content": message.text}
    return {
        "role": "assistant",
        "content": message.text or None,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": _valid_json(call.arguments)},
            }
            for call in message.calls
        ],
    }


def _valid_json(arguments: str) -> str:
    """Arguments as they may be sent back: several servers refuse a conversation that holds broken JSON."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        value = None
    return arguments if isinstance(value, dict) else json.dumps({"broken_arguments": arguments}, ensure_ascii=False)


def _tool_param(tool: ToolSchema) -> ChatCompletionToolParam:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
    }


def _reply(completion: _Completion, request_id: str | None, seconds: float) -> Reply:
    choice = completion.choices[0]
    message = choice.message
    calls = tuple(
        Call(id=call.id or f"call_{number}", name=call.function.name, arguments=call.function.arguments)
        for number, call in enumerate(message.tool_calls or (), start=1)
    )
    return Reply(
        text=message.content or message.refusal or "",
        reasoning=message.reasoning_content or message.reasoning or "",
        calls=calls,
        finish_reason=choice.finish_reason,
        usage=_usage(completion.usage),
        seconds=seconds,
        request_id=request_id or completion.id,
    )


def _usage(usage: _Usage | None) -> ReplyUsage | None:
    if usage is None:
        return None
    prompt, completion = usage.prompt_tokens_details, usage.completion_tokens_details
    return ReplyUsage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=prompt.cached_tokens if prompt else None,
        reasoning_tokens=completion.reasoning_tokens if completion else None,
    )
