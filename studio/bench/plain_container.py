"""The baseline of `studio bench sandbox`: a plain container whose main process sleeps, each call an exec of its own.

That is how sandboxes on Docker are usually driven. Its container has none of the limits of a sandbox.
"""

from __future__ import annotations

import statistics
import time
import uuid

from studio.bench.sandbox import SETTLE_S, Figures, p95, timed
from studio.sandboxes.containers import group_of, with_minder
from studio.sandboxes.docker import DockerHost
from studio.sandboxes.image import contained
from studio.settings import Settings

GRACE_S = 5
REMOVALS = 3  # each takes all of the grace period, as a first process that sleeps takes no SIGTERM


class _Plain:
    """One such container."""

    def __init__(self, host: DockerHost, image: str) -> None:
        self._host = host
        config = {"Image": image, "Cmd": ["sleep", "infinity"]}
        self.id = host.create(f"bench-{uuid.uuid4().hex[:12]}", config)
        host.start(self.id)
        self.call()

    def call(self) -> None:
        self._host.run_inside(self.id, ["true"])

    def resident(self) -> int | None:
        state = self._host.state(self.id)
        return with_minder(state.pid, group_of(state.pid, self.id)) if state else None

    def stop_and_remove(self) -> None:
        self._host.stop(self.id, GRACE_S)
        self._host.remove(self.id)

    def remove(self) -> None:
        self._host.remove(self.id)


def measure(settings: Settings, starts: int, calls: int) -> Figures:
    """The same figures as of an engine; a large file cannot be written by an exec's arguments, so that one is None."""
    host = DockerHost(settings)
    image = contained.require(host).name
    _Plain(host, image).remove()
    started, called, removed = [], [], []
    for _ in range(starts):
        plain, took = timed(lambda: _Plain(host, image))
        started.append(took)
        plain.remove()
    plain = _Plain(host, image)
    for _ in range(calls):
        called.append(timed(plain.call)[1])
    removed.append(timed(plain.stop_and_remove)[1])
    for _ in range(min(REMOVALS, starts) - 1):
        removed.append(timed(_Plain(host, image).stop_and_remove)[1])
    return Figures(
        start_median_ms=statistics.median(started),
        start_p95_ms=p95(started),
        call_ms=statistics.median(called),
        remove_ms=statistics.median(removed),
        write_5mb_ms=None,
        idle_mb=_idle(host, image),
    )


def _idle(host: DockerHost, image: str) -> float | None:
    first = _Plain(host, image)
    second = None
    try:
        time.sleep(SETTLE_S)
        alone = first.resident()
        second = _Plain(host, image)
        time.sleep(SETTLE_S)
        both = (first.resident(), second.resident())
    finally:
        first.remove()
        if second is not None:
            second.remove()
    if alone is None or both[0] is None or both[1] is None:
        return None
    return (both[0] + both[1] - alone) / 1e6
