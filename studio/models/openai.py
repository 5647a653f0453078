"""A model of any OpenAI-compatible server, by chat completions, through the `openai` package.

`query` is one attempt: whether another one may help is said by the error, and the agent's loop decides; the package's
own retries are off. What a server turns out not to know (streaming, usage in streams, tools) is left out from then on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx2
import openai
from pydantic import ValidationError

from studio.brief import JsonObject
from studio.errors import ContextLengthExceeded, ModelError, Retry
from studio.models.faults import Refusal, refusal, remedy_for, retry_after
from studio.models.reading import reply_of
from studio.models.repeating import LEAST
from studio.models.streaming import MAX_BYTES, MAX_REPEATED_CALL, Assembly, BrokenStream, StreamedError, events
from studio.models.text_protocol import as_words
from studio.models.types import Abilities, Backoff, Message, OnText, Reply, ToolSchema, ignore_text
from studio.models.wire import Completion, completion_of, message_param, tool_param
from studio.profiles import Profile
from studio.secrets import masked
from studio.trajectory import MadeBy

NO_KEY = "not-needed"  # local servers want some key, whichever

BY_TEXT = "The server takes no tool definitions; from here on the model is told of the tools in words (text protocol)."
NO_STREAM = "The server does not stream; from here on replies come whole."
NO_STREAM_USAGE = "Streams of this server tell no usage; from here on replies come whole, so that the cost is counted."


class OpenAIModel:
    """One model of one server."""

    def __init__(self, profile: Profile, *, api_key: str | None, backoff: Backoff | None = None) -> None:
        self.profile = profile
        self.made_by = MadeBy(model=profile.title)
        self.backoff = backoff or Backoff(attempts=profile.attempts)
        self.abilities = Abilities(profile.context, profile.images)
        self.streams = profile.stream is not False
        self.by_text = profile.tools == "text"
        self._usage_in_streams = True
        self._remarks: list[str] = []
        self._key = api_key or ""
        self._client = openai.OpenAI(
            api_key=api_key or NO_KEY,
            base_url=profile.base_url,
            max_retries=0,
            timeout=profile.timeouts.whole,
            default_headers=dict(profile.extra_headers) or None,
        )

    def query(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        timeout_s: float,
        on_text: OnText = ignore_text,
    ) -> Reply:
        """The next reply, by one attempt. Raises ModelError with the remedy, and ContextLengthExceeded."""
        started = time.monotonic()
        wait = max(1.0, min(timeout_s, self.profile.timeouts.whole))
        asked = _Asked(self._request(messages, tools), wait, sends_tools=bool(tools) and not self.by_text)
        try:
            completion, request_id = self._streamed(asked, on_text) if self.streams else self._whole(asked)
        except openai.APIStatusError as error:
            body: Any = error.body if error.body is not None else error.response.text
            raise self._refused(refusal(error.status_code, body), error.response.headers, asked) from None
        except StreamedError as error:
            raise self._refused(refusal(200, {"error": error.body}), {}, asked) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise self._error("did not answer in time; try again, or allow more time", retry=Retry()) from None
        except openai.APIConnectionError as error:
            raise self._unreachable(error.__cause__) from None
        except (BrokenStream, httpx2.TransportError, httpx2.DecodingError) as error:
            said = f"broke off in the middle of its reply ({str(error)[:120] or type(error).__name__})"
            raise self._error(f"{said}; nothing of it is used", retry=Retry()) from None
        except httpx2.InvalidURL:
            raise ModelError(
                self._masked(f"{self.profile.base_url} is not an address; check {self._address}")
            ) from None
        except openai.OpenAIError as error:
            raise self._error(f"cannot be asked: {str(error)[:400]}") from None
        remarks, self._remarks = tuple(self._remarks), []
        return reply_of(
            completion,
            tools,
            by_text=self.by_text,
            request_id=request_id or completion.id,
            seconds=time.monotonic() - started,
            remarks=remarks,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def _address(self) -> str:
        return self.profile.address_setting

    def _request(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> JsonObject:
        request: JsonObject = {"model": self.profile.model}
        sent = as_words(messages, tools) if self.by_text else messages
        request["messages"] = [message_param(message) for message in sent]
        if tools and not self.by_text:
            request["tools"] = [tool_param(tool) for tool in tools]
        if self.profile.extra_body:
            request["extra_body"] = dict(self.profile.extra_body)
        return request

    def _timeout(self, wait: float, silence: float) -> httpx2.Timeout:
        return httpx2.Timeout(min(wait, silence), connect=min(self.profile.timeouts.connect, wait))

    def _whole(self, asked: _Asked) -> tuple[Completion, str | None]:
        raw = self._client.chat.completions.with_raw_response.create(
            **asked.request, timeout=self._timeout(asked.wait, asked.wait)
        )
        return self._read(raw.http_response.content), raw.headers.get("x-request-id")

    def _streamed(self, asked: _Asked, on_text: OnText) -> tuple[Completion, str | None]:
        options: JsonObject = {"stream": True}
        if self._usage_in_streams:
            options["stream_options"] = {"include_usage": True}
        create = self._client.chat.completions.with_streaming_response.create
        timeout = self._timeout(asked.wait, self.profile.timeouts.silence)
        until = time.monotonic() + asked.wait
        with create(**asked.request, **options, timeout=timeout) as answer:
            request_id = answer.headers.get("x-request-id")
            pieces = _in_time(answer.iter_bytes(), until)
            if any(word in answer.headers.get("content-type", "") for word in ("json", "html")):
                completion = self._read(_joined(pieces))
                if self.profile.stream == "auto":
                    self.streams = False
                    self._remarks.append(NO_STREAM)
                return completion, request_id
            assembly = self._assembled(pieces, on_text)
        if not assembly.has_usage and not assembly.repeated and self.profile.stream == "auto":
            self.streams = not self.profile.prices.known
            self._remarks += [] if self.streams else [NO_STREAM_USAGE]
        return assembly.completion(), request_id

    def _assembled(self, pieces: Iterator[bytes], on_text: OnText) -> Assembly:
        assembly = Assembly(on_text, MAX_REPEATED_CALL if self.by_text else LEAST)
        try:
            for data in events(pieces):
                if assembly.take(data):
                    break
        except httpx2.TransportError:
            if not assembly.finished:  # what follows the finish reason is usage at most
                raise
        if not assembly.finished and not assembly.repeated:
            raise BrokenStream("the stream ended before the reply did")
        return assembly

    def _read(self, body: bytes) -> Completion:
        try:
            return completion_of(body)
        except ValidationError as error:
            told = refusal(200, body.decode("utf-8", "replace")) if b'"error"' in body[:4096] else None
            if told is not None and told.said:
                raise StreamedError({"message": told.said, "type": told.code, "code": told.status}) from None
            fault = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in fault["loc"])
            cut = body.lstrip()[:1] == b"{" and not body.rstrip().endswith(b"}")
            raise self._error(
                f"gave an answer that is not a chat completion ({where + ': ' if where else ''}{fault['msg'][:120]}); "
                f"check {self._address}",
                retry=Retry() if cut else None,
            ) from None

    def _refused(self, refused: Refusal, headers: Mapping[str, str], asked: _Asked) -> ModelError:
        """The error for a refusal; what the server does not know is left out of the next request."""
        told = f"answered {refused.status}: {(refused.said or refused.code or 'nothing more').rstrip('.')}"
        if refused.of_context:
            words = self._masked(f"{self._where} {told}. The conversation is longer than the model's context")
            return ContextLengthExceeded(words, refused.status)
        if refused.of_stream_options and self._usage_in_streams:
            self._usage_in_streams = False
            return self._error(told, refused.status, Retry(0.0, counted=False))
        if refused.of_tools and asked.sends_tools:
            if self.profile.tools == "auto":
                self.by_text = True
                self._remarks.append(BY_TEXT)
                return self._error(told, refused.status, Retry(0.0, counted=False))
            return self._error(f'{told}. Remedy: set models.{self.profile.name}.tools = "text"', refused.status)
        if refused.of_stream and self.streams:
            if self.profile.stream == "auto":
                self.streams = False
                self._remarks.append(NO_STREAM)
                return self._error(told, refused.status, Retry(0.0, counted=False))
            return self._error(f"{told}. Remedy: set models.{self.profile.name}.stream = false", refused.status)
        remedy = remedy_for(refused, self.profile)
        retry = Retry(retry_after(headers)) if refused.transient else None
        return self._error(told + (f". Remedy: {remedy}" if remedy else ""), refused.status, retry)

    def _unreachable(self, cause: BaseException | None) -> ModelError:
        if isinstance(cause, httpx2.UnsupportedProtocol | httpx2.InvalidURL):
            return ModelError(self._masked(f"{self.profile.base_url} is not an address; check {self._address}"))
        why = f" ({cause})" if cause and str(cause) else ""
        return self._error(f"cannot be reached{why}; check {self._address} and the network", retry=Retry())

    @property
    def _where(self) -> str:
        return f"the server at {self.profile.base_url}"

    def _error(self, words: str, status: int | None = None, retry: Retry | None = None) -> ModelError:
        return ModelError(self._masked(f"{self._where} {words}"), status, retry)

    def _masked(self, text: str) -> str:
        return masked(text, (self._key,))


class _Asked:
    """One request under way: its body, the seconds that it may take, and whether it defines tools."""

    def __init__(self, request: JsonObject, wait: float, *, sends_tools: bool) -> None:
        self.request = request
        self.wait = wait
        self.sends_tools = sends_tools


def _in_time(pieces: Iterator[bytes], until: float) -> Iterator[bytes]:
    """The pieces; a server that drips on past the time is given up too."""
    for piece in pieces:
        yield piece
        if time.monotonic() > until:
            raise httpx2.ReadTimeout("the reply takes too long")


def _joined(pieces: Iterator[bytes]) -> bytes:
    body = b""
    for piece in pieces:
        body += piece
        if len(body) > MAX_BYTES:
            raise BrokenStream(f"the reply is longer than {MAX_BYTES >> 20} MiB")
    return body
