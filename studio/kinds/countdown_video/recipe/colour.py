"""Colours in OKLCH (Ottosson 2020), so that mixtures are never grey, and WCAG contrast, so that words are readable."""

from __future__ import annotations

import math

from .cairo import Colour

WHITE: Colour = (1.0, 1.0, 1.0)
BLACK: Colour = (0.0, 0.0, 0.0)


def parse(text: str) -> Colour:
    """#RRGGBB as three shares."""
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255


def hexadecimal(colour: Colour) -> str:
    """As #RRGGBB."""
    return "#" + "".join(f"{round(max(0.0, min(1.0, share)) * 255):02X}" for share in colour)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _companded(share: float) -> float:
    share = max(0.0, min(1.0, share))
    return share * 12.92 if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055


def to_lab(colour: Colour) -> tuple[float, float, float]:
    """OKLab of an sRGB colour."""
    r, g, b = map(_linear, colour)
    l_ = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    m_ = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s_ = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l_ + 0.7936177850 * m_ - 0.0040720468 * s_,
        1.9779984951 * l_ - 2.4285922050 * m_ + 0.4505937099 * s_,
        0.0259040371 * l_ + 0.7827717662 * m_ - 0.8086757660 * s_,
    )


def of_lab(lightness: float, a: float, b: float) -> Colour:
    """The sRGB colour of an OKLab one, clipped."""
    l_ = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m_ = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s_ = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _companded(4.0767416621 * l_ - 3.3077115913 * m_ + 0.2309699292 * s_),
        _companded(-1.2684380046 * l_ + 2.6097574011 * m_ - 0.3413193965 * s_),
        _companded(-0.0041960863 * l_ - 0.7034186147 * m_ + 1.7076147010 * s_),
    )


def lightness(colour: Colour) -> float:
    """OKLab's L, 0..1."""
    return to_lab(colour)[0]


def chroma(colour: Colour) -> float:
    """OKLCH's C."""
    return math.hypot(*to_lab(colour)[1:])


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`share` of the other in OKLab."""
    p, q = to_lab(one), to_lab(other)
    l_, a, b = (x + (y - x) * share for x, y in zip(p, q, strict=True))
    return of_lab(l_, a, b)


def between(one: Colour, other: Colour) -> Colour:
    """The colour halfway around the hue circle (OKLCH), as vivid as both: never their grey mixture."""
    p, q = to_lab(one), to_lab(other)
    start, end = math.atan2(p[2], p[1]), math.atan2(q[2], q[1])
    hue = start + math.remainder(end - start, math.tau) / 2
    vivid = (math.hypot(*p[1:]) + math.hypot(*q[1:])) / 2
    return of_lab((p[0] + q[0]) / 2, vivid * math.cos(hue), vivid * math.sin(hue))


def toned(colour: Colour, light: float, vivid: float = 1.0) -> Colour:
    """The same hue at another lightness (0..1), its chroma times `vivid`."""
    _, a, b = to_lab(colour)
    return of_lab(light, a * vivid, b * vivid)


def shifted(colour: Colour, by: float) -> Colour:
    """Lighter or darker by a step of L."""
    light, a, b = to_lab(colour)
    return of_lab(max(0.0, min(1.0, light + by)), a, b)


def luminance(colour: Colour) -> float:
    """Relative luminance, WCAG 2.2."""
    r, g, b = map(_linear, colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Colour, other: Colour) -> float:
    """WCAG contrast ratio, 1..21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def readable(colour: Colour, ground: Colour, ratio: float = 5.2) -> Colour:
    """The nearest lightness of the colour's hue that has this contrast on the ground; black or white where none has."""
    if contrast(colour, ground) >= ratio:
        return colour
    light = lightness(colour)
    for step in range(1, 101):
        for way in (-1, 1) if luminance(ground) > 0.18 else (1, -1):
            tried = toned(colour, light + way * step / 100, 1.0)
            if 0 <= light + way * step / 100 <= 1 and contrast(tried, ground) >= ratio:
                return tried
    return max((BLACK, WHITE), key=lambda end: contrast(end, ground))
