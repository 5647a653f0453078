"""Every control of a page is used once, and what that brings to sight is gathered."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TypeAlias

from sandbox_image.inspector.framed import Framed
from sandbox_image.inspector.page_controls import Control, arrive, controls_of, use
from sandbox_image.inspector.page_policy import FOREIGN
from sandbox_image.inspector.page_views import WIDE
from sandbox_image.inspector.subject import Json

Key: TypeAlias = tuple[float | None, float | None, str]  # latitude, longitude, label: what tells a marker from others

CONTROLS_S = 15.0  # no more controls are tried after this
INNER = 20  # controls that another one brings to sight
REPEATS = 14  # how often a control such as "next day" is used again while it shows more


@dataclass
class Tour:
    """What the page at 1280 px and its controls showed."""

    markers: dict[Key, Json]  # all that were ever made, as they were first seen
    lines: dict[str, list[list[float]]] = field(default_factory=dict)
    tiles: dict[str, Json] = field(default_factory=dict)
    routes: dict[Key, tuple[Control, ...]] = field(default_factory=dict)  # controls that bring a marker to sight
    opening: tuple[Control, ...] = ()  # what a person does first to have the map before them
    controls: int = 0
    strokes: list[list[list[float]]] = field(default_factory=list)
    spots: list[list[float] | None] = field(default_factory=list)
    credit: str = ""


def key_of(marker: Json) -> Key:
    """What tells a marker from the others, also when the page is opened again."""
    lat, lon = (None if value is None else round(value, 6) for value in (marker["lat"], marker["lon"]))
    return lat, lon, marker["label"][:100]


def in_sight(marker: Json) -> bool:
    """Can a person see the marker, or the cluster that it is in?"""
    return bool(marker["shown"] or marker["clustered"])


def explore(browser: Framed, path: str, wanted: int) -> Tour:
    """Open the page at 1280 px and use each of its controls; `wanted` markers are waited for at first."""
    browser.show(path, FOREIGN, *WIDE)
    found = Tour(markers={}, opening=arrive(browser, wanted))
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
        """Keep what is on the map now; how many markers came to sight that were not seen before."""
        found, now = self._found, self._browser.ask("sights")
        for line in now["lines"]:
            if len(line["points"]) > len(found.lines.get(line["id"], ())):  # some grow before one's eyes
                found.lines[line["id"]] = line["points"]
        for layer in now["tiles"]:
            if layer["on"]:
                found.tiles.setdefault(layer["url"], layer)
        if found.tiles and not found.credit:
            found.credit = self._browser.ask("text") or ""
        new = 0
        for marker in now["markers"]:
            key = key_of(marker)
            found.markers.setdefault(key, marker)
            if key not in self._seen and in_sight(marker):
                self._seen.add(key)
                found.routes[key] = (*found.opening, *route)
                new += 1
        if (new or not route) and not found.lines:
            self._gather_drawn()
        return new

    def _gather_drawn(self) -> None:
        """Where markers and lines of a page without Leaflet are seen, those of a tab when it is open."""
        found, spots = self._found, self._browser.ask("spots")
        found.strokes += [stroke for stroke in self._browser.ask("strokes") if stroke not in found.strokes]
        found.spots += [None] * (len(spots) - len(found.spots))
        found.spots = [old or new for old, new in zip(found.spots, [*spots, *found.spots[len(spots) :]], strict=True)]
