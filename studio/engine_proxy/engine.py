"""The engine itself: requests that are written here, and answers of which only what the studio reads is handed on."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from studio.engine_proxy.bodies import OWN_LABEL
from studio.engine_proxy.refusal import Absent, NoEngine, Refused

ANSWER_BYTES = 8 << 20
ANSWER_S = 60.0
HEAD_BYTES = 16 << 10
TOLD = {
    "version": ("Version", "ApiVersion", "MinAPIVersion", "Os", "Arch", "KernelVersion"),
    "info": ("ServerVersion", "Name", "NCPU", "MemTotal", "CgroupVersion", "SecurityOptions", "OSType", "Architecture"),
    "image": ("Id", "Size", "RepoTags"),
    "inspect": ("Id", "Name", "State", "Created"),
    "listed": ("Id", "Names", "Labels", "State", "Created"),
}


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("engine", timeout=ANSWER_S)
        self._path = path

    def connect(self) -> None:
        self.sock = _connected(self._path)


def _connected(path: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.settimeout(ANSWER_S)
    try:
        made.connect(path)
    except OSError:
        made.close()
        raise NoEngine("the engine does not answer") from None
    return made


class Engine:
    """A Docker engine at a Unix socket, of which only the containers with the label `own` are seen."""

    def __init__(self, path: str, own: str) -> None:
        self._path, self._own = path, own

    def ping(self) -> None:
        """Raises NoEngine where it does not answer."""
        self._ask("GET", "/_ping", plain=True)

    def version(self) -> dict[str, Any]:
        """Its version and the versions of its API."""
        return _only(self._ask("GET", "/version"), "version")

    def info(self) -> dict[str, Any]:
        """What it says of itself, without its machine's settings (proxies, registries, plugins)."""
        said = self._ask("GET", "/info")
        return {**_only(said, "info"), "Runtimes": {name: {} for name in said.get("Runtimes") or {}}}

    def image(self, name: str) -> dict[str, Any]:
        """An image's size and labels."""
        said = self._ask("GET", f"/images/{quote(name, safe=':')}/json")
        return {**_only(said, "image"), "Config": {"Labels": (said.get("Config") or {}).get("Labels") or {}}}

    def create(self, name: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Make a container."""
        said = self._ask("POST", f"/containers/create?{urlencode({'name': name})}", body)
        return {"Id": said.get("Id"), "Warnings": said.get("Warnings")}

    def listed(self, label: str) -> list[dict[str, Any]]:
        """The own containers with a label, ended ones included."""
        filters = json.dumps({"label": [f"{OWN_LABEL}={self._own}", label]})
        found = self._ask("GET", f"/containers/json?{urlencode({'all': '1', 'filters': filters})}")
        return [_only(one, "listed") for one in found]

    def inspect(self, container: str) -> dict[str, Any]:
        """How a container is. Raises Absent where it is not an own one."""
        said = self._ask("GET", f"/containers/{container}/json")
        labels = (said.get("Config") or {}).get("Labels") or {}
        if said.get("Id") != container or labels.get(OWN_LABEL) != self._own:
            raise Absent(f"No such container: {container}")
        return {**_only(said, "inspect"), "Config": {"Labels": labels}}

    def start(self, container: str) -> None:
        """Start an own container."""
        self.inspect(container)
        self._ask("POST", f"/containers/{container}/start", plain=True)

    def remove(self, container: str) -> None:
        """Kill and remove an own container."""
        self.inspect(container)
        self._ask("DELETE", f"/containers/{container}?v=1&force=1", plain=True)

    def attach(self, container: str) -> socket.socket:
        """The stream of an own container's main process; the engine's answer has been read."""
        self.inspect(container)
        made = _connected(self._path)
        made.sendall(
            f"POST /containers/{container}/attach?stdin=1&stdout=1&stderr=1&stream=1 HTTP/1.1\r\nHost: engine\r\n"
            "Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):  # byte by byte, for what comes behind it is the container's
            piece = made.recv(1)
            head += piece
            if not piece or len(head) > HEAD_BYTES:
                made.close()
                raise NoEngine("the engine gave no stream")
        if not head.startswith((b"HTTP/1.1 101 ", b"HTTP/1.0 101 ")):
            made.close()
            raise Refused(f"the engine gave no stream: {head.split(b' ', 2)[1][:3].decode('ascii', 'replace')}")
        made.settimeout(None)
        return made

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None, *, plain: bool = False) -> Any:
        """The engine's answer. Raises Refused with the engine's own words where it refuses, NoEngine."""
        connection = _UnixConnection(self._path)
        try:
            text = None if body is None else json.dumps(body).encode()
            headers = {"Connection": "close"} | ({} if text is None else {"Content-Type": "application/json"})
            connection.request(method, path, text, headers)
            answer = connection.getresponse()
            said = answer.read(ANSWER_BYTES + 1)
        except (OSError, http.client.HTTPException):
            raise NoEngine("the engine does not answer") from None
        finally:
            connection.close()
        if len(said) > ANSWER_BYTES:
            raise NoEngine("the engine's answer is too long")
        if answer.status >= 300:
            _refuse(answer.status, said)
        if plain:
            return None
        try:
            return json.loads(said)
        except ValueError:
            raise NoEngine("the engine's answer is not JSON") from None


def _refuse(status: int, said: bytes) -> None:
    if status == 304:  # it was started before
        return
    try:
        words = str(json.loads(said)["message"])[:400]
    except (ValueError, KeyError, TypeError):
        words = "the engine refused"
    refusal = Absent(words) if status == 404 else Refused(words)
    refusal.status = status
    raise refusal


def _only(said: Any, kind: str) -> dict[str, Any]:
    if not isinstance(said, dict):
        raise NoEngine("the engine's answer has another form")
    return {name: said[name] for name in TOLD[kind] if name in said}
