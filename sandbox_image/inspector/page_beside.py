"""What a second browser does while the first one is clicked through: it uses every control, and has no origin after.

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
from sandbox_image.inspector.page_controls import arrive, wanted_markers
from sandbox_image.inspector.page_policy import OPAQUE
from sandbox_image.inspector.page_tour import Tour, explore
from sandbox_image.inspector.page_views import WIDE
from sandbox_image.inspector.subject import Json, Subject, Unfit

# The checks that look at the page without an origin; where none is asked for, it is not opened so.
LOOKING = frozenset(("html.no_errors", "html.self_contained", "map.markers"))


@dataclass(frozen=True)
class Beside:
    """What the second browser showed, or why it could not, and what was heard of the page there."""

    tour: Tour | Unfit | TimeoutError
    opaque: list[Json] | Unfit | TimeoutError
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
    wanted = wanted_markers(subject)
    try:
        browser = Framed(subject)
    except (Unfit, TimeoutError) as problem:
        return Beside(problem, problem)
    try:
        tour = _or_problem(browser, lambda: explore(browser, path, wanted))
        opaque: Json = []
        if any(asked.id in LOOKING for asked in subject.checks):
            opaque = _or_problem(browser, lambda: _opaque(browser, path, wanted))
        return Beside(tour, opaque, browser.heard_of(path))
    finally:
        browser.close()


def _or_problem(browser: Framed, seen: Callable[[], Json]) -> Json:
    try:
        with browser.left_when_stuck():
            return seen()
    except (Unfit, TimeoutError) as problem:
        return problem


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
