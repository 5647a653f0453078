"""Joins two streams until one of them ends: what a worker and a sandbox's tool host say to each other."""

from __future__ import annotations

import contextlib
import socket
import threading

PIECE = 256 << 10


def join(client: socket.socket, engine: socket.socket) -> None:
    """Hand on what comes, in both directions, until the engine's side ends; closes neither.

    When the client says that it sends no more, the engine is told so; when it is gone, the engine's side is closed, by
    which the tool host's standard input ends, and the tool host with it.
    """
    to_engine = threading.Thread(target=_hand_on, args=(client, engine), daemon=True)
    to_engine.start()
    _hand_on(engine, client)
    for one in (client, engine):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
    to_engine.join()


def _hand_on(source: socket.socket, target: socket.socket) -> None:
    buffer = bytearray(PIECE)
    view = memoryview(buffer)
    try:
        while size := source.recv_into(view):
            target.sendall(view[:size])
    except OSError:
        # The target is gone: whoever still sends has nobody to read it.
        with contextlib.suppress(OSError):
            source.shutdown(socket.SHUT_RDWR)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
