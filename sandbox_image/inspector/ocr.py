"""Reading outlined text from a picture with Tesseract, in the scripts that the image has models for."""

from __future__ import annotations

import re
import subprocess
import tempfile
import unicodedata
from collections.abc import Iterable
from typing import Any, TypeAlias

from sandbox_image.inspector.words import fold

Image: TypeAlias = Any  # PIL.Image.Image

LIMIT_S = 25.0
MAX_READ = 20_000  # letters
READ_WIDTH = 2000  # px; Tesseract reads letters of about 30 px best

_BY_SCRIPT = {
    "LATIN": "eng",
    "CYRILLIC": "rus",
    "CJK": "chi_sim",
    "HIRAGANA": "jpn",
    "KATAKANA": "jpn",
    "HANGUL": "kor",
    "ARABIC": "ara",
}
_TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")


def languages(strings: Iterable[str], language: str) -> tuple[list[str], set[str]]:
    """Tesseract's models for the scripts in `strings`, and the scripts for which there is none.

    The brief's language decides between scripts that share characters: Chinese in both forms, Japanese.
    """
    models: list[str] = []
    lacking: set[str] = set()
    tag = language.lower()
    for char in "".join(strings):
        if not char.isalpha():
            continue
        script = unicodedata.name(char, "UNKNOWN").split()[0]
        model = _BY_SCRIPT.get(script)
        if script == "CJK":
            model = "jpn" if tag.startswith("ja") else "chi_tra" if tag.startswith(_TRADITIONAL) else model
        if model is None:
            lacking.add(script.capitalize())
        elif model not in models:
            models.append(model)
    return models or ["eng"], lacking


def read(image: Image, models: list[str], layout: int) -> str:
    """The words in a picture. `layout` is Tesseract's page segmentation mode (11: sparse text; 3: automatic)."""
    with tempfile.TemporaryDirectory(prefix="words-") as folder:
        # A plain format (Netpbm), as nothing is gained by packing it.
        file = f"{folder}/picture.pnm"
        image.save(file, "PPM")
        command = ["tesseract", file, "-", "-l", "+".join(models), "--psm", str(layout)]
        done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False, env=_ENVIRONMENT)
    return done.stdout.decode("utf-8", "replace")


_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OMP_THREAD_LIMIT": "1", "LANG": "C.UTF-8"}


def _letters(text: str) -> str:
    return "".join(char for char in fold(text) if char.isalnum())


def says(read_text: str, string: str) -> bool:
    """Is `string` what was read, but for a few misread letters? Digits must be right.

    Words may stand apart, as lines of a picture are read in any order.
    """
    haystack = _letters(read_text)
    digits = re.findall(r"\d+", string)
    if any(number not in haystack for number in digits):
        return False
    if _close(haystack, _letters(string)):
        return True
    parts = [_letters(word) for word in string.split()]
    return len(parts) > 1 and all(_close(haystack, part) for part in parts if part)


def _close(haystack: str, wanted: str) -> bool:
    """Does a part of `haystack` differ from `wanted` by at most a sixth of its letters? (Sellers 1980)"""
    allowed = len(wanted) // 6
    if wanted in haystack:
        return True
    if not allowed:
        return False
    import numpy

    letters = numpy.array(list(haystack[:MAX_READ]))
    steps = numpy.arange(len(letters) + 1)
    costs = numpy.zeros(len(letters) + 1, numpy.int64)
    for row, char in enumerate(wanted, 1):
        changed = numpy.minimum(costs[:-1] + (letters != char), costs[1:] + 1)
        # A row's own insertions: the least of what lies to the left, one more for each step.
        costs = numpy.minimum.accumulate(numpy.concatenate(([row], changed)) - steps) + steps
    return bool(costs.min() <= allowed)
