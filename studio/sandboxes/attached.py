"""The stream of a container's main process, as the engine hands it over.

Both outputs come over one connection, each piece behind a header of eight bytes: stream, three zeros, length (Docker
Engine API, "Attach to a container", stream format). What goes in goes as it is.
"""

from __future__ import annotations

import os

from studio.sandboxes.connection import Connection, Lost

HEADER_BYTES = 8
STDOUT, STDERR = 1, 2
ERROR_BYTES = 4000


class AttachedConnection(Connection):
    """One socket in both directions; the descriptor is taken over and closed by `close`."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, os.dup(descriptor))
        self._stream = STDOUT
        self._left = 0  # bytes of the current piece that are still to come
        self._raw = bytearray()
        self._said = bytearray()

    def said(self) -> str:
        """What the main process wrote to its standard error, its beginning."""
        return self._said.decode("utf-8", "replace").strip()

    def _take(self, data: bytes) -> None:
        self._raw += data
        raw = self._raw
        place = 0
        while place < len(raw):
            if self._left == 0:
                if len(raw) - place < HEADER_BYTES:
                    break
                header = raw[place : place + HEADER_BYTES]
                if header[0] not in (STDOUT, STDERR) or any(header[1:4]):
                    raise Lost("the engine sent a stream of another form")
                self._stream, self._left = header[0], int.from_bytes(header[4:], "big")
                place += HEADER_BYTES
                continue
            piece = raw[place : place + self._left]
            if self._stream == STDOUT:
                self._received += piece
            else:
                self._said += piece[: ERROR_BYTES - len(self._said)]
            place += len(piece)
            self._left -= len(piece)
        del raw[:place]
