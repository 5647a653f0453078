"""What a report's places say to the pages: where on a picture, in a film, a piece or a screenshot a finding is drawn.

Places come out of a sandbox. Each is checked and cut to what can be drawn before it is used; a check's verdict does not
depend on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from studio.contract import Finding, Place, Report

MAX_MARKS = 120
MAX_SECONDS = 3600.0
LEAST_PERCENT = 0.4  # of a box's sides, so that a hairline is seen


@dataclass(frozen=True)
class Box:
    """A place on a picture in per cent of its width and height, from the upper left corner."""

    left: float
    top: float
    width: float
    height: float

    @property
    def badge_left(self) -> float:
        """Where the number stands: at the box's corner, and inside of the picture."""
        return min(max(self.left, 1.0), 97.0)

    @property
    def badge_top(self) -> float:
        return min(max(self.top, 1.0), 98.5)


@dataclass(frozen=True)
class Mark:
    """One drawn place. `look` is how: `fail`, `wished` (a should-check that fails), `error` or `pass`."""

    number: int
    check: str
    look: str
    path: str
    label: str
    message: str
    box: Box | None
    window: int | None  # width in CSS px of the page's width: of a screenshot, the window in which it was taken
    time_s: float | None
    until_s: float | None

    @property
    def anchor(self) -> str:
        return f"at-{self.number}"


@dataclass(frozen=True)
class Evidence:
    """All drawn places of a report, numbered through: what fails comes first."""

    marks: tuple[Mark, ...] = ()

    def of(self, finding: Finding) -> tuple[Mark, ...]:
        """The places of one check."""
        return tuple(mark for mark in self.marks if mark.check == finding.id)

    def on(self, path: str) -> tuple[Mark, ...]:
        """The boxes on one picture."""
        return tuple(mark for mark in self.marks if mark.box and mark.path == path)

    def seen_at(self, path: str, width: int) -> tuple[Mark, ...]:
        """The boxes on the screenshot of a page in a window of this width, in CSS px."""
        return tuple(mark for mark in self.on(path) if mark.window == width)

    @property
    def timed(self) -> tuple[Mark, ...]:
        """The places in time, in their order."""
        return tuple(sorted((m for m in self.marks if m.time_s is not None), key=lambda m: m.time_s or 0.0))


def evidence_of(report: Report | None) -> Evidence:
    """The places of a report that can be drawn."""
    if report is None:
        return Evidence()
    ordered = [*report.failed, *(finding for finding in report.checks if finding.verdict == "pass")]
    marks: list[Mark] = []
    for finding in ordered:
        for place in places_of(finding):
            if (mark := _mark(finding, place, len(marks) + 1)) and len(marks) < MAX_MARKS:
                marks.append(mark)
    return Evidence(tuple(marks))


def places_of(finding: Finding) -> Sequence[Place]:
    """All places of a finding."""
    return finding.places or ([finding.place] if finding.place else [])


def _mark(finding: Finding, place: Place, number: int) -> Mark | None:
    box, time_s = _box(place), _second(place.time_s)
    if box is None and time_s is None:
        return None
    until_s = _second(place.until_s)
    look: str = finding.verdict
    if look == "fail" and finding.severity == "should":
        look = "wished"
    return Mark(
        number=number,
        check=finding.id,
        look=look,
        path=place.file,
        label=place.label,
        message=finding.message,
        box=box,
        window=round(place.page[2]) if place.page and box else None,
        time_s=time_s,
        until_s=until_s if until_s is not None and time_s is not None and until_s > time_s else None,
    )


def _second(value: float | None) -> float | None:
    return value if value is not None and 0 <= value <= MAX_SECONDS else None


def _box(place: Place) -> Box | None:
    """The share of the page that a box covers, cut at the page's edges; None where nothing of it can be drawn."""
    if place.box is None or place.page is None:
        return None
    numbers = (*place.box, *place.page)
    if not all(math.isfinite(number) and abs(number) < 1e9 for number in numbers):
        return None
    x, y, width, height = place.box
    page_x, page_y, page_width, page_height = place.page
    if width < 0 or height < 0 or page_width < 1e-6 or page_height < 1e-6:
        return None
    left, right = _cut((x - page_x) / page_width, (x + width - page_x) / page_width)
    top, bottom = _cut((y - page_y) / page_height, (y + height - page_y) / page_height)
    return Box(round(left, 3), round(top, 3), round(right - left, 3), round(bottom - top, 3))


def _cut(low: float, high: float) -> tuple[float, float]:
    """An interval in per cent, inside of the page and wide enough to be seen; what lies beyond sticks to the edge."""
    low, high = (min(max(100 * value, 0.0), 100.0) for value in (low, high))
    if high - low < LEAST_PERCENT:
        middle = min(max((low + high) / 2, LEAST_PERCENT / 2), 100 - LEAST_PERCENT / 2)
        low, high = middle - LEAST_PERCENT / 2, middle + LEAST_PERCENT / 2
    return low, high
