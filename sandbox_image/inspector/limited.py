"""Limited processes: each group of checks runs in one, tells what it found line by line, and may crash or hang.

The parent forks (its modules are compiled already), so a group starts in milliseconds. A child that dies or runs out of
time loses only the task it was at: the rest of the group goes on in a new process.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sandbox_image.inspector.subject import Json, Subject, Unfit

STAGE_LIMIT_S = 60.0  # for one shared stage, such as the first rendering
MEMORY_BYTES = 1536 << 20  # address space of one process; the sandbox itself has 2 GiB
CPU_SECONDS = 60
OUTPUT_BYTES = 32 << 20  # what one process may answer, previews included
FILE_BYTES = 256 << 20
HEAVY_SECONDS = 15.0  # of processor time: who used them did not just wait

Answer: TypeAlias = dict[str, Json]
Run: TypeAlias = Callable[[Subject], Answer]


@dataclass(frozen=True)
class Task:
    """One thing to do in a group's process; `name` is unique among all tasks."""

    name: str
    group: str
    limit_s: float
    run: Run


def fault(verdict: str, message: str) -> Answer:
    """The answer in place of one that never came."""
    return {"verdict": verdict, "message": message}


@dataclass
class _Process:
    """A running child, and what the parent knows of it."""

    group: str
    tasks: list[Task]
    lost: frozenset[str]
    pid: int
    pipe: int
    pending: bytearray = field(default_factory=bytearray)
    finished: bool = False
    received: int = 0
    at: Task | None = None
    stage: str | None = None
    deadline: float = field(default_factory=lambda: time.monotonic() + STAGE_LIMIT_S)


def _start(group: str, tasks: list[Task], lost: frozenset[str], subject: Subject) -> _Process:
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(writing)
        os.set_blocking(reading, False)
        return _Process(group, tasks, lost, pid, reading)
    status = 1
    try:
        os.setsid()
        os.close(reading)
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        _limit()
        _work(writing, tasks, replace(subject, lost=lost, facts={}, _shared={}, _noted={}))
        status = 0
    finally:
        os._exit(status)


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
    # Only the soft limit: a browser, which reserves far more than it uses, lifts it again for itself.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _work(pipe: int, tasks: Sequence[Task], subject: Subject) -> None:
    """The child: every task in turn, each announced before it begins."""
    out = os.fdopen(pipe, "wb")

    def tell(message: Answer) -> None:
        out.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        out.flush()

    subject.on_stage = lambda name: tell({"stage": name})
    for task in tasks:
        tell({"begin": task.name})
        tell({"end": task.name, "answer": _answer(task, subject)})
    tell({"facts": subject.facts})


def _answer(task: Task, subject: Subject) -> Answer:
    try:
        return task.run(subject)
    except Unfit as problem:
        return fault("fail", str(problem)) | ({"place": {"file": problem.file}} if problem.file else {})
    except TimeoutError as slow:
        return fault("error", f"This could not be measured: {slow!s:.300}; the machine is busy, or the file too heavy.")
    except MemoryError:
        return fault("fail", "This needs more memory than an inspection may use; make the file smaller or simpler.")
    except RecursionError:
        return fault("fail", "This is nested too deeply to be read; make the file simpler.")
    except Exception as error:
        trace = traceback.format_exc(limit=-6)
        return fault("error", f"The inspector failed here: {type(error).__name__}: {error!s:.300}") | {"trace": trace}


class Crew:
    """Runs the tasks of all groups, `width` groups at a time, and gathers their answers by task name."""

    def __init__(self, subject: Subject, tasks: Iterable[Task], width: int, deadline: float) -> None:
        self.answers: dict[str, Answer] = {}
        self.facts: dict[str, Json] = {}
        self._subject = subject
        self._width = width
        self._deadline = deadline
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, _Process] = {}
        groups: dict[str, list[Task]] = {}
        for task in tasks:
            groups.setdefault(task.group, []).append(task)
        # The longest first, so that the short ones run beside it.
        self._waiting = sorted(groups.items(), key=lambda item: sum(task.limit_s for task in item[1]))

    def run(self) -> None:
        """Do it all; returns when every task is answered or the deadline (time.monotonic) is over."""
        while self._waiting or self._running:
            while self._waiting and len(self._running) < self._width:
                group, tasks = self._waiting.pop()
                self._begin(_start(group, tasks, frozenset(), self._subject))
            now = time.monotonic()
            nearest = min(min(process.deadline for process in self._running.values()), self._deadline)
            for key, _ in self._selector.select(max(0.0, nearest - now)):
                self._read(self._running[key.fd])
            now = time.monotonic()
            for process in list(self._running.values()):
                if now >= process.deadline:
                    self._end(process, "hung")
            if now >= self._deadline:
                self._give_up()

    def _begin(self, process: _Process) -> None:
        self._running[process.pipe] = process
        self._selector.register(process.pipe, selectors.EVENT_READ)

    def _read(self, process: _Process) -> None:
        try:
            chunk = os.read(process.pipe, 1 << 18)
        except BlockingIOError:
            return
        if not chunk:
            self._end(process, "ended")
            return
        process.received += len(chunk)
        *lines, rest = chunk.split(b"\n")
        try:
            for line in lines:
                self._take(process, json.loads(process.pending + line, parse_constant=_no_number))
                process.pending.clear()
            process.pending += rest
        except (ValueError, KeyError, TypeError, RecursionError):
            self._end(process, "babbled")
            return
        if process.received > OUTPUT_BYTES:
            self._end(process, "flooded")
        elif process.finished:
            self._end(process, "ended")  # not when its pipe closes: what it left behind may hold that open

    def _take(self, process: _Process, message: Answer) -> None:
        now = time.monotonic()
        if "begin" in message:
            process.at = next(task for task in process.tasks if task.name == message["begin"])
            process.deadline = now + process.at.limit_s
        elif "stage" in message:
            process.stage = message["stage"]
            limit = STAGE_LIMIT_S if process.stage else (process.at.limit_s if process.at else STAGE_LIMIT_S)
            process.deadline = now + limit
        elif "end" in message and process.at and message["end"] == process.at.name:
            self.answers[process.at.name] = dict(message["answer"])
            process.tasks = [task for task in process.tasks if task.name not in self.answers]
            process.at = None
        elif "facts" in message:
            self.facts.update(message["facts"])
            process.finished = True

    def _end(self, process: _Process, how: str) -> None:
        """The child is done, or has to be: blame the task that it was at, and go on with the others."""
        self._selector.unregister(process.pipe)
        del self._running[process.pipe]
        os.close(process.pipe)
        used = cpu_seconds(process.pid)
        status = _kill(process.pid)
        if not process.tasks:
            return
        blamed = process.at or process.tasks[0]
        self.answers[blamed.name] = _blame(how, status, used)
        rest = [task for task in process.tasks if task.name != blamed.name]
        lost = process.lost | ({process.stage} if process.stage else frozenset())
        if rest:
            self._begin(_start(process.group, rest, lost, self._subject))

    def _give_up(self) -> None:
        late = fault("error", "The inspection as a whole ran out of time before this was measured.")
        for process in self._running.values():
            os.close(process.pipe)
            _kill(process.pid)
            self.answers.update({task.name: late for task in process.tasks})
        for _, tasks in self._waiting:
            self.answers.update({task.name: late for task in tasks})
        self._running.clear()
        self._waiting.clear()


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _kill(pid: int) -> int:
    """End a child and all that it started; its wait status."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        # It has not reached setsid yet, or everything of it is gone.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def cpu_seconds(group: int) -> float:
    """Processor time that a process group has used so far, in seconds."""
    return sum(time.used_s for time in _times() if time.group == group)


def cpu_seconds_under(pid: int) -> float:
    """Processor time that a process and all that it started have used so far, in seconds."""
    times = _times()
    found = {pid}
    while more := {time.pid for time in times if time.parent in found} - found:
        found |= more
    return sum(time.used_s for time in times if time.pid in found)


class _Time(NamedTuple):
    pid: int
    parent: int
    group: int
    used_s: float


def _times() -> list[_Time]:
    """What each process there is has used, with its ended children (proc(5), /proc/PID/stat)."""
    times = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it ended meanwhile
        used_s = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        times.append(_Time(int(status.parent.name), int(fields[1]), int(fields[2]), used_s))
    return times


def _blame(how: str, status: int, used_s: float) -> Answer:
    if how == "hung" and used_s >= HEAVY_SECONDS:
        return fault("fail", f"This was not measured in {used_s:.0f} s of processor time; make the file simpler.")
    if how == "hung":
        return fault("error", "This was not measured in time; the machine is busy, or its reader waits for ever.")
    if how in ("flooded", "babbled"):
        return fault("error", f"The process that measured this {how} instead of answering.")
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return fault("fail", f"This took more than {CPU_SECONDS} s of processor time; make the file simpler.")
    cause = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"status {os.WEXITSTATUS(status)}"
    return fault("error", f"The process that measured this ended with {cause}.")
