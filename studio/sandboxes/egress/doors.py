"""How a sandbox hands over the socket that it listens on: by a Unix socket, inherited or shown among its files."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
from pathlib import Path
from typing import Any, Protocol

from studio.errors import ConfigurationError

PORT = 3128  # on the sandbox's own loopback
INSIDE = "/run/studio"
NAME = "door"
FOLDER = "doors"  # below the data directory
HANDED_S = 20.0


class Door(Protocol):
    """One way to receive it."""

    def told(self) -> dict[str, Any]:
        """What the tool host is told, to find the other end."""
        ...

    def received(self) -> socket.socket:
        """The socket that came. Raises ConfigurationError."""
        ...

    def close(self) -> None:
        """Remove what is left of it; idempotent."""
        ...


class InheritedDoor:
    """A pair of sockets, one end of which the sandbox's process inherits as `descriptor`."""

    def __init__(self) -> None:
        self._here, self._there = socket.socketpair()
        self.descriptor = self._there.fileno()

    def told(self) -> dict[str, Any]:
        return {"descriptor": self.descriptor, "port": PORT}

    def received(self) -> socket.socket:
        self._there.close()
        return _listening(self._here)

    def close(self) -> None:
        self._here.close()
        self._there.close()


class ShownDoor:
    """A socket in a folder of this machine that the sandbox finds as INSIDE."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, mode=0o755)
        self._server = socket.socket(socket.AF_UNIX)
        descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY)
        try:  # by the folder's descriptor, as an address of a Unix socket has room for 107 bytes only
            self._server.bind(f"/proc/self/fd/{descriptor}/{NAME}")
            Path(f"/proc/self/fd/{descriptor}/{NAME}").chmod(0o666)
        finally:
            os.close(descriptor)
        self._server.listen(1)

    def told(self) -> dict[str, Any]:
        return {"path": f"{INSIDE}/{NAME}", "port": PORT}

    def received(self) -> socket.socket:
        self._server.settimeout(HANDED_S)
        try:
            with self._server.accept()[0] as connection:
                return _listening(connection)
        except TimeoutError:
            raise ConfigurationError("the sandbox could not reach the studio's socket; see `studio doctor`") from None

    def close(self) -> None:
        self._server.close()
        with contextlib.suppress(OSError):
            shutil.rmtree(self.folder)


def _listening(connection: socket.socket) -> socket.socket:
    connection.settimeout(HANDED_S)
    try:
        _, descriptors, _, _ = socket.recv_fds(connection, 16, 1)
    except OSError as error:
        raise ConfigurationError(f"the sandbox handed over no socket: {error}") from None
    if not descriptors:
        raise ConfigurationError("the sandbox handed over no socket")
    received = socket.socket(fileno=descriptors[0])
    if received.family != socket.AF_INET or not received.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        received.close()
        raise ConfigurationError("the sandbox handed over something else than a listening socket")
    return received
