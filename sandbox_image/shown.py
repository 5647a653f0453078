"""A picture made small enough for a model to look at. Runs inside a sandbox as a program of its own.

Arguments: a path or `-` for standard input, the longest side in pixels, the most bytes. Prints a line with media type,
width and height, then the encoded picture: PNG where that is small, as drawings are, else JPEG. Transparent parts
become white; of an animation it is the first picture. Every vision model reads these two formats.
"""

from __future__ import annotations

import io
import sys

from PIL import Image, ImageOps

MOST_PIXELS = 100_000_000
PNG_SHARE = 0.4  # of the most bytes; above it a JPEG is tried


def small(content: bytes, side: int) -> Image.Image:
    """The picture upright, without transparency, at most `side` pixels a side."""
    Image.MAX_IMAGE_PIXELS = MOST_PIXELS
    image: Image.Image = Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "GIF", "WEBP"))
    if image.width * image.height > MOST_PIXELS:
        sys.exit("too many pixels")
    image.draft("RGB", (side, side))  # a large JPEG is decoded at a fraction of its size
    image = ImageOps.exif_transpose(image)
    has_alpha = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    image = image.convert("RGBA" if has_alpha else "RGB")
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    if has_alpha:
        white = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(white, image).convert("RGB")
    return image


def encoded(image: Image.Image, most: int) -> tuple[str, bytes]:
    """Media type and bytes, at most `most`."""
    data = _saved(image, "PNG", optimize=True)
    if len(data) <= most * PNG_SHARE:
        return "image/png", data
    for quality in (85, 70, 50, 30):
        data = _saved(image, "JPEG", quality=quality)
        if len(data) <= most:
            return "image/jpeg", data
    sys.exit("too many bytes")


def _saved(image: Image.Image, form: str, **options: object) -> bytes:
    held = io.BytesIO()
    image.save(held, form, **options)
    return held.getvalue()


def main() -> None:
    """Read, size, print."""
    source, side, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    if source == "-":
        content = sys.stdin.buffer.read()
    else:
        with open(source, "rb") as file:  # noqa: PTH123  # a path is what the caller has
            content = file.read()
    image = small(content, side)
    media, data = encoded(image, most)
    sys.stdout.buffer.write(f"{media} {image.width} {image.height}\n".encode() + data)


if __name__ == "__main__":
    main()
