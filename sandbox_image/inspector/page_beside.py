"""What two more browsers do while the first one is clicked through: one uses every control, one sees the page small.

Its pages are loaded anew, so nothing that is done in the first browser can be missed in them.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Generic, TypeVar

from sandbox_image.inspector.framed import Framed, Heard
from sandbox_image.inspector.page_controls import wanted_markers
from sandbox_image.inspector.page_small import Small, see_small
from sandbox_image.inspector.page_tour import Tour, explore
from sandbox_image.inspector.page_views import View
from sandbox_image.inspector.subject import Subject, Unfit

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Explored:
    """What using every control showed, or why it could not, and what was heard of the page there."""

    tour: Tour | Unfit | TimeoutError
    heard: Heard = field(default_factory=Heard)


@dataclass(frozen=True)
class Beside:
    """What the other browsers showed, or why they could not, and what was heard of the page there."""

    tour: Tour | Unfit | TimeoutError
    small: Small
    heard: Heard = field(default_factory=Heard)


class Looking:
    """The processes with the other browsers; `result` waits for them."""

    def __init__(self, subject: Subject, path: str) -> None:
        self._explored = _Process(partial(explored, subject, path))
        self._small = _Process(partial(small, subject, path))

    def result(self) -> Beside:
        """What was seen. What a process could not tell is looked at here, and raises here what it raises."""
        return _together(self._explored.result(), self._small.result())


class _Process(Generic[Seen]):
    """One of them."""

    def __init__(self, look: Callable[[], Seen]) -> None:
        self._look: Callable[[], Seen] = look
        reading, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _tell(writing, look)
        os.close(writing)
        self._reading = reading

    def result(self) -> Seen:
        done = False
        with os.fdopen(self._reading, "rb") as source:
            try:
                answer = source.read()
                done = True
            finally:
                if not done:
                    os.kill(self._pid, signal.SIGKILL)
                status = os.waitpid(self._pid, 0)[1]
        found: Seen = pickle.loads(answer) if status == 0 else self._look()
        return found


def look(subject: Subject, path: str) -> Beside:
    """Do it all here, one after the other."""
    return _together(explored(subject, path), small(subject, path))


def _together(found: Explored, seen: Small) -> Beside:
    return Beside(found.tour, seen, found.heard.with_(seen.heard))


def _tell(pipe: int, seen: Callable[[], object]) -> None:
    status = 1
    try:
        with os.fdopen(pipe, "wb") as out:
            pickle.dump(seen(), out, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _silent(subject: Subject) -> Subject:
    """A copy, which tells nothing to the one that started this process."""
    return replace(subject, on_stage=lambda name: None, _shared={})


def explored(subject: Subject, path: str) -> Explored:
    """Use every control, in a browser of its own."""
    subject = _silent(subject)
    try:
        browser = Framed(subject)
    except (Unfit, TimeoutError) as problem:
        return Explored(problem)
    try:
        with browser.left_when_stuck():
            return Explored(explore(browser, path, wanted_markers(subject)), browser.heard_of(path))
    except (Unfit, TimeoutError) as problem:
        return Explored(problem, browser.heard_of(path))
    finally:
        browser.close()


def small(subject: Subject, path: str) -> Small:
    """See the page small, in a browser of its own."""
    subject = _silent(subject)
    try:
        browser = Framed(subject)
    except (Unfit, TimeoutError) as problem:
        return Small(problem, problem)
    try:
        seen = see_small(browser, path, wanted_markers(subject))
        if isinstance(seen.view, View):
            seen.view.develop()
        return replace(seen, heard=browser.heard_of(path))
    finally:
        browser.close()
