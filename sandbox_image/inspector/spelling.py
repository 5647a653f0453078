"""Is a name that was read nearly right misread, or misspelled?

Text recognition errs now one way, now another, and takes letters for each other that look alike. A name that nearly
every look reads with the same wrong letter is written so.
"""

from __future__ import annotations

from collections import Counter

from sandbox_image.inspector.words import fold

ENOUGH = 9  # readings that are nearly right after which no more are needed
LEAST, SHARE = 3, 0.6  # of them that agree on one misspelling

# Letters that recognition takes for one another, and groups of them; each is replaced by the first.
_ALIKE = ("mrn", "wvv", "dcl", "hli", "uii")
_SINGLE = {char: group[0] for group in ("li|!jt1f", "o0q", "ce", "g9", "s5", "b8", "uvy", "z2") for char in group}


def alike(text: str) -> str:
    """The folded letters and digits of a text, what looks alike made one."""
    found = "".join(char for char in fold(text) if char.isalnum() or char in "|!")
    for group in _ALIKE:
        found = found.replace(group[1:], group[0])
    return "".join(_SINGLE.get(char, char) for char in found)


class Spelling:
    """Gathers readings of one name in plain Latin letters; of other letters every near reading is right.

    The English model, which is the only one for Latin, does not know letters with marks.
    """

    def __init__(self, name: str) -> None:
        self._parts = [part for part in map(alike, name.split()) if part]
        self._latin = fold(name).isascii()
        self._variants: Counter[str] = Counter()

    def right(self, words: str) -> bool:
        """Is what was read the name to the letter, but for letters that look alike?"""
        read = alike(words)
        return not self._latin or "".join(self._parts) in read or all(part in read for part in self._parts)

    def note(self, words: str) -> None:
        """Keep a reading that is only nearly right."""
        read = alike(words)
        wrong = next(part for part in self._parts if part not in read)
        self._variants[_nearest(read, wrong)] += 1

    @property
    def decided(self) -> bool:
        """Have there been enough such readings?"""
        return self._variants.total() >= ENOUGH

    @property
    def misspelled(self) -> str:
        """How the name is written, in folded letters, where it is not as it should be."""
        [(variant, times)] = self._variants.most_common(1) or [("", 0)]
        return variant if times >= LEAST and times >= SHARE * self._variants.total() else ""


def _nearest(text: str, wanted: str) -> str:
    """The part of a text that ends where it comes nearest to `wanted` (Sellers 1980), as long as that."""
    costs = [0] * (len(text) + 1)
    for row, char in enumerate(wanted, 1):
        before, costs[0] = costs[0], row
        for at in range(1, len(costs)):
            changed = before + (text[at - 1] != char)
            before, costs[at] = costs[at], min(changed, costs[at] + 1, costs[at - 1] + 1)
    end = costs.index(min(costs))
    return text[max(0, end - len(wanted)) : end]
