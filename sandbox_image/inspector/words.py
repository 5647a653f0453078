"""Finding a brief's strings among the texts of a picture: case, white space and typographic variants do not count."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sandbox_image.inspector.geometry import bounds
from sandbox_image.inspector.rendering import Run

SHORT = 6  # strings with fewer characters must be words of their own, or "Li" would be found in "Highlights"

MAX_PARTS = 60  # texts that a string may be put together from

_FOLDED = str.maketrans({
    **dict.fromkeys("‘’‚‛ʼ`´′＇", "'"),
    **dict.fromkeys("“”„‟«»″＂", '"'),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
    **dict.fromkeys("·•∙⋅・", "·"),
    "…": "...",
})  # fmt: skip
# Scripts that part words with blanks; in others a string may stand within a longer one.
_SPACED = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC")


def fold(text: str) -> str:
    """The text as it is compared: NFKC, case folded, without white space and invisible characters."""
    folded = unicodedata.normalize("NFKC", text).translate(_FOLDED).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    return "".join(char for char in folded if not char.isspace() and unicodedata.category(char) != "Cf")


@dataclass(frozen=True)
class Haystack:
    """Folded text, and where a word may begin or end in it."""

    text: str
    edges: frozenset[int]

    @classmethod
    def of(cls, parts: Sequence[str]) -> Haystack:
        """Parts one after the other; each begins and ends a word, as blanks do."""
        text, edges = "", {0}
        for part in parts:
            for word in part.split():
                text += fold(word)
                edges.add(len(text))
        return cls(text, frozenset(edges))

    def holds(self, string: str) -> bool:
        """Does the folded `string` appear, short ones as words of their own?"""
        wanted = fold(string)
        start = self.text.find(wanted)
        while start >= 0:
            end = start + len(wanted)
            if len(wanted) >= SHORT or (self._edge(start) and self._edge(end)):
                return True
            start = self.text.find(wanted, start + 1)
        return False

    def _edge(self, at: int) -> bool:
        if at in self.edges or not 0 < at < len(self.text):
            return True
        before, after = self.text[at - 1], self.text[at]
        if before.isdigit() and after.isdigit():
            return False
        return not (_spaced(before) and _spaced(after))


def _spaced(char: str) -> bool:
    return char.isalpha() and unicodedata.name(char, "").startswith(_SPACED)


class Searcher:
    """The texts of a picture in document order, ready to be searched."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._runs = runs
        parts = [run.text for run in runs]
        self._plain = Haystack.of(parts)
        # A word hyphenated at a line's end.
        self._joined = Haystack.of([_without_hyphen(part) for part in parts])

    def holds(self, string: str) -> bool:
        """Does the string appear, across neighbouring texts in document order or down a column?"""
        return self._plain.holds(string) or self._joined.holds(string) or self._stacked(fold(string))

    def holder(self, string: str) -> Run | None:
        """The text that holds the string whole, by itself, where there is one."""
        wanted = fold(string)
        return next((run for run in self._runs if run.glyphs and wanted in fold(run.text)), None)

    def _stacked(self, wanted: str) -> bool:
        """Whole texts one below or beside the other that make up the string, though others stand between them."""
        parts = [(run, fold(run.text)) for run in self._runs]
        parts = [(run, text) for run, text in parts if text and text in wanted]

        @cache
        def goes_on(at: int, last: int) -> bool:
            """Do parts after `last` make up the rest of the string from `at` on?"""
            return at == len(wanted) or any(
                wanted.startswith(parts[index][1], at)
                and _near(parts[last][0], parts[index][0])
                and goes_on(at + len(parts[index][1]), index)
                for index in range(last + 1, len(parts))
            )

        return len(parts) <= MAX_PARTS and any(
            wanted.startswith(text) and goes_on(len(text), index) for index, (_, text) in enumerate(parts)
        )


def _without_hyphen(text: str) -> str:
    bare = text.rstrip()
    return bare[:-1] if len(bare) > 2 and bare[-1] in "-‐\u00ad" and bare[-2].isalpha() else text


def _near(a: Run, b: Run) -> bool:
    """Is `b` about a line below `a`, or on its line close by?"""
    if not a.glyphs or not b.glyphs:
        return False
    one, two = bounds(g.quad for g in a.glyphs), bounds(g.quad for g in b.glyphs)
    size = max(a.size, b.size)
    below = two[1] - (one[1] + one[3])
    beside = two[0] - (one[0] + one[2])
    same_column = two[0] < one[0] + one[2] and one[0] < two[0] + two[2]
    same_line = abs(one[1] - two[1]) < size
    return (same_column and -0.5 * size < below < 1.5 * size) or (same_line and -0.5 * size < beside < 1.5 * size)


def quoted(text: str, longest: int = 40) -> str:
    """The text in quotes on one line, cut where it is longer."""
    flat = " ".join(text.split())
    return f'"{flat}"' if len(flat) <= longest else f'"{flat[: longest - 1]}…"'
