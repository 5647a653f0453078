"""Is a PNG what an SVG looks like? Structural similarity of the whole picture, and of each letter in its own box."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.geometry import Glyph, Line, words
from sandbox_image.inspector.pictures import on_white, open_png, similarity, similarity_at
from sandbox_image.inspector.rendering import MAX_PIXELS, Rendering
from sandbox_image.inspector.subject import Box

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image
Area: TypeAlias = tuple[int, int, int, int]  # x0, y0, x1, y1 in px of the picture
Offset: TypeAlias = tuple[float, float]  # down, right

FINE = 3  # device pixels per pixel of the PNG: renderers place letters at fractions of a pixel
_SOFTEN = 0.7  # px; and smooth their edges differently
_DRIFT = 1.34  # px that a letter may stand off from where its neighbour led to: some renderers round each advance
_START = 3.0  # px that a line's first letter may stand off, and any that was not found near its neighbour's place
_CLEAR = 0.93  # alike enough to look no further
_FOLLOWED = 0.8  # alike enough to tell where the next letter should be
_NEARLY = 0.9  # alike enough, all in all, that another renderer's drawing is looked at
_INKED, _PRESENT = 0.35, 0.6  # of a letter's contrast that makes it inked; of a line's letters that have to be
LIBRSVG_S = 20.0
_PARTS, _LEAST_PART, _FAINT = 6, 2, 40.0  # of a letter's height; px; grey levels
# How far a part of a letter may differ: renderings by five programs do by 0.20 at most, an l for an i by 0.41 or more.
_UNLIKE = 0.33
# The same of narrow letters so many px high, which differ from one another by little: those of 14 to 20 px type do by
# 0.21 at most, an l for an i by 0.25 to 0.46 nearly always. Lower ones are not told apart.
_NARROW, _UNLIKE_NARROW, _LEAST_NARROW = frozenset("ijlI1"), 0.24, 12
_MISTAKEN = 0.75  # at most, of a letter that is another one
_FAINTER = 1.6  # times as faint as drawn, that a narrow letter may be to be taken for itself
_LARGEST = 48  # samples along a letter's longer side; larger ones are looked at with gaps


@dataclass(frozen=True)
class LetterLikeness:
    """How alike one letter is, the word that it stands in, and the letter's box in pixels of the PNG."""

    char: str
    word: str
    value: float
    box: Box


@dataclass(frozen=True)
class Likeness:
    """Similarity of the whole picture, and of its letters, the least alike first."""

    whole: float
    letters: tuple[LetterLikeness, ...]


def compare(
    rendering: Rendering, name: str, file: Path, side_px: int, minimum: float = 0.97, text_minimum: float = 0.8
) -> Likeness:
    """Compare a PNG with the SVG drawn anew at the PNG's size. Raises Unfit when the PNG cannot be decoded.

    What is not alike is looked at in librsvg's drawing too: there other fonts stand for those that are missing, as in
    every program that draws with Cairo. That counts only for lines that are on the PNG, and where all in all it shows
    what the browser draws.
    """
    from PIL import Image

    png = open_png(name, file)
    zoom = min(1.0, (MAX_PIXELS / (png.width * png.height)) ** 0.5)
    size = (max(1, round(png.width * zoom)), max(1, round(png.height * zoom)))
    if size != png.size:
        png = png.resize(size, Image.Resampling.BOX)
    drawn = on_white(Image.fromarray(rendering.fitted(*size)))
    first = _Pair(_soft(png, 1), _soft(drawn, 1), 1)

    @cache
    def closer() -> _Pair | None:
        """The same with more samples, drawn where it is asked for: a PNG by the same browser needs none."""
        fine = next((scale for scale in range(FINE, 1, -1) if size[0] * size[1] * scale**2 <= MAX_PIXELS), 1)
        if fine == 1:
            return None
        picture = on_white(Image.fromarray(rendering.fitted(*size, scale=fine)))
        return _Pair(first.theirs, _soft(picture, fine), fine)

    found = [list(_letters(rendering, line, first, closer, zoom)) for line in rendering.lines]
    whole = _whole_of(png, drawn, found, side_px, zoom)
    alike = whole >= minimum and all(letter.value >= text_minimum for line in found for letter in line)
    if not alike and whole >= _NEARLY and (other := by_librsvg(rendering.document.text(), size)):
        other = other.convert("RGB")
        second = _Pair(first.theirs, _soft(other, 1), 1)
        for number, line in enumerate(rendering.lines):
            if any(letter.value < text_minimum for letter in found[number]) and _inked(found[number], first, zoom):
                again = _letters(rendering, line, second, lambda: None, zoom)
                found[number] = [max(pair, key=_value) for pair in zip(found[number], again, strict=True)]
        whole = max(whole, _whole_of(png, other, found, side_px, zoom))
    letters = sorted((letter for line in found for letter in line), key=_value)
    return Likeness(whole, tuple(letters))


def _first(found: tuple[float, Offset, _Pair]) -> float:
    return found[0]


def _value(letter: LetterLikeness) -> float:
    return letter.value


def _inked(line: Sequence[LetterLikeness], pair: _Pair, zoom: float) -> bool:
    """Is there something on the PNG at most of a line's letters, rather than its bare ground?"""
    count = 0
    for letter in line:
        x, y, width, height = (round(side * zoom) for side in letter.box)
        theirs, ours = (grey[y : y + height, x : x + width].std() for grey in (pair.theirs, pair.ours))
        count += bool(theirs >= _INKED * ours)
    return count >= _PRESENT * len(line)


def by_librsvg(source: str, size: tuple[int, int]) -> Image | None:
    """The drawing by librsvg at a size in px, on white; None where it cannot draw it. Raises TimeoutError."""
    import io
    import subprocess

    import PIL.Image

    command = ["rsvg-convert", "--width", f"{size[0]}", "--height", f"{size[1]}", "--background-color", "white"]
    try:
        done = subprocess.run(command, input=source.encode(), capture_output=True, timeout=LIBRSVG_S, check=False)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"librsvg did not draw it in {LIBRSVG_S:.0f} s") from None
    if done.returncode:
        return None
    image = PIL.Image.open(io.BytesIO(done.stdout), formats=["PNG"])
    return image if image.size == size else None


def _whole_of(png: Image, drawn: Image, found: Iterable[Sequence[LetterLikeness]], side_px: int, zoom: float) -> float:
    """Similarity of the pictures, as they are or with letters that stand off a little; the better one."""
    letters = [letter for line in found for letter in line]
    return max(_whole(png, drawn, side_px), _whole(_with_letters_of(png, drawn, letters, zoom), drawn, side_px))


def _whole(png: Image, drawn: Image, side_px: int) -> float:
    """SSIM of two pictures of one size, their longer side made `side_px`."""
    from PIL import Image

    shrink = side_px / max(png.size)
    small = (max(1, round(png.width * shrink)), max(1, round(png.height * shrink)))
    return similarity(png.resize(small, Image.Resampling.BOX), drawn.resize(small, Image.Resampling.BOX))


def _with_letters_of(png: Image, drawn: Image, letters: Iterable[LetterLikeness], zoom: float) -> Image:
    """The PNG with the drawing's own letters: they are judged by themselves, and may stand off by a few pixels."""
    mixed = png.copy()
    for letter in letters:
        x, y, width, height = (side * zoom for side in letter.box)
        aside = max(_START, 0.2 * height)
        box = (int(max(0, x - aside)), int(max(0, y - aside)), int(x + width + aside), int(y + height + aside))
        mixed.paste(drawn.crop(box), box[:2])
    return mixed


def _soft(image: Image, scale: int) -> Array:
    """Grey levels, each the mean of a pixel of the PNG and softened a little; `scale` device pixels to one of them."""
    import numpy
    from PIL import ImageFilter

    sigma = (_SOFTEN**2 + (1 - 1 / scale**2) / 12) ** 0.5  # a pixel's square has a variance of 1/12
    return numpy.asarray(image.convert("L").filter(ImageFilter.GaussianBlur(sigma * scale)), numpy.float32)


@dataclass(frozen=True)
class _Pair:
    """The PNG's grey levels, and those of the drawing with `fine` × `fine` samples for each of its pixels."""

    theirs: Array
    ours: Array
    fine: int

    def alike(self, box: Area, about: Offset, reach: float) -> tuple[float, Offset]:
        """Similarity of a box at the best offset within `reach` of `about`, and that offset, in px."""
        import numpy
        from numpy.lib.stride_tricks import as_strided

        x0, y0, x1, y1 = box
        step = max(1, round(max(x1 - x0, y1 - y0) / _LARGEST))
        patch = self.theirs[y0:y1:step, x0:x1:step]
        fine, (height, width) = self.fine, patch.shape
        middle = (fine - 1) // 2
        start = round(about[0] * fine), round(about[1] * fine)
        first = (y0 * fine + middle + start[0], x0 * fine + middle + start[1])
        far = max(1, round(reach * fine))
        spans = [
            _offsets(at, (count - 1) * fine * step, far, limit)
            for at, count, limit in zip(first, (height, width), self.ours.shape, strict=True)
        ]
        if not all(spans):
            return -1.0, about
        corner = self.ours[first[0] + spans[0][0] :, first[1] + spans[1][0] :]
        down, right = corner.strides
        many = as_strided(
            corner,
            (len(spans[0]), len(spans[1]), height, width),
            (down, right, down * fine * step, right * fine * step),
            writeable=False,
        )
        values = similarity_at(patch, many)
        row, column = numpy.unravel_index(int(values.argmax()), values.shape)
        off = (start[0] + spans[0][row]) / fine, (start[1] + spans[1][column]) / fine
        return float(values[row, column]), off

    def unlike(self, box: Area, off: Offset, *, levelled: bool = False) -> float:
        """How far apart the greys of a part of a box are, as a share of its contrast: the part where that is most.

        Parts are a sixth of the box high. Small ones are no measure: renderers place strokes at fractions of a pixel.
        Where it is `levelled`, a letter that is fainter as a whole is not unlike.
        """
        import numpy

        x0, y0, x1, y1 = box
        part = round((y1 - y0) / _PARTS)
        if part < _LEAST_PART:
            return 0.0
        fine, middle = self.fine, (self.fine - 1) // 2
        top, left = (round((at + o) * fine) + middle for at, o in zip((y0, x0), off, strict=True))
        ours = self.ours[max(0, top) :: fine, max(0, left) :: fine][: y1 - y0, : x1 - x0]
        theirs = self.theirs[y0:y1, x0:x1]
        if ours.shape != theirs.shape:
            return 0.0
        contrast = float(numpy.ptp(ours))
        rows = theirs.mean(axis=1) - ours.mean(axis=1)
        if levelled:
            corners = ([0, 0, -1, -1], [0, -1, 0, -1])
            inks = [patch.mean(axis=1) - numpy.median(patch[corners]) for patch in (theirs, ours)]
            most = [float(abs(ink).max()) for ink in inks]
            rows = inks[0] * min(_FAINTER, most[1] / max(1.0, most[0])) - inks[1]
        parts = numpy.convolve(rows, numpy.ones(part) / part, "valid")
        return float(abs(parts).max()) / contrast if contrast > _FAINT else 0.0


def _offsets(first: int, extent: int, reach: int, limit: int) -> range:
    """The offsets by which a row of samples may move and still lie within 0..limit."""
    return range(max(-reach, -first), min(reach, limit - 1 - first - extent) + 1)


def _letters(
    rendering: Rendering, line: Line, first: _Pair, closer: Callable[[], _Pair | None], zoom: float
) -> Iterator[LetterLikeness]:
    """The letters of a line in turn; each is looked for near where the one before it was found."""
    at = (0.0, 0.0)  # how far off, in px of the picture
    for word in words(line.glyphs):
        for glyph in word:
            box = _box(rendering, glyph, first.theirs)
            if not box or not glyph.char.isalnum():
                continue
            best, found, judge = -1.0, at, first
            for about, reach in ((at, _DRIFT), (at, _START), ((0.0, 0.0), _START)):
                for take in (lambda: first, closer):
                    if best < _CLEAR and (pair := take()):
                        looked = (*pair.alike(box, about, reach), pair)
                        best, found, judge = max(((best, found, judge), looked), key=_first)
            if best >= _FOLLOWED:
                at = found
            x0, y0, x1, y1 = box
            narrow = glyph.char in _NARROW and y1 - y0 >= _LEAST_NARROW
            if (apart := judge.unlike(box, found)) > _UNLIKE:
                best = min(best, 1 - apart)
            elif narrow and judge.unlike(box, found, levelled=True) > _UNLIKE_NARROW:
                best = min(best, _MISTAKEN)
            place = (x0 / zoom, y0 / zoom, (x1 - x0) / zoom, (y1 - y0) / zoom)
            yield LetterLikeness(glyph.char, "".join(each.char for each in word), best, place)


def _box(rendering: Rendering, glyph: Glyph, picture: Array) -> Area | None:
    """The letter's box in pixels of the picture; None where too little of it is on the page, or it is too small."""
    x0, y0, x1, y1 = rendering.pixel_box(glyph.box, picture, margin=0.5 * rendering.width / picture.shape[1])
    if x1 - x0 < 3 or y1 - y0 < 4:
        return None
    return x0, y0, x1, y1
