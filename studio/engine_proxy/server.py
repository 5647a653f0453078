"""The proxy as a server on a Unix socket: one request a connection, each in a thread."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import socketserver
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from studio.engine_proxy import relay
from studio.engine_proxy.bodies import Admitted, admitted
from studio.engine_proxy.engine import Engine
from studio.engine_proxy.refusal import Refused, Unreadable
from studio.engine_proxy.requests import Asked, label_of, read, read_json

log = logging.getLogger(__name__)

BODY_BYTES = 256 << 10
LENGTH_DIGITS = 12
REQUEST_S = 20.0
LAST_WORDS_S = 1.0
MOST_AT_ONCE = 512


class EngineProxy(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Listens at `path`, admits what `what` says, and asks the engine at the Unix socket `engine`.

    `own` is the value of its label: two proxies of one name share their containers. The socket gets mode 0660 and the
    group `group`.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, path: Path, engine: Path, what: Admitted, own: str, group: int | None = None) -> None:
        self.engine, self.what, self.own = Engine(str(engine), own), what, own
        self._places = threading.BoundedSemaphore(MOST_AT_ONCE)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        before = os.umask(0o117)
        try:
            super().__init__(str(path), _Handler)
        finally:
            os.umask(before)
        if group is not None:
            os.chown(path, -1, group)

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._places.acquire(blocking=False):
            log.warning("more than %d connections at once: one was closed", MOST_AT_ONCE)
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()


class _Handler(BaseHTTPRequestHandler):
    server: EngineProxy
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "studio-engine-proxy", ""
    timeout = REQUEST_S

    def parse_request(self) -> bool:
        """Every method comes to one place."""
        good = super().parse_request()
        if good:
            self._answer()
            self.close_connection = True
        return False

    def _answer(self) -> None:
        try:
            body = self._body()  # first, as a client that is still sending hears no answer
            asked = read(self.command, self.path)
            # The SDK sends an empty object where there is nothing to say.
            if not asked.kind.body and body.strip() not in (b"", b"{}", b"null"):
                raise Refused(f"{asked.kind.name}: takes no body")
            if asked.kind.name == "attach":
                self._attach(asked.subject)
                return
            status, said = ANSWERS[asked.kind.name](self.server, asked, body)
        except Refused as refusal:
            log.warning("refused (%d): %s", refusal.status, _line(f"{self.command[:10]} {self.path[:120]}: {refusal}"))
            status, said = refusal.status, {"message": f"engine proxy: {refusal}"}
        self._reply(status, said)
        if status == Unreadable.status:
            self._let_end()

    def _let_end(self) -> None:
        """Drop for a moment what a client still sends: closed at once, it would hear of a reset and of no answer."""
        until, left = time.monotonic() + LAST_WORDS_S, 4 * BODY_BYTES
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(LAST_WORDS_S)
            while left > 0 and time.monotonic() < until and (piece := self.connection.recv(1 << 16)):
                left -= len(piece)

    def _body(self) -> bytes:
        """The request's body, whole. Raises Unreadable."""
        if self.headers.get_all("Transfer-Encoding") or len(self.headers.get_all("Content-Length") or []) > 1:
            raise Unreadable("a body must come with one Content-Length")
        length = self.headers.get("Content-Length", "0")
        if not (length.isascii() and length.isdigit() and len(length) <= LENGTH_DIGITS) or int(length) > BODY_BYTES:
            raise Unreadable(f"a body may have {BODY_BYTES} bytes")
        body = self.rfile.read(int(length))
        if len(body) != int(length):
            raise Unreadable("the body is not whole")
        return body

    def _attach(self, container: str) -> None:
        stream = self.server.engine.attach(container)
        with stream:
            self.wfile.write(
                b"HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\n"
                b"Connection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
            )
            self.connection.setblocking(False)
            if early := self.rfile.peek():  # type: ignore[attr-defined]  # what came behind the request, without waiting
                stream.sendall(early)
            self.connection.setblocking(True)
            relay.join(self.connection, stream)

    def _reply(self, status: int, said: object) -> None:
        text = b"" if said is None else json.dumps(said).encode()
        with contextlib.suppress(OSError):  # the client has gone
            self.send_response(status)
            if said is not None:
                self.send_header("Content-Type", "application/json")
            if status not in (204, 304):
                self.send_header("Content-Length", str(len(text)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(text)

    def address_string(self) -> str:
        return "worker"

    def log_message(self, format: str, *args: Any) -> None:
        log.debug(format, *args)


def _line(words: str) -> str:
    """The same with everything that a terminal or a reader of lines would take for something else written out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words)


def _create(proxy: EngineProxy, asked: Asked, body: bytes) -> tuple[int, object]:
    return 201, proxy.engine.create(asked.query["name"], admitted(read_json(body), proxy.what, proxy.own))


def _image(proxy: EngineProxy, asked: Asked, _: bytes) -> tuple[int, object]:
    if asked.subject not in proxy.what.images:
        raise Refused(f"image {asked.subject} is not the studio's")
    return 200, proxy.engine.image(asked.subject)


def _start(proxy: EngineProxy, asked: Asked, _: bytes) -> tuple[int, object]:
    proxy.engine.start(asked.subject)
    return 204, None


def _remove(proxy: EngineProxy, asked: Asked, _: bytes) -> tuple[int, object]:
    proxy.engine.remove(asked.subject)
    return 204, None


def _ping(proxy: EngineProxy, _: Asked, __: bytes) -> tuple[int, object]:
    proxy.engine.ping()
    return 200, "OK"


ANSWERS: dict[str, Callable[[EngineProxy, Asked, bytes], tuple[int, object]]] = {
    "ping": _ping,
    "version": lambda proxy, asked, body: (200, proxy.engine.version()),
    "info": lambda proxy, asked, body: (200, proxy.engine.info()),
    "image": _image,
    "list": lambda proxy, asked, body: (200, proxy.engine.listed(label_of(asked.query.get("filters", "{}")))),
    "inspect": lambda proxy, asked, body: (200, proxy.engine.inspect(asked.subject)),
    "create": _create,
    "start": _start,
    "remove": _remove,
}
