"""Every marker of a map is clicked, each time from the page's first view, and what it shows is read."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from sandbox_image.inspector.framed import Framed
from sandbox_image.inspector.page_controls import Control, use
from sandbox_image.inspector.page_policy import FOREIGN
from sandbox_image.inspector.page_tour import Key, Tour, key_of
from sandbox_image.inspector.page_views import WIDE
from sandbox_image.inspector.page_visit import browser_of, first, tour
from sandbox_image.inspector.stop_words import lacking, lacking_of_any, tells_all
from sandbox_image.inspector.subject import Json, Subject
from sandbox_image.inspector.words import fold

Enough: TypeAlias = Callable[[str], bool]

EARTH_KM = 6371.0088
CLICKS_S = 45.0
FIRST_CLICKS_S = 15.0  # of markers that are in sight at first
IN_VAIN = 2  # of them that show nothing fitting: then all controls are used before any more are clicked
PATIENCE_S = 2.6  # how long a click may take to show something: the map may fly there first
LESS_PATIENCE_S = 1.2  # the same, after some that showed nothing
NEAR_KM = 1.0
TOO_SLOW = "was not clicked, as the page is too slow"
CANDIDATES = 5  # markers that are tried for one stop
MOST_MARKERS = 150
CALM_S = 0.5  # what has not changed for so long, with something shown, is all that the click shows
VAIN_RELOADS = 3  # a page that was opened again so often without showing more will not show more


def distance_km(a: Sequence[float], b: Sequence[float]) -> float:
    """Great-circle distance of (latitude, longitude) pairs in degrees, by the haversine formula."""
    la, lb = math.radians(a[0]), math.radians(b[0])
    half = math.sin((lb - la) / 2) ** 2
    half += math.cos(la) * math.cos(lb) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(max(0.0, half))))


def placed(marker: Json) -> bool:
    """Has the marker a position that can be one?"""
    lat, lon = marker["lat"], marker["lon"]
    return lat is not None and lon is not None and math.isfinite(lat) and math.isfinite(lon)


@dataclass
class Click:
    """One marker that was clicked, or could not be."""

    marker: Json
    reached: bool
    texts: list[str]
    why: str = ""  # for a marker that cannot be reached
    pictures: list[Json] = field(default_factory=list)


@dataclass
class Shown:
    """What came of one stop of the brief: its marker, and what its click did not show."""

    stop: Json
    click: Click | None = None
    missing: list[str] = field(default_factory=list)
    elsewhere: Click | None = None  # a marker that shows the stop, but is not the one at its place


@dataclass
class Clicks:
    """What all the clicks showed; `late` where there was no time for all."""

    shown: list[Shown] = field(default_factory=list)
    clicks: list[Click] = field(default_factory=list)
    late: bool = False
    pictures: list[Json] = field(default_factory=list)  # that are seen when all is done, where pictures are looked for


def _away(marker: Json, stop: Json) -> float:
    """Distance of a marker from the stop's place in km; infinite where it has no position."""
    return distance_km((marker["lat"], marker["lon"]), (stop["lat"], stop["lon"])) if placed(marker) else math.inf


def clicks_at_first(subject: Subject, path: str, stops: Sequence[Json]) -> _Clicker:
    """Click the markers of the first view, which needs no control to be used before. Raises Unfit, TimeoutError."""
    first(subject, path)
    return subject.shared(f"clicks at first:{path}", lambda: _Clicker(subject, path, stops))


def clicks(subject: Subject, path: str, stops: Sequence[Json]) -> Clicks:
    """Click through the map: for each stop of the brief its marker, or all markers where the brief has no stops."""
    clicker = clicks_at_first(subject, path, stops)
    found = tour(subject, path)
    return subject.shared(f"clicks:{path}", lambda: clicker.all(found))


class _Clicker:
    """Clicks one page's markers: first those of the first view, then, as all controls were used, the others."""

    def __init__(self, subject: Subject, path: str, stops: Sequence[Json]) -> None:
        self._browser: Framed = browser_of(subject)
        self._path = path
        self._stops = stops
        seen = first(subject, path)
        self._tour: Tour = seen.start
        self._visit = seen.visit  # the browser's that is clicked in
        self._done: dict[Key, Click] = {}
        self._route: tuple[Control, ...] | None = self._tour.opening
        self._vain = 0
        self._patience_s = LESS_PATIENCE_S
        self._late = False
        self._photos = any(check.id == "images.used" for check in subject.checks)
        self._pictures: list[Json] = []
        self._deadline = time.monotonic() + FIRST_CLICKS_S
        with self._browser.left_when_stuck():
            self._at_first()

    def _at_first(self) -> None:
        """Keep the clicks that show what they should; whatever does not is clicked again when all is known."""
        wanted: list[tuple[Key, Enough]] = []
        if self._stops:
            for stop in self._stops:
                wanted += [(key, partial(self._shows, stop=stop)) for key in self._candidates(stop)[:1]]
        else:
            answering = [key for key, marker in self._tour.markers.items() if marker["answers"]]
            wanted += [(key, _is_full) for key in answering[:MOST_MARKERS]]
        vain = 0
        for key, enough in wanted:
            if key in self._done or key not in self._tour.routes:
                continue
            if vain >= IN_VAIN or time.monotonic() > self._deadline:
                break
            click = self._once_more(key, enough)
            if any(enough(text) for text in click.texts):
                self._done[key] = click
            else:
                vain += 1
        self._look()

    def all(self, found: Tour) -> Clicks:
        """What every marker shows; `found` is what is known after all controls were used."""
        self._tour, self._patience_s = found, PATIENCE_S
        self._deadline = time.monotonic() + CLICKS_S
        with self._browser.left_when_stuck():
            done = self._all()
            if self._visit == self._browser.visits:
                self._look()
        done.pictures = self._pictures
        return done

    def _look(self) -> None:
        if self._photos:
            self._pictures += self._browser.ask("pictures")

    def _all(self) -> Clicks:
        found = Clicks()
        if not self._tour.markers:
            found.shown = [Shown(stop) for stop in self._stops]
            return found
        if self._stops:
            for stop in sorted(self._stops, key=lambda stop: self._first_route(stop)):
                found.shown.append(self._stop(stop))
            found.shown.sort(key=lambda shown: self._stops.index(shown.stop))
        else:
            for key, marker in list(self._tour.markers.items())[:MOST_MARKERS]:
                if marker["answers"]:
                    self._click(key, _is_full)
        found.clicks = list(self._done.values())
        found.late = self._late
        return found

    def _first_route(self, stop: Json) -> str:
        """Stops that the same controls bring to sight come together."""
        keys = self._candidates(stop)
        return repr(self._tour.routes.get(keys[0], ())) if keys else "~"

    def _candidates(self, stop: Json) -> list[Key]:
        """Markers that may be the stop's, the likeliest first: at its place, by name, near it."""
        name = fold(stop["name"])

        def rank(key: Key) -> tuple[bool, bool, int, float]:
            marker = self._tour.markers[key]
            words = len(lacking(marker["label"], stop))
            return not self._at(marker, stop), name not in fold(marker["label"]), words, _away(marker, stop)

        ranked = sorted((rank(key), str(key), key) for key, each in self._tour.markers.items() if each["answers"])
        likely = [key for (_, nameless, _, away), _, key in ranked if not nameless or away <= NEAR_KM]
        return likely[: CANDIDATES if likely else 0]

    def _at(self, marker: Json, stop: Json) -> bool:
        """Is the marker at the place of the stop, and not rather at another's?"""
        away = _away(marker, stop)
        return away <= NEAR_KM and away <= min(_away(marker, other) for other in self._stops)

    def _stop(self, stop: Json) -> Shown:
        best = Shown(stop, None, [field for field in ("name", "start", "end", "activity", "tip") if stop.get(field)])
        keys = self._candidates(stop) or self._unclaimed()
        own = [key for key in keys if self._at(self._tour.markers[key], stop)]
        for key in keys:
            click = self._click(key, partial(self._shows, stop=stop))
            if not click.reached:
                if best.click is None:
                    best.click = click
                continue
            texts = [text for text in click.texts if not tells_all(text, self._stops)]
            missing = min((lacking(text, stop) for text in texts), key=len, default=best.missing)
            if own and key not in own:
                best.elsewhere = best.elsewhere if missing else click
            elif best.click is None or not best.click.reached or len(missing) < len(best.missing):
                best = Shown(stop, click, missing)
            if not missing:
                break
        if best.click is None and (mute := self._mute(stop)):
            best.click = Click(mute, False, [], "does nothing when it is clicked")
        return best

    def _mute(self, stop: Json) -> Json | None:
        """A marker of the stop that no click is listened for."""
        every = [marker for marker in self._tour.markers.values() if not marker["answers"]]
        named = [marker for marker in every if fold(stop["name"]) in fold(marker["label"])]
        return next(iter(named or [marker for marker in every if self._at(marker, stop)]), None)

    def _shows(self, text: str, stop: Json) -> bool:
        return not lacking(text, stop) and not tells_all(text, self._stops)

    def _unclaimed(self) -> list[Key]:
        """Markers without a fitting name or position, for a stop that has none: they may be in the wrong place."""
        places = [(stop["lat"], stop["lon"]) for stop in self._stops]

        def alone(marker: Json) -> bool:
            at = (marker["lat"], marker["lon"])
            return not placed(marker) or all(distance_km(at, place) > NEAR_KM for place in places)

        far = [key for key, marker in self._tour.markers.items() if marker["answers"] and alone(marker)]
        return far[:20]

    def _click(self, key: Key, enough: Enough) -> Click:
        """Click a marker from the first view; once more after loading the page again where that showed nothing."""
        done = self._done.get(key)
        if done and (not done.reached or any(enough(text) for text in done.texts)):
            return done
        route = self._tour.routes.get(key)
        if route is None:
            click = Click(self._tour.markers[key], False, [], "is never seen, whatever tab or filter is chosen")
        elif time.monotonic() > self._deadline:
            self._late = True
            click = Click(self._tour.markers[key], False, [], TOO_SLOW)
        else:
            fresh = self._return(route)
            click = self._try(key, enough)
            good = any(enough(text) for text in click.texts)
            if not good and not fresh and self._vain < VAIN_RELOADS:
                self._load(route)
                again = self._try(key, enough)
                click = again if again.reached else click
                self._vain += not any(enough(text) for text in again.texts)
            if not good and self._vain >= VAIN_RELOADS:
                self._patience_s = LESS_PATIENCE_S
        self._done[key] = click
        return click

    def _return(self, route: tuple[Control, ...]) -> bool:
        """Go back to the first view, and to what the controls show then; True where the page was loaded anew."""
        if self._route != route or self._visit != self._browser.visits:
            self._load(route)
            return True
        self._browser.ask("reset")
        return False

    def _load(self, route: tuple[Control, ...]) -> None:
        self._browser.show(self._path, FOREIGN, *WIDE)
        for control in route:
            use(self._browser, control)
        if route:
            self._browser.settle(2.0)
        self._browser.ask("mark")
        self._route, self._visit = route, self._browser.visits

    def _try(self, key: Key, enough: Enough) -> Click:
        browser = self._browser
        now = [marker for marker in browser.ask("markers") if key_of(marker) == key]
        if not now:
            return Click(self._tour.markers[key], False, [], "is gone when the page is opened again")
        marker = next((each for each in now if each["shown"]), now[0])
        self._open_clusters(marker)
        point = self._point(marker["id"])
        if "x" not in point:
            return Click(marker, False, [], _reason(point))
        browser.ask("watch")
        return self._hit(marker, point, enough)

    def _once_more(self, key: Key, enough: Enough) -> Click:
        """Click a marker of the first view from there, with few questions to the page."""
        number = self._tour.markers[key]["id"]
        now = self._browser.ask("again", number)
        marker = now["markers"][number] if number < len(now["markers"]) else None
        if marker and key_of(marker) == key and marker["shown"] and "x" in now["point"]:
            return self._hit(marker, now["point"], enough)
        self._browser.ask("reset")
        return self._try(key, enough)

    def _hit(self, marker: Json, point: Json, enough: Enough) -> Click:
        """Click at a point, and take in what that shows until it is enough or nothing more comes."""
        browser = self._browser
        browser.click(point["x"], point["y"])
        texts: list[str] = []
        began = changed = time.monotonic()
        while time.monotonic() < began + self._patience_s:
            browser.wait(0.01)
            now_shown = browser.ask("shown")
            if now_shown != texts:
                texts, changed = now_shown, time.monotonic()
            if any(enough(text) for text in texts) or (texts and time.monotonic() > changed + CALM_S):
                break
        pictures = browser.ask("pictures") if self._photos else []
        return Click(marker, True, texts, pictures=pictures)

    def _open_clusters(self, marker: Json) -> None:
        for _ in range(8):
            if marker["shown"] or not marker["clustered"]:
                return
            point = self._browser.ask("point", marker["id"], True)
            if "x" not in point:
                return
            self._browser.click(point["x"], point["y"])
            self._browser.wait(0.1)
            self._browser.settle(1.5)
            marker |= self._browser.ask("markers")[marker["id"]]

    def _point(self, number: int) -> Json:
        """Where the marker can be hit; the map is moved, then enlarged, where it lies outside or under another."""
        browser = self._browser
        point = browser.ask("point", number)
        for closer in (0, 2, 4, 7):
            if "x" in point or point["why"] in ("gone", "hidden"):
                break
            if not browser.ask("bring", number, closer):
                break
            browser.wait(0.05)
            browser.settle(1.0)
            point = browser.ask("point", number)
        return point


def _is_full(text: str) -> bool:
    """Does the text say what any stop's must?"""
    return not lacking_of_any(text)


def _reason(point: Json) -> str:
    if point["why"] == "covered":
        return f"lies under {point['by']}" if point.get("by") else "is covered"
    return {"outside": "lies outside of the window", "hidden": "cannot be seen"}.get(point["why"], "is gone")
