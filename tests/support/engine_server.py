"""A small HTTP server on a Unix socket that answers as a Docker engine does and notes all that it was asked."""

from __future__ import annotations

import json
import socketserver
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


class EngineServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    """Holds containers by id, with their labels; what an attached client sends comes back in capitals."""

    daemon_threads = True

    def __init__(self, path: Path, containers: dict[str, dict[str, str]]) -> None:
        super().__init__(str(path), _Handler)
        self.containers = containers
        self.asked: list[tuple[str, str]] = []
        self.created: list[dict[str, Any]] = []
        self.input_ended = threading.Event()  # an attached client sends no more
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})

    def __enter__(self) -> EngineServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: EngineServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:  # noqa: N802
        parts = urlsplit(self.path)
        self.server.asked.append(("GET", self.path))
        if parts.path == "/_ping":
            self._say(200, "OK")
        elif parts.path == "/version":
            self._say(200, {"Version": "1", "ApiVersion": "1.41", "MinAPIVersion": "1.12", "GitCommit": "secret"})
        elif parts.path == "/info":
            said = {
                "Name": "host",
                "NCPU": 2,
                "HttpProxy": "http://user:secret@proxy",
                "Runtimes": {"runc": {"path": "/x"}},
            }
            self._say(200, said)
        elif parts.path.startswith("/images/"):
            self._say(
                200, {"Id": "i", "Size": 1, "Config": {"Labels": {"a": "b"}, "Env": ["SECRET=1"]}, "GraphDriver": {}}
            )
        elif parts.path == "/containers/json":
            wanted = set(json.loads(parse_qs(parts.query)["filters"][0])["label"])
            self._say(200, [self._listed(one) for one in self.server.containers if wanted <= self._labels(one)])
        else:
            self._inspect(parts.path.split("/")[2])

    def _labels(self, container: str) -> set[str]:
        return {f"{name}={value}" for name, value in self.server.containers[container].items()}

    def _listed(self, container: str) -> dict[str, Any]:
        return {"Id": container, "Names": ["/x"], "Labels": self.server.containers[container], "Mounts": ["secret"]}

    def _inspect(self, container: str) -> None:
        if container not in self.server.containers:
            self._say(404, {"message": f"No such container: {container}"})
            return
        config = {"Labels": self.server.containers[container], "Env": ["SECRET=1"]}
        self._say(200, {"Id": container, "State": {"Running": True, "Pid": 7}, "Config": config, "HostConfig": {}})

    def do_POST(self) -> None:  # noqa: N802
        self.server.asked.append(("POST", self.path))
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.startswith("/containers/create"):
            self.server.created.append(json.loads(body))
            made = f"{len(self.server.created):064x}"
            self.server.containers[made] = self.server.created[-1]["Labels"]
            self._say(201, {"Id": made, "Warnings": []})
        elif "/attach" in self.path:
            self._stream()
        else:
            self._say(204, None)

    def do_DELETE(self) -> None:  # noqa: N802
        self.server.asked.append(("DELETE", self.path))
        self.server.containers.pop(urlsplit(self.path).path.split("/")[2], None)
        self._say(204, None)

    def _stream(self) -> None:
        self.wfile.write(b"HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nfirst")
        while piece := self.connection.recv(1 << 16):
            self.connection.sendall(piece.upper())
        self.server.input_ended.set()
        self.wfile.write(b"last")
        self.close_connection = True

    def _say(self, status: int, said: object) -> None:
        text = b"" if said is None else json.dumps(said).encode()
        self.send_response(status)
        if said is not None:
            self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def address_string(self) -> str:
        return "client"

    def log_message(self, *args: object) -> None:
        """Nothing is printed."""
