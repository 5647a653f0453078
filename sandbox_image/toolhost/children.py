"""Starting programs, and the reaping that is the duty of process 1."""

from __future__ import annotations

# The bare C module: `signal` builds enumerations when it is loaded.
import _signal  # type: ignore[import-not-found]
import os
import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/home/studio",
    "USER": "studio",
    "LOGNAME": "studio",
    "SHELL": "/bin/bash",
    "LANG": "C.UTF-8",
    "TERM": "dumb",
    "PYTHONUNBUFFERED": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
# What children must find at its default although this process handles or ignores it. SIGXFSZ stays ignored: above the
# limit of a file's size a write then fails with a message, instead of ending the program without one.
_DEFAULT_SIGNALS = (_signal.SIGPIPE, _signal.SIGINT, _signal.SIGCHLD)


class Children:
    """Every process of the sandbox ends up here: started, or left behind by one that ended."""

    def __init__(self) -> None:
        self.wake, wake_writer = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        _signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
        self._awaited: dict[int, int | None] = {}

    def start(
        self, argv: list[str], descriptors: Mapping[int, int], environment: Mapping[str, str] = ENVIRONMENT
    ) -> int:
        """Start a program in a session of its own; `descriptors` maps its numbers to ours. Raises OSError."""
        actions: list[tuple[int, ...]] = [(os.POSIX_SPAWN_DUP2, ours, theirs) for theirs, ours in descriptors.items()]
        pid = os.posix_spawnp(
            argv[0], argv, environment, file_actions=actions, setsid=True, setsigdef=_DEFAULT_SIGNALS, setsigmask=()
        )
        self._awaited[pid] = None
        return pid

    def reap(self) -> None:
        """Collect whatever has ended."""
        try:
            while os.read(self.wake, 4096):
                pass
        except BlockingIOError:
            pass
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            if pid in self._awaited:
                self._awaited[pid] = os.waitstatus_to_exitcode(status)

    def status(self, pid: int) -> int | None:
        """The exit code of a started process (negative: the signal that killed it), or None while it runs."""
        return self._awaited[pid]

    def forget(self, pid: int) -> None:
        """No one will ask for this process again."""
        self._awaited.pop(pid, None)


def signal_group(group: int, number: int) -> None:
    """Send a signal to a process group that may be gone."""
    try:
        os.killpg(group, number)
    except OSError:
        pass


def kill_members(session: int, spare: int) -> None:
    """SIGKILL every process of a session but one."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in (spare, os.getpid()):
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            if int(fields[3]) == session:
                os.kill(int(name), _signal.SIGKILL)
        except OSError:
            continue


def waiting_bytes(descriptor: int) -> int:
    """How many bytes lie in a pipe."""
    import fcntl
    import termios

    answer = fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0")
    return int.from_bytes(answer, "little")


def poller(*descriptors: int) -> select.poll:
    """A poll object that waits for input on each."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return poll
