"""A festive evening: the moon over mountains in mist, water below, lanterns that rise; many more of them at the end."""

from __future__ import annotations

import math

from .cairo import Colour, Pen, Picture
from .colour import BLACK, WHITE, chroma, lightness, mix, readable, shifted, toned
from .easing import in_cubic, out_cubic, span, spring, wave
from .stage import Stage
from .world import Moment

Lantern = tuple[float, float, float, float, int]  # x, y (shares), size, phase, sort


class Lanterns:
    """The world `lanterns`."""

    name = "lanterns"
    face = "grotesk"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        scheme = stage.scheme
        rng = self._rng = stage.random("lanterns")
        self._base = scheme.background if scheme.dark else toned(scheme.secondary, 0.28, 0.7)
        self._red = max((scheme.primary, scheme.secondary, scheme.accent), key=chroma)
        self._gold = max((scheme.accent, scheme.secondary, scheme.primary), key=lightness)
        self.card = mix(self._gold, WHITE, 0.88)
        self.inks = tuple(readable(c, self.card) for c in (self._red, toned(self._base, 0.32, 1.2), self._red))
        self.ring = self._red if lightness(self._red) < 0.8 else shifted(self._red, -0.2)
        self.confetti = (*scheme.brights[:3], self._gold, mix(self._gold, WHITE, 0.5))
        self._horizon = stage.height * 0.80
        self._sky = self._paint_sky()
        self._water = self._paint_water()
        self._mountains = [self._paint_mountain(k) for k in range(3)]
        self._moon = self._paint_moon()
        self._shapes = [self._paint_lantern(sort, 0.7) for sort in range(3)]
        self._small = [self._paint_lantern(sort, 0.32) for sort in range(3)]
        area = max(1.0, stage.width * stage.height / 921_600)
        self._far: list[Lantern] = [
            (rng.random(), rng.random(), rng.uniform(0.14, 0.30), rng.random(), rng.randrange(3))
            for _ in range(round(22 * area))
        ]
        self._near: list[Lantern] = [
            (rng.random(), rng.random(), rng.uniform(0.42, 0.66), rng.random(), rng.randrange(3))
            for _ in range(round(7 * area))
        ]
        self._many: list[Lantern] = [
            (rng.random(), rng.random(), rng.uniform(0.16, 0.5), rng.random(), rng.randrange(3))
            for _ in range(round(46 * area))
        ]
        self._petals = [(rng.random(), rng.random(), rng.uniform(5, 9), rng.random()) for _ in range(28)]

    def _paint_sky(self) -> Picture:
        stage, b = self._stage, self._base
        picture = Picture(*stage.pixels, stage.scale)
        pen = picture.pen
        width, horizon = stage.width, self._horizon
        glow = mix(b, self._red, 0.38)
        pen.box(0, 0, width, stage.height)
        pen.fill_linear(0, 0, 0, horizon, [(0, mix(b, BLACK, 0.35), 1), (0.55, b, 1), (1, glow, 1)])
        rng = stage.random("stars")
        for _ in range(round(width / 7)):
            pen.circle(rng.uniform(0, width), rng.uniform(0, horizon * 0.7), rng.uniform(0.6, 1.6))
            pen.fill(mix(self._gold, WHITE, 0.6), rng.uniform(0.2, 0.8))
        return picture

    def _paint_water(self) -> Picture:
        stage, b = self._stage, self._base
        deep = stage.height - self._horizon
        picture = Picture.of_units(stage.width, deep, stage.scale)
        picture.pen.box(0, 0, stage.width, deep + 1)
        glow = mix(b, self._red, 0.38)
        picture.pen.fill_linear(0, 0, 0, deep, [(0, mix(glow, b, 0.35), 1), (1, mix(b, BLACK, 0.5), 1)])
        return picture

    def _paint_mountain(self, number: int) -> Picture:
        stage, rng = self._stage, self._stage.random(f"mountain{number}")
        width, deep = stage.width + 100, (250.0, 180.0, 110.0)[number] * min(1.25, stage.height / 720)
        picture = Picture.of_units(width, deep, stage.scale)
        pen = picture.pen
        colour = mix(mix(self._base, self._red, 0.30 - 0.08 * number), BLACK, 0.06 + 0.14 * number)
        pen.to(0, deep)
        pen.line(0, deep * 0.6)
        x, peaks = 0.0, 4 + number
        while x < width:
            wide = width / peaks * rng.uniform(0.7, 1.3)
            tall = deep * rng.uniform(0.45, 0.98)
            pen.curve(x + wide * 0.28, deep * 0.62, x + wide * 0.38, deep - tall, x + wide * 0.5, deep - tall)
            pen.curve(
                x + wide * 0.62, deep - tall, x + wide * 0.72, deep * 0.62, x + wide, deep * rng.uniform(0.55, 0.7)
            )
            x += wide
        pen.line(width, deep)
        pen.close()
        mist = mix(mix(self._base, self._red, 0.4), self._gold, 0.15)
        pen.fill_linear(0, 0, 0, deep, [(0, colour, 1), (0.45, colour, 1), (1, mix(colour, mist, 0.5), 1)])
        return picture

    def _paint_moon(self) -> Picture:
        r = self._stage.radius
        picture = Picture.of_units(3.6 * r, 3.6 * r, self._stage.scale)
        pen = picture.pen
        pen.move(1.8 * r, 1.8 * r)
        pale = mix(self._gold, WHITE, 0.62)
        pen.circle(0, 0, 1.8 * r)
        pen.fill_radial(0, 0, 1.8 * r, [(0, pale, 0.55), (0.55, self._gold, 0.30), (1, self._gold, 0.0)])
        pen.circle(0, 0, r + 22)
        pen.fill(pale, 0.22)
        pen.circle(0, 0, r)
        pen.fill_radial(
            -0.3 * r,
            -0.3 * r,
            1.5 * r,
            [(0, mix(pale, WHITE, 0.55), 1), (0.7, pale, 1), (1, mix(pale, self._gold, 0.6), 1)],
        )
        for x, y, size in ((-0.45, 0.3, 0.2), (0.5, -0.2, 0.14), (0.2, 0.55, 0.17), (-0.2, -0.6, 0.11)):
            pen.circle(x * r, y * r, size * r)
            pen.fill(mix(pale, self._gold, 0.5), 0.35)
        return picture

    def _paint_lantern(self, sort: int, share: float) -> Picture:
        """A lantern 120 × 200 units, its middle at 60, 84."""
        picture = Picture.of_units(240, 260, self._stage.scale * share)
        pen = picture.pen
        pen.move(120, 110)
        red = (self._red, mix(self._red, self._gold, 0.45), shifted(self._red, -0.06))[sort]
        trim = mix(self._gold, WHITE, 0.1)
        pen.circle(0, 0, 116)
        pen.fill_radial(0, 0, 116, [(0, mix(red, self._gold, 0.6), 0.55), (0.5, red, 0.25), (1, red, 0.0)])
        wide, tall = ((52, 44), (38, 54), (46, 50))[sort]
        pen.box(-wide * 0.45, -tall - 9, wide * 0.9, 12, 4)
        pen.box(-wide * 0.45, tall - 3, wide * 0.9, 12, 4)
        pen.fill(trim)
        pen.ellipse(0, 0, wide, tall)
        pen.fill_radial(
            0, 6, wide * 1.3, [(0, mix(self._gold, WHITE, 0.55), 1), (0.38, mix(red, self._gold, 0.55), 1), (1, red, 1)]
        )
        for k in (-0.62, -0.22, 0.22, 0.62):
            pen.ellipse(0, 0, abs(wide * k), tall)
            pen.stroke(mix(red, BLACK, 0.3), 1.8, 0.55)
        pen.to(0, -tall - 9)
        pen.line(0, -tall - 26)
        pen.stroke(trim, 2.6)
        pen.circle(0, tall + 14, 4.5)
        pen.fill(trim)
        for k in range(-2, 3):
            pen.to(k * 1.8, tall + 16)
            pen.line(k * 4.2, tall + 54)
        pen.stroke(trim, 2.2)
        return picture

    def behind(self, pen: Pen, moment: Moment) -> None:
        stage, time = self._stage, moment.time
        pen.picture(self._sky, 0, 0)
        self._draw_moon(pen, moment)
        for lantern in self._far:
            self._float(pen, lantern, time, 0.018)
        self._draw_water(pen, moment)
        for number, mountain in enumerate(self._mountains):
            shift = (10, 20, 34)[number] * wave(time, 13, 0.15 * number)
            pen.picture(mountain, -50 + shift, self._horizon - mountain.height / mountain.scale + 2)
        if moment.finale:
            rise = out_cubic(span(moment.since, 0.0, 2.6))
            for x, y, size, phase, sort in self._many:
                self._lantern(
                    pen,
                    x * stage.width + 12 * wave(time, 4, phase),
                    stage.height * (1.25 - rise * (0.45 + 0.95 * y)),
                    size,
                    sort,
                    0.06 * wave(time, 3, phase),
                )
        for lantern in self._near:
            x = lantern[0]
            # The near ones keep to the sides, out of the numbers' way.
            side = 0.02 + 0.24 * x * 2 if x < 0.5 else 0.98 - 0.24 * (1 - x) * 2
            self._float(pen, (side, *lantern[1:]), time, 0.034)
        self._draw_petals(pen, time)

    def _draw_moon(self, pen: Pen, moment: Moment) -> None:
        stage = self._stage
        x, y = stage.centre
        r = stage.radius
        step = stage.scale
        x, y = round(x * step) / step, round(y * step) / step
        beat = (
            0.97 + 0.03 * spring(span(moment.since, 0, 0.6))
            if moment.place
            else spring(span(moment.time, 0, 0.8), 6, 0.8)
        )
        pen.save()
        pen.move(x, y)
        pen.scale(beat * (1 + 0.5 * in_cubic(moment.joy) if moment.finale else 1.0))
        pen.picture(self._moon, -1.8 * r, -1.8 * r)
        share = span(moment.since, 0, min(0.9, 0.9 * stage.beats.slot))
        if share < 1 and not moment.finale:
            for late in (0.0, 0.18):
                part = span(share, late, 1 - late)
                pen.circle(0, 0, r * (1.0 + 0.55 * out_cubic(part)))
                pen.stroke(self._gold, 6 * (1 - part) + 0.4, 0.6 * (1 - part))
        pen.restore()

    def _float(self, pen: Pen, lantern: Lantern, time: float, speed: float) -> None:
        x, y, size, phase, sort = lantern
        rise = 1.2 - ((y + time * speed * (0.7 + size)) % 1.0) * 1.45
        self._lantern(
            pen,
            x * self._stage.width + 16 * wave(time, 5, phase),
            rise * self._stage.height,
            size,
            sort,
            0.08 * wave(time, 3.4, phase),
        )

    def _lantern(self, pen: Pen, x: float, y: float, size: float, sort: int, lean: float) -> None:
        if not -150 < y < self._stage.height + 120:
            return
        pen.save()
        pen.move(x, y)
        pen.rotate(lean)
        pen.scale(size)
        pen.picture((self._shapes if size > 0.34 else self._small)[sort], -120, -110)
        pen.restore()

    def _draw_water(self, pen: Pen, moment: Moment) -> None:
        """The moon's light in broken strokes on the water."""
        stage, time = self._stage, moment.time
        pen.picture(self._water, 0, self._horizon)
        x = stage.centre[0]
        rows = max(5, round((stage.height - self._horizon) / 13))
        for row in range(rows):
            y = self._horizon + 8 + row * 13
            wide = (70 + 13 * row) * (1 + 0.25 * wave(time, 2.3, row * 0.37))
            shift = 10 * wave(time, 1.9, row * 0.29)
            pen.to(x - wide + shift, y)
            pen.line(x + wide + shift, y)
            pen.stroke(mix(self._gold, WHITE, 0.3), 3.2, 0.42 * (1 - 0.5 * row / rows))
        for k in range(26):
            px = ((k * 0.618 + 0.013 * time) % 1) * stage.width
            y = self._horizon + 10 + (k * 7919 % 100) / 100 * (stage.height - self._horizon - 16)
            wide = 16 + 20 * abs(wave(time, 3, k * 0.23))
            pen.to(px - wide, y)
            pen.line(px + wide, y)
        pen.stroke(mix(self._gold, self._red, 0.5), 2.0, 0.28)

    def _draw_petals(self, pen: Pen, time: float) -> None:
        stage = self._stage
        tint: Colour = mix(self._red, WHITE, 0.5)
        for x, y, size, phase in self._petals:
            fall = (y + time * (0.05 + 0.03 * phase)) % 1.1 - 0.05
            pen.save()
            pen.move(((x + 0.03 * time + 0.02 * wave(time, 3, phase)) % 1.05) * stage.width, fall * stage.height)
            pen.rotate(math.tau * (phase + 0.2 * time))
            pen.scale(1, 0.35 + 0.6 * abs(wave(time, 1.8, phase)))
            pen.to(0, -size)
            pen.curve(size, -size * 0.6, size * 0.8, size * 0.6, 0, size)
            pen.curve(-size * 0.8, size * 0.6, -size, -size * 0.6, 0, -size)
            pen.fill(tint, 0.85)
            pen.restore()

    def told(self) -> str:
        return (
            "A festive evening: a full moon behind the numbers, mountains in mist, its light on the water, lanterns "
            "that rise and petals that fall. At the end a multitude of lanterns goes up, and confetti flies."
        )
