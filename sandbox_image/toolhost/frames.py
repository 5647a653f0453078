"""Frames on the pipe: 4-byte length, a JSON object; `body: N` in it announces N raw bytes that follow."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Header: TypeAlias = dict[str, Any]

CHUNK = 1 << 20


def _json_reader() -> Any:
    """A decoder of one JSON text. The C scanner alone, since the `json` package loads `re` (about 7 ms)."""
    try:
        from _json import make_scanner

        class Context:
            strict = False
            object_hook = object_pairs_hook = None
            parse_float, parse_int, parse_constant = float, int, float
            memo: dict[str, str] = {}

        scan: Any = make_scanner(Context)  # type: ignore[arg-type]
        return lambda text: scan(text, 0)[0]
    except (ImportError, TypeError, AttributeError):
        import json

        return json.loads


_read_json = _json_reader()


def encode(value: Any) -> str:
    """JSON of None, bool, int, float, str, list and dict, in ASCII."""
    from _json import encode_basestring_ascii

    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return encode_basestring_ascii(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return "[" + ",".join(encode(item) for item in value) + "]"
    return "{" + ",".join(f"{encode(str(key))}:{encode(item)}" for key, item in value.items()) + "}"


class Pipe:
    """The two streams to the studio, moved away from descriptors 0 and 1 so that no child inherits them."""

    def __init__(self) -> None:
        self.source = os.dup(0)
        self.target = os.dup(1)
        nothing = os.open("/dev/null", os.O_RDWR)
        for number in (0, 1):
            os.dup2(nothing, number, inheritable=False)

    def receive(self) -> tuple[Header, bytearray]:
        """The next request and its body. Ends the process when the studio has closed the pipe."""
        header = _read_json(self._exactly(int.from_bytes(self._exactly(4), "big")).decode())
        return header, self._exactly(header.get("body", 0))

    def send(self, header: Header, body: bytes | bytearray | memoryview = b"") -> None:
        """Send one frame."""
        if body:
            header = {**header, "body": len(body)}
        text = encode(header).encode()
        self._write(len(text).to_bytes(4, "big") + text)
        if body:
            self._write(body)

    def _exactly(self, size: int) -> bytearray:
        data = bytearray(size)
        view = memoryview(data)
        while view:
            count = os.readv(self.source, [view[:CHUNK]])
            if not count:
                sys.exit(0)
            view = view[count:]
        return data

    def _write(self, data: bytes | bytearray | memoryview) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self.target, view[:CHUNK]) :]
        except BrokenPipeError:
            sys.exit(0)
