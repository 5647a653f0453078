"""A proxy before a server that answers as an engine does, and a client that says what it likes."""

from __future__ import annotations

import http.client
import json
import socket
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from studio.engine_proxy import EngineProxy
from studio.engine_proxy.bodies import OWN_LABEL, Admitted
from tests.support.engine_server import EngineServer

IMAGE = "sandbox-studio:0123456789abcdef"
OWN, FOREIGN, OTHERS = "a" * 64, "b" * 64, "c" * 64


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def words(self) -> str:
        return str(self.json["message"])


class Client:
    """Speaks HTTP to the proxy, word for word."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def connected(self) -> socket.socket:
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(20)
        made.connect(str(self.path))
        return made

    def ask(self, method: str, target: str, body: object = None, **headers: str) -> Answer:
        """One request; a body that is no bytes is sent as JSON."""
        text = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        with self.connected() as sock:
            connection = http.client.HTTPConnection("proxy")
            connection.sock = sock
            connection.request(method, target, text, {name.replace("_", "-"): value for name, value in headers.items()})
            with connection.getresponse() as answer:
                return Answer(answer.status, answer.read())

    def raw(self, text: bytes) -> bytes:
        """What comes back for these bytes, until the proxy closes."""
        with self.connected() as sock:
            sock.sendall(text)
            found = b""
            while piece := sock.recv(1 << 16):
                found += piece
            return found


@pytest.fixture
def sockets() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="studio-", dir="/tmp") as folder:  # noqa: S108
        yield Path(folder)


@pytest.fixture
def engine(sockets: Path) -> Iterator[EngineServer]:
    containers = {
        OWN: {OWN_LABEL: "mine", "sandbox-studio.studio": "s"},
        FOREIGN: {"sandbox-studio.studio": "s"},
        OTHERS: {OWN_LABEL: "another", "sandbox-studio.studio": "s"},
    }
    with EngineServer(sockets / "engine.sock", containers) as server:
        yield server


@pytest.fixture
def proxy(sockets: Path, engine: EngineServer) -> Iterator[Client]:
    what = Admitted(frozenset({IMAGE}), memory_bytes=4 << 30)
    server = EngineProxy(sockets / "proxy.sock", sockets / "engine.sock", what, "mine")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield Client(sockets / "proxy.sock")
    server.shutdown()
    server.server_close()
    thread.join()
