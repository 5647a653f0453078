"""Which requests reach the engine, and what of its answers reaches the worker."""

from __future__ import annotations

import json
import re
import threading
from urllib.parse import quote

import pytest

from studio.engine_proxy.bodies import OWN_LABEL
from tests.engine_proxy.conftest import FOREIGN, IMAGE, OTHERS, OWN, Client
from tests.support.engine_server import EngineServer

STREAMS = "stdin=1&stdout=1&stderr=1&stream=1"
NOT_ADMITTED = (
    ("POST", "/build"),
    ("POST", "/images/create?fromImage=debian"),
    ("POST", "/images/load"),
    ("DELETE", f"/images/{IMAGE}"),
    ("GET", "/images/json"),
    ("GET", f"/images/{IMAGE}/get"),
    ("GET", "/images/debian:bookworm-slim/json"),
    ("POST", "/commit"),
    ("POST", f"/containers/{OWN}/exec"),
    ("POST", f"/exec/{OWN}/start"),
    ("POST", f"/containers/{OWN}/update"),
    ("POST", f"/containers/{OWN}/rename?name=x"),
    ("POST", f"/containers/{OWN}/attach/ws"),
    ("GET", f"/containers/{OWN}/archive?path=/"),
    ("PUT", f"/containers/{OWN}/archive?path=/"),
    ("GET", f"/containers/{OWN}/logs?stdout=1"),
    ("GET", f"/containers/{OWN}/export"),
    ("GET", f"/containers/{OWN}/top"),
    ("POST", f"/containers/{OWN}/start?detachKeys=a"),
    ("POST", f"/containers/{OWN}/attach?{STREAMS}&logs=1"),
    ("POST", f"/containers/{OWN}/attach?stdin=1"),
    ("POST", "/containers/prune"),
    ("GET", "/volumes"),
    ("POST", "/volumes/create"),
    ("GET", "/networks"),
    ("POST", "/networks/create"),
    ("POST", "/networks/x/connect"),
    ("GET", "/system/df"),
    ("GET", "/events"),
    ("POST", "/auth"),
    ("POST", "/session"),
    ("GET", "/swarm"),
    ("POST", "/plugins/pull"),
    ("GET", "/secrets"),
    ("GET", "/containers/json"),
    ("GET", "/containers/json?all=1&filters=%7B%7D"),
    ("GET", "/containers/json?filters=" + quote('{"label": ["a=b", "c=d"]}')),
    ("GET", "/containers/json?filters=" + quote('{"name": ["postgres"]}')),
    ("GET", "/containers/web/json"),
    ("GET", f"/containers/{OWN[:12]}/json"),
    ("GET", f"/v1.41/../containers/{OWN}/json"),
    ("GET", f"/containers//{OWN}/json"),
    ("GET", f"/containers/{OWN}%2fjson"),
    ("GET", f"/v1.41/v1.41/containers/{OWN}/json"),
    ("GET", f"/containers/{OWN}/json/"),
    ("GET", "http://engine/info"),
    ("HEAD", "/info"),
    ("PATCH", "/info"),
    ("CONNECT", "engine:80"),
    ("GET", "/info?x=1"),
)


@pytest.mark.parametrize(("method", "target"), NOT_ADMITTED)
def test_what_the_studio_never_asks_is_refused(proxy: Client, engine: EngineServer, method: str, target: str) -> None:
    assert proxy.ask(method, target).status in (400, 403)
    assert engine.asked == []


@pytest.mark.parametrize("container", [FOREIGN, OTHERS, "d" * 64])
@pytest.mark.parametrize(
    ("method", "rest"),
    [("GET", "/json"), ("POST", "/start"), ("POST", f"/attach?{STREAMS}"), ("DELETE", "?v=1&force=1")],
)
def test_containers_of_others_are_as_if_they_were_not_there(
    proxy: Client, engine: EngineServer, method: str, rest: str, container: str
) -> None:
    answer = proxy.ask(method, f"/v1.41/containers/{container}{rest}")
    assert answer.status == 404
    assert "No such container" in answer.words
    assert [asked for asked in engine.asked if asked[0] != "GET"] == []
    assert {FOREIGN, OTHERS, OWN} == engine.containers.keys()


def test_own_containers_are_looked_at_started_and_removed(proxy: Client, engine: EngineServer) -> None:
    seen = proxy.ask("GET", f"/v1.41/containers/{OWN}/json").json
    assert seen["State"] == {"Running": True, "Pid": 7}
    assert seen["Config"] == {"Labels": engine.containers[OWN]}
    assert proxy.ask("POST", f"/v1.41/containers/{OWN}/start").status == 204
    assert proxy.ask("POST", f"/v1.41/containers/{OWN}/start", b"{}").status == 204
    assert proxy.ask("POST", f"/v1.41/containers/{OWN}/start", {"HostConfig": {"Privileged": True}}).status == 403
    assert proxy.ask("DELETE", f"/v1.41/containers/{OWN}?v=True&link=False&force=True").status == 204
    assert OWN not in engine.containers


def test_only_own_containers_are_listed(proxy: Client, engine: EngineServer) -> None:
    for filters in ({"label": ["sandbox-studio.studio=s"]}, {"label": {"sandbox-studio.studio=s": True}}):
        target = f"/v1.41/containers/json?all=1&limit=-1&filters={quote(json.dumps(filters))}"
        found = proxy.ask("GET", target).json
        assert found == [{"Id": OWN, "Names": ["/x"], "Labels": engine.containers[OWN]}]
    asked = proxy.ask("GET", f"/containers/json?filters={quote(json.dumps({'label': [f'{OWN_LABEL}=another']}))}")
    assert asked.json == []


def test_nothing_of_the_engines_machine_is_told_but_what_the_studio_reads(proxy: Client) -> None:
    for target in ("/info", "/version", f"/images/{IMAGE}/json"):
        answer = proxy.ask("GET", target)
        assert answer.status == 200
        assert b"secret" not in answer.body.lower()
    assert proxy.ask("GET", "/info").json == {"Name": "host", "NCPU": 2, "Runtimes": {"runc": {}}}
    assert proxy.ask("GET", "/_ping").status == 200


@pytest.mark.parametrize(
    "text",
    [
        b"POST /containers/create?name=sb-0123456789ab HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST /containers/create?name=sb-0123456789ab HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}{}",
        b"POST /containers/create?name=sb-0123456789ab HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n",
        b"POST /containers/create?name=sb-0123456789ab HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET /containers/json\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"GET /info HTTP/1.1\r\n" + b"X: y\r\n" * 1000 + b"\r\n",
        b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_proper_request_is_answered_so(proxy: Client, engine: EngineServer, text: bytes) -> None:
    assert not re.match(rb"HTTP/1\.[01] [123]", proxy.raw(text))
    assert engine.asked == []


def test_a_second_request_behind_the_first_is_not_answered(proxy: Client, engine: EngineServer) -> None:
    found = proxy.raw(b"GET /_ping HTTP/1.1\r\n\r\nGET /info HTTP/1.1\r\n\r\n")
    assert found.count(b"HTTP/1.1") == 1
    assert [target for _, target in engine.asked] == ["/_ping"]


def test_an_engine_that_is_not_there_is_told(proxy: Client, engine: EngineServer) -> None:
    (proxy.path.parent / "engine.sock").unlink()
    answer = proxy.ask("GET", "/info")
    assert answer.status == 502
    assert "does not answer" in answer.words


def test_a_stream_goes_both_ways_and_ends_with_either_side(proxy: Client, engine: EngineServer) -> None:
    sent = b"".join(b"%08d" % number for number in range(200_000))  # 1.6 MB: more than any buffer on the way
    with proxy.connected() as sock:
        head = f"POST /v1.41/containers/{OWN}/attach?{STREAMS} HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
        sock.sendall(head.encode() + b"early ")
        assert b"101 UPGRADED" in _until(sock, b"\r\n\r\n")
        assert _until(sock, b"EARLY ") == b"firstEARLY "
        sender = threading.Thread(target=sock.sendall, args=(sent,))
        sender.start()
        assert _until(sock, sent[-16:], len(sent)) == sent
        sender.join()
        sock.shutdown(1)
        assert _until(sock, b"last") == b"last"
        assert sock.recv(1) == b""
    assert engine.input_ended.wait(10)


def test_a_worker_that_is_gone_ends_the_stream(proxy: Client, engine: EngineServer) -> None:
    sock = proxy.connected()
    sock.sendall(f"POST /containers/{OWN}/attach?{STREAMS} HTTP/1.1\r\n\r\n".encode())
    _until(sock, b"first")
    sock.close()
    assert engine.input_ended.wait(10)


def _until(sock: object, end: bytes, least: int = 0) -> bytes:
    found = b""
    while len(found) < least or not found.endswith(end):
        piece = sock.recv(1 if not least else 1 << 16)  # type: ignore[attr-defined]
        assert piece, found[-200:]
        found += piece
    return found
