"""What Squid tells of requests, summed by host. Its lines name what a stranger asked for, so all of it is bounded."""

from __future__ import annotations

import posixpath
import threading
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from studio.sandboxes.types import Fetched

MAX_HOSTS = 100  # told at once; further ones are summed as OTHERS
MAX_FILES = 300
MAX_LINE = 16 << 10
OTHERS = "(others)"


@dataclass
class _Sum:
    bytes: int = 0
    requests: int = 0
    files: dict[str, None] = field(default_factory=dict)


class Account:
    """Takes the log piece by piece, and gives what came since it was last asked. May be used from several threads.

    A request for the host `mark` is none of the sandbox's: `marked` is set when the log has told of it.
    """

    def __init__(self, mark: str) -> None:
        self.marked = threading.Event()
        self._mark = mark
        self._lock = threading.Lock()
        self._sums: dict[tuple[str, int, bool], _Sum] = {}
        self._rest = b""

    def feed(self, piece: bytes) -> None:
        """A piece of the log."""
        *lines, rest = (self._rest + piece).split(b"\n")
        self._rest = rest[-MAX_LINE:]
        for line in lines:
            self._take(line.decode("utf-8", "replace"))

    def _take(self, line: str) -> None:
        words = line.split(" ", 5)
        if len(words) != 6:
            return
        outcome, size, host, port, method, url = words
        if not (size.isdigit() and port.isdigit()) or host == "-" or int(port) > 65535:
            return
        if host == self._mark:
            self.marked.set()
            return
        admitted = not outcome.endswith("DENIED")
        key = (host[:255], int(port), admitted)
        with self._lock:
            if key not in self._sums and len(self._sums) >= MAX_HOSTS:
                key = (OTHERS, 0, admitted)
            total = self._sums.setdefault(key, _Sum())
            # The size of an answer that refuses is Squid's own page.
            total.bytes += int(size) if admitted else 0
            total.requests += 1
            name = file_name(url) if admitted and method == "GET" else ""
            if name and len(total.files) < MAX_FILES:
                total.files[name] = None

    def take(self) -> list[Fetched]:
        """What was asked for since the last call, by host."""
        with self._lock:
            sums, self._sums = self._sums, {}
        return [
            Fetched(host, port, total.bytes, admitted, total.requests, tuple(total.files))
            for (host, port, admitted), total in sums.items()
        ]


def file_name(url: str) -> str:
    """The last part of an address's path, as a person reads it; nothing where it has none, or is a digest (apt's)."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    if "/by-hash/" in path:
        return ""
    name = unquote(posixpath.basename(path))
    return "".join(letter for letter in name if letter.isprintable())[:160]
