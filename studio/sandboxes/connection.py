"""Frames from and to a tool host. Whatever comes is a stranger's input: sizes, types and times are bounded here.

A frame is a 4-byte length, a JSON object, and, where that announces `body`, as many raw bytes.
"""

from __future__ import annotations

import json
import os
import select
import time
from dataclasses import dataclass
from typing import Any

from studio.errors import SandboxLost

MAX_HEADER = 1 << 20
MAX_BODY = 16 << 20
WRITE_CHUNK = 1 << 20
READ_CHUNK = 1 << 18


class Lost(Exception):
    """The pipe is of no more use; the sandbox that owns it knows more of the reason."""


@dataclass(frozen=True)
class Frame:
    """One frame, its header known to be a JSON object with an id and an event."""

    id: int
    event: str
    header: dict[str, Any]
    body: bytes

    def text(self, name: str, limit: int = 1 << 16) -> str:
        """A field that must be text. Raises Lost."""
        value = self.header.get(name)
        if not isinstance(value, str) or len(value) > limit:
            raise Lost(f"the tool host sent no proper {name}")
        return value

    def optional_text(self, name: str, limit: int = 4096) -> str | None:
        """A field that is text or null. Raises Lost."""
        return None if self.header.get(name) is None else self.text(name, limit)

    def number(self, name: str, least: int = 0, most: int = 2**53) -> int:
        """A field that must be an integer within bounds. Raises Lost."""
        value = self.header.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise Lost(f"the tool host sent no proper {name}")
        return value

    def status(self) -> int | None:
        """The exit status: a number of a byte, or null. Raises Lost."""
        return None if self.header.get("exit_status") is None else self.number("exit_status", 0, 255)

    def seconds(self) -> float:
        """How long it took. Raises Lost."""
        value = self.header.get("seconds")
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e9:
            raise Lost("the tool host sent no proper seconds")
        return float(value)

    def flag(self, name: str) -> bool:
        """A field that must be true or false. Raises Lost."""
        value = self.header.get(name)
        if not isinstance(value, bool):
            raise Lost(f"the tool host sent no proper {name}")
        return value

    def names(self, name: str, most: int = 200) -> tuple[str, ...]:
        """A field that must be a list of texts. Raises Lost."""
        value = self.header.get(name)
        if not isinstance(value, list) or len(value) > most or not all(isinstance(item, str) for item in value):
            raise Lost(f"the tool host sent no proper {name}")
        return tuple(item[:4096] for item in value)


class Connection:
    """The two pipes of a tool host; both are non-blocking and closed by `close`."""

    def __init__(self, source: int, target: int) -> None:
        self.source = source
        self.target = target
        os.set_blocking(source, False)
        os.set_blocking(target, False)
        self._received = bytearray()

    def close(self) -> None:
        """Close both pipes."""
        os.close(self.source)
        os.close(self.target)

    def send(self, header: dict[str, Any], body: bytes | memoryview, deadline: float) -> None:
        """Send one frame. Raises Lost when the tool host takes none of it until `deadline` (time.monotonic)."""
        if body:
            header = {**header, "body": len(body)}
        text = json.dumps(header, separators=(",", ":")).encode()
        self.write(len(text).to_bytes(4, "big") + text, deadline)
        if body:
            self.write(body, deadline)

    def write(self, data: bytes | memoryview, deadline: float) -> None:
        """Send raw bytes. Raises Lost."""
        view = memoryview(data)
        poll = select.poll()
        poll.register(self.target, select.POLLOUT)
        while view:
            try:
                view = view[os.write(self.target, view[:WRITE_CHUNK]) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0 or not poll.poll(max(1, int(left * 1000))):
                    raise Lost("the tool host takes no more requests") from None
            except OSError:
                raise Lost("the tool host closed its pipe") from None

    def receive(self, deadline: float, wait_s: float) -> Frame | None:
        """The next frame, or None when none is complete within `wait_s`. Raises Lost."""
        until = min(deadline, time.monotonic() + wait_s)
        while (frame := self._taken()) is None:
            if not self._fill(until):
                if time.monotonic() >= deadline:
                    raise Lost("the tool host did not answer in time")
                return None
        return frame

    def _fill(self, until: float) -> bool:
        """Read what is there, waiting for it; False when nothing came in time."""
        poll = select.poll()
        poll.register(self.source, select.POLLIN)
        left = until - time.monotonic()
        if not poll.poll(max(0, int(left * 1000))):
            return False
        try:
            data = os.read(self.source, READ_CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            data = b""
        if not data:
            raise Lost("the tool host closed its pipe")
        self._take(data)
        return True

    def _take(self, data: bytes) -> None:
        """Note what came. Raises Lost where it cannot be."""
        self._received += data

    def _taken(self) -> Frame | None:
        """The first frame of what was received, when it is complete. Raises Lost when it is none of ours."""
        received = self._received
        if len(received) < 4:
            return None
        size = int.from_bytes(received[:4], "big")
        if not 2 <= size <= MAX_HEADER:
            raise Lost("the tool host sent something that is no frame")
        if len(received) < 4 + size:
            return None
        try:
            header = json.loads(bytes(received[4 : 4 + size]))
        except (ValueError, RecursionError):
            raise Lost("the tool host sent a frame that is not JSON") from None
        if not isinstance(header, dict):
            raise Lost("the tool host sent a frame that is no object")
        number, event, body = header.get("id"), header.get("event"), header.get("body", 0)
        if type(number) is not int or not isinstance(event, str) or type(body) is not int or not 0 <= body <= MAX_BODY:
            raise Lost("the tool host sent a frame without a proper id, event or body")
        end = 4 + size + body
        if len(received) < end:
            return None
        content = bytes(received[4 + size : end])
        del received[:end]
        return Frame(number, event, header, content)


def lost(reason: str) -> SandboxLost:
    """The error that everybody above sees."""
    return SandboxLost(f"the sandbox is gone: {reason}")
