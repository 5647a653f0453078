"""Does a film count as it should? Which of the numbers read fall into their slots, and in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from sandbox_image.inspector.numerals import Reading

ELSEWHERE = 3  # stills in which a number is seen that is not just misread
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


def misplaced(numbers: Sequence[int], seen: dict[int, list[float]], count: Count, until_s: float) -> list[int]:
    """Numbers that are plainly shown before `until_s`, but not in their slots."""
    absent = [number for number in numbers if number not in count.times]
    return [number for number in absent if sum(time < until_s for time in seen.get(number, ())) >= ELSEWHERE]


def repeated(numbers: Sequence[int], seen: dict[int, list[float]], count: Count, until_s: float) -> bool:
    """Do half of the numbers, and two at least, come back after one that follows them? One or two may be misread."""
    back = 0
    for place, number in enumerate(numbers):
        times = [time for time in seen.get(number, ()) if time < until_s]
        after = [time for later in numbers[place + 1 :] for time in seen.get(later, ())]
        gaps = [(a, b) for a, b in zip(times, times[1:], strict=False) if b - a > count.slot]
        back += any(a < time < b for a, b in gaps for time in after)
    return back >= max(2, len(numbers) / 2)


def times_seen(numbers: Sequence[int], stills: Sequence[tuple[float, Sequence[Reading]]]) -> dict[int, list[float]]:
    """When each number is the one shown. `stills`: time, and what was read there.

    What is there most of the time is a thing that looks like a number, and left out. Where several numbers of like
    height stand apart from each other, none is the one shown.
    """
    wanted = set(numbers)
    counts = Counter(reading.number for _, found in stills for reading in found)
    fixtures = {number for number, times in counts.items() if len(wanted) > 2 and times > 0.6 * len(stills)}
    seen: dict[int, list[float]] = {}
    for time, found in stills:
        shown = [reading for reading in found if reading.number in wanted - fixtures]
        if not shown:
            continue
        largest = max(shown, key=lambda reading: reading.tall)
        apart = [reading for reading in shown if not reading.within(largest)]
        if all(largest.tall > 1.25 * reading.tall for reading in apart):
            for reading in shown:
                if reading.within(largest):
                    seen.setdefault(reading.number, []).append(time)
    return seen
