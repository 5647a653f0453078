"""Raster pictures: safe decoding, flatness, structural similarity, previews.

Runs in limited processes only; the size is read from the header before anything is decoded.
"""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.png_file import refuse_disorder
from sandbox_image.inspector.registry import Picture
from sandbox_image.inspector.subject import Unfit

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

MAX_PIXELS = 64_000_000
# What Pillow raises for a broken file.
BROKEN = (OSError, SyntaxError, ValueError, struct.error, EOFError, AttributeError, IndexError, KeyError, TypeError)
PREVIEW_WIDTH = 640
SAMPLED = 4_000_000  # pixels that are looked at for the commonest colour
FEW_COLOURS = 100_000
JOINED = 0.02  # of the short side: gaps that are closed
PREVIEW_MAX_HEIGHT = 4096

# Wang, Bovik, Sheikh, Simoncelli: Image quality assessment (IEEE TIP 13(4), 2004): K1, K2, and the 11 × 11 Gaussian
# window with a standard deviation of 1.5 pixels.
_K1, _K2, _SIGMA, _RADIUS = 0.01, 0.03, 1.5, 5


def png_size(path: str, file: Path) -> tuple[int, int]:
    """Width and height from the header of a PNG (ISO/IEC 15948, 11.2.2 IHDR). Raises Unfit for anything else."""
    with file.open("rb") as source:
        head = source.read(33)
    if len(head) < 33 or head[:8] != b"\x89PNG\r\n\x1a\n" or head[12:16] != b"IHDR":
        raise Unfit(f"{path} is not a PNG file; export it as PNG.", path)
    width, height = struct.unpack(">II", head[16:24])
    if not width or not height:
        raise Unfit(f"{path} has no pixels; export it anew.", path)
    return int(width), int(height)


def open_png(path: str, file: Path) -> Image:
    """The decoded picture, RGB on white where it was transparent. Raises Unfit when it is broken or far too large."""
    import PIL.Image

    width, height = png_size(path, file)
    if width * height > MAX_PIXELS:
        raise Unfit(f"{path} claims {width} × {height} px, more than is decoded; make it smaller.", path)
    refuse_disorder(path, file)
    PIL.Image.MAX_IMAGE_PIXELS = None  # the limit above holds
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            image = PIL.Image.open(file, formats=["PNG"])
            image.load()
    except (*BROKEN, Warning) as error:
        raise Unfit(f"{path} cannot be decoded: {error!s:.150}. Export it anew.", path) from None
    return on_white(image)


def on_white(image: Image) -> Image:
    """An RGB picture as it looks on white paper."""
    import PIL.Image

    if image.mode.startswith("I;16") or image.mode == "I":
        image = image.point(lambda value: value / 257).convert("L")
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = PIL.Image.new("RGB", image.size, "white")
        paper.paste(image, mask=image.getchannel("A"))
        return paper
    return image.convert("RGB")


def dominant_share(image: Image, tolerance: int = 4) -> float:
    """The share of pixels within `tolerance` levels (each channel) of the commonest colour, 0..1."""
    if image.width * image.height <= SAMPLED and (told := image.convert("RGB").getcolors(FEW_COLOURS)):
        # Each colour once: nothing has to be imported for so few.
        red, green, blue = max(told)[1]
        near = sum(
            count
            for count, (r, g, b) in told
            if abs(r - red) <= tolerance and abs(g - green) <= tolerance and abs(b - blue) <= tolerance
        )
        return float(near / (image.width * image.height))
    import numpy

    pixels = numpy.asarray(image.convert("RGB"))
    step = max(1, int((pixels.shape[0] * pixels.shape[1] / SAMPLED) ** 0.5))
    flat = pixels[::step, ::step].reshape(-1, 3).astype(numpy.int32)
    colours = numpy.sort((flat[:, 0] << 16) | (flat[:, 1] << 8) | flat[:, 2])
    first = numpy.flatnonzero(numpy.concatenate(([True], colours[1:] != colours[:-1])))
    counts, colours = numpy.diff(numpy.append(first, len(colours))), colours[first]
    commonest = colours[counts.argmax()]
    close = numpy.ones(len(colours), bool)
    for shift in (16, 8, 0):
        close &= abs((colours >> shift & 255) - (commonest >> shift & 255)) <= tolerance
    return float(counts[close].sum() / counts.sum())


def similarity(a: Array, b: Array) -> float:
    """Mean structural similarity (SSIM, Wang et al. 2004) of two arrays, height × width or × channels, 0..255.

    Channels are measured by themselves and averaged. Arrays smaller than the window are padded by their edges.
    """
    import numpy

    a, b = numpy.asarray(a, numpy.float32), numpy.asarray(b, numpy.float32)
    lacking = [(0, max(0, 2 * _RADIUS + 1 - side)) for side in a.shape[:2]] + [(0, 0)] * (a.ndim - 2)
    if any(high for _, high in lacking):
        a, b = numpy.pad(a, lacking, "edge"), numpy.pad(b, lacking, "edge")
    c1, c2 = (_K1 * 255) ** 2, (_K2 * 255) ** 2
    mean_a, mean_b = _blur(a), _blur(b)
    var_a = _blur(a * a) - mean_a * mean_a
    var_b = _blur(b * b) - mean_b * mean_b
    both = _blur(a * b) - mean_a * mean_b
    top = (2 * mean_a * mean_b + c1) * (2 * both + c2)
    bottom = (mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2)
    return float((top / bottom).mean())


def similarity_at(patch: Array, many: Array) -> Array:
    """SSIM (as above, its exponents 1) with one window that is the whole patch: of `patch` with each of `many`.

    `patch` is height × width, `many` … × height × width; gives one value for each.
    """
    mean_a, mean_b = patch.mean(), many.mean(axis=(-2, -1))
    a, b = patch - mean_a, many - mean_b[..., None, None]
    c1, c2 = (_K1 * 255) ** 2, (_K2 * 255) ** 2
    both, var_a, var_b = (a * b).mean(axis=(-2, -1)), (a * a).mean(), (b * b).mean(axis=(-2, -1))
    return (2 * mean_a * mean_b + c1) * (2 * both + c2) / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))


def _blur(values: Array) -> Array:
    """The Gaussian window of SSIM, where it fits wholly ("valid")."""
    import numpy

    offsets = numpy.arange(-_RADIUS, _RADIUS + 1)
    weights = numpy.exp(-(offsets**2) / (2 * _SIGMA**2))
    weights = (weights / weights.sum()).astype(numpy.float32)
    rows = values.shape[0] - 2 * _RADIUS
    columns = values.shape[1] - 2 * _RADIUS
    high = sum(weight * values[i : i + rows] for i, weight in enumerate(weights))
    return sum(weight * high[:, i : i + columns] for i, weight in enumerate(weights))


def thumbnail(image: Image, width: int = PREVIEW_WIDTH) -> Picture:
    """A WebP preview `width` px wide (very tall pictures are narrower)."""
    import PIL.Image

    height = max(1, round(image.height * width / image.width))
    if height > PREVIEW_MAX_HEIGHT:
        height = PREVIEW_MAX_HEIGHT
        width = max(1, round(image.width * height / image.height))
    small = image.convert("RGB").resize((width, height), PIL.Image.Resampling.LANCZOS, reducing_gap=3.0)
    content = io.BytesIO()
    small.save(content, "WEBP", quality=86, method=2)  # slower methods win a few hundredths
    return Picture(content.getvalue(), width, height)


def joined(image: Image) -> tuple[Image, Image]:
    """The picture with narrow dark gaps between light parts closed, and with light gaps between dark ones.

    It loses its edges, to which the filters do not reach.

    Grey-scale closing and opening by a square (Serra, Image Analysis and Mathematical Morphology, 1982).
    """
    from PIL import ImageFilter

    side = 2 * round(min(image.size) * JOINED / 2) + 1
    highest, lowest = ImageFilter.MaxFilter(side), ImageFilter.MinFilter(side)
    whole = (side, side, image.width - side, image.height - side)
    return image.filter(highest).filter(lowest).crop(whole), image.filter(lowest).filter(highest).crop(whole)
