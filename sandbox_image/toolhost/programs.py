"""Programs that the studio runs apart from the shell: standard input given, both outputs streamed back."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import select
import sys
import time

from sandbox_image.toolhost import children as processes
from sandbox_image.toolhost.children import Children
from sandbox_image.toolhost.errors import Refused, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READ = 256 << 10


def run(
    children: Children,
    pipe: int,
    argv: list[str],
    stdin: bytes | bytearray,
    timeout_s: float,
    limit: int,
    send: Callable[[str, bytes], None],
) -> int | None:
    """Run `argv` in /testbed; `send` gets ("out" or "err", bytes), each at most `limit` in all.

    Returns the exit status, or None when it was killed by a signal or by the time limit. Raises Refused when it
    cannot be started.
    """
    theirs_in, feed = os.pipe2(os.O_CLOEXEC)
    out, theirs_out = os.pipe2(os.O_CLOEXEC)
    err, theirs_err = os.pipe2(os.O_CLOEXEC)
    try:
        os.chdir("/testbed")
        pid = children.start(argv, {0: theirs_in, 1: theirs_out, 2: theirs_err})
    except (OSError, ValueError) as error:
        for descriptor in (feed, out, err):
            os.close(descriptor)
        said = reason(error) if isinstance(error, OSError) else str(error)
        raise Refused(f"{argv[0]} cannot be started: {said}") from None
    finally:
        os.chdir("/")
        for descriptor in (theirs_in, theirs_out, theirs_err):
            os.close(descriptor)
    try:
        return _attend(children, pid, pipe, feed, {out: "out", err: "err"}, memoryview(stdin), timeout_s, limit, send)
    finally:
        processes.signal_group(pid, _signal.SIGKILL)
        children.forget(pid)


def _attend(
    children: Children,
    pid: int,
    pipe: int,
    feed: int,
    streams: dict[int, str],
    unsent: memoryview,
    timeout_s: float,
    limit: int,
    send: Callable[[str, bytes], None],
) -> int | None:
    """Feed and read a started program until it ends; closes the given pipes."""
    deadline = time.monotonic() + timeout_s
    sent = dict.fromkeys(streams, 0)
    poll = processes.poller(children.wake, *streams)
    poll.register(pipe, 0)
    os.set_blocking(feed, False)
    poll.register(feed, select.POLLOUT)
    feeding = True

    def take(descriptor: int, size: int) -> int:
        data = os.read(descriptor, size)
        kept = data[: limit - sent[descriptor]]
        if kept:
            sent[descriptor] += len(kept)
            send(streams[descriptor], kept)
        return len(data)

    try:
        while (status := children.status(pid)) is None and time.monotonic() < deadline:
            for descriptor, event in poll.poll(max(1, int((deadline - time.monotonic()) * 1000))):
                if descriptor == pipe:
                    if event & (select.POLLHUP | select.POLLERR):
                        sys.exit(0)
                elif descriptor == feed:
                    try:
                        unsent = unsent[os.write(feed, unsent) :] if unsent else unsent
                    except (BlockingIOError, BrokenPipeError):
                        if event & select.POLLERR:
                            unsent = unsent[:0]
                    if not unsent:
                        poll.unregister(feed)
                        os.close(feed)
                        feeding = False
                elif descriptor == children.wake:
                    children.reap()
                elif not take(descriptor, READ):
                    poll.unregister(descriptor)
        for descriptor in streams:
            rest = processes.waiting_bytes(descriptor)
            while rest > 0 and (count := take(descriptor, min(rest, READ))):
                rest -= count
        return status if status is not None and status >= 0 else None
    finally:
        for descriptor in streams:
            os.close(descriptor)
        if feeding:
            os.close(feed)
