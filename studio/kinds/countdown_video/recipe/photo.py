"""The attached photo of the person, cut to a square."""

from __future__ import annotations

from pathlib import Path

from .cairo import Picture
from .stage import SHORT, Stage


def portrait(folder: Path, name: str | None, stage: Stage) -> Picture | None:
    """The photo upright, cut towards the upper middle where faces are; None when it is absent or no picture."""
    if not name or "/" in name:
        return None
    import numpy as np
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(folder / name) as opened:
            image = ImageOps.exif_transpose(opened).convert("RGBA")
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return None
    side = max(32, round(0.55 * SHORT * stage.scale))
    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image)
    square = ImageOps.fit(paper, (side, side), Image.Resampling.LANCZOS, centering=(0.5, 0.35))
    return Picture.of_rgba(np.asarray(square), 1.0)
