"""What plain rules read in one sentence, in English or Chinese: names, dates, numbers with their units, a language.

No model takes part. What a rule is not sure of is left out, so that a person sees an empty field and not a wrong one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

_QUOTED = re.compile(r"[“\"「『《]([^”\"」』》]{1,120})[”\"」』》]")
_NAMES = r"[A-Z\u00c0-\u00de][\w'’.-]*(?:[ ](?:(?:of|the|and|de|la|van|von)[ ])?[A-Z0-9\u00c0-\u00de][\w'’.-]*)*"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?"
_DATES = (
    re.compile(rf"{_DAY}\d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTHS})(?: \d{{4}})?\b"),
    re.compile(rf"{_DAY}(?:{_MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"),
    re.compile(r"\b\d{4}-\d{2}-\d{2}\b"),
    re.compile(r"(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?[日号]"),
)
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen",
)  # fmt: skip
_ENGLISH = {word: number for number, word in enumerate(_WORDS)} | {"twenty": 20, "thirty": 30, "sixty": 60, "a": 1}
_CHINESE = {char: number for number, char in enumerate("零一二三四五六七八九十")} | {"两": 2}
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_TRADITIONAL = frozenset("這個為說時會對來們國學還過從發現點動開關書車長門問間東樂鋼節歲張給製圖")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a person's."""

    text: str

    @cached_property
    def language(self) -> str:
        """The BCP 47 tag of its language where it is Chinese, else `en`."""
        if not _HAN.search(self.text) or _KANA_OR_HANGUL.search(self.text):
            return "ja" if re.search(r"[\u3040-\u30ff]", self.text) else "en"
        return "zh-Hant" if _TRADITIONAL.intersection(self.text) else "zh-Hans"

    @property
    def quoted(self) -> str | None:
        """The first words in quotation marks."""
        found = _QUOTED.search(self.text)
        return found[1].strip() or None if found else None

    @property
    def date(self) -> str | None:
        """The first date, as it is written."""
        found = [match for pattern in _DATES if (match := pattern.search(self.text))]
        return min(found, key=lambda match: match.start())[0] if found else None

    def number(self, *units: str) -> float | None:
        """The number that stands before one of these units ("12 seconds", "十天", "three days")."""
        unit = "|".join(re.escape(word) for word in sorted(units, key=len, reverse=True))
        digits = re.search(rf"(\d+(?:\.\d+)?)[\s-]*(?:{unit})", self.text, re.IGNORECASE)
        if digits:
            return float(digits[1])
        word = re.search(rf"\b({'|'.join(_ENGLISH)})[\s-]+(?:{unit})\b", self.text, re.IGNORECASE)
        if word:
            return float(_ENGLISH[word[1].lower()])
        han = re.search(rf"([零一二两三四五六七八九十]{{1,3}})\s*个?(?:{unit})", self.text)
        return float(_han_number(han[1])) if han else None

    def number_after(self, *words: str) -> float | None:
        """The number that follows one of these words ("from 10", "从10")."""
        word = "|".join(re.escape(item) for item in words)
        found = re.search(rf"(?:{word})\s*(\d+)", self.text, re.IGNORECASE)
        return float(found[1]) if found else None

    def name_after(self, *words: str) -> str | None:
        """The capitalised words that follow one of these ("for Luna Park", "in Old Tokyo")."""
        for word in words:
            found = re.search(rf"\b(?i:{re.escape(word)}) (?:the )?({_NAMES})", self.text)
            if found and found[1] not in _MONTHS.split("|"):
                return found[1].rstrip(".,'’")
        return None

    @property
    def possessor(self) -> str | None:
        """Whose it is: "Luna’s"."""
        found = re.search(r"\b([A-Z\u00c0-\u00de][\w-]*(?: [A-Z\u00c0-\u00de][\w-]*)*)['’]s\b", self.text)
        return found[1] if found else None

    def between(self, before: str, after: str, most: int = 12) -> str | None:
        """Chinese words between one of the characters of `before` and what matches `after`."""
        found = re.search(rf"(?:{before})([\u3400-\u9fff·]{{1,{most}}}?)(?={after})", self.text)
        return found[1] if found else None

    def has(self, words: Iterable[str]) -> list[str]:
        """Which of these words it holds: whole words where they are of letters, anywhere where they are Chinese."""
        folded = unicodedata.normalize("NFKC", self.text).casefold()
        return [word for word in words if re.search(_whole(word.casefold()), folded)]


def _whole(word: str) -> str:
    return re.escape(word) if _HAN.search(word) else rf"\b{re.escape(word)}s?\b"


def _han_number(text: str) -> int:
    if "十" not in text:
        return _CHINESE[text[0]]
    tens, _, ones = text.partition("十")
    return (_CHINESE[tens] if tens else 1) * 10 + (_CHINESE[ones] if ones else 0)
