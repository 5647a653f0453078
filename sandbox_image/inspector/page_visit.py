"""What is done with a delivered page, once for all checks: it is seen wide and narrow, and every control is used."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sandbox_image.inspector import page_beside
from sandbox_image.inspector.framed import Framed, Load
from sandbox_image.inspector.page_beside import Beside, Looking
from sandbox_image.inspector.page_controls import Control, arrive, controls_of, use, wanted_markers
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_views import WIDE, View, see
from sandbox_image.inspector.subject import Json, Subject

Key: TypeAlias = tuple[float | None, float | None, str]  # latitude, longitude, label: what tells a marker from others

CONTROLS_S = 15.0  # no more controls are tried after this
INNER = 20  # controls that another one brings to sight
REPEATS = 14  # how often a control such as "next day" is used again while it shows more


@dataclass
class Tour:
    """What the first view and the controls showed."""

    wide: View
    markers: dict[Key, Json]  # all that were ever made, as they were first seen
    lines: dict[str, list[list[float]]] = field(default_factory=dict)
    tiles: dict[str, Json] = field(default_factory=dict)
    routes: dict[Key, tuple[Control, ...]] = field(default_factory=dict)  # controls that bring a marker to sight
    opening: tuple[Control, ...] = ()  # what a person does first to have the map before them
    controls: int = 0
    strokes: list[list[list[float]]] = field(default_factory=list)
    spots: list[list[float] | None] = field(default_factory=list)
    boxes: list[list[float] | None] = field(default_factory=list)  # of the markers in the first view, by their ids
    expected: list[list[float] | None] = field(default_factory=list)  # around the positions of the brief's stops
    credit: str = ""
    pictures: list[Json] = field(default_factory=list)  # in the first view, where attachments are looked for


_begun: dict[str, Looking | None] = {}  # by page; of this process


def browser_of(subject: Subject) -> Framed:
    """The one browser of this process."""
    return subject.shared("browser", lambda: Framed(subject))


def stops_of(subject: Subject) -> list[Json]:
    """The stops as the popups' check has them, so that all checks share one round of clicks."""
    return list(next((each.args["stops"] for each in subject.checks if each.id == "map.popups"), []))


def tour(subject: Subject, path: str) -> Tour:
    """The page at 1280 px: first seen, then with every control used once."""
    return subject.shared(f"tour:{path}", lambda: _tour(subject, path))


def narrow(subject: Subject, path: str) -> View:
    """The page at 390 px. Raises Unfit, TimeoutError."""
    view = beside(subject, path).narrow
    if isinstance(view, View):
        return view
    raise view


def opaque(subject: Subject, path: str) -> list[Json]:
    """The markers of the page where it has no origin: no storage, no cookies. Raises Unfit, TimeoutError."""
    found = beside(subject, path).opaque
    if isinstance(found, list):
        return found
    raise found


def beside(subject: Subject, path: str) -> Beside:
    """What a second browser saw, which began when the tour did."""

    def wait() -> Beside:
        looking = _begun.pop(path, None)
        return looking.result() if looking else page_beside.look(subject, path)

    return subject.shared(f"other views:{path}", wait)


def _tour(subject: Subject, path: str) -> Tour:
    subject.file(path)
    _begun[path] = page_beside.start(subject, path)
    browser = browser_of(subject)
    browser.show(path, FOREIGN, *WIDE)
    opening = arrive(browser, wanted_markers(subject))
    browser.ask("mark")
    found = Tour(wide=see(browser, WIDE[0]), markers={}, opening=opening)
    if any(asked.id == "images.used" for asked in subject.checks):
        found.pictures = browser.ask("pictures")
    boxes = browser.ask("boxes", [[stop["lat"], stop["lon"]] for stop in stops_of(subject)])
    found.boxes, found.expected = boxes["markers"], boxes["positions"]
    _Explorer(browser, found).explore()
    browser.note_blocked()
    return found


class _Explorer:
    """Uses every control of a page, those that others bring to sight too, and gathers what comes to sight."""

    def __init__(self, browser: Framed, found: Tour) -> None:
        self._browser = browser
        self._found = found
        self._seen: set[Key] = set()
        self._known: set[str] = set()
        self._deadline = time.monotonic() + CONTROLS_S

    def explore(self) -> None:
        """From the first view on; what a control does stays done when the next one is used."""
        self._gather(())
        first = controls_of(self._browser)
        self._known = {control.words for control in first}
        revealing = [control for control in first if self._use(control)]
        for control in revealing:
            for times in range(2, REPEATS + 1):
                if not self._hidden() or not self._in_time() or not use(self._browser, control):
                    break
                if not self._gather((control,) * times):
                    break

    def _in_time(self) -> bool:
        return time.monotonic() < self._deadline

    def _hidden(self) -> bool:
        """Are there markers that no control has brought to sight yet?"""
        return not self._seen >= self._found.markers.keys()

    def _use(self, control: Control) -> bool:
        """Use a control once; did it bring markers to sight, and may bring more?"""
        if not self._in_time() or not use(self._browser, control):
            return False
        self._found.controls += 1
        new = self._gather((control,))
        if self._hidden() and control.choice is None:
            inner = [each for each in controls_of(self._browser) if each.words not in self._known][:INNER]
            self._known |= {each.words for each in inner}
            for each in inner:
                # A menu closes when one of its entries is taken.
                if self._in_time() and (
                    use(self._browser, each) or (use(self._browser, control) and use(self._browser, each))
                ):
                    self._found.controls += 1
                    self._gather((control, each))
        return bool(new) and control.choice is None

    def _gather(self, route: tuple[Control, ...]) -> int:
        new = _gather(self._browser, self._found, (*self._found.opening, *route), self._seen)
        if (new or not route) and not self._found.lines:
            self._gather_drawn()
        return new

    def _gather_drawn(self) -> None:
        """Where markers and lines of a page without Leaflet are seen, those of a tab when it is open."""
        found, spots = self._found, self._browser.ask("spots")
        found.strokes += [stroke for stroke in self._browser.ask("strokes") if stroke not in found.strokes]
        found.spots += [None] * (len(spots) - len(found.spots))
        found.spots = [old or new for old, new in zip(found.spots, [*spots, *found.spots[len(spots) :]], strict=True)]


def key_of(marker: Json) -> Key:
    """What tells a marker from the others, also when the page is opened again."""
    lat, lon = (None if value is None else round(value, 6) for value in (marker["lat"], marker["lon"]))
    return lat, lon, marker["label"][:100]


def _gather(browser: Framed, found: Tour, route: tuple[Control, ...], seen: set[Key]) -> int:
    """Keep what is on the map now; how many markers came to sight that were not seen before."""
    for line in browser.ask("lines"):
        if len(line["points"]) > len(found.lines.get(line["id"], ())):  # some grow before one's eyes
            found.lines[line["id"]] = line["points"]
    for layer in browser.ask("tiles"):
        if layer["on"]:
            found.tiles.setdefault(layer["url"], layer)
    if found.tiles and not found.credit:
        found.credit = browser.ask("text") or ""
    now: list[Any] = browser.ask("markers")
    new = 0
    for marker in now:
        key = key_of(marker)
        found.markers.setdefault(key, marker)
        if key not in seen and (marker["shown"] or marker["clustered"]):
            seen.add(key)
            found.routes[key] = route
            new += 1
    return new


def foreign_loads(loads: list[Load], *, beside: bool = False) -> list[Load]:
    """What a page loads that is not in it and is no tile of a map.

    Its own pictures may lie beside it; with `beside`, all that it loads may.
    """
    bases = (FOREIGN.base, OPAQUE.base)
    own = [load for load in loads if load.url.startswith(bases) and (beside or load.kind in ("Image", "Media"))]
    return [load for load in loads if not load.tile and load not in own]
