"""What is done with a delivered page, once for all checks: it is seen wide and narrow, and every control is used.

One browser sees the page and is clicked through; what needs no part in that is done by others, side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from sandbox_image.inspector.framed import Framed, Heard, Load
from sandbox_image.inspector.page_beside import Looking, Others, Used, alone, see_others, use_controls
from sandbox_image.inspector.page_controls import arrive, wanted_markers
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_tour import Key, Tour, in_sight, key_of
from sandbox_image.inspector.page_views import WIDE, View, see
from sandbox_image.inspector.subject import Json, Subject, Unfit

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class First:
    """The page at 1280 px as it comes."""

    wide: View
    start: Tour  # the markers that there are at first
    visit: int  # which of the browser's it was
    boxes: dict[Key, list[float]]  # of the markers that are in the window
    expected: list[list[float] | None] = field(default_factory=list)  # around the positions of the brief's stops
    pictures: list[Json] = field(default_factory=list)  # where attachments are looked for


# What other browsers do meanwhile, by page; of this process.
_using: dict[str, Looking[Used]] = {}
_seeing: dict[str, Looking[Others]] = {}


def browser_of(subject: Subject) -> Framed:
    """The one browser of this process."""
    return subject.shared("browser", lambda: Framed(subject))


def stops_of(subject: Subject) -> list[Json]:
    """The stops as the popups' check has them, so that all checks share one round of clicks."""
    return list(next((each.args["stops"] for each in subject.checks if each.id == "map.popups"), []))


def first(subject: Subject, path: str) -> First:
    """The page at 1280 px, before anything is done. Raises Unfit, TimeoutError."""
    return subject.shared(f"first view:{path}", lambda: _first(subject, path))


def narrow(subject: Subject, path: str) -> View:
    """The page at 390 px. Raises Unfit, TimeoutError."""
    return _unless_problem(_others(subject, path).narrow)


def tour(subject: Subject, path: str) -> Tour:
    """The page at 1280 px with every control used once. Raises Unfit, TimeoutError."""
    return _unless_problem(_used(subject, path).tour)


def opaque(subject: Subject, path: str) -> list[Json]:
    """The markers of the page where it has no origin: no storage, no cookies. Raises Unfit, TimeoutError."""
    return _unless_problem(_others(subject, path).opaque)


def heard(subject: Subject, path: str) -> Heard:
    """What all browsers heard of the page so far."""
    own = browser_of(subject).heard_of(path)
    return own.with_(_used(subject, path).heard).with_(_others(subject, path).heard)


def _unless_problem(found: Seen | Unfit | TimeoutError) -> Seen:
    if isinstance(found, Unfit | TimeoutError):
        raise found
    return found


def _used(subject: Subject, path: str) -> Used:
    first(subject, path)

    def wait() -> Used:
        begun = _using.pop(path, None)
        return begun.result() if begun else alone(use_controls, subject, path)

    return subject.shared(f"controls:{path}", wait)


def _others(subject: Subject, path: str) -> Others:
    first(subject, path)

    def wait() -> Others:
        begun = _seeing.pop(path, None)
        return begun.result() if begun else alone(see_others, subject, path)

    return subject.shared(f"other views:{path}", wait)


def _first(subject: Subject, path: str) -> First:
    subject.file(path)
    _using[path] = Looking(use_controls, subject, path)
    _seeing[path] = Looking(see_others, subject, path)
    browser = browser_of(subject)
    with browser.left_when_stuck():
        browser.show(path, FOREIGN, *WIDE)
        start = Tour(markers={}, opening=arrive(browser, wanted_markers(subject)))
        browser.ask("mark")
        wide = see(browser, WIDE[0])
        pictures = browser.ask("pictures") if any(asked.id == "images.used" for asked in subject.checks) else []
        markers = browser.ask("markers")
        boxes = browser.ask("boxes", [[stop["lat"], stop["lon"]] for stop in stops_of(subject)])
    placed: dict[Key, list[float]] = {}
    for marker, box in zip(markers, boxes["markers"], strict=False):
        key = key_of(marker)
        start.markers.setdefault(key, marker)
        if in_sight(marker):
            start.routes[key] = start.opening
        if box:
            placed.setdefault(key, box)
    return First(wide, start, browser.visits, placed, boxes["positions"], pictures)


def foreign_loads(loads: list[Load], *, beside: bool = False) -> list[Load]:
    """What a page loads that is not in it and is no tile of a map.

    Its own pictures may lie beside it; with `beside`, all that it loads may.
    """
    bases = (FOREIGN.base, OPAQUE.base)
    own = [load for load in loads if load.url.startswith(bases) and (beside or load.kind in ("Image", "Media"))]
    return [load for load in loads if not load.tile and load not in own]
