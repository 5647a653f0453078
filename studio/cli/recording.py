"""The recorder of a run in this process: a trajectory file, and progress lines for a person."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio.contract import Report
from studio.sandboxes.types import Sandbox
from studio.trajectory import (
    Event,
    Header,
    JobStarted,
    ModelFault,
    ModelReply,
    Note,
    Reported,
    StateChanged,
    ToolCalled,
    ToolResult,
    encode,
)

WIDTH = 100


class FileRecorder:
    """Appends each event to a file, synced to disk before `record` returns, and says what happens in a line."""

    def __init__(self, path: Path, header: Header, say: Callable[[str], None]) -> None:
        self.results: list[ToolResult] = []  # of the sandbox that works now
        self._say = say
        self._seq = 0
        self._calls = 0
        self._file = path.open("wb", buffering=0)
        self._write(header)

    def record(self, event: Event) -> None:
        self._seq += 1
        event = event.model_copy(update={"seq": self._seq})
        self._write(event)
        if isinstance(event, JobStarted):
            self.results.clear()
        elif isinstance(event, ToolResult):
            self.results.append(event)
        self._tell(event)

    def live(self, call_id: str, text: str) -> None:
        """The command line shows no running output."""

    def check(self) -> None:
        """A cancel here is Ctrl-C, which arrives by itself."""

    def opened(self, sandbox: Sandbox) -> None:
        """Nothing to note: the pipeline kills it."""

    def closed(self) -> None:
        """Nothing to note."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, item: Header | Event) -> None:
        self._file.write(encode(item).encode() + b"\n")
        os.fsync(self._file.fileno())

    def _tell(self, event: Event) -> None:
        if isinstance(event, JobStarted):
            self._say(f"sandbox started ({event.engine})")
        elif isinstance(event, ModelReply):
            if event.text.strip():
                self._say(f"  {printable(event.text)}")
        elif isinstance(event, ToolCalled):
            self._calls += 1
            self._say(f"{self._calls:>3}  {event.name}  {printable(_gist(event.arguments))}")
        elif isinstance(event, ToolResult):
            if told := _outcome(event):
                self._say(f"     {told}")
        elif isinstance(event, ModelFault):
            self._say(f"model: {printable(event.message, 400)}")
        elif isinstance(event, Note):
            self._say(f"note: {printable(event.text, 400)}")
        elif isinstance(event, StateChanged):
            if event.state == "inspecting":
                self._say("inspecting the outputs in a clean sandbox")
        elif isinstance(event, Reported):
            for line in report_lines(event.report):
                self._say(line)


def report_lines(report: Report) -> list[str]:
    """The verdict, and a line for each check that did not pass."""
    passed = len(report.checks) - len(report.failed)
    lines = [f"report: {report.verdict}, {passed} of {len(report.checks)} checks passed"]
    for finding in report.failed:
        lines.append(f"  {finding.severity} {finding.id} ({finding.verdict}): {printable(finding.message, 300)}")
    return lines


def printable(text: str, width: int = WIDTH) -> str:
    """One line that is safe on a terminal: control and direction characters become blanks, a long text is cut."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * width]).split())
    return line if len(line) <= width else line[: width - 1] + "…"


def _gist(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return str(arguments)
    if "path" in arguments:
        return f"{arguments.get('command', '')} {arguments['path']}"
    for key in ("command", "summary"):
        if isinstance(arguments.get(key), str):
            return str(arguments[key])
    return json.dumps(arguments, ensure_ascii=False) if arguments else ""


def _outcome(result: ToolResult) -> str:
    seconds = f"{result.seconds:.1f} s"
    if result.is_error:
        return printable(result.output, 300)
    if result.timed_out:
        return f"stopped at its time limit, {seconds}"
    if result.exit_status not in (None, 0):
        last = result.output.rstrip().rpartition("\n")[2]
        return f"exit status {result.exit_status}, {seconds}: {printable(last)}"
    return seconds if result.seconds >= 0.5 else ""
