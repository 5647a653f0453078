"""What a report's places say to the pages: where on a picture, in a film, a piece or a screenshot a finding is drawn.

Places come out of a sandbox. Each is checked and cut to what can be drawn before it is used; a check's verdict does not
depend on it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from studio.contract import Finding, Place, Report

MAX_MARKS = 120
MAX_SECONDS = 3600.0
LANES, APART_PERCENT = 4, 7.0  # of a line of time; numbers closer than this would cover one another on a phone
BADGE_PERCENT = 5.0  # of a picture's width: that of a number on one 400 px wide
INSIDE_S = 0.1
LEAST_PERCENT = 0.4  # of a box's sides, so that a hairline is seen


@dataclass(frozen=True)
class Box:
    """A place on a picture in per cent of its width and height, from the upper left corner."""

    left: float
    top: float
    width: float
    height: float
    shape: float  # width ÷ height of the picture
    badge_left: float = 0.0  # where the number stands: at a corner, clear of the numbers before it
    badge_top: float = 0.0


@dataclass(frozen=True)
class Mark:
    """One drawn place. `look` is how: `fail`, `wished` (a should-check that fails), `error` or `pass`."""

    number: int
    checks: tuple[str, ...]  # those that are about this place
    look: str
    path: str
    label: str
    message: str
    box: Box | None
    window: int | None  # width in CSS px of the page's width: of a screenshot, the window in which it was taken
    time_s: float | None
    until_s: float | None

    @property
    def shown_s(self) -> float | None:
        """The time whose frame shows it: of a stretch one that is surely inside."""
        if self.time_s is None or self.until_s is None:
            return self.time_s
        return round(self.time_s + min(INSIDE_S, (self.until_s - self.time_s) / 2), 3)

    @property
    def anchor(self) -> str:
        return f"at-{self.number}"


@dataclass(frozen=True)
class Tick:
    """A place on a line of time, in per cent of its length."""

    mark: Mark
    left: float
    width: float
    lane: int

    @property
    def badge_left(self) -> float:
        return min(max(self.left, 2.0), 98.0)


@dataclass(frozen=True)
class Evidence:
    """All drawn places of a report, numbered through: what fails comes first."""

    marks: tuple[Mark, ...] = ()

    def of(self, finding: Finding) -> tuple[Mark, ...]:
        """The places of one finding; a check may be asked of several files."""
        files = {place.file for place in places_of(finding)}
        return tuple(mark for mark in self.marks if finding.id in mark.checks and mark.path in files)

    def on(self, path: str) -> tuple[Mark, ...]:
        """The boxes on one picture."""
        return tuple(mark for mark in self.marks if mark.box and mark.path == path)

    def seen_at(self, path: str, width: int) -> tuple[Mark, ...]:
        """The boxes on the screenshot of a page in a window of this width, in CSS px."""
        return tuple(mark for mark in self.on(path) if mark.window == width)

    def timeline(self, seconds: float) -> tuple[Tick, ...]:
        """The places in time on a line of this length, those that come close one under the other."""
        timed = sorted((mark for mark in self.marks if mark.time_s is not None), key=lambda mark: mark.time_s or 0.0)
        ends = [-100.0] * LANES
        ticks = []
        for mark in timed:
            left, right = (min(100 * (at or 0.0) / seconds, 100.0) for at in (mark.time_s, mark.until_s or mark.time_s))
            lane = 0
            if mark.look != "pass":  # seen one check at a time, so they need no room of their own
                lane = next((lane for lane in range(LANES) if left >= ends[lane]), LANES - 1)
                ends[lane] = max(left + APART_PERCENT, right)
            ticks.append(Tick(mark, round(left, 3), round(max(right - left, LEAST_PERCENT), 3), lane))
        return tuple(ticks)


def evidence_of(report: Report | None) -> Evidence:
    """The places of a report that can be drawn."""
    if report is None:
        return Evidence()
    marks: dict[object, Mark] = {}
    for finding in ordered(report):
        for place in places_of(finding):
            mark = _mark(finding, place, len(marks) + 1)
            if mark is None:
                continue
            same = (mark.path, mark.window, mark.box, mark.time_s, mark.until_s, mark.look)
            if known := marks.get(same):
                marks[same] = replace(known, checks=tuple(dict.fromkeys((*known.checks, finding.id))))
            elif len(marks) < MAX_MARKS:
                marks[same] = mark
    return Evidence(_numbered_apart(marks.values()))


def _numbered_apart(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """The marks, their numbers at corners of the boxes where they cover no other number, if there is one."""
    taken: dict[tuple[str, int | None], list[tuple[float, float]]] = {}
    found = []
    for mark in marks:
        if box := mark.box:
            spots = taken.setdefault((mark.path, mark.window), [])
            at = next((at for at in _corners(box) if all(_apart(at, other, box.shape) for other in spots)), None)
            left, top = at or _corners(box)[0]
            if mark.look != "pass":  # seen one check at a time
                spots.append((left, top))
            mark = replace(mark, box=replace(box, badge_left=left, badge_top=top))
        found.append(mark)
    return tuple(found)


def _corners(box: Box) -> list[tuple[float, float]]:
    across = [box.left, box.left + box.width, box.left + box.width / 2, box.left - BADGE_PERCENT]
    return [
        (round(min(max(x, 3.0), 97.0), 3), round(min(max(y, 2.0), 98.0), 3))
        for x in across
        for y in (box.top, box.top + box.height)
    ]


def _apart(a: tuple[float, float], b: tuple[float, float], shape: float) -> bool:
    return math.hypot(a[0] - b[0], (a[1] - b[1]) / shape) >= BADGE_PERCENT


def ordered(report: Report) -> list[Finding]:
    """The findings as a spec sheet lists them: what does not hold first."""
    return [*report.failed, *(finding for finding in report.checks if finding.verdict == "pass")]


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
        checks=(finding.id,),
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
    shape = page_width / page_height
    return Box(round(left, 3), round(top, 3), round(right - left, 3), round(bottom - top, 3), shape)


def _cut(low: float, high: float) -> tuple[float, float]:
    """An interval in per cent, inside of the page and wide enough to be seen; what lies beyond sticks to the edge."""
    low, high = (min(max(100 * value, 0.0), 100.0) for value in (low, high))
    if high - low < LEAST_PERCENT:
        middle = min(max((low + high) / 2, LEAST_PERCENT / 2), 100 - LEAST_PERCENT / 2)
        low, high = middle - LEAST_PERCENT / 2, middle + LEAST_PERCENT / 2
    return low, high
