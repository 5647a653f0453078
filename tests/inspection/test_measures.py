"""What single measures of the inspector say, on both sides of their limits."""

from __future__ import annotations

import pytest

from sandbox_image.inspector.counting import best_count, misplaced, repeated
from sandbox_image.inspector.framed import is_tile
from sandbox_image.inspector.spelling import Spelling

NUMBERS = [5, 4, 3, 2, 1]


def _seen(first_s: float = 0.0, slot_s: float = 1.0, rounds: int = 1) -> dict[int, list[float]]:
    """Four stills of each number, all numbers as often as there are rounds."""
    times: dict[int, list[float]] = {}
    for each in range(rounds):
        for place, number in enumerate(NUMBERS):
            begin = first_s + (each * len(NUMBERS) + place) * slot_s
            times.setdefault(number, []).extend(begin + slot_s * quarter / 4 for quarter in range(4))
    return times


@pytest.mark.parametrize(("late_s", "astray"), [(0.0, []), (1.0, []), (3.5, [5])])
def test_numbers_out_of_their_slots(late_s: float, astray: list[int]) -> None:
    seen, seconds = _seen(late_s), 8.0 + late_s
    count = best_count(NUMBERS, seen, seconds, 1.5, 1.0)
    assert len(count.times) >= 4
    assert misplaced(NUMBERS, seen, count, seconds - 1.5) == astray


def test_a_number_that_is_only_misread_elsewhere_is_not_out_of_its_slot() -> None:
    seen = _seen() | {3: [0.25, 0.5]}
    count = best_count(NUMBERS, seen, 7.5, 1.5, 0.2)
    assert 3 not in count.times
    assert misplaced(NUMBERS, seen, count, 6.0) == []
    assert misplaced(NUMBERS, seen | {3: [0.0, 0.25, 0.5]}, count, 6.0) == [3]


def test_counting_twice() -> None:
    twice, once = _seen(slot_s=0.5, rounds=2), _seen()
    assert repeated(NUMBERS, twice, best_count(NUMBERS, twice, 7.5, 1.5, 1.0), 6.0)
    count = best_count(NUMBERS, once, 7.5, 1.5, 1.0)
    assert not repeated(NUMBERS, once, count, 6.0)
    assert not repeated(NUMBERS, once | {1: [0.25, *once[1]], 4: [*once[4], 4.5]}, count, 6.0)  # two misreadings


@pytest.mark.parametrize(
    ("read", "right"),
    [
        ("Happy Birthday, Valentina!", True),
        ("HAPPY BIRTHDAY VAIENTINA", True),  # I for l
        ("Happy Birthday, Va1entina", True),
        ("Happy Birthday, Valentino!", False),
        ("Valen tina", True),
    ],
)
def test_letters_that_look_alike(read: str, right: bool) -> None:
    assert Spelling("Valentina").right(read) is right


def test_the_same_mistake_every_time_is_a_misspelling() -> None:
    written, misread = Spelling("Katharina"), Spelling("Katharina")
    for _ in range(3):
        written.note("Happy Birthday, Katarina!")
    for words in ("Kathanna", "Kathaxina", "Kathariwa"):
        misread.note(f"Happy Birthday, {words}!")
    assert written.misspelled
    assert not misread.misspelled
    assert not Spelling("Katharina").misspelled


def test_other_scripts_are_not_spelled_out() -> None:
    assert Spelling("Ксения").right("Ксенми")


@pytest.mark.parametrize(
    ("address", "tile"),
    [
        ("https://tile.example/12/2200/1343.png", True),
        ("https://tile.example/light/12/2200/1343@2x.png?key=1", True),
        ("https://map.example/tile?lang=zh&x=1&y=2&z=3", True),
        ("https://map.example/wms?SERVICE=WMS&REQUEST=GetMap&bbox=1,2,3,4", True),
        ("https://map.example/wms?SERVICE=WMS&REQUEST=GetLegendGraphic", False),
        ("https://pictures.example/2024/05/pier.jpg", False),
    ],
)
def test_what_is_a_tile(address: str, tile: bool) -> None:
    assert is_tile(address) is tile
