"""A page on a phone, and in a frame without an origin: seen in one visit, as a page that works shows no difference.

Where something is wrong in that, it does not count: the page is opened anew for each of the two, and what is heard then
is held against it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from sandbox_image.inspector.framed import Framed, Heard
from sandbox_image.inspector.page_controls import arrive
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE
from sandbox_image.inspector.page_views import NARROW, WIDE, View, see
from sandbox_image.inspector.subject import Json, Unfit

CLICKED = 3  # markers, where there is no storage


@dataclass(frozen=True)
class Small:
    """The page at 390 px, and its markers where it has no origin, or why they could not be had."""

    view: View | Unfit | TimeoutError
    markers: list[Json] | Unfit | TimeoutError
    heard: Heard = field(default_factory=Heard)


def see_small(browser: Framed, path: str, wanted: int) -> Small:
    """See the page narrow and without an origin; `wanted` markers are looked for."""
    heard = browser.heard_of(path)
    said = len(heard.errors)
    with suppress(Unfit, TimeoutError), browser.left_when_stuck():
        browser.show(path, OPAQUE, *NARROW)
        view = see(browser, NARROW[0])
        markers = _clicked(browser)
        seen = not wanted or any(marker["shown"] for marker in markers)
        if seen and not view.faulty and len(heard.errors) == said:
            return Small(view, markers)
    del heard.errors[said:]
    return Small(_narrow(browser, path), _without_origin(browser, path, wanted))


def _narrow(browser: Framed, path: str) -> View | Unfit | TimeoutError:
    try:
        with browser.left_when_stuck():
            browser.show(path, FOREIGN, *NARROW)
            return see(browser, NARROW[0])
    except (Unfit, TimeoutError) as problem:
        return problem


def _without_origin(browser: Framed, path: str, wanted: int) -> list[Json] | Unfit | TimeoutError:
    try:
        with browser.left_when_stuck():
            browser.show(path, OPAQUE, *WIDE)
            arrive(browser, wanted)
            return _clicked(browser)
    except (Unfit, TimeoutError) as problem:
        return problem


def _clicked(browser: Framed) -> list[Json]:
    """The markers, of which the first are clicked."""
    found: list[Json] = browser.ask("markers")
    for marker in [each for each in found if each["shown"]][:CLICKED]:
        if "x" in (point := browser.ask("point", marker["id"])):
            browser.click(point["x"], point["y"])
            if browser.rest():
                browser.settle(1.0)
    return found
