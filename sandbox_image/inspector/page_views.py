"""A page at one size: its picture, its words, and whether it is too wide."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from sandbox_image.inspector.framed import Framed
from sandbox_image.inspector.registry import Picture

Image: TypeAlias = Any  # PIL.Image.Image

WIDE, NARROW = (1280, 800), (390, 844)
PREVIEW_WIDTH = 640  # px
BLANK_SHARE = 0.9999  # of the window in one colour: one short word in plain letters leaves less
LEAST_LETTERS = 3
OVERFLOW_PX = 1  # CSS px by which a page may be too wide: browsers round


@dataclass(frozen=True)
class View:
    """A page at one size."""

    width: int
    picture: bytes  # PNG of the window
    text: str
    beyond: int  # CSS px by which it is too wide
    widest: str
    widest_box: list[float] | None = None  # in CSS px of the window
    _previews: dict[int, Picture] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """What is told to another process: all but the decoded picture."""
        return {name: value for name, value in vars(self).items() if name != "image"}

    @cached_property
    def image(self) -> Image:
        """The picture, decoded."""
        import PIL.Image

        with PIL.Image.open(io.BytesIO(self.picture), formats=["PNG"]) as opened:
            return opened.convert("RGB")

    @cached_property
    def one_colour(self) -> float:
        """The share of the window that is of one colour, 0..1."""
        from sandbox_image.inspector.pictures import dominant_share

        return dominant_share(self.image)

    @property
    def faulty(self) -> bool:
        """Is it too wide, or nothing but a ground, or without words?"""
        return self.beyond > OVERFLOW_PX or self.one_colour > BLANK_SHARE or self.letters < LEAST_LETTERS

    @property
    def letters(self) -> int:
        """How many letters and digits are in sight, and below."""
        return sum(char.isalnum() for char in self.text)

    def preview(self, width: int) -> Picture:
        """The picture `width` px wide, as WebP."""
        from sandbox_image.inspector.pictures import thumbnail

        if width not in self._previews:
            self._previews[width] = thumbnail(self.image, width)
        return self._previews[width]

    def develop(self) -> None:
        """Do now what is done with the picture later, and keep it."""
        for width in {PREVIEW_WIDTH, max(PREVIEW_WIDTH, self.width)}:
            self.preview(width)
        _ = self.one_colour


def see(browser: Framed, width: int) -> View:
    """The page as it is now."""
    picture = browser.screenshot()
    spread = browser.ask("overflow")
    text = browser.ask("text") or ""
    return View(width, picture, text, spread["beyond"], spread["by"], spread["box"])
