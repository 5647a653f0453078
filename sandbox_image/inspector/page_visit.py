"""What is done with a delivered page, once for all checks: it is seen wide and narrow, and every control is used."""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sandbox_image.inspector.framed import Framed, Load
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.subject import Json, Subject

Key: TypeAlias = tuple[float | None, float | None, str]  # latitude, longitude, label: what tells a marker from others

WIDE, NARROW = (1280, 800), (390, 844)
CONTROLS_S = 15.0  # no more controls are tried after this
COMING_S = 0.8  # markers that come one after the other come at least as fast
ABSENT_S = 2.5  # how long a page without any marker is waited for
MOST_TO_CLOSE = 6  # controls that are tried where something lies over the map
INNER = 20  # controls that another one brings to sight
REPEATS = 14  # how often a control such as "next day" is used again while it shows more


@dataclass(frozen=True)
class View:
    """A page at one size."""

    width: int
    picture: bytes  # PNG of the window
    text: str
    beyond: int  # CSS px by which it is too wide
    widest: str


SCROLL, WAIT = "scroll", "wait"


@dataclass(frozen=True)
class Control:
    """Something to use: where it is in the document, what it is called, which of its choices is taken.

    In the place of a path, SCROLL is to scroll through the page and back, WAIT to wait for `choice` ms.
    """

    path: str
    words: str
    choice: int | None = None


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
    credit: str = ""


def browser_of(subject: Subject) -> Framed:
    """The one browser of this process."""
    return subject.shared("browser", lambda: Framed(subject))


def stops_of(subject: Subject) -> list[Json]:
    """The stops as the popups' check has them, so that all checks share one round of clicks."""
    return list(next((each.args["stops"] for each in subject.checks if each.id == "map.popups"), []))


def see(browser: Framed, width: int) -> View:
    """The page as it is now."""
    shot = browser.call("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    spread = browser.ask("overflow")
    return View(width, base64.b64decode(shot["data"]), browser.ask("text") or "", spread["beyond"], spread["by"])


def tour(subject: Subject, path: str) -> Tour:
    """The page at 1280 px: first seen, then with every control used once."""
    return subject.shared(f"tour:{path}", lambda: _tour(subject, path))


def narrow(subject: Subject, path: str) -> View:
    """The page at 390 px."""

    def look() -> View:
        browser = browser_of(subject)
        browser.show(path, FOREIGN, *NARROW)
        return see(browser, NARROW[0])

    return subject.shared(f"narrow:{path}", look)


def opaque(subject: Subject, path: str) -> list[Json]:
    """The markers of the page where it has no origin: no storage, no cookies."""

    def look() -> list[Json]:
        browser = browser_of(subject)
        opening = tour(subject, path).opening
        browser.show(path, OPAQUE, *WIDE)
        for control in opening:
            use(browser, control)
        found: list[Json] = browser.ask("markers")
        for marker in [each for each in found if each["shown"]][:3]:
            if "x" in (point := browser.ask("point", marker["id"])):
                browser.click(point["x"], point["y"])
                browser.wait(0.1)
        return found

    return subject.shared(f"opaque:{path}", look)


def _tour(subject: Subject, path: str) -> Tour:
    browser = browser_of(subject)
    browser.show(path, FOREIGN, *WIDE)
    wanted = next((int(each.args["minimum"]) for each in subject.checks if each.id == "map.markers"), 0)
    opening = _arrive(browser, wanted)
    browser.ask("mark")
    found = Tour(wide=see(browser, WIDE[0]), markers={}, opening=opening)
    _Explorer(browser, found).explore()
    browser.note_blocked()
    return found


def _in_sight(browser: Framed) -> int:
    return sum(marker["shown"] or marker["clustered"] for marker in browser.ask("markers"))


def _arrive(browser: Framed, wanted: int) -> tuple[Control, ...]:
    """Have the map before one: wait for markers that come late, scroll to a map below, close what lies over it."""
    opening: list[Control] = []
    began = came = time.monotonic()
    count = _in_sight(browser)
    while count < wanted and time.monotonic() < came + (COMING_S if count else ABSENT_S):
        browser.wait(0.1)
        now = _in_sight(browser)
        if now > count:
            count, came = now, time.monotonic()
    if came > began:
        opening.append(Control(WAIT, "", round((came - began) * 1000)))
    if wanted and not count:
        opening.append(Control(SCROLL, ""))
        use(browser, opening[-1])
        if not _in_sight(browser):
            opening.pop()
    return (*opening, *_unveil(browser))


def _unveil(browser: Framed) -> tuple[Control, ...]:
    """Close a dialog or a start page that lies over the map; the controls that did it."""
    if not browser.ask("veiled"):
        return ()
    used: list[Control] = []
    for control in _controls(browser):
        if len(used) >= MOST_TO_CLOSE:
            break
        if control.choice is None and use(browser, control):
            used.append(control)
            browser.settle(1.0)
            if not browser.ask("veiled"):
                return tuple(used)
    return ()


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
        first = _controls(self._browser)
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
            inner = [each for each in _controls(self._browser) if each.words not in self._known][:INNER]
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


def _controls(browser: Framed) -> list[Control]:
    found = []
    for item in browser.ask("controls"):
        if item["choices"]:
            found += [Control(item["path"], item["words"], index) for index in range(min(int(item["choices"]), 16))]
        else:
            found.append(Control(item["path"], item["words"]))
    return found


def use(browser: Framed, control: Control) -> bool:
    """Click a control, or take its choice; False where it cannot be reached."""
    if control.path == WAIT:
        browser.wait((control.choice or 0) / 1000)
        return True
    if control.path == SCROLL:
        browser.ask("wander")
    elif control.choice is not None:
        browser.ask("choose", control.path, control.choice)
    else:
        point = browser.ask("controlPoint", control.path)
        if "x" not in point:
            return False
        browser.click(point["x"], point["y"])
    browser.wait(0.05)
    if browser.ask("state")["waits"]:
        browser.settle(1.5)
    return True


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


def foreign_loads(loads: list[Load]) -> list[Load]:
    """What a page loads that is not in it and is no tile of a map; its own pictures may lie beside it."""
    media, own = ("Image", "Media"), (FOREIGN.base, OPAQUE.base)
    return [load for load in loads if not load.tile and not (load.kind in media and load.url.startswith(own))]
