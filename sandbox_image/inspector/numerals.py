"""Reading the large numbers in pictures: shapes are cut out by brightness and colour, and read by Tesseract.

Whole-frame recognition misses three good frames in ten. So the largest shapes of several masks are each drawn black on
white, at two sizes, and read in several modes; what most of them say is the shape's reading.
"""

from __future__ import annotations

import concurrent.futures
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.halves import in_halves

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

SIDE = 216  # px, the short side in which shapes are looked for
SMALLEST = 0.09  # of the frame's short side, the height of a digit
MOST = 9  # shapes of one picture
SAME = 0.055  # mean difference of two shapes, as shares of black in 16 × 16 cells, below which they are read as one
LIMIT_S = 40.0
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OMP_THREAD_LIMIT": "1", "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class Round:
    """One way to read a shape: Tesseract's page segmentation mode, height of the digits in px, how often the shape
    stands side by side (a zero alone is often not read, two are), and whether its strokes are made thinner."""

    mode: int
    height: int
    times: int
    thin: bool


# Measured on 125 numbers in five fonts: each of the first four alone reads 117 to 121, two of them agree on every one.
# The last two are for shapes cut out of films, where edges are rough.
ROUNDS = (
    Round(7, 32, 1, False),
    Round(7, 40, 2, True),
    Round(7, 40, 1, True),
    Round(6, 32, 3, False),
    Round(13, 60, 2, False),
    Round(8, 52, 2, False),
)


@dataclass(frozen=True)
class Shape:
    """Digits side by side: where they are (px of the small picture), and their mask."""

    left: int
    top: int
    width: int
    height: int
    mask: Array  # bool


@dataclass(frozen=True)
class Reading:
    """What a shape says; its height as a share of the frame's short side, and its box in px of the small picture."""

    number: int
    tall: float
    box: tuple[int, int, int, int]  # left, top, right, bottom

    def within(self, other: Reading) -> bool:
        """Do both stand at one place, as a digit and its outline do?"""
        wide = min(self.box[2], other.box[2]) - max(self.box[0], other.box[0])
        high = min(self.box[3], other.box[3]) - max(self.box[1], other.box[1])
        sizes = [(box[2] - box[0]) * (box[3] - box[1]) for box in (self.box, other.box)]
        return wide > 0 and high > 0 and wide * high > 0.5 * min(sizes)


def small(image: Image) -> Image:
    """The picture at the size in which shapes are looked for."""
    import PIL.Image

    zoom = SIDE / min(image.size)
    size = (max(1, round(image.width * zoom)), max(1, round(image.height * zoom)))
    return image.resize(size, PIL.Image.Resampling.BICUBIC if zoom > 1 else PIL.Image.Resampling.BOX)


def masks(image: Image) -> list[Array]:
    """Which pixels might be digits: brighter or darker than a threshold, strong in colour, or of one colour."""
    import numpy

    found = []
    red, green, blue = (numpy.asarray(band) for band in image.split())
    grey = numpy.asarray(image.convert("L"))
    # Band by band, which is many times faster than along the last axis.
    high = numpy.maximum(numpy.maximum(red, green), blue)
    vivid = high - numpy.minimum(numpy.minimum(red, green), blue)
    for plane, levels in ((grey, thresholds(grey)), (vivid, thresholds(vivid)[:1])):
        for level in levels:
            found += [plane > level, plane <= level]
    indexed = image.quantize(8, method=2, kmeans=1, dither=0)
    index = numpy.asarray(indexed)
    found += [index == number for number in range(int(index.max()) + 1)]
    return found


def thresholds(plane: Array) -> list[int]:
    """Otsu's threshold (1979), and the same once more within the brighter and the darker part."""
    import numpy

    counts = numpy.bincount(plane.ravel(), minlength=256).astype(float)
    middle = otsu(counts)
    if middle is None:
        return []
    found = [middle]
    for part in (slice(0, middle + 1), slice(middle + 1, 256)):
        within = numpy.zeros(256)
        within[part] = counts[part]
        more = otsu(within)
        if more is not None and abs(more - middle) > 12:
            found.append(more)
    return found


def otsu(counts: Array) -> int | None:
    """The level that parts a histogram with the greatest variance between its parts; None where it has no spread."""
    import numpy

    total = counts.sum()
    if total == 0 or (counts > 0).sum() < 2:
        return None
    weight = numpy.cumsum(counts) / total
    mean = numpy.cumsum(counts * numpy.arange(256)) / total
    with numpy.errstate(divide="ignore", invalid="ignore"):
        between = (mean[-1] * weight - mean) ** 2 / (weight * (1 - weight))
    return int(numpy.nanargmax(numpy.where(numpy.isfinite(between), between, -1)))


def shapes(image: Image) -> list[Shape]:
    """The largest groups of shapes that could be a number, each once or in two versions."""
    import numpy
    from scipy import ndimage

    picture = small(image)
    found: list[Shape] = []
    # Few enough pixels for a small type, which is faster: no two parts are neighbours.
    kind = numpy.uint16 if picture.width * picture.height < 2 * 65_535 else numpy.int32
    for mask in masks(picture):
        labels, count = ndimage.label(mask, output=kind)
        if count == 0 or count > 4000:
            continue
        parts = _parts(ndimage.find_objects(labels), labels, picture.size)
        found += _groups(parts, labels)
    found.sort(key=lambda shape: (_is_plate(shape.mask), -shape.height))
    kept: list[Shape] = []
    for shape in found:
        same = [other for other in kept if _alike(shape, other)]
        if len(same) < 2 and not any((shape.mask.shape == o.mask.shape) and (shape.mask == o.mask).all() for o in same):
            kept.append(shape)
        if len(kept) >= MOST:
            break
    return kept


def _parts(boxes: list[Any], labels: Array, size: tuple[int, int]) -> list[tuple[int, Any]]:
    """The labelled parts that could be digits by their size, place and blackness, each with its number."""
    import numpy

    width, height = size
    least, most = SMALLEST * min(size), 0.92 * height
    found = []
    for number, (rows, columns) in enumerate(boxes, 1):
        top, bottom = rows.start, rows.stop
        tall = bottom - top
        if tall < least or tall > most:
            continue
        left, right = columns.start, columns.stop
        if not 0.1 * tall <= right - left <= 1.25 * tall:
            continue
        if top == 0 or left == 0 or bottom == height or right == width:
            continue
        black = numpy.count_nonzero(labels[rows, columns] == number) / (tall * (right - left))
        if 0.15 <= black <= 0.97:
            found.append((number, (rows, columns)))
    return found


def _is_plate(own: Array) -> bool:
    """Is it a round or square ground on which a number stands, rather than a digit? A round zero too is one."""
    from scipy import ndimage

    height, width = own.shape
    if not 0.92 < width / height < 1.09:
        return False
    filled = float(ndimage.binary_fill_holes(own).mean())
    return 0.72 < filled < 0.85 or filled > 0.93


def _groups(parts: list[tuple[int, Any]], labels: Array) -> list[Shape]:
    """Parts of like height that stand side by side, up to three; each part also by itself when it stands alone."""
    parts = sorted(parts, key=lambda part: part[1][1].start)[:60]
    used: set[int] = set()
    found = []
    for place, (number, box) in enumerate(parts):
        if number in used:
            continue
        group = [(number, box)]
        for other, near in parts[place + 1 :]:
            last = group[-1][1]
            tall, high = last[0].stop - last[0].start, near[0].stop - near[0].start
            overlap = min(last[0].stop, near[0].stop) - max(last[0].start, near[0].start)
            gap = near[1].start - last[1].stop
            if overlap > 0.75 * max(tall, high) and -0.15 * tall < gap < 0.45 * tall and len(group) < 3:
                group.append((other, near))
        used.update(number for number, _ in group)
        top, bottom = min(b[0].start for _, b in group), max(b[0].stop for _, b in group)
        left, right = min(b[1].start for _, b in group), max(b[1].stop for _, b in group)
        within = labels[top:bottom, left:right]
        mask = within == group[0][0]
        for number, _ in group[1:]:
            mask |= within == number
        found.append(Shape(left, top, right - left, bottom - top, mask))
    return found


def _alike(one: Shape, other: Shape) -> bool:
    return all(
        abs(getattr(one, side) - getattr(other, side)) <= 0.08 * other.height
        for side in ("left", "top", "width", "height")
    )


def read_numbers(count: int, picture: Callable[[int], Image]) -> list[list[Reading]]:
    """The numbers in each of `count` pictures, the tallest first. Raises TimeoutError."""
    return read_shapes(shapes_of(count, picture))


def shapes_of(count: int, picture: Callable[[int], Image], known: Sequence[list[Shape]] = ()) -> list[list[Shape]]:
    """The shapes in each of `count` pictures, of which those of the first are `known`."""
    return [*known, *in_halves(lambda number: shapes(picture(number)), range(len(known), count))]


def read_shapes(found: Sequence[Sequence[Shape]]) -> list[list[Reading]]:
    """The numbers that the shapes of each picture say, the tallest first. Raises TimeoutError."""
    drawings: list[Shape] = []
    prints: list[Array] = []
    places: list[list[int]] = []
    for group in found:
        places.append([])
        for shape in group:
            places[-1].append(_place_of(shape, drawings, prints))
    said = _vote(drawings, places)
    answers = []
    for group, indexes in zip(found, places, strict=True):
        readings: list[Reading] = []
        for shape, index in zip(group, indexes, strict=True):
            number = said[index]
            if number is not None and all(number != reading.number for reading in readings):
                box = (shape.left, shape.top, shape.left + shape.width, shape.top + shape.height)
                readings.append(Reading(number, shape.height / SIDE, box))
        tallest = max((reading.tall for reading in readings), default=0.0)
        answers.append([reading for reading in readings if reading.tall >= 0.45 * tallest])
    return answers


def _place_of(shape: Shape, drawings: list[Shape], prints: list[Array]) -> int:
    """The place of a drawing that looks the same, the newest first; the shape is added where there is none."""
    import numpy
    import PIL.Image

    tiny = PIL.Image.fromarray(shape.mask).convert("L").resize((16, 16), PIL.Image.Resampling.BOX)
    cells = numpy.asarray(tiny, numpy.float32) / 255
    for place in range(len(drawings) - 1, max(-1, len(drawings) - 200), -1):
        other = drawings[place]
        ratio = shape.width * other.height / (shape.height * other.width)
        if 0.92 < ratio < 1.09 and float(abs(prints[place] - cells).mean()) < SAME:
            return place
    drawings.append(shape)
    prints.append(cells)
    return len(drawings) - 1


def _vote(drawings: Sequence[Shape], places: Sequence[Sequence[int]]) -> list[int | None]:
    """What each shape says by the majority, at least two readings that agree.

    After two rounds only pictures in which nothing was read are looked at on; `places` are the shapes of each.
    """
    votes: list[Counter[int]] = [Counter() for _ in drawings]
    open_ = list(range(len(drawings)))
    # No shape is settled by one round, so the first two, which are of one mode, are read at once.
    for ways in (ROUNDS[:2], *((way,) for way in ROUNDS[2:])):
        asked = [(index, way) for way in ways for index in open_]
        texts = recognise([(drawings[index], way) for index, way in asked], ways[0].mode)
        for (index, way), said in zip(asked, texts, strict=True):
            text = said[: len(said) // way.times]
            if text.isdecimal() and len(text) <= 3 and text * way.times == said:
                votes[index][int(text)] += 1
        dumb = [group for group in places if not any(_majority(votes[index]) is not None for index in group)]
        open_ = sorted({index for group in dumb for index in group})
        if not open_:
            break
    return [_majority(count) for count in votes]


def _majority(count: Counter[int]) -> int | None:
    first, second = ([*count.most_common(2), (0, 0), (0, 0)])[:2]
    return first[0] if first[1] >= 2 and first[1] > second[1] else None


def drawn(shape: Shape, way: Round) -> Image:
    """The shape black on white as a round wants it, with room around."""
    import PIL.Image
    from PIL import ImageFilter

    width = max(4, round(shape.width * way.height / shape.height))
    ink = PIL.Image.fromarray(shape.mask).convert("L").resize((width, way.height), PIL.Image.Resampling.BICUBIC)
    if way.thin:
        ink = ink.filter(ImageFilter.MinFilter(3))
    margin, step = way.height // 2, width + round(0.4 * way.height)
    size = (width + step * (way.times - 1) + 2 * margin, way.height + 2 * margin)
    paper = PIL.Image.new("L", size, 255)
    for number in range(way.times):
        paper.paste(0, (margin + number * step, margin), ink)
    return paper


def recognise(asked: Sequence[tuple[Shape, Round]], mode: int) -> list[str]:
    """The digits that each shape says when it is drawn so, by two Tesseracts side by side. Raises TimeoutError."""
    if not asked:
        return []
    parts = [asked[::2], asked[1::2]] if len(asked) > 3 else [asked]
    with concurrent.futures.ThreadPoolExecutor(len(parts)) as pool:
        texts = list(pool.map(lambda part: _recognise(part, mode), parts))
    return [texts[number % len(parts)][number // len(parts)] for number in range(len(asked))]


def _recognise(asked: Sequence[tuple[Shape, Round]], mode: int) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="digits-") as folder:
        names = []
        for number, (shape, way) in enumerate(asked):
            names.append(f"{folder}/{number}.pgm")
            drawn(shape, way).save(names[-1])
        listing = Path(folder, "list")
        listing.write_text("\n".join(names) + "\n")
        command = [
            "tesseract",
            str(listing),
            "-",
            "-l",
            "eng",
            "--psm",
            str(mode),
            "--dpi",
            "150",
            "-c",
            "tessedit_char_whitelist=0123456789",
            "-c",
            "load_system_dawg=0",
            "-c",
            "load_freq_dawg=0",
        ]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LIMIT_S, check=False, env=_ENVIRONMENT)
        except subprocess.TimeoutExpired:
            raise TimeoutError("reading the numbers took too long") from None
    texts = ["".join(text.split()) for text in done.stdout.decode("utf-8", "replace").split("\f")]
    return [*texts, *[""] * len(names)][: len(names)]
