"""Jobs' events as they come, for many open streams: one poller per process reads the database and fans out.

A stream reads its backlog itself and then waits in memory. Nothing holds a database connection between two polls, and
a bound on the number of streams leaves threads of the server for pages.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from studio import jobs
from studio.database import Database
from studio.jobs import ENDED, LiveOutput, Pulse
from studio.trajectory import Event, StateChanged, encode

POLL_S = 0.25
HEARTBEAT_S = 15.0
MAX_STREAMS = 208  # of the 256 threads that `studio up` gives the web server
_PAGE = 500
_KEPT_BYTES = 4 << 20
_log = logging.getLogger(__name__)


class TooManyStreams(Exception):
    """Every place for an open stream is taken."""


@dataclass(frozen=True)
class Told:
    """One durable event as it goes out."""

    seq: int
    type: str
    text: str  # JSON on one line
    last: bool  # the job has ended with it

    @classmethod
    def of(cls, event: Event) -> Told:
        last = isinstance(event, StateChanged) and event.state in ENDED
        return cls(event.seq, event.type, encode(event), last)


Item: TypeAlias = Told | LiveOutput | None


@dataclass
class _Channel:
    """What the poller knows of one job: its newest events from `base` (not included) on, and its running output."""

    base: int
    changed: threading.Condition = field(default_factory=threading.Condition)
    recent: deque[Told] = field(default_factory=deque)
    kept_bytes: int = 0
    live: LiveOutput | None = None
    ended: bool = False  # nothing will come behind `newest`
    watchers: int = 0

    @property
    def newest(self) -> int:
        return self.recent[-1].seq if self.recent else self.base

    def add(self, news: list[Told], live: LiveOutput | None, *, ended: bool) -> None:
        with self.changed:
            for told in news:
                self.recent.append(told)
                self.kept_bytes += len(told.text)
            while self.kept_bytes > _KEPT_BYTES and len(self.recent) > 1:
                dropped = self.recent.popleft()
                self.base = dropped.seq
                self.kept_bytes -= len(dropped.text)
            self.live, self.ended = live, ended
            self.changed.notify_all()


class EventHub:
    """Follows the events of jobs for any number of readers; safe to use from many threads."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._channels: dict[str, _Channel] = {}
        self._lock = threading.Lock()
        self._open = 0
        self._poller: tuple[int, threading.Thread] | None = None
        self._closed = False

    def close(self) -> None:
        """End every stream, as the process is about to; its readers connect again and go on where they were."""
        self._closed = True
        with self._lock:
            channels = list(self._channels.values())
        for channel in channels:
            with channel.changed:
                channel.changed.notify_all()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take one of the places for open streams while the block runs. Raises TooManyStreams."""
        with self._lock:
            if self._open >= MAX_STREAMS:
                raise TooManyStreams
            self._open += 1
        try:
            yield
        finally:
            with self._lock:
                self._open -= 1

    def follow(self, job_id: str, after: int = 0, heartbeat_s: float = HEARTBEAT_S) -> Iterator[Item]:
        """Events of a job behind `after`, in order and without a gap, until the one that ends it.

        Between them running output as it changes, and None when nothing came for `heartbeat_s` seconds. Ends by
        itself when the job has ended and nothing is left to tell.
        """
        seen = after
        for told in self._backlog(job_id, seen):
            yield told
            if told.last:
                return
            seen = told.seq
        with self._watched(job_id, seen) as channel:
            yield from self._as_they_come(job_id, channel, seen, heartbeat_s)

    def _as_they_come(self, job_id: str, channel: _Channel, seen: int, heartbeat_s: float) -> Iterator[Item]:
        shown: LiveOutput | None = None
        spoke = time.monotonic()
        while True:
            with channel.changed:
                if self._closed:
                    return
                if channel.newest <= seen and channel.live in (None, shown) and not channel.ended:
                    channel.changed.wait(max(heartbeat_s - (time.monotonic() - spoke), 0.01))
                behind = seen < channel.base
                news = [told for told in channel.recent if told.seq > seen]
                live, ended = channel.live, channel.ended
            for told in self._backlog(job_id, seen) if behind else news:
                yield told
                if told.last:
                    return
                seen, spoke = told.seq, time.monotonic()
            if ended:
                return
            if live is not None and live != shown:
                yield live
                shown, spoke = live, time.monotonic()
            elif time.monotonic() - spoke >= heartbeat_s:
                yield None
                spoke = time.monotonic()

    def _backlog(self, job_id: str, after: int) -> Iterator[Told]:
        while True:
            page = jobs.events(self._db, job_id, after=after, limit=_PAGE)
            yield from map(Told.of, page)
            if len(page) < _PAGE:
                return
            after = page[-1].seq

    @contextmanager
    def _watched(self, job_id: str, seen: int) -> Iterator[_Channel]:
        with self._lock:
            channel = self._channels.setdefault(job_id, _Channel(base=seen))
            channel.watchers += 1
            if self._poller is None or self._poller[0] != os.getpid() or not self._poller[1].is_alive():
                thread = threading.Thread(target=self._poll, name="event-poller", daemon=True)
                self._poller = (os.getpid(), thread)  # a forked server process has no thread of its parent
                thread.start()
        try:
            yield channel
        finally:
            with self._lock:
                channel.watchers -= 1
                if not channel.watchers and self._channels.get(job_id) is channel:
                    del self._channels[job_id]

    def _poll(self) -> None:
        while True:
            with self._lock:
                watched = dict(self._channels)
                if not watched:
                    self._poller = None
                    return
            try:
                pulses = jobs.pulses(self._db, watched)
                for job_id, channel in watched.items():
                    self._read(job_id, channel, pulses.get(job_id))
            except Exception:
                _log.exception("reading the events of %d jobs", len(watched))
            time.sleep(POLL_S)

    def _read(self, job_id: str, channel: _Channel, pulse: Pulse | None) -> None:
        """Put what is new of one job into its channel."""
        if pulse is None:  # removed
            channel.add([], None, ended=True)
            return
        news: list[Told] = []
        if pulse.last_seq > channel.newest:
            news = [Told.of(event) for event in jobs.events(self._db, job_id, after=channel.newest, limit=_PAGE)]
        live = channel.live
        if pulse.live_at != (live.updated_at if live else None):
            live = jobs.live(self._db, job_id) if pulse.live_at else None
        newest = news[-1].seq if news else channel.newest
        ended = pulse.ended and newest >= pulse.last_seq
        if news or ended or live != channel.live:
            channel.add(news, live, ended=ended)
