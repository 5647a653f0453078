"""Replies that say the same again and again without an end, which weak models do."""

from __future__ import annotations

LEAST = 4096  # characters of nothing but repetition
LONGEST_UNIT = 512
SHOWN = 2  # how often what was repeated stays


class Repeating:
    """Watches a text as it grows; `take` is True once its last `least` characters repeat one piece."""

    def __init__(self, least: int = LEAST) -> None:
        self._least = least
        self._tail = ""
        self._fresh = 0

    def take(self, piece: str) -> bool:
        self._tail = (self._tail + piece)[-self._least :]
        self._fresh += len(piece)
        if len(self._tail) < self._least or self._fresh < self._least // 8:
            return False
        self._fresh = 0
        return period(self._tail) is not None


def period(text: str, longest: int = LONGEST_UNIT) -> int | None:
    """The length of the piece that `text` repeats from its beginning to its end, at most `longest`; None where none."""
    if len(text) < 2:
        return None
    probe = text[-min(64, len(text) // 2) :]
    start = len(text) - len(probe)
    at = text.rfind(probe, max(0, start - longest), len(text) - 1)
    while at >= 0:
        length = start - at
        if text[length:] == text[:-length]:
            return length
        at = text.rfind(probe, max(0, start - longest), at + len(probe) - 1)
    return None


def collapsed(text: str, least: int = LEAST) -> str:
    """`text` with a repetition of `least` characters at its end reduced to its first rounds; as it is without one."""
    length = period(text[-least:]) if len(text) >= least else None
    if length is None:
        return text
    end = len(text) - least
    while end > 0 and text[end - 1] == text[end - 1 + length]:
        end -= 1
    rounds = (len(text) - end) // length
    return f"{text[: end + SHOWN * length]}\n[… the same, {rounds} times in all]"
