"""Reading the large numbers in pictures: shapes are cut out by brightness and colour, and read by Tesseract.

Whole-frame recognition misses three good frames in ten. So the largest shapes of several masks are each drawn black on
white, at two sizes, and read in several modes; what most of them say is the shape's reading.
"""

from __future__ import annotations

import concurrent.futures
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

SIDE = 216  # px, the short side in which shapes are looked for
SMALLEST = 0.09  # of the frame's short side, the height of a digit
MOST = 9  # shapes of one picture
SAME = 0.055  # mean difference of two shapes, as shares of black in 16 × 16 cells, below which they are read as one
LIMIT_S = 40.0
# Page segmentation mode, height of the digits in px, and whether the shape is drawn twice side by side: Tesseract reads
# no zero that stands alone, but two of them.
ROUNDS = ((8, 52, True), (7, 38, False), (13, 60, True), (6, 46, True))
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OMP_THREAD_LIMIT": "1", "LANG": "C.UTF-8"}


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
    """What a shape says; `tall` is its height as a share of the frame's short side."""

    number: int
    tall: float


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
    pixels = numpy.asarray(image).astype(numpy.int16)
    grey = numpy.asarray(image.convert("L"))
    high, low = pixels.max(axis=2), pixels.min(axis=2)
    vivid = (high - low).astype(numpy.uint8)
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
    from scipy import ndimage

    picture = small(image)
    found: list[Shape] = []
    for mask in masks(picture):
        labels, count = ndimage.label(mask)
        if count == 0 or count > 4000:
            continue
        boxes = ndimage.find_objects(labels)
        parts = [
            part for part in enumerate(boxes, 1) if part[1] and _could_be_digit(part[1], labels, part[0], picture.size)
        ]
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


def _could_be_digit(box: Any, labels: Array, number: int, size: tuple[int, int]) -> bool:
    rows, columns = box
    height, width = rows.stop - rows.start, columns.stop - columns.start
    short = min(size)
    if not SMALLEST * short <= height <= 0.92 * size[1] or width > 1.25 * height or width < 0.1 * height:
        return False
    edges = (rows.start == 0) + (columns.start == 0) + (rows.stop == size[1]) + (columns.stop == size[0])
    if edges:
        return False
    own = labels[box] == number
    return 0.15 <= float(own.mean()) <= 0.97


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
    import numpy

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
        mask = numpy.isin(labels[top:bottom, left:right], [number for number, _ in group])
        found.append(Shape(left, top, right - left, bottom - top, mask))
    return found


def _alike(one: Shape, other: Shape) -> bool:
    return all(
        abs(getattr(one, side) - getattr(other, side)) <= 0.08 * other.height
        for side in ("left", "top", "width", "height")
    )


def read_numbers(images: Sequence[Image]) -> list[list[Reading]]:
    """The numbers in each picture, the tallest first. Raises TimeoutError."""
    found = [shapes(image) for image in images]
    drawings: list[Shape] = []
    prints: list[Array] = []
    places: list[list[int]] = []
    for group in found:
        places.append([])
        for shape in group:
            places[-1].append(_place_of(shape, drawings, prints))
    said = _vote(drawings)
    answers = []
    for group, indexes in zip(found, places, strict=True):
        readings: list[Reading] = []
        for shape, index in zip(group, indexes, strict=True):
            number = said[index]
            tall = shape.height / SIDE
            if number is not None and all(number != reading.number for reading in readings):
                readings.append(Reading(number, tall))
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


def _vote(drawings: Sequence[Shape]) -> list[int | None]:
    """What each shape says by the majority of at least two readings that agree."""
    votes: list[Counter[int]] = [Counter() for _ in drawings]
    open_ = list(range(len(drawings)))
    for number, (mode, height, twice) in enumerate(ROUNDS):
        texts = recognise([drawn(drawings[index], height, twice) for index in open_], mode)
        for index, said in zip(open_, texts, strict=True):
            half = len(said) // 2
            text = said if not twice else said[:half] if said[:half] == said[half:] else ""
            if text.isdecimal() and len(text) <= 3:
                votes[index][int(text)] += 1
        # After two rounds only shapes in dispute are read on: those with two different answers, or with one.
        if number >= 1:
            open_ = [index for index in open_ if votes[index] and votes[index].most_common(1)[0][1] < 2]
        if not open_:
            break
    return [count.most_common(1)[0][0] if count and count.most_common(1)[0][1] >= 2 else None for count in votes]


def drawn(shape: Shape, height: int, twice: bool) -> Image:
    """The shape black on white, with room around it; `twice`: beside itself."""
    import PIL.Image

    zoom = height / shape.height
    size = (max(4, round(shape.width * zoom)), height)
    ink = PIL.Image.fromarray(shape.mask).convert("L").resize(size, PIL.Image.Resampling.BICUBIC)
    margin = height // 2
    step = size[0] + max(4, height // 6)
    wide = size[0] + (step if twice else 0)
    paper = PIL.Image.new("L", (wide + 2 * margin, height + 2 * margin), 255)
    for number in range(2 if twice else 1):
        paper.paste(0, (margin + number * step, margin), ink)
    return paper


def recognise(images: Sequence[Image], mode: int) -> list[str]:
    """The digits in each picture, by two Tesseracts side by side. Raises TimeoutError."""
    if not images:
        return []
    half = (len(images) + 1) // 2 if len(images) > 3 else len(images)
    parts = [part for part in (images[:half], images[half:]) if part]
    with concurrent.futures.ThreadPoolExecutor(len(parts)) as pool:
        return [text for texts in pool.map(lambda part: _recognise(part, mode), parts) for text in texts]


def _recognise(images: Iterable[Image], mode: int) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="digits-") as folder:
        names = []
        for number, image in enumerate(images):
            names.append(f"{folder}/{number}.pgm")
            image.save(names[-1])
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
