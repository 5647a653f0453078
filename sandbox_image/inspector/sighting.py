"""Is a picture seen in another one? Whatever its place and size, cut to a circle or another shape, mildly recoloured.

Windows of the reference are looked for over a pyramid of the candidate by normalised cross-correlation, computed by
FFT with a mask for transparent parts (Padfield, Masked object registration in the Fourier domain, IEEE TIP 21(5),
2012). The best places are looked at again, closer: there the score counts.

For any kind: `sought(path, name)` reads a reference, `sighting(reference, candidates)` looks for it in pictures, as
files, screenshots or frames give them. Runs in limited processes only.
"""

from __future__ import annotations

import io
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.pictures import MAX_PIXELS, on_white
from sandbox_image.inspector.subject import Box

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

COARSE = 26  # px; square root of a window's area in the search
CLOSE = 56  # px; and when a place is looked at again
SIDES = (1000, 1900)  # px; longer side of the largest level, in the search and in the finer one for small pictures
STEP = 1.15  # between levels
PLACES = 6  # looked at again, of each window
SEEN = 0.80
# What one window has to reach to count as seen: the less of a picture it shows, the more easily something else is like
# it. Measured on posters: whole 0.87–1.00 where it is there, 0.70 at most elsewhere; cuts 0.94–1.00 and 0.82 (0.91 for
# the smaller); outlines 0.96–1.00 and 0.86.
_WHOLE, _CUTS = 0.82, ((0.68, 0.87), (0.46, 0.93))
_OUTLINE, _INNER = 0.91, 0.92  # of a picture with transparent parts: its shape, or what is drawn in it
FLAT = 3.0  # standard deviation, in levels of 255, of a picture with nothing in it
_REFERENCE_SIDE = 640
_SVG_HEAD = 4096


@dataclass(frozen=True)
class Sighting:
    """How surely a picture was seen (-1..1, at best 1), in which candidate, and where, in its pixels."""

    score: float
    candidate: int = -1
    box: Box | None = None

    @property
    def seen(self) -> bool:
        return self.score >= SEEN


@dataclass(frozen=True)
class _Window:
    """A part of the reference: its pixels (RGB), what of them counts (0..1), or only its outline."""

    pixels: Array
    mask: Array
    needed: float
    outline: bool = False

    def counted(self, likeness: float) -> float:
        """A likeness as a score: 1 where it is 1, SEEN where it is what is needed."""
        return 1 - (1 - likeness) * (1 - SEEN) / (1 - self.needed)


@dataclass(frozen=True)
class Sought:
    """A picture that is looked for."""

    name: str
    windows: tuple[_Window, ...]
    colour: tuple[float, float, float] | None = None  # of a picture in one colour


@dataclass(frozen=True)
class _Level:
    """The candidate at one scale: its size, the padded size, the spectra of its luminance and of the square of it."""

    scale: float
    shape: tuple[int, int]
    padded: list[int]
    spectrum: Array
    square: Array


def _level(image: Image, scale: float) -> _Level:
    from scipy import fft

    grey = _luminance(_resized(image, scale)) - 128
    padded = [fft.next_fast_len(length, real=True) for length in grey.shape]
    wide = _padded(grey, padded)
    return _Level(scale, grey.shape, padded, fft.rfft2(wide), fft.rfft2(wide * wide))


@dataclass
class Candidate:
    """A picture that is looked at; its levels are made once for all references."""

    image: Image
    _levels: dict[int, list[_Level]] = field(default_factory=dict)

    def levels(self, tier: int) -> list[_Level]:
        """The levels of the search, or those that the finer one adds, from the largest to the smallest."""
        if tier not in self._levels:
            least = SIDES[tier - 1] if tier else COARSE * 1.2
            side = float(min(SIDES[tier], max(self.image.size)))
            made = []
            while side > least:
                made.append(_level(self.image, side / max(self.image.size)))
                side /= STEP
            self._levels[tier] = made
        return self._levels[tier]


def sought(path: Path, name: str) -> Sought | None:
    """The picture in a file, made ready to be looked for; None when it is none that can be decoded."""
    image = _opened(path)
    return None if image is None else sought_in(image, name)


def sought_in(image: Image, name: str) -> Sought:
    """The same for a picture at hand."""
    import numpy
    import PIL.Image

    image = image.convert("RGBA")
    image.thumbnail((_REFERENCE_SIDE, _REFERENCE_SIDE), PIL.Image.Resampling.BOX)
    pixels = numpy.asarray(image, numpy.float32)
    colour, alpha = pixels[..., :3], pixels[..., 3] / 255
    if alpha.max() < 0.05:
        return Sought(name, (), (255.0, 255.0, 255.0))
    opaque = colour[alpha > 0.5] if (alpha > 0.5).any() else colour.reshape(-1, 3)
    transparent = float((alpha < 0.5).mean()) > 0.02
    if opaque.std(axis=0).max() < FLAT and not transparent:
        red, green, blue = (float(value) for value in opaque.mean(axis=0))
        return Sought(name, (), (red, green, blue))
    needed = _INNER if transparent else _WHOLE
    windows = [_Window(colour, alpha, needed)] if opaque.std(axis=0).max() >= FLAT else []
    if transparent:
        shape = numpy.repeat(alpha[..., None] * 255, 3, axis=2)
        windows.append(_Window(shape, numpy.ones_like(alpha), _OUTLINE, outline=True))
    else:
        windows += _cuts(colour, alpha)
    return Sought(name, tuple(windows))


def _cuts(colour: Array, alpha: Array) -> Iterator[_Window]:
    """What stays of a picture that is cut to another shape: squares about its middle, and above it, where faces are."""
    height, width = alpha.shape
    for share, needed in _CUTS:
        side = round(share * min(height, width))
        for middle in (0.5, 0.42) if height > width else (0.5,):
            top = min(max(round(height * middle - side / 2), 0), height - side)
            left = (width - side) // 2
            cut = (slice(top, top + side), slice(left, left + side))
            if colour[cut].std(axis=(0, 1)).max() >= FLAT:
                yield _Window(colour[cut], alpha[cut], needed)


def sighting(reference: Sought, candidates: Sequence[Candidate], *, fine: bool = True) -> Sighting:
    """The surest sighting of a reference; the search ends where it is seen.

    `fine` also looks for pictures of less than 4 % of the candidate's longer side, which takes four times as long.
    """
    best = Sighting(-1.0)
    for number, candidate in enumerate(candidates):
        if reference.colour is not None:
            best = max(best, Sighting(_colour_score(candidate.image, reference.colour), number), key=_surety)
    for tier in range(len(SIDES) if fine else 1):
        for number, candidate in enumerate(candidates):
            for window in reference.windows:
                if best.seen:
                    return best
                for score, box in _looked_for(window, candidate, tier):
                    best = max(best, Sighting(round(score, 3), number, box), key=_surety)
    return best


def _surety(found: Sighting) -> float:
    return found.score


def _colour_score(image: Image, colour: tuple[float, float, float]) -> float:
    """1 where enough of a picture has this colour, for a reference in one colour, of which no more can be told."""
    import numpy

    pixels = numpy.asarray(_resized(image, min(1.0, SIDES[0] / max(image.size))).convert("RGB"), numpy.float32)
    return 1.0 if float((abs(pixels - numpy.array(colour)).max(axis=2) < 20).mean()) > 0.0005 else 0.0


def _looked_for(window: _Window, candidate: Candidate, tier: int) -> Iterator[tuple[float, Box]]:
    """Scores and boxes of the likeliest places of one window."""
    pixels, mask = _sized(window, COARSE)
    grey = _luminance(pixels)
    height, width = grey.shape
    places: list[tuple[float, float, int, int]] = []
    for level in candidate.levels(tier):
        if height > level.shape[0] or width > level.shape[1]:
            continue
        found = _correlation(grey, mask, level)
        if window.outline:
            found = abs(found)
        places += ((score, level.scale, y, x) for score, y, x in _peaks(found, grey.shape))
    for _, scale, y, x in sorted(places, reverse=True)[:PLACES]:
        box = (x / scale, y / scale, width / scale, height / scale)
        likeness, place = _closer(window, candidate.image, box)
        yield window.counted(likeness), place


def _correlation(grey: Array, mask: Array, level: _Level) -> Array:
    """Masked normalised cross-correlation at each place where the window fits wholly."""
    import numpy
    from scipy import fft

    weight = float(mask.sum())
    centred = (grey - (grey * mask).sum() / weight) * mask
    energy = float((centred * centred).sum())
    rows, columns = level.shape[0] - grey.shape[0] + 1, level.shape[1] - grey.shape[1] + 1

    def against(spectrum: Array, kernel: Array) -> Array:
        product = spectrum * numpy.conj(fft.rfft2(_padded(kernel, level.padded)))
        return fft.irfft2(product, s=level.padded)[:rows, :columns]

    total = against(level.spectrum, mask)
    variance = against(level.square, mask) - total * total / weight
    floor = weight * FLAT * FLAT
    score = against(level.spectrum, centred) / numpy.sqrt(numpy.maximum(variance, floor) * max(energy, floor))
    return numpy.where(variance > floor, score, 0.0)


def _peaks(scores: Array, size: tuple[int, int]) -> Iterator[tuple[float, int, int]]:
    """The two highest places that do not overlap."""
    import numpy

    scores = scores.copy()
    for _ in range(2):
        y, x = (int(each) for each in numpy.unravel_index(int(scores.argmax()), scores.shape))
        yield float(scores[y, x]), y, x
        scores[max(0, y - size[0] // 2) : y + size[0] // 2 + 1, max(0, x - size[1] // 2) : x + size[1] // 2 + 1] = -2


def _closer(window: _Window, image: Image, box: Box) -> tuple[float, Box]:
    """The score of a place when it is looked at closer, at the best of some small shifts and sizes; and the place."""
    pixels, mask = _sized(window, CLOSE)
    best, where = -1.0, box
    step = 0.5 * box[2] / COARSE
    for shift in (2 * step, step, 0.5 * step):
        middle = where
        for grow in (0.93, 1.0, 1.07) if shift > step else (0.98, 1.0, 1.02):
            for dy in (-shift, 0.0, shift):
                for dx in (-shift, 0.0, shift):
                    width, height = middle[2] * grow, middle[3] * grow
                    left = middle[0] + (middle[2] - width) / 2 + dx
                    top = middle[1] + (middle[3] - height) / 2 + dy
                    place = (left, top, width, height)
                    score = _score(window, pixels, mask, image, place)
                    if score > best:
                        best, where = score, place
    return best, where


def _score(window: _Window, pixels: Array, mask: Array, image: Image, place: Box) -> float:
    """How alike the window and a place of the image are: the correlation of their luminance, and of their colours.

    Colours may fade or be toned (0.35 of the score), the drawing has to be there. Of an outline only the shape counts.
    """
    import numpy
    import PIL.Image

    left, top, width, height = place
    if left < -1 or top < -1 or left + width > image.width + 1 or top + height > image.height + 1:
        return -1.0
    size = (pixels.shape[1], pixels.shape[0])
    patch = image.resize(
        size,
        PIL.Image.Resampling.BOX if width > size[0] else PIL.Image.Resampling.BILINEAR,
        (max(0.0, left), max(0.0, top), min(float(image.width), left + width), min(float(image.height), top + height)),
    )
    there = numpy.asarray(patch, numpy.float32)
    drawing = _alike(_luminance(pixels), _luminance(there), mask)
    if window.outline:
        return abs(drawing)
    return 0.65 * drawing + 0.35 * min(1.0, 0.25 + _alike(pixels, there, mask[..., None]))


def _alike(a: Array, b: Array, mask: Array) -> float:
    """The weighted correlation coefficient of two arrays; of colours, all channels about one common mean."""
    import numpy

    weight = float(numpy.broadcast_to(mask, a.shape).sum())
    a = (a - (a * mask).sum() / weight) * mask**0.5
    b = (b - (b * mask).sum() / weight) * mask**0.5
    floor = weight * FLAT
    return float((a * b).sum() / numpy.sqrt(max(float((a * a).sum()), floor) * max(float((b * b).sum()), floor)))


def _sized(window: _Window, side: int) -> tuple[Array, Array]:
    """The window's pixels and mask with about `side`² pixels, softened no more than that asks for."""
    import numpy
    import PIL.Image

    height, width = window.mask.shape
    scale = side / (height * width) ** 0.5
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    colour = PIL.Image.fromarray(window.pixels.clip(0, 255).astype(numpy.uint8))
    mask = PIL.Image.fromarray((window.mask * 255).astype(numpy.uint8))
    filters = PIL.Image.Resampling.BOX if scale < 1 else PIL.Image.Resampling.BILINEAR
    return (
        numpy.asarray(colour.resize(size, filters), numpy.float32),
        numpy.asarray(mask.resize(size, filters), numpy.float32) / 255,
    )


def _luminance(pixels: Any) -> Array:
    """Luma of RGB pixels (ITU-R BT.601)."""
    import numpy

    return numpy.asarray(pixels, numpy.float32)[..., :3] @ numpy.array([0.299, 0.587, 0.114], numpy.float32)


def _padded(values: Array, shape: list[int]) -> Array:
    import numpy

    return numpy.pad(values, [(0, length - have) for have, length in zip(values.shape, shape, strict=True)])


def _resized(image: Image, scale: float) -> Image:
    import PIL.Image

    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    return image.resize(size, PIL.Image.Resampling.BOX, reducing_gap=2.0) if size != image.size else image


def _opened(path: Path) -> Image | None:
    """The decoded picture, upright; SVG is drawn by librsvg. None when it cannot be had."""
    import PIL.Image
    from PIL import ImageOps

    with path.open("rb") as file:
        head = file.read(_SVG_HEAD)
    source: Any = path
    if b"<svg" in head:
        argv = ["rsvg-convert", "--width", str(_REFERENCE_SIDE), "--keep-aspect-ratio", str(path)]
        drawn = subprocess.run(argv, capture_output=True, timeout=20, check=False)
        if drawn.returncode != 0:
            return None
        source = io.BytesIO(drawn.stdout)
    PIL.Image.MAX_IMAGE_PIXELS = None  # the limit below holds
    try:
        image = PIL.Image.open(source)
        if image.width * image.height > MAX_PIXELS:
            return None
        image.draft("RGB", (_REFERENCE_SIDE * 2, _REFERENCE_SIDE * 2))
        return ImageOps.exif_transpose(image)
    except (OSError, ValueError, SyntaxError, EOFError):
        return None


def candidate(image: Image) -> Candidate:
    """A decoded picture as one that is looked at."""
    return Candidate(on_white(image))
