"""What other browsers do while the first one is clicked through: one uses every control, one sees the other views.

Their pages are loaded anew, so nothing that is done in the first browser can be missed in them.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from sandbox_image.inspector.framed import Framed, Heard
from sandbox_image.inspector.page_controls import arrive, wanted_markers
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_tour import Tour, explore
from sandbox_image.inspector.page_views import NARROW, WIDE, View, see
from sandbox_image.inspector.subject import Json, Subject, Unfit

Seen = TypeVar("Seen")

# The checks that look at the page without an origin; where none is asked for, it is not opened so.
LOOKING = frozenset(("html.no_errors", "html.self_contained", "map.markers"))


@dataclass(frozen=True)
class Used:
    """What the page and its controls showed, or why they could not, and what was heard of it."""

    tour: Tour | Unfit | TimeoutError
    heard: Heard = field(default_factory=Heard)


@dataclass(frozen=True)
class Others:
    """What the other views showed, or why they could not be seen, and what was heard in them."""

    narrow: View | Unfit | TimeoutError
    opaque: list[Json] | Unfit | TimeoutError
    heard: Heard = field(default_factory=Heard)


class Looking(Generic[Seen]):
    """A process with a browser of its own; `result` waits for it."""

    def __init__(self, look: Callable[[Subject, str], Seen], subject: Subject, path: str) -> None:
        self._look = partial(alone, look, subject, path)
        reading, writing = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _tell(writing, self._look)
        os.close(writing)
        self._reading = reading

    def result(self) -> Seen:
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
        found: Seen = pickle.loads(answer) if status == 0 else self._look()
        return found


def alone(look: Callable[[Subject, str], Seen], subject: Subject, path: str) -> Seen:
    """Look with a copy of the subject, which tells nothing to the one that started this process."""
    return look(replace(subject, on_stage=lambda name: None, _shared={}), path)


def _tell(pipe: int, seen: Callable[[], Any]) -> None:
    status = 1
    try:
        with os.fdopen(pipe, "wb") as out:
            pickle.dump(seen(), out, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def use_controls(subject: Subject, path: str) -> Used:
    """Use every control of the page at 1280 px."""
    try:
        browser = Framed(subject)
    except (Unfit, TimeoutError) as problem:
        return Used(problem)
    try:
        tour = _or_problem(browser, lambda: explore(browser, path, wanted_markers(subject)))
        return Used(tour, browser.heard_of(path))
    finally:
        browser.close()


def see_others(subject: Subject, path: str) -> Others:
    """See the page narrow, and where it has no origin."""
    try:
        browser = Framed(subject)
    except (Unfit, TimeoutError) as problem:
        return Others(problem, problem)
    try:
        narrow = _or_problem(browser, lambda: _narrow(browser, path))
        loads = list(browser.heard_of(path).loads)  # at an address without origin others are the page's own
        opaque: Json = []
        if any(asked.id in LOOKING for asked in subject.checks):
            opaque = _or_problem(browser, lambda: _opaque(browser, path, wanted_markers(subject)))
        return Others(narrow, opaque, replace(browser.heard_of(path), loads=loads))
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


def _opaque(browser: Framed, path: str, wanted: int) -> list[Json]:
    """The markers where the page has no origin: no storage, no cookies. The first of them are clicked."""
    browser.show(path, OPAQUE, *WIDE)
    arrive(browser, wanted)
    found: list[Json] = browser.ask("markers")
    for marker in [each for each in found if each["shown"]][:3]:
        if "x" in (point := browser.ask("point", marker["id"])):
            browser.click(point["x"], point["y"])
            if browser.rest():
                browser.settle(1.0)
    return found
