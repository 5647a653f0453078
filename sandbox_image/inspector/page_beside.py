"""A page's other views, narrow and without an origin, seen by a second browser while the first one uses the page.

They are pages of their own, loaded anew, so nothing that the first browser does can be missed in them.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from sandbox_image.inspector.framed import Framed
from sandbox_image.inspector.page_controls import arrive, wanted_markers
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_views import NARROW, WIDE, View, see
from sandbox_image.inspector.subject import Json, Subject, Unfit

# The checks that look at these views; where none is asked for, no second browser is worth its start.
LOOKING = frozenset(("html.no_errors", "page.not_blank", "page.fits", "map.markers"))


@dataclass(frozen=True)
class Beside:
    """What the other views showed, or why they could not be seen."""

    narrow: View | Unfit | TimeoutError
    opaque: list[Json] | Unfit | TimeoutError
    errors: list[str] = field(default_factory=list)  # that the page reported in them


class Looking:
    """The process that looks at the other views; `result` waits for it."""

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


def start(subject: Subject, path: str) -> Looking | None:
    """Begin to look, where a check of the contract wants it."""
    return Looking(subject, path) if any(asked.id in LOOKING for asked in subject.checks) else None


def look(subject: Subject, path: str) -> Beside:
    """See the other views in a browser of their own."""
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
        narrow = _or_problem(lambda: _narrow(browser, path))
        opaque = _or_problem(lambda: _opaque(browser, path, wanted_markers(subject)))
        return Beside(narrow, opaque, browser.heard_of(path).faults)
    finally:
        browser.close()


def _or_problem(seen: Callable[[], Json]) -> Json:
    try:
        return seen()
    except (Unfit, TimeoutError) as problem:
        return problem


def _narrow(browser: Framed, path: str) -> View:
    browser.show(path, FOREIGN, *NARROW)
    return see(browser, NARROW[0])


def _opaque(browser: Framed, path: str, wanted: int) -> list[Json]:
    """The markers, of which the first are clicked."""
    browser.show(path, OPAQUE, *WIDE)
    arrive(browser, wanted)
    found: list[Json] = browser.ask("markers")
    for marker in [each for each in found if each["shown"]][:3]:
        if "x" in (point := browser.ask("point", marker["id"])):
            browser.click(point["x"], point["y"])
            browser.wait(0.1)
    return found
