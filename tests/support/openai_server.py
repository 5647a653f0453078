"""A real HTTP server that speaks the chat completions of OpenAI, with scripted answers, in place of a provider."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Answer:
    """One scripted answer. `hold` keeps the client waiting until it goes away or the server ends."""

    body: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    hold: bool = False


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
        "usage": usage or {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return Answer(json.dumps(body))


def bash(command: str, **more: Any) -> tuple[str, Any]:
    """A call of execute_bash."""
    return ("execute_bash", {"command": command, **more})


def fails(status: int, message: str = "scripted failure", **headers: str) -> Answer:
    """An error answer in OpenAI's form."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(json.dumps({"error": {"message": message, "type": "scripted"}}), status, named)


class OpenAIServer:
    """Answers in order; the last answer is repeated. `requests` and `keys` hold what came."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.arrived = threading.Event()  # set when a request has come in
        self._over = threading.Event()
        self._lock = threading.Lock()
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
            self.keys.append(handler.headers.get("Authorization") or "")
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.arrived.set()
        if answer.hold:
            self._over.wait()
        body = answer.body.encode()
        handler.close_connection = True
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

    def __enter__(self) -> OpenAIServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(*answers: Answer) -> Iterator[OpenAIServer]:
    """A running server with these answers."""
    with OpenAIServer(answers) as server:
        yield server
