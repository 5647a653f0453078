"""A page on a phone, and in a frame without an origin: seen in one visit, as a page that works shows no difference.

Only where something is wrong there is it opened again, to tell a fault of the width from one of the missing origin.
"""

from __future__ import annotations

from dataclasses import dataclass

from sandbox_image.inspector.framed import Framed
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


def see_small(browser: Framed, path: str, wanted: int) -> Small:
    """See the page narrow and without an origin; `wanted` markers are looked for."""
    said = len(browser.heard_of(path).errors)
    view: View | Unfit | TimeoutError
    markers: list[Json] | Unfit | TimeoutError
    try:
        with browser.left_when_stuck():
            browser.show(path, OPAQUE, *NARROW)
            view = see(browser, NARROW[0])
            markers = _used(browser, path, wanted)
    except (Unfit, TimeoutError) as problem:
        view = markers = problem
    if isinstance(view, View) and not view.faulty and len(browser.heard_of(path).errors) == said:
        return Small(view, markers)
    try:
        with browser.left_when_stuck():
            browser.show(path, FOREIGN, *NARROW)
            return Small(see(browser, NARROW[0]), markers)
    except (Unfit, TimeoutError) as problem:
        return Small(problem, markers)


def _used(browser: Framed, path: str, wanted: int) -> list[Json]:
    """The markers without an origin, of which the first are clicked."""
    found: list[Json] = browser.ask("markers")
    if wanted and not any(marker["shown"] for marker in found):
        # A phone may have its map behind a tab, or markers come late.
        browser.show(path, OPAQUE, *WIDE)
        arrive(browser, wanted)
        found = browser.ask("markers")
    for marker in [each for each in found if each["shown"]][:CLICKED]:
        if "x" in (point := browser.ask("point", marker["id"])):
            browser.click(point["x"], point["y"])
            if browser.rest():
                browser.settle(1.0)
    return found
