"""Waiting for something slow: output, cancel, deadline, faults."""

from __future__ import annotations

import threading
import time
from typing import NoReturn

import pytest

from studio.agent import Attendant
from studio.errors import Canceled, LimitReached, ToolError
from studio.sandboxes.types import OnOutput
from tests.support.recorders import MemoryRecorder


def refuse() -> NoReturn:
    raise Canceled("a person said so")


def test_it_gives_what_the_work_gives_and_all_that_it_printed() -> None:
    recorder = MemoryRecorder()

    def work(on_output: OnOutput) -> int:
        for part in ("one ", "", "two ", "three"):
            on_output(part)
        return 3

    assert Attendant(recorder, lambda: None)(work) == 3
    assert recorder.printed == "one two three"


def test_a_fault_of_the_work_is_raised_as_it_is() -> None:
    def work(_: OnOutput) -> NoReturn:
        raise ToolError("expected another thing")

    with pytest.raises(ToolError, match="another thing"):
        Attendant(MemoryRecorder(), lambda: None)(work)


def test_the_recorder_is_only_called_from_the_watching_thread() -> None:
    threads: set[int] = set()
    recorder = MemoryRecorder(
        on_live=lambda _: threads.add(threading.get_ident()), on_check=lambda: threads.add(threading.get_ident())
    )

    def work(on_output: OnOutput) -> None:
        for _ in range(4):
            on_output("x")
            time.sleep(0.2)

    Attendant(recorder, lambda: None)(work)
    assert threads == {threading.get_ident()}


def test_a_cancel_interrupts_the_work_and_waits_for_its_end() -> None:
    killed, ended = threading.Event(), threading.Event()

    def work(_: OnOutput) -> None:
        killed.wait()
        ended.set()

    with pytest.raises(Canceled):
        Attendant(MemoryRecorder(on_check=refuse), killed.set)(work)
    assert ended.is_set()


def test_a_deadline_ends_the_wait() -> None:
    released = threading.Event()
    attend = Attendant(MemoryRecorder(), released.set, deadline=time.monotonic() + 0.1)
    with pytest.raises(LimitReached) as caught:
        attend(lambda _: released.wait())
    assert caught.value.reason == "limit_time"


def test_a_flood_of_output_waits_for_nobody() -> None:
    recorder = MemoryRecorder(on_live=lambda _: time.sleep(0.001))

    def flood(on_output: OnOutput) -> str:
        for _ in range(100_000):
            on_output("y\n" * 10)
        return "over"

    assert Attendant(recorder, lambda: None)(flood) == "over"
