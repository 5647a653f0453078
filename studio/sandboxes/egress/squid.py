"""One Squid for one sandbox, with nothing on disk: its configuration and its log are descriptors that it inherits.

Started by root it runs as an unprivileged user of its own; it ends with the process that started it.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import socket
import subprocess
import threading
import time
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.bubblewrap import own_uid
from studio.sandboxes.egress.fetched import Account
from studio.sandboxes.egress.rules import Rules, configuration
from studio.sandboxes.starter import starter

PATH = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin"
REMEDY = "sudo apt-get install --no-install-recommends squid"
READY_S = 20.0
LAST_WORDS_S = 1.0
SETTLED_S = 5.0
TRIES = 3
SHARED = Path("/dev/shm")
PAGES = Path(__file__).with_name("pages")  # what it answers where it refuses or cannot fetch, for a model to read


def program() -> str | None:
    """Where Squid is, or None."""
    return shutil.which("squid", path=PATH)


class Squid:
    """A running Squid: `port` on loopback, and `account` of what it was asked for."""

    def __init__(self, rules: Rules, service: str) -> None:
        """Start it. `service` is a name of letters and digits. Raises ConfigurationError with the remedy."""
        if program() is None:
            raise ConfigurationError(
                f"run.network needs the proxy Squid, which this machine does not have: {REMEDY}; or choose none"
            )
        self._mark = f"{service}.invalid"
        self.account = Account(self._mark)
        self._service = service
        said = ""
        for _ in range(TRIES):  # another process may take the port before Squid does
            self.port = _free_port()
            said = self._start(rules)
            if not said:
                break
        else:
            raise ConfigurationError(f"Squid does not start: {said}; see `studio doctor`")
        self._reader = threading.Thread(target=self._read, name=f"log-{service}", daemon=True)
        self._reader.start()

    def _start(self, rules: Rules) -> str:
        """Start it and wait until it has logged a first connection; why it did not, or nothing."""
        self._log, log = os.pipe2(os.O_CLOEXEC)
        complaints, complaining = os.pipe2(os.O_CLOEXEC)
        config = os.memfd_create("squid.conf", 0)
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        pages = os.open(PAGES, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        before = ["setpriv", "--pdeathsig", "KILL", "--no-new-privs", "--"]
        try:
            if os.geteuid() == 0:
                uid = own_uid()
                os.fchown(log, uid, uid)
                before[1:1] = [f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all"]
            # By descriptors, as the folders above may be closed to its user.
            words = configuration(rules, self.port, f"/proc/self/fd/{log}", f"/proc/self/fd/{pages}")
            os.write(config, words.encode())
            argv = [*before, "squid", "-N", "-n", self._service, "-f", f"/proc/self/fd/{config}"]
            keep = (log, config, pages)
            self._process = starter().start(argv, stdin=nothing, stdout=nothing, stderr=complaining, keep=keep)
        except BaseException:
            os.close(self._log)
            os.close(complaints)
            raise
        finally:
            for descriptor in (log, config, nothing, pages, complaining):
                os.close(descriptor)
        try:
            if self._answers():
                return ""
            self._end()
            ready = select.select([complaints], [], [], LAST_WORDS_S)[0]
            return os.read(complaints, 4000).decode("utf-8", "replace").strip()[-400:] if ready else "it says nothing"
        finally:
            os.close(complaints)
            remove_shared(self._service)

    def _answers(self) -> bool:
        """Does its log tell of a connection made here? So whoever listens on that port is the one that was started."""
        until = time.monotonic() + READY_S
        while self._process.poll() is None and time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1.0).close()
            except OSError:
                time.sleep(0.01)
                continue
            if select.select([self._log], [], [], 1.0)[0] and os.read(self._log, 4096):
                return True
        return False

    def _read(self) -> None:
        """The thread: its log, until it has ended."""
        while piece := os.read(self._log, 1 << 16):
            self.account.feed(piece)
        os.close(self._log)

    def close(self) -> None:
        """End it, once it has logged what its clients have ended."""
        self._settle()
        self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_WORDS_S)
        self._reader.join(LAST_WORDS_S)

    def _settle(self) -> None:
        """Wait until its log tells of a last request, which is refused by its method and so resolves no name."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), LAST_WORDS_S) as last:
            last.sendall(f"PUT http://{self._mark}/ HTTP/1.0\r\nContent-Length: 0\r\n\r\n".encode())
            self.account.marked.wait(SETTLED_S)

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._log)


def shared_files(prefix: str) -> list[Path]:
    """What Squids called `prefix`… keep in shared memory."""
    return sorted(SHARED.glob(f"{prefix}*-cf__*.shm"))


def remove_shared(service: str) -> None:
    """Take the names of a Squid's shared memory away, which it needs no more once it runs: so nothing can be left."""
    for path in shared_files(service):
        with contextlib.suppress(OSError):
            path.unlink()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
