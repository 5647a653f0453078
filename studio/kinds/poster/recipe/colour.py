"""Colour: OKLCH and sRGB, WCAG contrast, and shades that can be read on a ground.

OKLab after Björn Ottosson (2020); relative luminance and contrast after WCAG 2.2. Colours are `#RRGGBB` strings
outside, (lightness 0..1, chroma, hue in degrees) inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

Lch = tuple[float, float, float]

READABLE = 5.0  # above 4.5, for the edge of a thin stroke is mixed with its ground
WHITE, BLACK = "#FFFFFF", "#0B0B0F"


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0..255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _encoded(value: float) -> float:
    return value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


@cache
def luminance(colour: str) -> float:
    """Relative luminance, 0 (black) to 1 (white)."""
    red, green, blue = (_linear(channel / 255) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG contrast ratio, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@cache
def to_lch(colour: str) -> Lch:
    """OKLCH of an sRGB colour."""
    red, green, blue = (_linear(channel / 255) for channel in channels(colour))
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    lightness = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360


def _linear_rgb(lch: Lch) -> tuple[float, float, float]:
    lightness, chroma, hue = lch
    a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


@cache
def from_lch(lch: Lch) -> str:
    """The nearest sRGB colour of the same lightness and hue: chroma gives way until it is within the gamut."""
    lightness, chroma, hue = min(1.0, max(0.0, lch[0])), max(0.0, lch[1]), lch[2]
    for _ in range(24):
        rgb = _linear_rgb((lightness, chroma, hue))
        if all(-0.0005 <= value <= 1.0005 for value in rgb):
            break
        chroma *= 0.92
    else:
        rgb = _linear_rgb((lightness, 0.0, hue))
    values = (round(255 * _encoded(min(1.0, max(0.0, value)))) for value in rgb)
    return "#" + "".join(f"{value:02X}" for value in values)


def mix(one: str, other: str, share: float) -> str:
    """A colour on the way from `one` (0) to `other` (1) in OKLCH, the short way round the hues."""
    (l1, c1, h1), (l2, c2, h2) = to_lch(one), to_lch(other)
    if c1 < 0.02:
        h1 = h2
    elif c2 < 0.02:
        h2 = h1
    turn = (h2 - h1 + 180) % 360 - 180
    return from_lch((l1 + (l2 - l1) * share, c1 + (c2 - c1) * share, (h1 + turn * share) % 360))


def ramp(one: str, other: str, steps: int) -> list[str]:
    """`steps` colours from `one` to `other`, both included."""
    return [mix(one, other, step / max(1, steps - 1)) for step in range(steps)]


def shade(colour: str, lightness: float, chroma: float = 1.0) -> str:
    """The same hue at another lightness (0..1), its chroma times `chroma`."""
    _, c, h = to_lch(colour)
    return from_lch((lightness, c * chroma, h))


def is_dark(colour: str) -> bool:
    """Whether white reads better on it than black."""
    return contrast(colour, WHITE) >= contrast(colour, BLACK)


def worst(colour: str, grounds: Iterable[str]) -> float:
    """The lowest contrast of `colour` on any of the grounds."""
    return min(contrast(colour, ground) for ground in grounds)


def readable(preferred: str, grounds: Sequence[str], minimum: float = READABLE) -> str:
    """`preferred`, or the nearest lightness of its hue that reaches `minimum` on every ground.

    Where no shade reaches it (grounds both light and dark), the best of white, black and the shades.
    """
    if worst(preferred, grounds) >= minimum:
        return preferred
    lightness = to_lch(preferred)[0]
    shades = [shade(preferred, step / 50) for step in range(51)]
    fit = [s for s in shades if worst(s, grounds) >= minimum]
    if fit:
        return min(fit, key=lambda s: (abs(to_lch(s)[0] - lightness), s))
    return max([WHITE, BLACK, *shades], key=lambda s: (worst(s, grounds), s))
