"""Names as Tesseract reads them in the last seconds of a film."""

from __future__ import annotations

import pytest

from sandbox_image.inspector.last_words import says_name


@pytest.mark.parametrize(
    ("read", "name", "said"),
    [
        ("Happy Birthday, Luna!", "Luna", True),
        ("Happy Birthday, Luma!", "Luna", False),
        ("vV Happy Birthday, , 4Lunat! «4 in", "Luna 1", True),
        ("Happy Birthday, Luna l0", "Luna 10", True),
        ("Happy Birthday, Luna 7!", "Luna 1", False),
        ("Happy Birthday, Luna!", "Luna 1", False),
        ("Class 5b is done", "Class 5B", True),
        ("Class sb is done", "Class 5B", True),
        ("Class 6b is done", "Class 5B", False),
    ],
)
def test_a_name_is_read_but_for_numerals_that_look_like_letters(read: str, name: str, said: bool) -> None:
    assert says_name(read, name) is said
