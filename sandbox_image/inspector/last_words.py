"""Reading a name in the last seconds of a film."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias

from sandbox_image.inspector import ocr
from sandbox_image.inspector.film import Film
from sandbox_image.inspector.spelling import Spelling
from sandbox_image.inspector.words import Haystack, fold

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

BUDGET_S = 45.0  # of wall time for one name
SIDE = 480  # px, the short side in which words are read
VIEWS = 14  # of each still at most
SHORT = 4  # a name with fewer letters must be a word of its own


_STROKED = str.maketrans(
    {
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "ı": "i",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ħ": "h",
        "ß": "ss",
    }
)


_SAME = str.maketrans(
    "ىئأإآٱةکیёЁйЙぁぃぅぇぉっゃゅょァィゥェォッャュョ",
    "يياااا" + "هكي" + "еЕиИ" + "あいうえおつやゆよアイウエオツヤユヨ",
    "\u0640",
)


@dataclass(frozen=True)
class Found:
    """When the name was read, if it was, and the words of the picture that said most."""

    time_s: float | None
    words: str


def find_name(film: Film, name: str, language: str, last_s: float) -> Found:
    """Look for the name in stills of the last `last_s` seconds, the settled ones first."""
    models, lacking = ocr.languages([name], language)
    times = film.times()
    late = [number for number, at in enumerate(times) if at >= film.seconds - last_s - 1e-6] or [len(times) - 1]
    # Settled words first; then those that fade out early, those that come late, and those that are gone at once.
    wanted = [film.seconds - share * last_s for share in (0.35, 0.8, 0.15, 1.0)]
    nearest = [min((abs(times[number] - at), number) for number in late)[1] for at in wanted]
    order = list(dict.fromkeys(nearest))[: 1 if lacking else 4]
    spelling, near = Spelling(name), Found(None, "")
    began, most = time.monotonic(), ""
    looks = _looks({number: _views(film.still(number)) for number in order}, 3 if lacking else VIEWS)
    with ThreadPoolExecutor(2) as pool:
        # The first look is nearly always enough; only then are two taken at a time.
        for some in _batches(looks):
            read = pool.map(lambda look: " ".join(ocr.read(look[1], models, look[2]).split()), some)
            for (number, *_), words in zip(some, read, strict=True):
                if says_name(words, name):
                    near = Found(times[number], words)
                    if spelling.right(without_marks(words)):
                        return near
                    spelling.note(without_marks(words))
                most = max(most, words, key=_plausible)
            if spelling.decided or time.monotonic() - began > BUDGET_S:
                break
    return near if near.words and not spelling.misspelled else Found(None, near.words or most)


def _plausible(words: str) -> int:
    """How much of what was read looks like words rather than like a ground taken for letters."""
    parts = [part.strip(".,:;!?¡¿\"'“”„") for part in words.split()]
    good = sum(len(part) for part in parts if len(part) > 2 and part.isalpha())
    return good - 3 * sum(len(part) < 3 or not part.isalnum() for part in parts)


def _looks(views: dict[int, Iterator[tuple[Image, int]]], most: int) -> Iterator[tuple[int, Image, int]]:
    """The views of all stills in turn, each with the number of its still."""
    for _ in range(most):
        for number, some in views.items():
            if view := next(some, None):
                yield number, *view


def _batches(looks: Iterator[tuple[int, Image, int]]) -> Iterator[list[tuple[int, Image, int]]]:
    """One look, then two at a time."""
    yield list(islice(looks, 1))
    while some := list(islice(looks, 2)):
        yield some


def says_name(words: str, name: str) -> bool:
    """Is the name among the words? A very short one of a script with blanks must stand by itself."""
    words, name = without_marks(words), without_marks(name)
    folded = fold(name)
    if len(folded) < SHORT and folded.isascii():
        plain = "".join(char if char.isalnum() else " " for char in words)
        return Haystack.of([plain]).holds(name)
    return ocr.says(words, name) or _says_number(words, name)


# What Tesseract reads a numeral as when it stands among letters; another numeral is never among them.
_LIKE_NUMERALS = {"0": "0oq", "1": "1ilt|", "5": "5s", "8": "8b"}


def _says_number(words: str, name: str) -> bool:
    """Is it a name with numerals ("Luna 1"), some of them taken for letters that look the same?"""
    folded = fold(name)
    if folded.isalpha() or len(folded) < SHORT:
        return False
    wanted = "".join(f"[{_LIKE_NUMERALS[char]}]" if char in _LIKE_NUMERALS else re.escape(char) for char in folded)
    return re.search(wanted, fold(words)) is not None


def without_marks(text: str) -> str:
    """Letters that OCR takes for each other made one.

    Latin without accents and strokes, which the English model (the only one here) does not know; Arabic letters that
    differ by a dot or hamza, Cyrillic ё, kana by size.
    """
    found = []
    for char in text.translate(_SAME):
        if unicodedata.name(char, "").startswith("LATIN"):
            parts = unicodedata.normalize("NFD", char.translate(_STROKED))
            found += [part for part in parts if unicodedata.category(part) != "Mn"]
        else:
            found.append(char)
    return "".join(found)


def _views(image: Image) -> Iterator[tuple[Image, int]]:
    """Ways to look at a still, each with Tesseract's page segmentation mode (11: sparse text, 6: a block)."""
    import numpy
    import PIL.Image
    from PIL import ImageOps

    from sandbox_image.inspector.numerals import thresholds

    zoom = SIDE / min(image.size)
    if zoom > 1.01:
        size = (round(image.width * zoom), round(image.height * zoom))
        image = image.resize(size, PIL.Image.Resampling.BICUBIC)
    grey = image.convert("L")
    pixels = numpy.asarray(grey)
    levels = thresholds(pixels)
    for level in levels[:1]:
        yield from ((_letters(pixels <= level), 6), (_letters(pixels > level), 6))
    yield from ((grey, 11), (grey, 6))
    yield ImageOps.invert(grey), 11
    for level in levels[1:]:
        yield from ((_letters(pixels <= level), 6), (_letters(pixels > level), 6))
    index = numpy.asarray(image.quantize(6, method=2, kmeans=1, dither=0))
    counts = numpy.bincount(index.ravel(), minlength=6)
    for colour in counts.argsort()[::-1][:6]:
        yield _letters(index == colour), 6


def _letters(mask: Array) -> Image:
    """What of a mask may be letters, black on white: parts that stand free of the edges, neither huge nor specks."""
    import numpy
    import PIL.Image
    from scipy import ndimage

    high, wide = mask.shape
    labels, count = ndimage.label(mask, numpy.ones((3, 3)))
    keep = numpy.zeros(count + 1, bool)
    tallest = 0
    boxes = ndimage.find_objects(labels)
    for number, (rows, columns) in enumerate(boxes, 1):
        edge = rows.start == 0 or columns.start == 0 or rows.stop == high or columns.stop == wide
        keep[number] = not edge and rows.stop - rows.start < 0.55 * high
        if keep[number]:
            tallest = max(tallest, rows.stop - rows.start)
    for number, (rows, columns) in enumerate(boxes, 1):
        keep[number] &= max(rows.stop - rows.start, columns.stop - columns.start) >= max(2, 0.06 * tallest)
    return PIL.Image.fromarray(numpy.where(keep[labels], 0, 255).astype(numpy.uint8))
