"""The loop: one request after the other, until the studio closes the pipe."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import select
import sys
import time

from sandbox_image.toolhost import changes, files, programs
from sandbox_image.toolhost import children as processes
from sandbox_image.toolhost.calls import Execution
from sandbox_image.toolhost.children import Children
from sandbox_image.toolhost.editor import Editor
from sandbox_image.toolhost.errors import Refused, ToolFault
from sandbox_image.toolhost.frames import Pipe, encode
from sandbox_image.toolhost.shell import Shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sandbox_image.toolhost.frames import Header

WORKSPACE = "/testbed"
PR_SET_DUMPABLE = 4


def undumpable() -> bool:
    """Close this process's /proc entries and memory to its children, which run under the same uid."""
    import _ctypes

    this_process: Any = None
    prctl = _ctypes.dlsym(_ctypes.dlopen(this_process, 2), "prctl")
    return bool(_ctypes.call_function(prctl, (PR_SET_DUMPABLE, 0, 0, 0, 0)) == 0)


def bound(limits: dict[str, int]) -> None:
    """Limits that this process and all its children keep, for good."""
    import resource

    for number, value in (
        (resource.RLIMIT_FSIZE, limits["file_bytes"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_NPROC, limits["pids"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 8 << 20),
    ):
        _, most = resource.getrlimit(number)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(number, (value, value))
    _signal.signal(_signal.SIGXFSZ, _signal.SIG_IGN)


def hand_over(door: dict[str, Any]) -> None:
    """Listen on loopback, and give the studio that socket: what connects there is carried out of the sandbox."""
    from _socket import AF_UNIX, SCM_RIGHTS, SO_REUSEADDR, SOL_SOCKET, socket

    with_name = "path" in door
    listening, way = socket(), socket(AF_UNIX) if with_name else socket(fileno=door["descriptor"])
    listening.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", door["port"]))
    listening.listen(64)
    if with_name:
        way.connect(door["path"])
    way.sendmsg([b"way"], [(SOL_SOCKET, SCM_RIGHTS, listening.fileno().to_bytes(4, sys.byteorder))])
    listening.close()
    way.close()


class ToolHost:
    """What answers the requests."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._children = Children()
        self._editor = Editor()
        self._id = 0
        self._operations = {
            "execute": self._execute,
            "run": self._run,
            "edit": self._edit,
            "write": self._write,
            "read": self._read,
            "manifest": self._manifest,
            "use": self._use,
        }

    def start(self) -> None:
        """Take the limits, answer, and prepare the shell while the studio thinks."""
        header, _ = self._pipe.receive()
        bound(header["limits"])
        os.umask(0o022)
        processes.ENVIRONMENT.update(header.get("environment", {}))
        if "door" in header:
            hand_over(header["door"])
        for folder in header["folders"]:
            os.makedirs(folder, exist_ok=True)
        self._pipe.send({"id": header["id"], "event": "done", "python": sys.version.split()[0]})
        _prepare_home()
        self._shell = Shell(self._children)
        self._seen = changes.snapshot(WORKSPACE)

    def serve(self) -> None:
        """Answer requests; between them reap, and keep background processes from blocking on a full pipe."""
        poll = processes.poller(self._pipe.source, self._shell.output, self._children.wake)
        while True:
            for descriptor, event in poll.poll():
                if descriptor == self._shell.output:
                    self._shell.drain()
                elif descriptor == self._children.wake:
                    self._children.reap()
                elif event & select.POLLIN:
                    self._answer()
                else:
                    sys.exit(0)

    def _answer(self) -> None:
        header, body = self._pipe.receive()
        self._id = header["id"]
        try:
            answer, data = self._operations[header["op"]](header, body)
            self._pipe.send({"id": self._id, "event": "done", **answer}, data)
        except ToolFault as error:
            self._pipe.send({"id": self._id, "event": "error", "kind": "tool", "message": str(error)})
        except Refused as error:
            self._pipe.send({"id": self._id, "event": "error", "kind": "refused", "message": str(error)})

    def _stream(self, name: str, data: bytes) -> None:
        self._pipe.send({"id": self._id, "event": "chunk", "stream": name}, data)

    def _execute(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        command = body.decode("utf-8", "replace")
        if "\0" in command:
            raise ToolFault("command must not contain a NUL character")
        started = time.monotonic()

        def watch(text: str) -> None:
            self._pipe.send({"id": self._id, "event": "output"}, text.encode("utf-8", "replace"))

        execution = Execution(self._shell, self._pipe.source, header["timeout"], watch)
        capture = execution.run(command)
        seconds = time.monotonic() - started
        output, shown, cut_chars, file = capture.finish("\n".join(execution.notes))
        kept = output.encode("utf-8", "replace")
        return {
            "kept": len(kept),
            "exit_status": execution.status,
            "timed_out": execution.timed_out,
            "cut_chars": cut_chars,
            "output_file": file,
            "cwd": os.fsencode(self._shell.cwd).decode("utf-8", "replace"),
            "seconds": round(seconds, 4),
            "files_changed": self._changed(),
            "shell_restarted": execution.restarted,
        }, kept + (shown.encode("utf-8", "replace") if cut_chars else b"")

    def _run(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        status = programs.run(
            self._children, self._pipe.source, header["argv"], body, header["timeout"], header["limit"], self._stream
        )
        self._seen = changes.snapshot(WORKSPACE)
        return {"exit_status": status}, b""

    def _edit(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        texts: list[bytes | None] = []
        place = 0
        for size in header["sizes"]:
            texts.append(None if size is None else bytes(body[place : place + size]))
            place += size or 0
        started = time.monotonic()
        words, image = self._editor.carry_out(header, texts)
        seconds = round(time.monotonic() - started, 4)
        changed = [] if header["command"] == "view" else self._changed()
        return {"seconds": seconds, "files_changed": changed, "image": image}, words.encode("utf-8", "replace")

    def _write(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        files.write(header["path"], body, header["mode"], header["more"])
        if header["last"]:
            self._seen = changes.snapshot(WORKSPACE)
        return {}, b""

    def _read(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        return {"size": files.read(header["path"], header["limit"], lambda data: self._stream("file", data))}, b""

    def _manifest(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        rows, truncated = files.manifest(header["path"])
        for start in range(0, len(rows), 500):
            self._stream("rows", encode(rows[start : start + 500]).encode())
        return {"truncated": truncated}, b""

    def _use(self, header: Header, body: bytearray) -> tuple[Header, bytes]:
        cpu_s, written = used()
        return {"cpu_ms": int(cpu_s * 1000), "bytes_written": written}, b""

    def _changed(self) -> list[str]:
        now = changes.snapshot(WORKSPACE)
        names = changes.changed(WORKSPACE, self._seen, now)
        self._seen = now
        return names


def used() -> tuple[float, int]:
    """Processor time in seconds and bytes given to write calls, of all that runs here and of what it has waited for.

    (proc(5): stat, fields 14 to 17; io, wchar.)
    """
    ticks = written = 0
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                ticks += sum(map(int, file.read().rpartition(b")")[2].split()[11:15]))
            with open(f"/proc/{name}/io", "rb") as file:
                written += int(file.read().partition(b"wchar:")[2].split()[0])
        except (OSError, ValueError, IndexError):
            continue
    return ticks / os.sysconf("SC_CLK_TCK"), written


def _prepare_home() -> None:
    """The image's list of fonts, so that Matplotlib need not make its own (a second or more)."""
    made, cache = "/opt/studio/matplotlib", "/home/studio/.cache/matplotlib"
    try:
        names = os.listdir(made)
        os.makedirs(cache, exist_ok=True)
        for name in names:
            os.symlink(f"{made}/{name}", f"{cache}/{name}")
    except OSError:
        pass


def main() -> None:
    """Serve the studio on descriptors 0 and 1."""
    if not undumpable():
        sys.exit("the tool host cannot protect itself from its children")
    pipe = Pipe()
    host = ToolHost(pipe)
    try:
        host.start()
        host.serve()
    except Exception as error:
        import traceback

        where = "".join(traceback.format_exception(error))[-4000:]
        pipe.send({"id": 0, "event": "bug", "message": where})
        raise
