"""What a second browser does while the first one is clicked through: it sees the page narrow, and uses every control.

Its pages are loaded anew, so nothing that is done in the first browser can be missed in them.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial

from sandbox_image.inspector.framed import Framed, Heard
from sandbox_image.inspector.page_controls import wanted_markers
from sandbox_image.inspector.page_policy import FOREIGN
from sandbox_image.inspector.page_tour import Tour, explore
from sandbox_image.inspector.page_views import NARROW, View, see
from sandbox_image.inspector.subject import Json, Subject, Unfit


@dataclass(frozen=True)
class Beside:
    """What the second browser showed, or why it could not, and what was heard of the page there."""

    tour: Tour | Unfit | TimeoutError
    narrow: View | Unfit | TimeoutError
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
        return Beside(problem, problem)
    try:
        narrow = _or_problem(browser, lambda: _narrow(browser, path))
        with ThreadPoolExecutor(1) as pool:
            if isinstance(narrow, View):
                pool.submit(narrow.develop)  # a page that is loaded is mostly waited for
            tour = _or_problem(browser, lambda: explore(browser, path, wanted_markers(subject)))
        return Beside(tour, narrow, browser.heard_of(path))
    finally:
        browser.close()


def _or_problem(browser: Framed, seen: Callable[[], Json]) -> Json:
    try:
        with browser.left_when_stuck():
            return seen()
    except (Unfit, TimeoutError) as problem:
        return problem


def _narrow(browser: Framed, path: str) -> View:
    browser.show(path, FOREIGN, *NARROW)
    return see(browser, NARROW[0])
