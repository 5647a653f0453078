"""HTTP that two readers could read differently, and streams where none belongs."""

from __future__ import annotations

import json
import re

import pytest

from studio.engine_proxy.server import BODY_BYTES
from tests.engine_proxy.conftest import OWN, Client
from tests.engine_proxy.test_containers import CREATE, NAME, body
from tests.support.engine_server import EngineServer

STREAMS = "stdin=1&stdout=1&stderr=1&stream=1"
EVIL = json.dumps({"Image": "debian", "HostConfig": {"Privileged": True}}).encode()


def framed(*headers: str, target: str = CREATE, text: bytes = b"", method: str = "POST") -> bytes:
    return "\r\n".join((f"{method} {target} HTTP/1.1", "Host: engine", *headers, "", "")).encode() + text


def chunked(text: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(text), text)


def good() -> bytes:
    return json.dumps(body()).encode()


FRAMES: dict[str, bytes] = {
    "two lengths that differ": framed(f"Content-Length: {len(EVIL)}", "Content-Length: 2", text=EVIL),
    "two lengths that agree": framed("Content-Length: 2", "Content-Length: 2", text=b"{}"),
    "two lengths in one line": framed("Content-Length: 2, 2", text=b"{}"),
    "a length and chunks": framed(f"Content-Length: {len(good())}", "Transfer-Encoding: chunked", text=chunked(EVIL)),
    "chunks": framed("Transfer-Encoding: chunked", text=chunked(good())),
    "chunks in other letters": framed("transfer-ENCODING: Chunked", text=chunked(good())),
    "chunks in a list": framed("Transfer-Encoding: identity, chunked", text=chunked(good())),
    "an unknown coding": framed("Transfer-Encoding: xchunked", f"Content-Length: {len(good())}", text=good()),
    "a length with a sign": framed(f"Content-Length: +{len(good())}", text=good()),
    "a length in another base": framed("Content-Length: 0x2", text=b"{}"),
    "a length with a gap": framed("Content-Length: 2_0", text=b"{}"),
    "a length in other digits": framed("Content-Length: \u0662", text=b"{}"),
    "no length": framed("Content-Length:", text=good()),
    "a length of thousands of digits": framed("Content-Length: " + "9" * 5000, text=b"{}"),
    "a length above the bound": framed(f"Content-Length: {BODY_BYTES + 1}", text=b" " * (BODY_BYTES + 1)),
    "a folded header": framed("X: y\r\n Content-Length: 2", text=b"{}"),
    "a version that is none": b"POST " + CREATE.encode() + b" HTTP/9.9\r\n\r\n",
    "HTTP/2 by its preface": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a line with a zero byte": framed(target="/inf\x00o", method="GET"),
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_body_whose_end_can_be_read_in_two_ways_is_refused(proxy: Client, engine: EngineServer, name: str) -> None:
    found = proxy.raw(FRAMES[name])
    # To a version that it does not know it answers without a line of state.
    assert re.match(rb"HTTP/1\.[01] (400|403) |<!DOCTYPE(?s:.*)Error code: 505", found), found[:100]
    assert engine.asked == []


def test_a_body_with_other_words_than_utf_8_is_refused(proxy: Client, engine: EngineServer) -> None:
    for text in (good().decode().encode("utf-16"), b"\xff" + good(), good().replace(b"x", b"\xff", 1)):
        assert proxy.ask("POST", CREATE, text).status == 400
    assert engine.asked == []


@pytest.mark.parametrize("length", [10, 40_000, 200_000])
def test_deep_and_large_bodies_are_refused(proxy: Client, engine: EngineServer, length: int) -> None:
    for piece in (b'{"a":', b"[", b"9"):
        assert proxy.ask("POST", CREATE, piece * (length // len(piece))).status in (400, 403)
    assert engine.asked == []


def test_numbers_that_no_engine_can_hold_are_refused(proxy: Client, engine: EngineServer) -> None:
    text = good()
    for number in (b"1e400", b"-0", b"9" * 4000, b"2147483648.5", b"1E3", b"Infinity", b"NaN"):
        assert proxy.ask("POST", CREATE, re.sub(rb'"Memory": \d+', b'"Memory": ' + number, text)).status in (400, 403)
    assert engine.asked == []


PATHS = (
    "/v1.41/../containers/create",
    "/v1.41/./containers/create",
    "/v1.41/%2e%2e/containers/create",
    "/%76ersion",
    "/v1.41/containers%2fcreate",
    "/v1.41/containers/%63reate",
    "/v1.41/containers/create/",
    "/v1.41//containers/create",
    "/v1.41/containers/create;x",
    "/v1.41/containers/create#x",
    "/v1.41\\containers\\create",
    "/V1.41/containers/create",
    "/v1.41/Containers/Create",
    "/v2.41/containers/create",
    "/v1.041/containers/create",
    "/v1.41/containers/create%00",
    "/v1.\u0664\u0661/containers/create",
    "http://engine/v1.41/containers/create",
    "unix:///containers/create",
    "*",
)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_path_is_taken_only_as_the_studio_writes_it(
    proxy: Client, engine: EngineServer, method: str, path: str
) -> None:
    text = good()
    target = f"{path}?name={NAME}"
    found = proxy.raw(f"{method} {target} HTTP/1.1\r\nHost: e\r\nContent-Length: {len(text)}\r\n\r\n".encode() + text)
    assert re.match(rb"HTTP/1\.[01] (400|403) ", found), found[:100]
    assert engine.asked == []


QUERIES = (
    f"name={NAME}&Name={NAME}", f"Name={NAME}", f"name={NAME};x=1", f"name={NAME}&platform=", f"name={NAME}%00",
    f"name={NAME}%0a", f"name=%20{NAME}", f"name[]={NAME}", f"name={NAME.upper()}", f"n%61me={NAME}&name={NAME}",
    f"name={NAME}&" + "&".join(f"a{n}=1" for n in range(50)), f"name={NAME}&&", "name=sb-0123456789ab&name",
)  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_taken_only_as_the_studio_writes_it(proxy: Client, engine: EngineServer, query: str) -> None:
    assert proxy.ask("POST", f"/v1.41/containers/create?{query}", body()).status in (400, 403)
    assert engine.asked == []


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", "/info"),
        ("GET", "/_ping"),
        ("GET", f"/containers/{OWN}/json"),
        ("POST", f"/containers/{OWN}/start"),
        ("POST", "/session"),
        ("POST", "/grpc"),
        ("GET", f"/containers/{OWN}/attach/ws?{STREAMS}"),
        ("GET", f"/containers/{OWN}/attach?{STREAMS}"),
    ],
)
def test_a_stream_is_opened_by_attach_alone(proxy: Client, engine: EngineServer, method: str, target: str) -> None:
    """What comes behind another request is dropped, whatever it was to become."""
    for protocol in ("tcp", "h2c", "websocket"):
        head = framed(
            "Connection: Upgrade, HTTP2-Settings", f"Upgrade: {protocol}", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
            target=target, method=method,
        )  # fmt: skip
        found = proxy.raw(head + b"POST /containers/create?name=x HTTP/1.1\r\n\r\n")
        assert not found.startswith(b"HTTP/1.1 101")
        assert found.count(b"HTTP/1.1 ") == 1
    assert not [asked for _, asked in engine.asked if "attach" in asked or "create" in asked]


def test_a_body_before_a_stream_is_no_part_of_it(proxy: Client, engine: EngineServer) -> None:
    target = f"/containers/{OWN}/attach?{STREAMS}"
    found = proxy.raw(framed("Content-Length: 3", "Upgrade: tcp", "Connection: Upgrade", target=target, text=b"abc"))
    assert found.startswith(b"HTTP/1.1 403 ")
    assert engine.asked == []


def test_a_client_that_asks_first_whether_it_may_send_is_answered(proxy: Client, engine: EngineServer) -> None:
    text = good()
    found = proxy.raw(framed("Expect: 100-continue", f"Content-Length: {len(text)}", text=text))
    assert re.match(rb"HTTP/1\.1 100 .*?HTTP/1\.1 201 ", found, re.DOTALL)
    assert len(engine.created) == 1
