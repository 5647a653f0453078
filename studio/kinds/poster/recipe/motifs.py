"""Generative motifs: each draws itself into a box from three colours on a ground, the same for the same generator.

A motif is told its box, and a focus (centre and radius) where its weight should lie; it may fill the whole box. Soft
motifs may fade out under words, hard ones end at the box.
"""

from __future__ import annotations

import math
import random

import contourpy
import numpy as np

from .canvas import tag
from .colour import mix, ramp, to_lch
from .curves import Point, arc, dot, polygon, short, smooth, swell
from .scheme import Scheme
from .stage import Motif, Stage
from .tiles import tiles


def _three(scheme: Scheme, steps: int) -> list[str]:
    """A ramp through the three colours."""
    half = steps // 2 + 1
    return [*ramp(scheme.a, scheme.b, half)[:-1], *ramp(scheme.b, scheme.c, steps - half + 1)]


def sphere(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """A globe of dots in the light of a low sun, with orbits around it."""
    cx, cy, radius = stage.cx, stage.cy, stage.radius * 0.92
    tilt, spin = rng.uniform(0.3, 0.9), rng.uniform(0, 2 * math.pi)
    sun = rng.uniform(-0.9, -0.3), rng.uniform(-0.8, -0.4)
    colours = _three(scheme, 15)
    paths: dict[tuple[int, str], list[str]] = {}
    count = 1300
    for index in range(count):
        z = 1 - 2 * (index + 0.5) / count
        flat, turn = math.sqrt(1 - z * z), index * 2.399963 + spin
        x, y = flat * math.cos(turn), flat * math.sin(turn)
        y, z = y * math.cos(tilt) - z * math.sin(tilt), y * math.sin(tilt) + z * math.cos(tilt)
        light = max(0.0, (x * sun[0] + y * sun[1] + z * 0.75) / 1.25)
        front = z > -0.05
        size = radius * (0.009 + 0.026 * light) if front else radius * 0.006
        colour = colours[min(14, int((x - y + 1.4) / 2.8 * 15))] if x - y > -1.4 else colours[0]
        colour = mix(scheme.ground, colour, 0.5 + 0.5 * min(1.0, light * 1.6)) if front else scheme.tint(0.3, scheme.b)
        px, py = cx + x * radius, cy + y * radius
        paths.setdefault((int(front), colour), []).append(dot(px, py, size))
    orbits = _orbits(rng, cx, cy, radius, scheme)
    dots = [tag("path", d="".join(parts), fill=colour) for (_, colour), parts in sorted(paths.items())]
    glow = tag("circle", cx=cx, cy=cy, r=radius * 0.985, fill=scheme.tint(0.2, scheme.b))
    return [glow, *orbits[0], *dots, *orbits[1]]


def _orbits(rng: random.Random, cx: float, cy: float, radius: float, scheme: Scheme) -> tuple[list[str], list[str]]:
    behind, before = [], []
    for number in range(4):
        wide, flat = radius * (1.18 + 0.17 * number), rng.uniform(0.16, 0.5)
        angle = rng.uniform(-50, 40)
        colour = (scheme.c, scheme.a, scheme.b, scheme.a)[number]
        turn = f"rotate({angle:.1f} {short(cx)} {short(cy)})"
        weight = radius * 0.011
        line = tag(
            "ellipse", cx=cx, cy=cy, rx=wide, ry=wide * flat, fill="none", stroke=colour, stroke_width=weight,
            transform=turn,
        )  # fmt: skip
        behind.append(line)
        place = rng.uniform(0, 2 * math.pi)
        px, py = cx + wide * math.cos(place), cy + wide * flat * math.sin(place)
        before.append(tag("circle", cx=px, cy=py, r=radius * rng.uniform(0.022, 0.055), fill=colour, transform=turn))
    return behind, before


def ribbon(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """A silken band of fine lines that twists its way across the box."""
    x, y, width, height = stage.box
    bend, twist, swing = swell(rng, 3, 0.5), swell(rng, 2, 0.55), swell(rng, 2, 0.7)
    start_turn = rng.uniform(0, math.pi)
    lines, knots = 96, 34
    colours = _three(scheme, lines)
    across = math.hypot(width, height)
    slope = rng.choice((-1, 1)) * rng.uniform(0.1, 0.35) * min(width, height)
    shapes = []
    for number in range(lines):
        share = number / (lines - 1)
        points: list[Point] = []
        for knot in range(knots + 1):
            along = knot / knots
            theta = start_turn + 2.6 * twist(along) + math.pi * along * 1.3
            reach = stage.radius * (0.62 + 0.30 * swing(along))
            offset = reach * math.cos(theta + math.pi * share)
            px = x - 0.08 * across + along * (width + 0.16 * across) + 0.25 * reach * math.sin(theta + math.pi * share)
            py = stage.cy + bend(along) * stage.radius * 0.55 + slope * (along - 0.5) + offset
            points.append((px, py))
        weight = across * 0.0011 * (0.7 + 0.9 * abs(math.sin(math.pi * share)))
        shapes.append(tag("path", d=smooth(points), fill="none", stroke=colours[number], stroke_width=weight))
    return shapes


def contours(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """A mountain seen from above: filled levels with fine lines between them."""
    x, y, width, height = stage.box
    columns = 110
    rows = max(24, round(columns * height / width)) if width >= height else 110
    columns = columns if width >= height else max(24, round(110 * width / height))
    xs, ys = np.linspace(x, x + width, columns), np.linspace(y, y + height, rows)
    gx, gy = np.meshgrid(xs, ys)
    land = np.zeros_like(gx)
    for number in range(9):
        reach = stage.radius * (rng.uniform(0.5, 0.8) if number < 3 else rng.uniform(0.18, 0.5))
        spread = stage.radius * (0.45 if number < 3 else 1.25)
        px, py = stage.cx + rng.uniform(-spread, spread), stage.cy + rng.uniform(-spread, spread)
        stretch, angle = rng.uniform(0.55, 1.0), rng.uniform(0, math.pi)
        dx, dy = gx - px, gy - py
        u = dx * math.cos(angle) + dy * math.sin(angle)
        v = -dx * math.sin(angle) + dy * math.cos(angle)
        land += (1.0 if number < 3 else rng.uniform(0.2, 0.5)) * np.exp(-(u * u + (v / stretch) ** 2) / (2 * reach**2))
    waves = swell(rng, 3, 1.0), swell(rng, 3, 1.0)
    land += 0.1 * np.array([waves[0](value / columns) for value in range(columns)])[None, :]
    land += 0.1 * np.array([waves[1](value / rows) for value in range(rows)])[:, None]
    land = (land - land.min()) / (land.max() - land.min())
    levels = 15
    colours = [
        *ramp(scheme.ground, scheme.a, 6)[1:],
        *ramp(scheme.a, scheme.b, 6)[1:],
        *ramp(scheme.b, scheme.c, 6)[1:],
    ]
    maker = contourpy.contour_generator(xs, ys, land, fill_type="OuterOffset")
    shapes = []
    for level in range(1, levels):
        lowest = (level / levels) ** 0.92
        data = []
        polygons, offsets = maker.filled(lowest, 2.0)
        for points, offset in zip(polygons, offsets, strict=True):
            for first, last in zip(offset, offset[1:], strict=False):
                data.append(polygon([(float(px), float(py)) for px, py in points[first : last - 1]]))
        if data:
            edge = mix(colours[level - 1], scheme.ground, 0.45)
            shapes.append(
                tag("path", d="".join(data), fill=colours[level - 1], fill_rule="evenodd", stroke=edge,
                    stroke_width=stage.radius * 0.004)
            )  # fmt: skip
    return shapes


def waves(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """Range behind range, or swell behind swell, under a large sun."""
    x, y, width, height = stage.box
    sun_x, sun_r = x + width * rng.uniform(0.3, 0.72), min(width, height) * rng.uniform(0.2, 0.29)
    sun_y = y + height * 0.42
    sun = max((scheme.a, scheme.b, scheme.c), key=lambda colour: (to_lch(colour)[1], colour))
    shapes = [tag("circle", cx=sun_x, cy=sun_y, r=sun_r, fill=sun)]
    layers = 9
    colours = [*ramp(mix(scheme.a, scheme.ground, 0.35), scheme.b, layers - 1), scheme.ground]
    steep = rng.uniform(0.05, 0.11)
    for number, colour in enumerate(colours):
        depth = number / (len(colours) - 1)
        line = swell(rng, 4, 0.7 + 0.9 * (1 - depth))
        base = y + height * (0.36 + 0.58 * depth**0.9)
        points = [
            (x + width * step / 26, base - height * steep * (1.15 - 0.7 * depth) * line(step / 26))
            for step in range(-1, 28)
        ]
        edge = smooth(points)
        shapes.append(
            tag("path", d=f"{edge}L{short(x + width * 1.05)} {short(y + height * 1.02)}"
                f"L{short(x - width * 0.05)} {short(y + height * 1.02)}Z", fill=colour)
        )  # fmt: skip
    return shapes


def rings(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """Arcs around one centre, each ring twice as wide as the last but one, turned against each other."""
    cx, cy = stage.cx, stage.cy
    x, y, width, height = stage.box
    reach = max(math.hypot(cx - px, cy - py) for px in (x, x + width) for py in (y, y + height))
    radius = stage.radius * 0.12
    shapes = [tag("circle", cx=cx, cy=cy, r=radius * 0.62, fill=scheme.c)]
    colours = (scheme.a, scheme.b, scheme.c, mix(scheme.a, scheme.ground, 0.5), mix(scheme.b, scheme.ground, 0.35))
    turn = rng.random()
    number = 0
    while radius < reach:
        weight = stage.radius * (0.028, 0.056, 0.112, 0.056)[number % 4] * (1 + 0.05 * number)
        radius += weight * 0.5 + stage.radius * 0.03
        turn += rng.choice((0.125, 0.25, 0.375)) + rng.uniform(-0.02, 0.02)
        start = turn
        left = rng.choice((0.5, 0.625, 0.75))
        while left > 0.06:
            span = min(left, rng.choice((0.125, 0.25, 0.375)))
            colour = rng.choice(colours)
            shapes.append(
                tag("path", d=arc(cx, cy, radius, start, start + span), fill="none", stroke=colour, stroke_width=weight)
            )
            start += span + rng.choice((0.0, 0.0625))
            left -= span
        radius += weight * 0.5
        number += 1
    return shapes


def halftone(rng: random.Random, stage: Stage, scheme: Scheme) -> list[str]:
    """A screen of dots, large where two waves meet."""
    x, y, width, height = stage.box
    step = math.sqrt(width * height) / 30
    angle = rng.uniform(0.2, 0.6)
    wave_x, wave_y = swell(rng, 2, 0.6), swell(rng, 2, 0.6)
    colours = _three(scheme, 9)
    paths: dict[str, list[str]] = {}
    rows = int(math.hypot(width, height) / step) + 2
    for row in range(-rows, rows):
        for column in range(-rows, rows):
            u, v = column * step + (row % 2) * step / 2, row * step * 0.87
            px = stage.cx + u * math.cos(angle) - v * math.sin(angle)
            py = stage.cy + u * math.sin(angle) + v * math.cos(angle)
            if not (x - step < px < x + width + step and y - step < py < y + height + step):
                continue
            far = math.hypot(px - stage.cx, py - stage.cy) / stage.radius
            wave = 0.5 + 0.5 * math.sin(far * 5.2 + 2.2 * wave_x((px - x) / width) + 2.2 * wave_y((py - y) / height))
            size = step * (0.06 + 0.47 * wave) * max(0.0, min(1.0, 1.65 - 0.62 * far))
            if size < step * 0.05:
                continue
            colour = colours[min(8, int(9 * min(0.999, far / 1.9)))]
            paths.setdefault(colour, []).append(dot(px, py, size))
    return [tag("path", d="".join(parts), fill=colour) for colour, parts in sorted(paths.items())]


MOTIFS: dict[str, tuple[Motif, str]] = {  # with the axes along which it may fade out under words
    "sphere": (sphere, "xy"),
    "ribbon": (ribbon, "xy"),
    "contours": (contours, "xy"),
    "waves": (waves, "x"),
    "rings": (rings, "xy"),
    "tiles": (tiles, ""),
    "halftone": (halftone, "xy"),
}
