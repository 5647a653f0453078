"""What is done with a delivered page, once for all checks: it is seen wide and narrow, and every control is used.

One browser sees the page and is clicked through; what needs no part in that is done by two others, side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sandbox_image.inspector import page_beside
from sandbox_image.inspector.framed import Framed, Heard, Load
from sandbox_image.inspector.page_beside import Beside, Looking
from sandbox_image.inspector.page_controls import arrive, wanted_markers
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_tour import Key, Tour, in_sight, key_of
from sandbox_image.inspector.page_views import WIDE, View, see
from sandbox_image.inspector.subject import Json, Subject


@dataclass(frozen=True)
class First:
    """The page at 1280 px as it comes."""

    wide: View
    start: Tour  # the markers that there are at first
    visit: int  # which of the browser's it was
    boxes: dict[Key, list[float]]  # of the markers that are in the window
    expected: list[list[float] | None] = field(default_factory=list)  # around the positions of the brief's stops
    pictures: list[Json] = field(default_factory=list)  # where attachments are looked for


_begun: dict[str, Looking] = {}  # by page; of this process


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
    view = beside(subject, path).small.view
    if isinstance(view, View):
        return view
    raise view


def tour(subject: Subject, path: str) -> Tour:
    """The page at 1280 px with every control used once. Raises Unfit, TimeoutError."""
    found = beside(subject, path).tour
    if isinstance(found, Tour):
        return found
    raise found


def opaque(subject: Subject, path: str) -> list[Json]:
    """The markers of the page where it has no origin: no storage, no cookies. Raises Unfit, TimeoutError."""
    markers = beside(subject, path).small.markers
    if isinstance(markers, list):
        return markers
    raise markers


def beside(subject: Subject, path: str) -> Beside:
    """What the other browsers saw, which began with the first view."""

    def wait() -> Beside:
        looking = _begun.pop(path, None)
        return looking.result() if looking else page_beside.look(subject, path)

    first(subject, path)
    return subject.shared(f"other views:{path}", wait)


def heard(subject: Subject, path: str) -> Heard:
    """What all browsers heard of the page so far."""
    return browser_of(subject).heard_of(path).with_(beside(subject, path).heard)


def _first(subject: Subject, path: str) -> First:
    subject.file(path)
    _begun[path] = Looking(subject, path)
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
