"""Carries what connects to a sandbox's loopback to a port of this machine's, and back."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

PIECE = 64 << 10
MAX_CONNECTIONS = 64
ENDED_S = 5.0


class Relay:
    """One thread for one sandbox. `listening` is taken over."""

    def __init__(self, listening: socket.socket, port: int, name: str) -> None:
        listening.setblocking(False)
        self._listening = listening
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._work, name=f"relay-{name}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End every connection and the thread; idempotent."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(ENDED_S)

    def _work(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        accepting = asyncio.create_task(self._accept())
        await self._over.wait()
        accepting.cancel()
        self._listening.close()

    async def _accept(self) -> None:
        """Take connections while there is room; the others wait with the kernel."""
        room = asyncio.Semaphore(MAX_CONNECTIONS)
        carried: set[asyncio.Task[None]] = set()
        while True:
            await room.acquire()
            near, _ = await self._loop.sock_accept(self._listening)
            task = asyncio.create_task(self._carry(near))
            carried.add(task)
            task.add_done_callback(carried.discard)
            task.add_done_callback(lambda _: room.release())

    async def _carry(self, near: socket.socket) -> None:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(sock=near, limit=PIECE)
            try:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port, limit=PIECE)
                try:
                    await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
                finally:
                    far_writer.close()
            finally:
                writer.close()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(PIECE):
        target.write(piece)
        await target.drain()
    if target.can_write_eof():
        target.write_eof()
