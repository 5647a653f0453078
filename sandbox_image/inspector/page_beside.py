"""What a second browser does while the first one is clicked through: it uses every control, and sees the page small.

Its pages are loaded anew, so nothing that is done in the first browser can be missed in them.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from sandbox_image.inspector.framed import Framed, Heard
from sandbox_image.inspector.page_controls import wanted_markers
from sandbox_image.inspector.page_small import Small, see_small
from sandbox_image.inspector.page_tour import Tour, explore
from sandbox_image.inspector.page_views import View
from sandbox_image.inspector.subject import Subject, Unfit


@dataclass(frozen=True)
class Beside:
    """What the second browser showed, or why it could not, and what was heard of the page there."""

    tour: Tour | Unfit | TimeoutError
    small: Small
    heard: Heard = field(default_factory=Heard)


class Looking:
    """The process with the second browser; `result` waits for it."""

    def __init__(self, subject: Subject, path: str) -> None:
        self._look = partial(look, subject, path)
        reading, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _tell(writing, self._look)
        os.close(writing)
        self._reading = reading

    def result(self) -> Beside:
        """What was seen. What the process could not tell is looked at here, and raises here what it raises."""
        done = False
        with os.fdopen(self._reading, "rb") as source:
            try:
                answer = source.read()
                done = True
            finally:
                if not done:
                    os.kill(self._pid, signal.SIGKILL)
                status = os.waitpid(self._pid, 0)[1]
        found: Beside = pickle.loads(answer) if status == 0 else self._look()
        return found


def look(subject: Subject, path: str) -> Beside:
    """Do it all in a browser of its own."""
    # A copy, which tells nothing to the one that started this process.
    return _looked(replace(subject, on_stage=lambda name: None, _shared={}), path)


def _tell(pipe: int, seen: Callable[[], Beside]) -> None:
    status = 1
    try:
        with os.fdopen(pipe, "wb") as out:
            pickle.dump(seen(), out, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _looked(subject: Subject, path: str) -> Beside:
    try:
        browser = Framed(subject)
    except (Unfit, TimeoutError) as problem:
        return Beside(problem, Small(problem, problem))
    wanted = wanted_markers(subject)
    try:
        tour = _explored(browser, path, wanted)
        small = see_small(browser, path, wanted)
        if isinstance(small.view, View):
            small.view.develop()
        return Beside(tour, small, browser.heard_of(path))
    finally:
        browser.close()


def _explored(browser: Framed, path: str, wanted: int) -> Tour | Unfit | TimeoutError:
    try:
        with browser.left_when_stuck():
            return explore(browser, path, wanted)
    except (Unfit, TimeoutError) as problem:
        return problem
