"""How far apart two colours are to the eye: sRGB to CIE L*a*b*, and the difference CIEDE2000.

sRGB by IEC 61966-2-1, its white D65. L*a*b* by CIE 15. CIEDE2000 after Sharma, Wu, Dalal: The CIEDE2000
color-difference formula: implementation notes, supplementary test data, and mathematical observations (Color Research
and Application 30(1), 2005), with k_L = k_C = k_H = 1.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Array: TypeAlias = Any  # numpy.ndarray


def rgb_of(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0..255, of #RRGGBB."""
    value = int(colour.removeprefix("#"), 16)
    return value >> 16, value >> 8 & 255, value & 255


def lab(rgb: Array) -> Array:
    """L*, a*, b* of sRGB values 0..255; the last axis holds the three."""
    import numpy

    value = numpy.asarray(rgb, numpy.float64) / 255
    linear = numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ratio = linear @ numpy.array(to_xyz).T / numpy.array([0.9505, 1.0, 1.089])
    root = numpy.where(ratio > (6 / 29) ** 3, numpy.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return numpy.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def difference(first: Array, second: Array) -> Array:
    """CIEDE2000 of two arrays of L*, a*, b* (broadcast); 1 is about what an eye can just tell."""
    import numpy as np

    l1, a1, b1 = (first[..., i] for i in range(3))
    l2, a2, b2 = (second[..., i] for i in range(3))
    chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    coloured = c1 * c2 > 0
    turn = np.where(coloured, (h2 - h1 + 180) % 360 - 180, 0.0)
    dl, dc, dh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = np.where(coloured, (h1 + turn / 2) % 360, h1 + h2)
    t = (
        1
        - 0.17 * np.cos(np.radians(hue - 30))
        + 0.24 * np.cos(np.radians(2 * hue))
        + 0.32 * np.cos(np.radians(3 * hue + 6))
        - 0.20 * np.cos(np.radians(4 * hue - 63))
    )
    off = (lightness - 50) ** 2
    sl, sc, sh = 1 + 0.015 * off / np.sqrt(20 + off), 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = (
        -2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7)) * np.sin(np.radians(60 * np.exp(-(((hue - 275) / 25) ** 2))))
    )
    light, colour, turned = dl / sl, dc / sc, dh / sh
    return np.sqrt(np.maximum(light**2 + colour**2 + turned**2 + rotation * colour * turned, 0.0))
