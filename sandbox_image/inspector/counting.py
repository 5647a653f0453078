"""Does a film count as it should? Which of the numbers read fall into their slots, and in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

FINALE_SHARE = 0.35  # of the film: a finale that is longer is not one that the numbers gave way to


@dataclass(frozen=True)
class Count:
    """The numbers that were read in their slots, each with the middle of the time when it was."""

    slot: float
    times: dict[int, float]

    @property
    def in_order(self) -> bool:
        """Does each number read come after the one before it?"""
        shown = list(self.times.values())
        return all(a < b for a, b in zip(shown, shown[1:], strict=False))


def slots(count: int, seconds: float, finale_s: float) -> list[float]:
    """Lengths of a slot that are allowed: one second, or a share of all the time before the finale.

    The finale begins where the maker wants, but takes at least `finale_s` and not most of the film.
    """
    latest = seconds - finale_s
    earliest = min(latest, seconds - max(finale_s, FINALE_SHARE * seconds))
    steps = 8
    shares = [(earliest + (latest - earliest) * step / steps) / count for step in range(steps, -1, -1)]
    fits = [1.0] if count * 1.0 <= seconds else []
    return fits + [share for share in dict.fromkeys(shares) if share > 0]


def best_count(
    numbers: Sequence[int], seen: dict[int, list[float]], seconds: float, finale_s: float, within_s: float
) -> Count:
    """The count by the slots that fit best. `seen`: the times at which each number was read."""
    best: Count | None = None
    for slot in slots(len(numbers), seconds, finale_s):
        times: dict[int, float] = {}
        for place, number in enumerate(numbers):
            start, end = place * slot - within_s, (place + 1) * slot + within_s
            near = [time for time in seen.get(number, ()) if start <= time <= end]
            if near:
                times[number] = median(near)
        count = Count(slot, times)
        if best is None or (len(times), count.in_order) > (len(best.times), best.in_order):
            best = count
    assert best is not None
    return best


def without_fixtures(seen: dict[int, list[float]], stills: int, count: int) -> dict[int, list[float]]:
    """Leave out numbers that are there most of the time: a list of all, or a thing that looks like a number."""
    if count < 3:
        return seen
    return {number: times for number, times in seen.items() if len(times) <= 0.6 * stills}
