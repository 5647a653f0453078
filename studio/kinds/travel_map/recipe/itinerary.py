"""The same plan as text, in Markdown."""

from __future__ import annotations

import re

from .trip import Day, Stop, Trip
from .words import Words

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|])")


def _plain(text: str) -> str:
    """Text without a meaning in Markdown."""
    return _MARKS.sub(r"\\\1", text)


def itinerary(trip: Trip, words: Words) -> str:
    """Each day with its stops, their times, what to do, tips, distances and positions."""
    lines = [f"# {_plain(trip.title)}", ""]
    about = [trip.destination, trip.travellers, trip.theme]
    lines += [" · ".join(_plain(text) for text in about if text), ""]
    lines += [
        f"{words['days']}: {len(trip.days)} · {words['stops']}: {len(trip.stops)} · {words.distance(trip.km)}",
        "",
    ]
    for day in trip.days:
        lines += _day(day, words)
    return "\n".join(lines).rstrip() + "\n"


def _day(day: Day, words: Words) -> list[str]:
    lines = [f"## {words.day(day.number)}", ""]
    if not day.stops:
        return [*lines, words["leisure"], ""]
    if day.legs:
        walk = f" · {words.on_foot(day.walk_min)}" if day.walk_min else ""
        lines += [f"{words.distance(day.km)}{walk}", ""]
    if day.approach:
        lines += [f"↓ {words.distance(day.approach)}", ""]
    for index, stop in enumerate(day.stops):
        lines += _stop(stop, words)
        if index < len(day.legs):
            lines.append(f"   - ↓ {words.distance(day.legs[index])}")
    return [*lines, ""]


def _stop(stop: Stop, words: Words) -> list[str]:
    time = f"{stop.time} " if stop.time else ""
    lines = [f"{stop.number}. {time}**{_plain(stop.name)}**"]
    if stop.activity:
        lines.append(f"   - {_plain(stop.activity)}")
    if stop.tip:
        lines.append(f"   - {words['tip']}: {_plain(stop.tip)}")
    lines.append(f"   - {stop.at[0]:.4f}, {stop.at[1]:.4f}")
    return lines
