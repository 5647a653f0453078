"""The trip as the brief gives it, in the order in which it is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .geo import Point, distance_km, mercator, middle, unwrapped

WALK_KMH = 4.8
DETOUR = 1.3  # streets against the great circle
JOURNEY_KM = 120.0  # reach from which a trip goes from place to place, and does not come home each evening
WALKABLE_KM = 30.0  # a day above this is not walked


@dataclass(frozen=True)
class Stop:
    """One stop; `number` counts over the whole trip, `shown` its position on the map, perhaps around the globe."""

    number: int
    day: int
    name: str
    at: Point
    shown: Point
    start: str | None
    end: str | None
    activity: str | None
    tip: str | None
    photo: str | None

    @property
    def minutes(self) -> int:
        """How long one stays; 0 where the brief does not tell."""
        if not (self.start and self.end):
            return 0
        (h1, m1), (h2, m2) = (map(int, text.split(":")) for text in (self.start, self.end))
        return 60 * (h2 - h1) + m2 - m1

    @property
    def time(self) -> str:
        if self.start and self.end and self.start != self.end:
            return f"{self.start}–{self.end}"
        if self.end and not self.start:
            return f"–{self.end}"
        return self.start or ""


@dataclass(frozen=True)
class Day:
    """One day: its stops in order, and the great-circle distance of each leg in km."""

    number: int
    stops: tuple[Stop, ...]
    legs: tuple[float, ...] = field(default=())
    approach: float | None = None  # km from the stop before the day's first, on trips that go from place to place

    @property
    def km(self) -> float:
        return sum(self.legs)

    @property
    def highlight(self) -> Stop | None:
        """What the day is for, as far as the brief tells."""
        if len(self.stops) < 3:
            return None
        pictured = [stop for stop in self.stops if stop.photo]
        if pictured:
            return pictured[0]
        stays = sorted(((stop.minutes, -stop.number) for stop in self.stops), reverse=True)
        (longest, number), (second, _) = stays[0], stays[1]
        return next(stop for stop in self.stops if stop.number == -number) if longest > second else None

    @property
    def walk_min(self) -> int | None:
        """Minutes on foot, roughly; None where nobody would walk that."""
        if not self.legs or self.km > WALKABLE_KM:
            return None
        return max(5, round(self.km * DETOUR / WALK_KMH * 12) * 5)


@dataclass(frozen=True)
class Trip:
    """All of it."""

    title: str
    destination: str
    language: str
    travellers: str | None
    theme: str | None
    days: tuple[Day, ...]
    centre: Point

    @property
    def stops(self) -> list[Stop]:
        return [stop for day in self.days for stop in day.stops]

    @property
    def km(self) -> float:
        return sum(day.km + (day.approach or 0.0) for day in self.days)

    @property
    def reach_km(self) -> float:
        """Distance of the farthest stop from the centre."""
        return max(distance_km(self.centre, stop.at) for stop in self.stops)

    @property
    def aspect(self) -> float:
        """Width by height of all stops on the Mercator plane."""
        flat = [mercator(stop.shown) for stop in self.stops]
        xs, ys = [x for x, _ in flat], [y for _, y in flat]
        return (max(xs) - min(xs) + 1e-6) / (max(ys) - min(ys) + 1e-6)

    @property
    def starred(self) -> set[int]:
        """The numbers of the days' highlights: of three stops or more the one with a photo, or stayed at longest."""
        return {stop.number for day in self.days if (stop := day.highlight)}


def read_trip(brief: dict[str, Any]) -> Trip:
    """The trip of a brief; each day by time where all its stops have one, else as listed."""
    params = brief["params"]
    listed = params["stops"]
    positions = [(float(item["lat"]), float(item["lon"])) for item in listed]
    centre = params.get("center")
    middle_point = (float(centre["lat"]), float(centre["lon"])) if centre else middle(positions)
    shown = unwrapped(positions)
    days, number = [], 0
    for day in range(1, params["days"] + 1):
        indexes = [index for index, item in enumerate(listed) if item["day"] == day]
        if all(listed[index].get("start") for index in indexes):
            indexes.sort(key=lambda index: listed[index]["start"])
        stops = []
        for index in indexes:
            number += 1
            item = listed[index]
            words = {key: item.get(key) for key in ("start", "end", "activity", "tip", "photo")}
            stops.append(Stop(number, day, item["name"], positions[index], shown[index], **words))
        days.append(Day(day, tuple(stops), _legs(stops)))
    if max(distance_km(middle_point, position) for position in positions) >= JOURNEY_KM:
        days = list(_approached(days))
    return Trip(
        title=brief["title"],
        destination=params["destination"],
        language=brief.get("language", "en"),
        travellers=params.get("travellers"),
        theme=params.get("theme"),
        days=tuple(days),
        centre=middle_point,
    )


def _legs(stops: Sequence[Stop]) -> tuple[float, ...]:
    return tuple(distance_km(a.at, b.at) for a, b in zip(stops, stops[1:], strict=False))


def _approached(days: Sequence[Day]) -> Iterator[Day]:
    last: Stop | None = None
    for day in days:
        yield replace(day, approach=distance_km(last.at, day.stops[0].at)) if last and day.stops else day
        last = day.stops[-1] if day.stops else last
