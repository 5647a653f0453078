"""Colours by OKLCH (Ottosson 2020), so that days differ in hue alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

DASHES = (
    "",
    "11 7",
    "2 8",
    "16 6 2 6",
    "6 6",
    "20 8",
    "10 5 2 5 2 5",
    "4 10",
    "24 6 6 6",
    "8 4 8 12",
    "2 5 2 11",
    "14 4",
    "5 5 14 5",
    "2 4 12 4 2 10",
)
ON_DARK, ON_LIGHT = "#FFFFFF", "#15131A"  # numbers on a day's ink
PRINTED = 0.5  # lightness of a day's ink on white paper


def _oklch(lightness: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """OKLCH → linear sRGB, which may leave 0..1."""
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    big = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    mid = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    low = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * big - 3.3077115913 * mid + 0.2309699292 * low,
        -1.2684380046 * big + 2.6097574011 * mid - 0.3413193965 * low,
        -0.0041960863 * big - 0.7034186147 * mid + 1.7076147010 * low,
    )


def oklch(lightness: float, chroma: float, hue: float) -> str:
    """The sRGB colour as #RRGGBB; chroma is lowered until it is one."""
    while chroma > 0 and not all(-0.0005 <= part <= 1.0005 for part in _oklch(lightness, chroma, hue)):
        chroma -= 0.004
    parts = []
    for part in _oklch(lightness, max(0.0, chroma), hue):
        part = min(1.0, max(0.0, part))
        coded = 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
        parts.append(round(coded * 255))
    return "#{:02X}{:02X}{:02X}".format(*parts)


def contrast(one: str, two: str) -> float:
    """WCAG 2.2 contrast ratio of two #RRGGBB colours."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@dataclass(frozen=True)
class DayColour:
    """A day's ink for marks and words, what stands on it, its ink on white paper, its field, its dash pattern."""

    ink: str
    on: str
    printed: str
    field: str
    dash: str


def inks(
    hues: Sequence[float],
    lightness: float,
    chroma: float,
    *,
    on_paper: Sequence[str],
    ratio: float,
    lighter: bool = False,
    fields: Sequence[str] = (),
) -> tuple[DayColour, ...]:
    """A hue for each day at one lightness, which keeps a contrast of `ratio` on every ground, and under its number."""
    on = ON_LIGHT if lighter else ON_DARK
    step = 0.01 if lighter else -0.01

    def faint(level: float) -> bool:
        colours = [oklch(level, chroma, hue) for hue in hues]
        return any(contrast(colour, ground) < ratio for colour in colours for ground in (*on_paper, on))

    while 0.2 < lightness < 0.97 and faint(lightness):
        lightness += step
    return tuple(
        DayColour(
            oklch(lightness, chroma, hue),
            on,
            oklch(PRINTED, 0.14, hue),
            fields[index] if fields else oklch(lightness, chroma, hue),
            DASHES[index % len(DASHES)],
        )
        for index, hue in enumerate(hues)
    )
