"""Reading a name in the last seconds of a film."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from sandbox_image.inspector import ocr
from sandbox_image.inspector.film import Film
from sandbox_image.inspector.words import Haystack, fold

Image: TypeAlias = Any  # PIL.Image.Image

BUDGET_S = 45.0  # of wall time for one name
SIDE = 480  # px, the short side in which words are read
LAYOUTS = (11, 6, 11, 11, 6, 6, 6, 6, 6)  # Tesseract's page segmentation mode for each view of a still
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
    order = sorted(late, key=lambda number: abs(times[number] - (film.seconds - 0.35 * last_s)))[: 1 if lacking else 3]
    began, most = time.monotonic(), ""
    views = {number: _views(film.still(number)) for number in order}
    for layout in LAYOUTS[:3] if lacking else LAYOUTS:
        for number in order:
            image = next(views[number], None)
            if image is None:
                continue
            words = " ".join(ocr.read(image, models, layout).split())
            if says_name(words, name):
                return Found(times[number], words)
            most = max(most, words, key=len)
            if time.monotonic() - began > BUDGET_S:
                return Found(None, most)
    return Found(None, most)


def says_name(words: str, name: str) -> bool:
    """Is the name among the words? A very short one of a script with blanks must stand by itself."""
    words, name = without_marks(words), without_marks(name)
    folded = fold(name)
    if len(folded) < SHORT and folded.isascii():
        plain = "".join(char if char.isalnum() else " " for char in words)
        return Haystack.of([plain]).holds(name)
    return ocr.says(words, name)


def without_marks(text: str) -> str:
    """Latin letters without accents and strokes: the English model, the only one here, does not know them."""
    found = []
    for char in text:
        if unicodedata.name(char, "").startswith("LATIN"):
            parts = unicodedata.normalize("NFD", char.translate(_STROKED))
            found += [part for part in parts if unicodedata.category(part) != "Mn"]
        else:
            found.append(char)
    return "".join(found)


def _views(image: Image) -> Iterator[Image]:
    """The picture in grey, again for another layout, negative; by its strongest channel; and each main colour alone."""
    import numpy
    import PIL.Image
    from PIL import ImageOps

    zoom = SIDE / min(image.size)
    if zoom > 1.01:
        size = (round(image.width * zoom), round(image.height * zoom))
        image = image.resize(size, PIL.Image.Resampling.BICUBIC)
    grey = image.convert("L")
    yield grey
    yield grey
    yield ImageOps.invert(grey)
    channels = image.split()
    spread = [float(numpy.asarray(channel, numpy.float32).std()) for channel in channels]
    best = channels[spread.index(max(spread))]
    yield ImageOps.autocontrast(best, cutoff=2)
    index = numpy.asarray(image.quantize(6, method=2, kmeans=1, dither=0))
    counts = numpy.bincount(index.ravel(), minlength=6)
    for colour in counts.argsort()[::-1][:5]:
        mask = numpy.where(index == colour, 0, 255).astype(numpy.uint8)
        yield PIL.Image.fromarray(mask)
