"""What is done with a delivered page, once for all checks: it is seen wide and narrow, and every control is used."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sandbox_image.inspector import page_beside
from sandbox_image.inspector.framed import Framed, Load
from sandbox_image.inspector.page_beside import Beside, Looking
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_views import WIDE, View, see
from sandbox_image.inspector.subject import Json, Subject

Key: TypeAlias = tuple[float | None, float | None, str]  # latitude, longitude, label: what tells a marker from others

CONTROLS_S = 15.0  # no more controls are tried after this
REPEATS = 14  # how often a control such as "next day" is used again while it shows more


@dataclass(frozen=True)
class Control:
    """Something to use: where it is in the document, what it is called, which of its choices is taken."""

    path: str
    words: str
    choice: int | None = None


@dataclass
class Tour:
    """What the first view and the controls showed."""

    wide: View
    markers: dict[Key, Json]  # all that were ever made, as they were first seen
    lines: dict[int, list[list[float]]] = field(default_factory=dict)
    tiles: dict[str, Json] = field(default_factory=dict)
    routes: dict[Key, tuple[Control, ...]] = field(default_factory=dict)  # controls that bring a marker to sight
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
    browser.ask("mark")
    found = Tour(wide=see(browser, WIDE[0]), markers={})
    if any(asked.id == "images.used" for asked in subject.checks):
        found.pictures = browser.ask("pictures")
    found.strokes, found.spots = browser.ask("strokes"), browser.ask("spots")
    boxes = browser.ask("boxes", [[stop["lat"], stop["lon"]] for stop in stops_of(subject)])
    found.boxes, found.expected = boxes["markers"], boxes["positions"]
    seen: set[Key] = set()
    _gather(browser, found, (), seen)
    deadline = time.monotonic() + CONTROLS_S
    revealing: list[Control] = []
    for control in _controls(browser):
        if time.monotonic() > deadline:
            break
        if use(browser, control):
            found.controls += 1
            new = _gather(browser, found, (control,), seen)
            if new and control.choice is None:
                revealing.append(control)
    for control in revealing:
        for times in range(2, REPEATS + 1):
            if time.monotonic() > deadline or seen >= found.markers.keys():
                break
            if not use(browser, control) or not _gather(browser, found, (control,) * times, seen):
                break
    browser.note_blocked()
    return found


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
    if control.choice is not None:
        browser.ask("choose", control.path, control.choice)
    else:
        point = browser.ask("controlPoint", control.path)
        if "x" not in point:
            return False
        browser.click(point["x"], point["y"])
    browser.wait(0.05)
    return True


def key_of(marker: Json) -> Key:
    """What tells a marker from the others, also when the page is opened again."""
    lat, lon = (None if value is None else round(value, 6) for value in (marker["lat"], marker["lon"]))
    return lat, lon, marker["label"][:100]


def _gather(browser: Framed, found: Tour, route: tuple[Control, ...], seen: set[Key]) -> int:
    """Keep what is on the map now; how many markers came to sight that were not seen before."""
    for line in browser.ask("lines"):
        found.lines.setdefault(line["id"], line["points"])
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
