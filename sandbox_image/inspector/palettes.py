"""Which colours of a palette a drawing shows, and how much of it.

A pixel belongs to a colour of the palette when it is as near to it as `near` (CIEDE2000), or to a mix with another
colour of the palette in which it has the greater part: gradients and transparency make such mixes, in sRGB (CSS Color
4, 12; Compositing and Blending 1, 5). Pixels that an embedded picture paints belong to nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sandbox_image.inspector.colours import difference, lab, rgb_of
from sandbox_image.inspector.pictures import on_white
from sandbox_image.inspector.rendering import Rendering

Array: TypeAlias = Any  # numpy.ndarray

SIDE = 480  # samples along the longer side; they are pixels of the drawing, not mixed from several
_STEPS = 6  # mixes looked at between a colour and the middle between it and another
_PICTURED = 3  # levels by which a pixel changes when embedded pictures are hidden


@dataclass(frozen=True)
class Shares:
    """Shares 0..1: of the page that no embedded picture paints; and of that, what belongs to each role (to several,
    where their colours are alike), to any of the ruling roles, and to none at all.
    """

    drawn: float
    roles: dict[str, float]
    ruling: float
    foreign: float
    foreign_rgb: tuple[int, int, int] | None  # the commonest colour that belongs to no role


def shares(rendering: Rendering, palette: Mapping[str, str], near: float, ruling: Collection[str]) -> Shares:
    """Measure a drawing by a palette (role → #RRGGBB), some of whose roles should rule."""
    import numpy
    from PIL import Image

    everything, plain = (
        numpy.asarray(on_white(Image.fromarray(rendering.picture(mode, scale=1.0)))).astype(numpy.int16)
        for mode in ("all", "unpictured")
    )
    step = max(1, round(max(everything.shape) / SIDE))
    everything, plain = everything[::step, ::step], plain[::step, ::step]
    drawn = abs(everything - plain).max(axis=2) <= _PICTURED
    pixels = everything[drawn]
    if not len(pixels):
        return Shares(0.0, dict.fromkeys(palette, 0.0), 0.0, 0.0, None)
    # Colours that are all but equal are looked at once.
    coarse, counts = numpy.unique(pixels >> 2 << 2, axis=0, return_counts=True)
    wanted = [rgb_of(colour) for colour in palette.values()]
    nearest = _nearest(coarse + 1.5, wanted, near)
    portion = counts / counts.sum()
    alike = {
        role: {index for index, other in enumerate(wanted) if difference(lab(own), lab(other)) <= near}
        for role, own in zip(palette, wanted, strict=True)
    }
    roles = {role: float(portion[numpy.isin(nearest, list(alike[role]))].sum()) for role in palette}
    rulers = set().union(*(alike[role] for role in ruling))
    strangers = nearest < 0
    rgb = None
    if strangers.any():
        red, green, blue = (int(level) for level in coarse[strangers][counts[strangers].argmax()])
        rgb = (red, green, blue)
    ruled = float(portion[numpy.isin(nearest, list(rulers))].sum())
    return Shares(float(drawn.mean()), roles, ruled, float(portion[strangers].sum()), rgb)


def _nearest(colours: Array, palette: list[tuple[int, int, int]], near: float) -> Array:
    """For each colour the index of the one in the palette that it belongs to, or -1."""
    import numpy

    found, least = numpy.full(len(colours), -1), numpy.full(len(colours), near)
    seen = lab(colours)
    mixes = [(index, numpy.array(own)) for index, own in enumerate(palette)]
    for index, own in enumerate(palette):
        for other in palette:
            if other != own:
                parts = numpy.linspace(0, 0.5, _STEPS)[1:]
                mixes += [(index, (1 - part) * numpy.array(own) + part * numpy.array(other)) for part in parts]
    for index, mix in mixes:
        off = difference(seen, lab(mix))
        closer = off < least
        found[closer], least[closer] = index, off[closer]
    return found
