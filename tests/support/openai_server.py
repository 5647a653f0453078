"""A real HTTP server that speaks the chat completions of OpenAI, with scripted answers, in place of a provider."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from studio.profiles import Profile

USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


@dataclass(frozen=True)
class Answer:
    """One scripted answer. `hold` keeps the client waiting until it goes away or the server ends.

    An answer with `pieces` is sent chunk by chunk, as they are; `cut` breaks the line off behind them, `hold` waits
    there, and `pause_s` is waited before each.
    """

    body: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    hold: bool = False
    pieces: tuple[bytes, ...] = ()
    cut: bool = False
    pause_s: float = 0.0
    streamable: bool = False  # sent in chunks to a client that asks for a stream


def says(
    text: str | None = None,
    *calls: tuple[str, Any],
    usage: dict[str, Any] | None = None,
    finish_reason: str | None = None,
    **message: Any,
) -> Answer:
    """A reply with text and calls; each call is a name and its arguments (an object, or raw text)."""
    tool_calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for number, (name, given) in enumerate(calls, start=1)
    ]
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason or ("tool_calls" if calls else "stop"),
                "message": {"role": "assistant", "content": text, "tool_calls": tool_calls or None, **message},
            }
        ],
        "usage": usage or USAGE,
    }
    return Answer(json.dumps(body), streamable=True)


def delta(finish_reason: str | None = None, **said: Any) -> str:
    """One chunk of a streamed reply, as the data of an event."""
    choice = {"index": 0, "delta": said, "finish_reason": finish_reason}
    return json.dumps({"id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": [choice]}, ensure_ascii=False)


def call_delta(
    index: int | None = 0, id: str | None = None, name: str | None = None, arguments: Any = None
) -> dict[str, Any]:
    """A piece of a call; what is None is left out."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    part = {"index": index, "id": id, "type": "function", "function": function}
    return {key: value for key, value in part.items() if value is not None}


def streams(
    *chunks: str,
    usage: dict[str, Any] | None = USAGE,
    done: bool = True,
    size: int | None = None,
    **more: Any,
) -> Answer:
    """A streamed answer of these chunks (the data of events), then usage and `[DONE]`; cut every `size` bytes."""
    datas = list(chunks)
    if usage is not None:
        datas.append(json.dumps({"id": "chatcmpl-1", "choices": [], "usage": usage}))
    if done:
        datas.append("[DONE]")
    events = [f"data: {data}\n\n".encode() for data in datas]
    whole = b"".join(events)
    pieces = events if size is None else [whole[at : at + size] for at in range(0, len(whole), size)]
    return Answer("", content_type="text/event-stream", pieces=tuple(pieces), **more)


def in_chunks(answer: Answer) -> Answer:
    """A whole reply as a stream: words in two pieces, each call's arguments in two."""
    body = json.loads(answer.body)
    (choice,) = body["choices"]
    message = {key: value for key, value in choice["message"].items() if value is not None}
    calls = message.pop("tool_calls", [])
    text = message.pop("content", "")
    half = len(text) // 2
    chunks = [delta(**message), delta(content=text[:half]), delta(content=text[half:])]
    for index, call in enumerate(calls):
        raw, name = call["function"]["arguments"], call["function"]["name"]
        chunks.append(delta(tool_calls=[call_delta(index, call["id"], name, raw[: len(raw) // 2])]))
        chunks.append(delta(tool_calls=[call_delta(index, arguments=raw[len(raw) // 2 :])]))
    chunks.append(delta(finish_reason=choice["finish_reason"]))
    return replace(streams(*chunks, usage=body["usage"]), status=answer.status, headers=answer.headers)


def bash(command: str, **more: Any) -> tuple[str, Any]:
    """A call of execute_bash."""
    return ("execute_bash", {"command": command, **more})


def fails(status: int, message: str = "scripted failure", **headers: str) -> Answer:
    """An error answer in OpenAI's form."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(json.dumps({"error": {"message": message, "type": "scripted"}}), status, named)


class OpenAIServer:
    """Answers in order; the last answer is repeated. `requests` and `keys` hold what came.

    A function in place of answers gets each request and gives its answer.
    """

    def __init__(self, answers: Iterable[Answer] | Callable[[dict[str, Any]], Answer]) -> None:
        self._answering = answers if callable(answers) else None
        self.answers = [] if callable(answers) else list(answers)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.arrived = threading.Event()  # set when a request has come in
        self._over = threading.Event()
        self._lock = threading.Lock()
        self.gone = threading.Event()  # set when a client has left in the middle of an answer
        self.held = threading.Event()  # set when an answer has come to where it holds
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:  # noqa: N802  # the base class names it so
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                outer._answer(self, json.loads(body))

            def log_message(self, *args: object) -> None:
                """Nothing is printed."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def url(self) -> str:
        """The base URL to give to a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def _answer(self, handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        with self._lock:
            self.requests.append(request)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            self.keys.append(handler.headers.get("Authorization") or "")
            if self._answering is not None:
                answer = self._answering(request)
            else:
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.arrived.set()
        handler.close_connection = True
        if answer.streamable and request.get("stream"):
            answer = in_chunks(answer)
        if answer.pieces:
            self._answer_in_pieces(handler, answer)
            return
        if answer.hold:
            self._over.wait()
        body = answer.body.encode()
        try:
            handler.send_response(answer.status)
            handler.send_header("Content-Type", answer.content_type)
            handler.send_header("Content-Length", str(len(body)))
            handler.send_header("Connection", "close")
            handler.send_header("x-request-id", f"req-{len(self.requests)}")
            for name, value in answer.headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(body)
        except OSError:  # the client has gone
            return

    def _answer_in_pieces(self, handler: BaseHTTPRequestHandler, answer: Answer) -> None:
        try:
            handler.send_response(answer.status)
            handler.send_header("Content-Type", answer.content_type)
            handler.send_header("Transfer-Encoding", "chunked")
            handler.send_header("Connection", "close")
            handler.send_header("x-request-id", f"req-{len(self.requests)}")
            for name, value in answer.headers.items():
                handler.send_header(name, value)
            handler.end_headers()
            for piece in answer.pieces:
                if answer.pause_s:
                    self._over.wait(answer.pause_s)
                handler.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                handler.wfile.flush()
            if answer.hold:
                self.held.set()
                self._over.wait()
            if not answer.cut:
                handler.wfile.write(b"0\r\n\r\n")
        except OSError:  # the client has gone
            self.gone.set()

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def scripted(url: str, **given: Any) -> Profile:
    """The unnamed profile of a scripted server; `given` are more of its fields."""
    return Profile.model_validate({"base_url": url, "model": "scripted", "key_env": "STUDIO_OPENAI_API_KEY", **given})


@contextmanager
def serving(*answers: Answer) -> Iterator[OpenAIServer]:
    """A running server with these answers."""
    with OpenAIServer(answers) as server:
        yield server
