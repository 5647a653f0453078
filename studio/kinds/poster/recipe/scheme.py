"""The colours of one poster: what the palette gives, made readable and told apart from the ground."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from .colour import BLACK, WHITE, contrast, from_lch, is_dark, mix, readable, shade, to_lch


@dataclass(frozen=True)
class Scheme:
    """Colours by their use. `a`, `b`, `c` are primary, secondary and accent, each distinct from the ground."""

    ground: str
    ink: str  # words
    quiet: str  # words of less weight, readable as well
    vivid: str  # words in colour
    rule: str  # lines between parts
    a: str
    b: str
    c: str

    @property
    def dark(self) -> bool:
        """Whether the ground is dark."""
        return is_dark(self.ground)

    def tint(self, share: float, colour: str | None = None) -> str:
        """The ground with a share of another colour."""
        return mix(self.ground, colour or self.a, share)


def distance(one: str, other: str) -> float:
    """How different two colours look: Euclid in OKLab; 0.02 is just visible."""
    (l1, c1, h1), (l2, c2, h2) = to_lch(one), to_lch(other)
    a1, b1 = c1 * math.cos(math.radians(h1)), c1 * math.sin(math.radians(h1))
    a2, b2 = c2 * math.cos(math.radians(h2)), c2 * math.sin(math.radians(h2))
    return math.hypot(l1 - l2, a1 - a2, b1 - b2)


def distinct(colour: str, *grounds: str, least: float = 0.14) -> str:
    """`colour`, or the same hue as much lighter or darker as it takes to stand out from every ground."""
    lightness, chroma, hue = to_lch(colour)
    steps = sorted((step / 100 for step in range(0, 101, 2)), key=lambda level: abs(level - lightness))
    for level in [lightness, *steps]:
        tried = from_lch((level, chroma, hue)) if level != lightness else colour
        if all(distance(tried, ground) >= least for ground in grounds):
            return tried
    return colour


def ground_of(background: str) -> str:
    """The background of the palette, or the nearest shade of it on which white or black reads well."""
    lightness = to_lch(background)[0]
    steps = sorted((step / 100 for step in range(101)), key=lambda level: abs(level - lightness))
    shades = [background, *(shade(background, level) for level in steps)]
    return next(each for each in shades if max(contrast(each, WHITE), contrast(each, BLACK)) >= 5.6)


def scheme_of(ground: str, palette: Mapping[str, str]) -> Scheme:
    """The scheme of words and motifs on a ground that is close to the palette's background."""
    ink = readable(palette["text"], [ground])
    a = distinct(palette["primary"], ground)
    b = distinct(palette["secondary"], ground, a, least=0.11)
    c = distinct(palette["accent"], ground, a, least=0.11)
    return _scheme(ground, ink, a, b, c)


def field_of(palette: Mapping[str, str]) -> Scheme:
    """The scheme on a field of the primary colour, which is shifted as far as it takes for words to stand out well."""
    primary = palette["primary"]
    own = sorted((palette["background"], palette["text"]), key=lambda colour: -contrast(colour, primary))
    inks = [own[0], WHITE, BLACK]
    lightness, chroma, hue = to_lch(primary)
    best = None
    for step in range(0, 60, 2):
        for level in (lightness - step / 100, lightness + step / 100):
            ground = from_lch((level, chroma, hue)) if step else primary
            ink = next((colour for colour in inks if contrast(colour, ground) >= 5.8), None)
            if ink and 0.12 < level < 0.97:
                best = ground, ink
                break
        if best:
            break
    ground, ink = best or (primary, readable(WHITE, [primary]))
    light = max(own, key=lambda colour: (contrast(colour, ground), colour))
    a = distinct(light if contrast(light, ground) > 2 else ink, ground)
    b = distinct(palette["accent"], ground, a, least=0.16)
    c = distinct(palette["secondary"], ground, a, b, least=0.12)
    return _scheme(ground, ink, a, b, c)


def _scheme(ground: str, ink: str, a: str, b: str, c: str) -> Scheme:
    vivid = max(
        (readable(colour, [ground]) for colour in (a, c, b)),
        key=lambda colour: (round(to_lch(colour)[1], 2), colour),
    )
    quiet = readable(mix(ink, ground, 0.28), [ground], 5.4)
    return Scheme(ground, ink, quiet, vivid, mix(ground, ink, 0.85), a, b, c)
