"""A page at one size: its picture, its words, and whether it is too wide."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from sandbox_image.inspector.framed import Framed

WIDE, NARROW = (1280, 800), (390, 844)


@dataclass(frozen=True)
class View:
    """A page at one size."""

    width: int
    picture: bytes  # PNG of the window
    text: str
    beyond: int  # CSS px by which it is too wide
    widest: str
    widest_box: list[float] | None = None  # in CSS px of the window


def see(browser: Framed, width: int) -> View:
    """The page as it is now."""
    shot = browser.call("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    spread = browser.ask("overflow")
    text = browser.ask("text") or ""
    return View(width, base64.b64decode(shot["data"]), text, spread["beyond"], spread["by"], spread["box"])
