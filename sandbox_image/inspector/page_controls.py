"""What is used on a page, and how a person gets its map before them: waits, scrolls, closes a dialog."""

from __future__ import annotations

import time
from dataclasses import dataclass

from sandbox_image.inspector.framed import Framed
from sandbox_image.inspector.subject import Subject

COMING_S = 0.8  # markers that come one after the other come at least as fast
ABSENT_S = 2.5  # how long a page without any marker is waited for
MOST_TO_CLOSE = 6  # controls that are tried where something lies over the map
SCROLL, WAIT = "scroll", "wait"


@dataclass(frozen=True)
class Control:
    """Something to use: where it is in the document, what it is called, which of its choices is taken.

    In the place of a path, SCROLL is to scroll through the page and back, WAIT to wait for `choice` ms.
    """

    path: str
    words: str
    choice: int | None = None


def wanted_markers(subject: Subject) -> int:
    """How many markers the contract asks for."""
    return next((int(each.args["minimum"]) for each in subject.checks if each.id == "map.markers"), 0)


def controls_of(browser: Framed) -> list[Control]:
    """All that can be used now."""
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
    if browser.rest():
        browser.settle(1.5)
    return True


def _in_sight(browser: Framed) -> int:
    return sum(marker["shown"] or marker["clustered"] for marker in browser.ask("markers"))


def arrive(browser: Framed, wanted: int) -> tuple[Control, ...]:
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
    for control in controls_of(browser):
        if len(used) >= MOST_TO_CLOSE:
            break
        if control.choice is None and use(browser, control):
            used.append(control)
            browser.settle(1.0)
            if not browser.ask("veiled"):
                return tuple(used)
    return ()
