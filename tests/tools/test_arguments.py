"""What a model may send as arguments, and what it is told when they cannot be used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from studio.agent import Attendant
from studio.sandboxes import engine_for
from studio.sandboxes.types import Sandbox, SandboxSpec
from studio.settings import Settings
from studio.tools import SCHEMAS, Answer, Submission, Workbench, answer_call
from studio.trajectory import Call
from tests.support.recorders import MemoryRecorder


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    one = engine_for(Settings(data_dir=tmp_path_factory.mktemp("studio"))).start(SandboxSpec())
    yield one
    one.kill()


class Desk:
    """Gives calls to a real sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def answer(self, name: str, arguments: Any, command_s: float = 300.0, left: float = 1000.0) -> Answer:
        bench = Workbench(
            self.sandbox,
            command_s,
            lambda: left,
            Attendant(MemoryRecorder(), self.sandbox.kill),
            lambda summary: Submission(f"summary: {summary}", ends=True),
        )
        raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
        return answer_call(Call(id="1", name=name, arguments=raw), bench)

    def names(self) -> list[str]:
        """What lies below /testbed."""
        return [entry.path for entry in self.sandbox.manifest("/testbed").entries]


@pytest.fixture
def desk(sandbox: Sandbox) -> Desk:
    return Desk(sandbox)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("execute_bash", "{", "not JSON"),
        ("execute_bash", "[]", "must be a JSON object"),
        ("execute_bash", "[" * 5000, "cannot be read"),
        ("execute_bash", "1" * 5000, "cannot be read"),
        ("execute_bash", "", "`command` is missing"),
        ("execute_bash", {"command": None}, "`command` is missing"),
        ("execute_bash", {"command": ["ls"]}, "`command`: input should be a valid string"),
        ("execute_bash", {"command": "  "}, "`command` is empty"),
        ("execute_bash", {"command": "ls", "timeout": -1}, "`timeout`: input should be greater than 0"),
        ("execute_bash", {"command": "ls", "timeout": "soon"}, "`timeout`"),
        ("execute_bash", '{"command": "ls", "timeout": NaN}', "`timeout`"),
        ("execute_bash", {"command": "printf '\0'"}, "NUL"),
        ("str_replace_editor", {"command": "open", "path": "/testbed/x"}, "`command`"),
        ("str_replace_editor", {"command": "view"}, "`path` is missing"),
        ("str_replace_editor", {"command": "create", "path": "/testbed/x"}, "create needs `file_text`"),
        ("str_replace_editor", {"command": "str_replace", "path": "/testbed/x", "new_str": "y"}, "needs `old_str`"),
        ("str_replace_editor", {"command": "str_replace", "path": "/t", "old_str": ""}, "must not be empty"),
        ("str_replace_editor", {"command": "insert", "path": "/testbed/x"}, "`insert_line` and `new_str`"),
        ("str_replace_editor", {"command": "view", "path": "/testbed/x", "view_range": [1]}, "`view_range"),
        ("str_replace_editor", {"command": "view", "path": "/testbed/\0"}, "NUL"),
        ("submit", {"summary": 3}, "`summary`"),
    ],
)
def test_bad_arguments_are_answered_with_what_was_expected(desk: Desk, name: str, arguments: Any, said: str) -> None:
    before = desk.names()
    given = desk.answer(name, arguments)
    assert given.is_error
    assert said in given.shown
    assert not given.ends
    assert desk.names() == before
    if "NUL" not in said:
        assert "Expected {" in given.shown


def test_an_unknown_tool_is_answered_with_the_known_ones(desk: Desk) -> None:
    given = desk.answer("python", {"code": "1"})
    assert given.is_error
    assert "execute_bash, str_replace_editor, submit" in given.shown


def test_unknown_arguments_are_ignored_with_a_word(desk: Desk) -> None:
    given = desk.answer("execute_bash", {"command": "echo run", "cwd": "/", "shell": "zsh"})
    assert not given.is_error
    assert given.shown == "run\n[exit status 0, in /testbed]\n[ignored unknown arguments: cwd, shell]"


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [('{"command": "echo a\necho b"}', "a\nb\n"), ('{"command": "echo \\ud83d!"}', "\ufffd!\n")],
)
def test_what_can_be_understood_is_run(desk: Desk, arguments: str, printed: str) -> None:
    assert desk.answer("execute_bash", arguments).output == printed


@pytest.mark.parametrize(("timeout", "command_s", "left"), [("0.5", 9.0, 99.0), (60, 0.5, 99.0), (None, 1.0, 0.2)])
def test_a_command_has_the_time_it_asks_for_within_the_jobs(
    desk: Desk, timeout: Any, command_s: float, left: float
) -> None:
    given = desk.answer("execute_bash", {"command": "echo begun; sleep 50", "timeout": timeout}, command_s, left)
    assert given.timed_out
    assert given.shown.startswith("begun")
    assert "[Stopped after" in given.shown
    assert ("[timeout: at most 0.5 s in this job]" in given.shown) == (timeout == 60)


def test_an_edit_keeps_its_bytes(desk: Desk) -> None:
    text = "tab\there, 'quotes', $dollar, `tick`, \\ and\r\nno last line"
    desk.answer("str_replace_editor", {"command": "create", "path": "/testbed/a b", "file_text": text})
    assert desk.sandbox.read("/testbed/a b", 1000) == text.encode()
    desk.answer("str_replace_editor", {"command": "str_replace", "path": "/testbed/a b", "old_str": "tab\there, "})
    assert desk.sandbox.read("/testbed/a b", 1000) == text.removeprefix("tab\there, ").encode()


@pytest.mark.parametrize("arguments", ["", "{}", "null", '{"summary": null}'])
def test_submit_needs_no_argument(desk: Desk, arguments: str) -> None:
    given = desk.answer("submit", arguments)
    assert given.ends
    assert given.shown == "summary: "


def test_schemas_are_what_is_accepted() -> None:
    names = {schema.name: set(schema.parameters["properties"]) for schema in SCHEMAS}
    assert names["execute_bash"] == {"command", "timeout"}
    assert names["submit"] == {"summary"}
    assert "undo_edit" in SCHEMAS[1].parameters["properties"]["command"]["enum"]
    assert all(len(schema.description) > 80 for schema in SCHEMAS)
