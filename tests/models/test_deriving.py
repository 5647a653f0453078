"""A recipe from a trajectory: what is kept of a record, and what goes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.models.deriving import Derived, effective_calls
from studio.trajectory import Event, JobStarted, ToolCalled, ToolResult


class Record:
    """A record under way, call by call."""

    def __init__(self) -> None:
        self.events: list[Event] = [JobStarted(engine="local", limits={}, network="none")]

    def bash(self, command: str, *changed: str, status: int | None = 0, cwd: str = "/testbed", **more: Any) -> Record:
        return self._add(
            "execute_bash", {"command": command}, exit_status=status, cwd=cwd, files_changed=list(changed), **more
        )

    def edit(self, command: str, path: str, **more: Any) -> Record:
        changed = [] if command == "view" else [path]
        return self._add("str_replace_editor", {"command": command, "path": path}, files_changed=changed, **more)

    def submit(self) -> Record:
        return self._add("submit", {"summary": "done"})

    def _add(self, name: str, arguments: Any, **result: Any) -> Record:
        number = f"c{len(self.events)}"
        self.events.append(ToolCalled(id=number, name=name, arguments=arguments))
        self.events.append(ToolResult(**{"id": number, **result}))
        return self

    @property
    def derived(self) -> Derived:
        return effective_calls(self.events)


def dropped(record: Record) -> list[int]:
    return [item.number for item in record.derived.dropped]


@pytest.mark.parametrize(
    "command",
    [
        "ls -la /testbed",
        "cat input/brief.json | head -5 && ls",
        "python3 --version; which ffmpeg",
        "find / -name '*.ttf' 2>/dev/null | sort | uniq -c",
        "ffprobe -v error output/a.mp4 2>&1 | tail -3",
        "studio-check",
        "# only a word\npwd",
    ],
)
def test_what_only_looks_goes(command: str) -> None:
    assert dropped(Record().bash(command).submit()) == [1]


@pytest.mark.parametrize(
    "command",
    [
        "ls > list.txt",
        "cat a | tee b",
        "cd output",
        "find . -name '*.pyc' -delete",
        "sed -i s/a/b/ x",
        "sleep 3",
        "echo $(python3 make.py)",
        "A=1",
        "python3 make.py",
        "ls & python3 serve.py",
        "cat <<X\nX",
        "echo 'a; b' | sh",
    ],
)
def test_what_may_do_something_stays(command: str) -> None:
    assert dropped(Record().bash(command).submit()) == []


@pytest.mark.parametrize(
    ("command", "gone"),
    [
        ("python3 make.py", True),
        ("cd work && python3 make.py", False),
        ("pip install nothing", False),
        ("X=1 python3 make.py", False),
        ("python3 make.py /tmp/cache", False),
    ],
)
def test_a_failed_command_goes_only_where_nothing_of_it_can_last(command: str, gone: bool) -> None:
    assert dropped(Record().bash(command, status=1).submit()) == ([1] if gone else [])


def test_a_failed_command_stays_that_changed_a_file_moved_or_ran_out_of_time() -> None:
    record = Record().bash("python3 make.py", "output/half.png", status=1)
    record.bash("python3 a.py", status=1, cwd="/testbed/output").bash("python3 b.py", status=1, cwd="/testbed/output")
    record.bash("python3 c.py", status=None, cwd="/testbed/output", timed_out=True).submit()
    assert dropped(record) == [3]


def test_views_calls_that_were_not_carried_out_and_early_submits_go() -> None:
    record = Record().edit("create", "/testbed/a.py").edit("view", "/testbed/a.py").submit()
    record.edit("str_replace", "/testbed/b.py", is_error=True)
    record.events[-1].files_changed = []  # type: ignore[union-attr]
    record.edit("str_replace", "/testbed/a.py").bash("python3 a.py", "output/x.svg").submit()
    assert dropped(record) == [2, 3, 4]
    calls = record.derived.calls
    assert [call.name for call in calls] == ["str_replace_editor", "str_replace_editor", "execute_bash", "submit"]
    assert json.loads(calls[2].arguments) == {"command": "python3 a.py"}


def test_a_file_written_anew_before_anything_used_it_is_written_once() -> None:
    record = Record().edit("create", "/testbed/a.py").edit("str_replace", "/testbed/a.py")
    record.bash("python3 a.py", status=1).edit("create", "/testbed/b.py").edit("create", "/testbed/./a.py")
    record.bash("python3 a.py", "output/x").edit("create", "/testbed/a.py").bash("python3 a.py", "output/x").submit()
    assert dropped(record) == [1, 2, 3], "what a run has used stays, though it is written anew later"


def test_what_an_undo_may_bring_back_stays() -> None:
    record = Record().edit("create", "/testbed/a.py").edit("create", "/testbed/a.py").edit("undo_edit", "/testbed/a.py")
    assert dropped(record.bash("python3 a.py", "output/x").submit()) == []


def test_only_the_last_attempt_counts() -> None:
    record = Record().edit("create", "/testbed/old.py")
    record.events.append(JobStarted(engine="local", limits={}, network="none"))
    record.edit("create", "/testbed/new.py").submit()
    assert [call.name for call in record.derived.calls] == ["str_replace_editor", "submit"]
    assert "new.py" in record.derived.calls[0].arguments
