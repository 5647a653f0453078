"""The motif of tiles: a quilt of quarter circles, discs and leaves."""

from __future__ import annotations

import math
import random

from .canvas import tag
from .curves import short
from .scheme import Scheme
from .stage import Stage


def tiles(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """A quilt of quarter circles, discs and leaves on a square grid."""
    x, y, width, height = stage.box
    across = max(2, round(width / (math.sqrt(width * height) / 4.6)))
    side = width / across
    down = max(1, math.ceil(height / side - 0.02))
    grounds = (scheme.a, scheme.b, scheme.c, scheme.tint(0.14), scheme.ground, scheme.tint(0.22, scheme.b))
    shapes = []
    before: dict[tuple[int, int], int] = {}
    for row in range(down):
        for column in range(across):
            left, top = x + column * side, y + height - (row + 1) * side
            taken = {before.get((row - 1, column)), before.get((row, column - 1))}
            back = rng.choice([index for index in range(len(grounds)) if index not in taken])
            before[row, column] = back
            front = rng.choice([colour for colour in grounds[:3] if colour != grounds[back]])
            shapes.append(
                tag("rect", x=left - 0.2, y=top - 0.2, width=side + 0.4, height=side + 0.4, fill=grounds[back])
            )
            shapes.append(_tile(rng, left, top, side, front, grounds[back]))
    return shapes


def _tile(rng: random.Random, x: float, y: float, side: float, front: str, back: str) -> str:
    """One of seven figures in a square, turned by a random quarter."""
    s, h, kind = short(side), short(side / 2), rng.randrange(7)
    quarter = f"M0 0h{s}a{s} {s} 0 0 1 -{s} {s}z"
    if kind == 2:
        figure = tag("circle", cx=side / 2, cy=side / 2, r=side * 0.31, fill=front)
    else:
        bars = "".join(f"M{short(side * bar / 4)} 0h{short(side / 8)}v{s}h-{short(side / 8)}z" for bar in range(4))
        data = {
            0: quarter,
            1: quarter,
            3: f"M0 0a{s} {s} 0 0 1 {s} {s}a{s} {s} 0 0 1 -{s} -{s}z",
            4: f"M0 0h{s}a{h} {h} 0 0 1 -{s} 0zM0 {h}h{s}a{h} {h} 0 0 1 -{s} 0z",
            5: bars,
            6: f"M0 0h{s}l-{s} {s}z",
        }
        figure = tag("path", d=data[kind], fill=front)
    if kind == 1:
        figure += tag("path", d=f"M0 0h{h}a{h} {h} 0 0 1 -{h} {h}z", fill=back)
    turn = rng.choice((0, 90, 180, 270))
    return tag("g", figure, transform=f"translate({short(x)} {short(y)}) rotate({turn} {h} {h})")
