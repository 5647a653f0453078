"""Processes under one roof: starts web, worker and upkeep, restarts what dies, ends all of them together.

Each child asks the kernel for a signal when its parent dies (`PR_SET_PDEATHSIG`), so that not even `kill -9` of the
supervisor leaves one behind.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from studio.errors import ConfigurationError
from studio.settings import Settings

_PR_SET_PDEATHSIG = 1
_QUICK_DEATH_S = 10.0
_libc = ctypes.CDLL(None, use_errno=True)


def _die_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    os.setsid()


def listen(host: str, port: int, tries: int = 50) -> socket.socket:
    """A listening socket on `host` at `port`, or at the next free port above it when that one is taken.

    Raises ConfigurationError when the address is not this machine's or no port of `tries` is free.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last = port + (tries if port else 1)
    for candidate in range(port, min(last, 65536)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(512)
        except OSError as error:
            listener.close()
            if error.errno not in (98, 13):  # EADDRINUSE; EACCES below 1024
                raise ConfigurationError(
                    f"STUDIO_HOST: cannot listen on {host!r}: {error.strerror}. Set it to an address of this machine."
                ) from None
            continue
        return listener
    raise ConfigurationError(f"STUDIO_PORT: no free port from {port} to {last - 1}; set another one.")


def hold(data_dir: Path) -> IO[str]:
    """A lock on the data directory, held while the returned file is open.

    Raises ConfigurationError when another supervisor has it, or the directory cannot be written.
    """
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        lock = (data_dir / "supervisor.lock").open("a+", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"STUDIO_DATA_DIR: {data_dir} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        other = lock.read(200).strip() or "another process"
        lock.close()
        raise ConfigurationError(
            f"A studio already runs on {data_dir} ({other}). Open it, stop it first, or set STUDIO_DATA_DIR."
        ) from None
    return lock


@dataclass
class Child:
    """One supervised program; its output goes to a log file under the data directory."""

    name: str
    argv: Sequence[str]
    environment: dict[str, str]
    log: Path
    pass_fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    quick_deaths: int = 0
    not_before: float = field(default=0.0)

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(  # noqa: S603
                list(self.argv),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                pass_fds=self.pass_fds,
                preexec_fn=_die_with_parent,
            )
        self.started = time.monotonic()


class Supervisor:
    """Keeps its children running until it is told to stop. Use from the main thread, as a context manager."""

    def __init__(self, settings: Settings, report: Callable[[str], None]) -> None:
        self.settings = settings
        self.stop = threading.Event()
        self._report = report
        self._children: list[Child] = []
        self._listeners: list[socket.socket] = []
        self._lock = threading.Lock()

    def __enter__(self) -> Supervisor:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: self.stop.set())
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.end()
        for listener in self._listeners:
            listener.close()

    def keep(self, listener: socket.socket) -> socket.socket:
        """Hold a listening socket open to the end, so that a web process that starts again finds it."""
        self._listeners.append(listener)
        return listener

    def add(self, name: str, argv: Sequence[str], *, pass_fds: tuple[int, ...] = (), **changed: str) -> None:
        """Start a program; `changed` are settings that it shall see otherwise. Call it from the main thread alone.

        The kernel's "parent died" means the thread that started the child, not the process.
        """
        log = self.settings.data_dir / "logs" / f"{name}.log"
        child = Child(name, argv, self.settings.environment(**changed), log, pass_fds)
        with self._lock:
            if not self.stop.is_set():
                child.start()
                self._children.append(child)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Watch the children until a signal comes or `until()` is true.

        Raises ConfigurationError when one cannot live.
        """
        while not self.stop.wait(0.2):
            if until():
                return
            with self._lock:
                for child in self._children:
                    self._watch(child)

    def _watch(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.not_before:
                child.start()
            return
        status = child.process.poll()
        if status is None:
            return
        child.quick_deaths = child.quick_deaths + 1 if now - child.started < _QUICK_DEATH_S else 0
        if child.quick_deaths >= 5:
            raise ConfigurationError(f"{child.name} ends as soon as it starts (status {status}); see {child.log}")
        wait = min(0.2 * 2**child.quick_deaths, 5.0)
        self._report(f"{child.name} ended with status {status}; it starts again in {wait:.1f} s (log: {child.log})")
        child.process, child.not_before = None, now + wait

    def end(self, grace_s: float = 8.0) -> None:
        """Ask all children to end, wait, and kill the process groups of those that do not."""
        with self._lock:
            living = [c for c in self._children if c.process is not None and c.process.poll() is None]
            for child in living:
                assert child.process is not None
                child.process.send_signal(signal.SIGTERM)
            deadline = time.monotonic() + grace_s
            for child in living:
                assert child.process is not None
                try:
                    child.process.wait(max(deadline - time.monotonic(), 0.1))
                except subprocess.TimeoutExpired:
                    os.killpg(child.process.pid, signal.SIGKILL)
                    child.process.wait()
            self._children.clear()


def web_argv(listener: socket.socket, threads: int = 256) -> list[str]:
    """How gunicorn serves the web application on an already listening socket."""
    options = f"--worker-class gthread --workers 1 --threads {threads} --graceful-timeout 3 --timeout 60"
    return [
        *(sys.executable, "-m", "gunicorn", *options.split()),
        *("--no-control-socket", "--log-level", "warning", "--bind", f"fd://{listener.fileno()}", "web.wsgi:app"),
    ]
