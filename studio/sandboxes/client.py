"""The one client of the tool host, whatever engine started it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from studio.errors import SandboxError, SandboxLost, SandboxRefused, ToolError
from studio.sandboxes.connection import Connection, Frame, Lost
from studio.sandboxes.fetching import Folder, entries
from studio.sandboxes.types import (
    OUTPUT,
    CommandResult,
    EditArguments,
    EditResult,
    Fetched,
    Manifest,
    ManifestEntry,
    OnOutput,
    ResourceUse,
    SandboxSpec,
    Upload,
)

T = TypeVar("T")

GRACE_S = 20.0  # how long an answer may take beyond what the request itself may
WAIT_S = 0.5  # how often `on_output` is called with nothing while nothing comes
PART_BYTES = 8 << 20  # of an upload
KEPT_BYTES = (1 << 20) + (64 << 10)
SHOWN_CHARS = 17_000
MAX_ENTRIES = 5_001


class Process(Protocol):
    """What an engine hands over: two pipes, and the ways to end and to know."""

    id: str
    engine: str
    connection: Connection

    def kill(self) -> None:
        """End every process at once and remove what the engine made; never raises; idempotent."""
        ...

    def why(self) -> str | None:
        """Why it ended, where this machine can tell (the memory limit, an exit status)."""
        ...

    def kills(self) -> int:
        """How many processes the memory limit has cost so far."""
        ...

    def use(self) -> ResourceUse: ...

    def resident(self) -> int | None:
        """The memory of all its processes (PSS) in bytes, where this machine can tell."""
        ...


class Way(Protocol):
    """Its way to a network, where it has one."""

    def fetched(self) -> list[Fetched]: ...

    def close(self) -> None:
        """End it; what was fetched until then can still be asked for."""
        ...


class ToolHostSandbox:
    """A sandbox through its tool host. One request at a time; `kill` may come from any thread."""

    def __init__(self, process: Process, spec: SandboxSpec) -> None:
        self.id = process.id
        self.engine = process.engine
        self._process = process
        self._spec = spec
        self._lock = threading.Lock()
        self._ending = threading.Lock()
        self._number = 0
        self._gone: str | None = None
        self._kills = 0
        self._use = ResourceUse()
        self.way: Way | None = None

    def begin(
        self,
        payload: bytes,
        folders: Sequence[str],
        timeout_s: float = 30.0,
        pids: int | None = None,
        more: Mapping[str, Any] | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Send the tool host its code and its limits, do `meanwhile`, and wait for its first answer.

        `pids`, where given, is its limit by user: one that several sandboxes share must not bound each of them. `more`
        is what one with a network is told: `environment`, and the `door` that its socket goes through.
        """
        spec = self._spec
        limits = {"file_bytes": spec.file_bytes, "open_files": spec.open_files, "pids": pids or spec.pids}

        def send(deadline: float) -> None:
            self._process.connection.write(payload, deadline)

        request = {"op": "start", "limits": limits, "folders": list(folders), **(more or {})}
        self._ask(request, timeout_s=timeout_s, first=send, meanwhile=meanwhile)

    def execute(self, command: str, timeout_s: float | None = None, on_output: OnOutput | None = None) -> CommandResult:
        """Run `command` in the one persistent bash; `on_output` gets "" about twice a second while nothing comes."""
        limit = float(timeout_s or self._spec.command_s)

        def attend(frame: Frame | None) -> None:
            if on_output is not None:
                on_output("" if frame is None else frame.body.decode("utf-8", "replace"))

        answer = self._ask(
            {"op": "execute", "timeout": limit},
            command.encode("utf-8", "replace"),
            timeout_s=limit,
            event="output",
            attend=attend,
        )
        return self._checked(lambda: self._result(answer))

    def _result(self, answer: Frame) -> CommandResult:
        kept = answer.number("kept", most=KEPT_BYTES)
        cut = answer.number("cut_chars")
        output = answer.body[:kept].decode("utf-8", "replace")
        shown = answer.body[kept:].decode("utf-8", "replace") if cut else output
        if len(shown) > SHOWN_CHARS:
            raise Lost("the tool host sent more than it may")
        note = self._memory_note()
        return CommandResult(
            output=_noted(output, note),
            shown=_noted(shown, note),
            exit_status=answer.status(),
            timed_out=answer.flag("timed_out"),
            cut_chars=cut,
            output_file=answer.optional_text("output_file"),
            cwd=answer.text("cwd", 8192),
            seconds=answer.seconds(),
            files_changed=answer.names("files_changed"),
            shell_restarted=answer.flag("shell_restarted"),
        )

    def _memory_note(self) -> str:
        kills = self._process.kills()
        if kills <= self._kills:
            return ""
        self._kills = kills
        return f"[The memory limit of {self._spec.memory_bytes >> 20} MiB was reached: the system killed a process.]"

    def run(
        self, argv: Sequence[str], *, stdin: bytes = b"", timeout_s: float = 60.0, limit: int = 64 << 20
    ) -> tuple[int | None, bytes, bytes]:
        """Run a program apart from the shell: exit status (None: killed), stdout and stderr."""
        streams = {"out": bytearray(), "err": bytearray()}

        def attend(frame: Frame | None) -> None:
            if frame is not None:
                stream = streams.get(frame.text("stream"))
                if stream is None or len(stream) + len(frame.body) > limit:
                    raise Lost("the tool host sent more than it may")
                stream += frame.body

        request = {"op": "run", "argv": list(argv), "timeout": timeout_s, "limit": limit}
        answer = self._ask(request, stdin, timeout_s=timeout_s, attend=attend)
        return self._checked(answer.status), bytes(streams["out"]), bytes(streams["err"])

    def edit(self, arguments: EditArguments) -> EditResult:
        """Carry out one editor command. Raises ToolError with what was expected."""
        texts = [
            None if text is None else text.encode("utf-8", "replace")
            for text in (arguments.file_text, arguments.old_str, arguments.new_str)
        ]
        request = {
            "op": "edit",
            "command": arguments.command,
            "path": arguments.path,
            "insert_line": arguments.insert_line,
            "view_range": list(arguments.view_range) if arguments.view_range else None,
            "sizes": [None if text is None else len(text) for text in texts],
        }
        answer = self._ask(request, b"".join(text or b"" for text in texts), timeout_s=60.0)
        return self._checked(
            lambda: EditResult(
                text=answer.body.decode("utf-8", "replace")[: 4 * SHOWN_CHARS],
                seconds=answer.seconds(),
                files_changed=answer.names("files_changed"),
                image=answer.optional_text("image", 100),
            )
        )

    def upload(self, files: Iterable[Upload]) -> None:
        """Write files, making parent folders."""
        for file in files:
            parts = _parts(file.content)
            part = next(parts, b"")
            more = False
            while True:
                following = next(parts, None)
                request = {"op": "write", "path": file.path, "mode": file.mode, "more": more, "last": following is None}
                self._ask(request, part, timeout_s=60.0)
                if following is None:
                    break
                part, more = following, True

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file, never following a link. Raises SandboxRefused above `limit` bytes."""
        content = bytearray()
        self._read(path, limit, content.extend)
        return bytes(content)

    def _read(self, path: str, limit: int, take: Callable[[bytes], object]) -> int:
        size = 0

        def attend(frame: Frame | None) -> None:
            nonlocal size
            if frame is not None:
                size += len(frame.body)
                if size > limit:
                    raise Lost("the tool host sent more than it may")
                take(frame.body)

        self._ask({"op": "read", "path": path, "limit": limit}, timeout_s=60.0, attend=attend)
        return size

    def manifest(self, root: str = str(OUTPUT)) -> Manifest:
        """Everything below `root`, by lstat."""
        found: list[ManifestEntry] = []

        def attend(frame: Frame | None) -> None:
            if frame is not None:
                found.extend(entries(frame.body))
                if len(found) > MAX_ENTRIES:
                    raise Lost("the tool host sent more than it may")

        answer = self._ask({"op": "manifest", "path": root}, timeout_s=60.0, attend=attend)
        return Manifest(tuple(found), self._checked(lambda: answer.flag("truncated")))

    def download(self, manifest: Manifest, target: Path, *, root: str = str(OUTPUT), limit: int) -> list[str]:
        """Fetch the regular files of `manifest` into `target`; names that are not UTF-8 are left out."""
        written = []
        with Folder(target) as folder:
            for entry in manifest.files:
                if not entry.encodable:
                    continue
                descriptor = folder.create(entry.path)
                with os.fdopen(descriptor, "wb") as file:
                    limit -= self._read(f"{root}/{entry.path}", limit, file.write)
                written.append(entry.path)
        return written

    def use(self) -> ResourceUse:
        """What it used so far, or until its end."""
        with self._ending:
            if self._gone is not None:
                return self._use
            self._use = self._process.use()
        if self._use.cpu_s is None or self._use.bytes_written is None:
            self._use = self._told(self._use)
        return self._use

    def _told(self, seen: ResourceUse) -> ResourceUse:
        """The same with what the tool host has counted, where this machine may not look itself."""
        try:
            answer = self._ask({"op": "use"}, timeout_s=5.0)
            cpu_s, written = answer.number("cpu_ms") / 1000, answer.number("bytes_written")
        except (SandboxError, Lost):
            return seen
        return ResourceUse(
            seen.peak_memory_bytes,
            cpu_s if seen.cpu_s is None else seen.cpu_s,
            written if seen.bytes_written is None else seen.bytes_written,
        )

    def fetched(self) -> list[Fetched]:
        """What was asked of the network since the last call; also after its end."""
        return self.way.fetched() if self.way else []

    def resident(self) -> int | None:
        """The memory of all its processes, shared pages counted by share (PSS), in bytes."""
        return self._process.resident()

    def kill(self) -> None:
        """End it at once, and remove what it left; never raises; idempotent."""
        self._end("it was ended by the studio")

    def _end(self, reason: str) -> None:
        with self._ending:
            if self._gone is not None:
                return
            seen = self._process.use()
            self._use = ResourceUse(
                seen.peak_memory_bytes,
                self._use.cpu_s if seen.cpu_s is None else seen.cpu_s,
                self._use.bytes_written if seen.bytes_written is None else seen.bytes_written,
            )
            self._gone = reason
            self._process.kill()
        # A thread that waits for an answer sees the end of the pipe at once; only then may its number be used again.
        if self._lock.acquire(timeout=5.0):
            self._process.connection.close()
            self._lock.release()
        if self.way is not None:
            self.way.close()

    def _lost(self, error: Lost) -> SandboxLost:
        """End what is left of it, and say why it is gone."""
        reason = self._gone
        if reason is None:
            reason = self._process.why() or str(error)
            self._end(reason)
        return SandboxLost(f"the sandbox is gone: {reason}")

    def _checked(self, value: Callable[[], T]) -> T:
        """A value taken from an answer. Raises SandboxLost when the answer is of another form."""
        try:
            return value()
        except Lost as error:
            raise self._lost(error) from None

    def _ask(
        self,
        request: dict[str, Any],
        body: bytes | memoryview = b"",
        *,
        timeout_s: float,
        event: str = "chunk",
        attend: Callable[[Frame | None], None] | None = None,
        first: Callable[[float], None] | None = None,
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Frame:
        """Send a request and return its last frame; those before go to `attend`, with None while nothing comes."""
        try:
            with self._lock:
                if self._gone is not None:
                    raise Lost(self._gone)
                connection = self._process.connection
                self._number += 1
                deadline = time.monotonic() + timeout_s + GRACE_S
                if first is not None:
                    first(deadline)
                connection.send({"id": self._number, **request}, body, deadline)
                meanwhile()
                while True:
                    frame = connection.receive(deadline, WAIT_S)
                    if frame is not None and frame.event == "bug":
                        raise Lost(f"the tool host failed: {frame.header.get('message')!s:.4000}")
                    if frame is not None and frame.id != self._number:
                        raise Lost("the tool host answered something that was not asked")
                    if frame is None or frame.event == event:
                        if attend is not None:
                            attend(frame)
                        continue
                    break
                if frame.event == "done":
                    return frame
                if frame.event != "error":
                    raise Lost("the tool host sent an unknown frame")
                kind, message = frame.text("kind"), frame.text("message")
        except Lost as error:
            raise self._lost(error) from None
        except BaseException:
            # Whoever attends gave up in the middle of an answer: what follows on the pipe belongs to no request.
            self._end("its call was abandoned")
            raise
        raise ToolError(message) if kind == "tool" else SandboxRefused(message)


def _parts(content: bytes | Path) -> Iterator[bytes | memoryview]:
    if isinstance(content, Path):
        with content.open("rb") as file:
            while part := file.read(PART_BYTES):
                yield part
    else:
        view = memoryview(content)
        for start in range(0, len(view), PART_BYTES):
            yield view[start : start + PART_BYTES]


def _noted(text: str, note: str) -> str:
    return text + ("\n" if text and note and not text.endswith("\n") else "") + note
