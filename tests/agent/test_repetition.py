"""A model that goes in circles is told once, and is stuck when it goes on."""

from __future__ import annotations

import pytest

from studio.agent.repetition import FORGIVEN, Repetition
from studio.errors import Stuck


def told(watch: Repetition, steps: str) -> list[str]:
    """The last step of each nudge; `!` behind it where that was the end."""
    found = []
    for number, step in enumerate(steps, start=1):
        try:
            if watch.seen(step):
                found.append(f"{step}{number}")
        except Stuck:
            return [*found, f"{step}{number}!"]
    return found


@pytest.mark.parametrize(
    ("steps", "nudges"),
    [
        ("AAAA", ["A3", "A4!"]),
        ("AABAACAAB", []),
        ("ABABAB", ["B4", "B6!"]),
        ("XABABCD", ["B5"]),
        ("ABABACAB", ["B4"]),
        ("ABCABCABCABC", ["C9", "C12!"]),
        ("ABCABCDE", []),
        ("AAABCDEFFF", ["A3", "F10!"]),
    ],
)
def test_circles(steps: str, nudges: list[str]) -> None:
    assert told(Repetition(), steps) == nudges


def test_a_long_time_without_a_circle_forgives() -> None:
    between = "".join(chr(0x4E00 + n) for n in range(FORGIVEN))
    assert told(Repetition(), f"AAA{between}BBBB")[:2] == ["A3", f"B{FORGIVEN + 6}"]
