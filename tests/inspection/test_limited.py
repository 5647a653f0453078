"""A group's process may crash, hang, flood or lie: its other tasks and the other groups still answer."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from sandbox_image.inspector.limited import Answer, Crew, Run, Task
from sandbox_image.inspector.subject import Subject, Unfit

GOOD: Answer = {"verdict": "pass"}


def subject() -> Subject:
    return Subject("poster", "poster.svg", (), {}, (), False, Path("/nowhere"))


def answers(*tasks: Task, seconds: float = 30.0) -> dict[str, Answer]:
    crew = Crew(subject(), tasks, width=2, deadline=time.monotonic() + seconds)
    crew.run()
    return crew.answers


def good(_: Subject) -> Answer:
    return GOOD


def task(name: str, run: Run, limit_s: float = 20.0, group: str = "one") -> Task:
    return Task(name, group, limit_s, run)


def test_a_crash_costs_one_task() -> None:
    def crash(_: Subject) -> Answer:
        os.kill(os.getpid(), signal.SIGSEGV)
        return GOOD

    found = answers(task("a", good), task("b", crash), task("c", good), task("d", good, group="two"))
    assert found["a"] == found["c"] == found["d"] == GOOD
    assert found["b"]["verdict"] == "error"
    assert "signal 11" in found["b"]["message"]


def test_waiting_for_ever_costs_one_task() -> None:
    def wait(_: Subject) -> Answer:
        time.sleep(600)
        return GOOD

    found = answers(task("a", wait, limit_s=0.5), task("b", good))
    assert found["a"]["verdict"] == "error"
    assert found["b"] == GOOD


def test_a_stage_that_crashed_is_not_tried_again() -> None:
    def stage(_: Subject) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return 1

    def needs_it(judged: Subject) -> Answer:
        judged.shared("drawing", lambda: stage(judged))
        return GOOD

    found = answers(task("a", needs_it), task("b", needs_it), task("c", good))
    assert [found[name]["verdict"] for name in "abc"] == ["error", "error", "pass"]
    assert "drawing" in found["b"]["message"]


def test_a_stage_that_refuses_fails_each_check_that_needs_it() -> None:
    def refuse() -> int:
        raise Unfit("poster.svg is broken.", "poster.svg")

    def needs_it(judged: Subject) -> Answer:
        judged.shared("drawing", refuse)
        return GOOD

    found = answers(task("a", needs_it), task("b", needs_it))
    assert [found[name]["message"] for name in "ab"] == ["poster.svg is broken."] * 2
    assert found["a"]["place"] == {"file": "poster.svg"}


def test_a_flood_is_cut() -> None:
    def flood(_: Subject) -> Answer:
        return {"verdict": "pass", "message": "x" * (40 << 20)}

    found = answers(task("a", flood), task("b", good))
    assert found["a"]["verdict"] == "error"
    assert found["b"] == GOOD


def test_more_memory_than_allowed() -> None:
    def hoard(_: Subject) -> Answer:
        return {"verdict": "pass", "length": len(bytearray(3 << 30))}

    assert answers(task("a", hoard))["a"]["verdict"] == "fail"


def test_the_whole_may_run_out_of_time() -> None:
    def wait(_: Subject) -> Answer:
        time.sleep(600)
        return GOOD

    found = answers(task("a", wait), task("b", wait), task("c", wait, group="two"), seconds=0.5)
    assert {found[name]["verdict"] for name in "abc"} == {"error"}


def test_what_a_child_left_behind_is_ended() -> None:
    reading, writing = os.pipe()

    def leave(_: Subject) -> Answer:
        if os.fork() == 0:
            os.write(writing, b"here")
            time.sleep(600)
            os._exit(0)
        return GOOD

    try:
        assert answers(task("a", leave))["a"] == GOOD
        os.close(writing)
        assert os.read(reading, 10) in (b"", b"here")
        assert os.read(reading, 10) == b"", "the grandchild still holds the pipe"
    finally:
        os.close(reading)
