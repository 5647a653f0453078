"""What the pages cost when the gallery is full: the same questions at a hundred works and at a hundred thousand.

Two studios are served side by side, one with few works and one with many, and each question is asked of both in turn,
so that what else the machine does falls on both alike. Then so many event streams are held open while pages are asked
for.
"""

from __future__ import annotations

import selectors
import socket
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import httpx

from studio.errors import StudioError

FEW, MANY = 100, 100_000
ROUNDS = 60
STREAMS = 200
GOAL = 2.0  # the p95 at MANY works, as a multiple of that at FEW
WARM = 2  # rounds that count nothing

# What is asked for, by its name; pages as people open them, and what programs ask.
QUESTIONS = {
    "gallery": "/gallery",
    "gallery, a page further on": "/gallery?cursor={cursor}",
    "gallery, by title": "/gallery?sort=title",
    "gallery, most starred": "/gallery?sort=stars",
    "search, a common word": "/gallery?q=harbour",
    "search, two words": "/gallery?q=harbour+lantern",
    "search, the beginning of a word": "/gallery?q=festiv",
    "search, a rare word": "/gallery?q=4711",
    "search, Chinese": "/gallery?q=%E9%9F%B3%E4%B9%90%E4%BC%9A",
    "search, nothing found": "/gallery?q=zeppelin",
    "filter, a kind": "/gallery?kind=poster",
    "filter, a rare tag": "/gallery?tag=rare",
    "filter, four at once": "/gallery?kind=poster&made=model&language=zh&tag=market",
    "filter and search": "/gallery?kind=travel_map&q=winter",
    "API, first page": "/api/v1/artifacts?limit=24",
}
BESIDE = {"figures": "/stats", "an artifact": "/artifacts/{artifact}"}  # shown, without a goal


@dataclass
class Pace:
    """Times of one question in seconds, with few works and with many."""

    few: list[float] = field(default_factory=list)
    many: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        return p95(self.many) / p95(self.few)


@dataclass(frozen=True)
class Streams:
    """So many streams were open; times of a gallery page before and meanwhile, in seconds."""

    open: int
    before: list[float]
    meanwhile: list[float]


class NotAnswered(StudioError):
    """A page of the measurement did not come."""


def p95(times: Sequence[float]) -> float:
    """The time that 95 of 100 stay below (nearest rank)."""
    return sorted(times)[max(0, -(-95 * len(times) // 100) - 1)]


def ask(few: httpx.Client, many: httpx.Client, questions: dict[str, str], rounds: int) -> dict[str, Pace]:
    """Ask all questions of both studios, `rounds` times. Raises NotAnswered."""
    sides = [(http, _values(http)) for http in (few, many)]
    paces = {name: Pace() for name in questions}
    for turn in range(rounds + WARM):
        for name, path in questions.items():
            early, late = (_timed(http, path.format(**values)) for http, values in sides)
            if turn >= WARM:
                paces[name].few.append(early)
                paces[name].many.append(late)
    return paces


def _values(http: httpx.Client) -> dict[str, str]:
    """What stands in the questions' addresses: a cursor, an artifact."""
    first = http.get("/api/v1/artifacts?limit=24").json()
    return {"cursor": first["next_cursor"] or "", "artifact": first["data"][0]["id"]}


def _timed(http: httpx.Client, path: str) -> float:
    started = time.perf_counter()
    answer = http.get(path)
    took = time.perf_counter() - started
    if answer.status_code != 200:
        raise NotAnswered(f"{path}: {answer.status_code}")
    return took


def with_streams(http: httpx.Client, host: str, port: int, path: str, count: int, rounds: int) -> Streams:
    """Ask for the gallery while `count` event streams at `path` are open. Raises NotAnswered."""
    before = [_timed(http, "/gallery") for _ in range(rounds)]
    with _open_streams(host, port, path, count) as sockets:
        meanwhile = [_timed(http, "/gallery") for _ in range(rounds)]
        return Streams(sum(_is_open(stream) for stream in sockets), before, meanwhile)


@contextmanager
def _open_streams(host: str, port: int, path: str, count: int) -> Iterator[list[socket.socket]]:
    asked = f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nAccept: text/event-stream\r\n\r\n".encode()
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_connection((host, port), timeout=30)) for _ in range(count)]
        for stream in sockets:
            stream.sendall(asked)
        for stream in sockets:
            if not stream.recv(4096).startswith(b"HTTP/1.1 200"):
                raise NotAnswered(f"{path}: not every stream was opened")
        yield sockets


def _is_open(stream: socket.socket) -> bool:
    """Is it still open? What has come is read; an end would be empty."""
    with selectors.DefaultSelector() as ready:
        ready.register(stream, selectors.EVENT_READ)
        return not ready.select(0) or bool(stream.recv(65536))


def table(paces: dict[str, Pace], beside: dict[str, Pace], streams: Streams, few: int, many: int) -> str:
    """The figures in lines, with the goal where there is one."""
    width = max(map(len, (*paces, *beside)))
    lines = [f"{'p95 in ms':{width}} {few:>9,} {many:>9,}   ratio"]
    for named, goal in ((paces, True), (beside, False)):
        for name, pace in named.items():
            reach = f"  (to reach: {GOAL:g})" if goal else ""
            few_ms, many_ms = (1000 * p95(times) for times in (pace.few, pace.many))
            lines.append(f"{name:{width}} {few_ms:9.1f} {many_ms:9.1f}   {pace.ratio:5.2f}{reach}")
    before, meanwhile = (1000 * p95(times) for times in (streams.before, streams.meanwhile))
    lines.append(f"{streams.open} open event streams: the gallery at p95 {meanwhile:.1f} ms, {before:.1f} ms before")
    return "\n".join(lines)


def as_json(paces: dict[str, Pace], streams: Streams) -> dict[str, object]:
    """The same for programs; times in milliseconds."""
    return {
        "pages": {
            name: {
                "few_p95": round(1000 * p95(pace.few), 2),
                "many_p95": round(1000 * p95(pace.many), 2),
                "few_median": round(1000 * statistics.median(pace.few), 2),
                "many_median": round(1000 * statistics.median(pace.many), 2),
                "ratio": round(pace.ratio, 3),
            }
            for name, pace in paces.items()
        },
        "streams": {
            "open": streams.open,
            "before_p95": round(1000 * p95(streams.before), 2),
            "meanwhile_p95": round(1000 * p95(streams.meanwhile), 2),
        },
    }
