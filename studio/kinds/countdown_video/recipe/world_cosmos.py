"""Deep night: stars in three depths, a planet behind the numbers, a rocket or a skyline, fireworks at the end."""

from __future__ import annotations

import math

from .cairo import Colour, Pen, Picture
from .colour import BLACK, WHITE, chroma, lightness, mix, readable, shifted, toned
from .easing import in_cubic, out_cubic, smooth, span, spring, wave
from .stage import Stage
from .world import Moment

_BURST_S = 1.5


class Cosmos:
    """The world `cosmos`."""

    name = "cosmos"
    face = "geometric"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        scheme = stage.scheme
        rng = self._rng = stage.random("cosmos")
        base = scheme.background if scheme.dark else toned(_vivid(scheme.secondary, scheme.primary), 0.24, 0.55)
        self._base = base
        self.card = mix(toned(base, min(0.26, lightness(base))), BLACK, 0.25)
        lights = [toned(c, max(lightness(c), 0.78), 0.9) for c in (scheme.accent, scheme.secondary, scheme.primary)]
        self._lights = (*lights, mix(lights[0], WHITE, 0.6))
        self.inks = tuple(readable(c, self.card, 7.0) for c in lights)
        self.ring = _vivid(scheme.primary, scheme.secondary)
        self.confetti = self._lights
        self._planet_hue = _vivid(scheme.secondary, scheme.primary)
        # An upright frame would be empty below the planet without it.
        self._city = rng.random() < 0.5 or stage.height > 1.3 * stage.width
        self._sky = self._paint_sky()
        self._halo, self._planet = self._paint_halo(), self._paint_planet()
        self._glow = self._paint_glow()
        self._stars = [
            [
                (rng.random(), rng.random(), rng.uniform(0.8, 1.7) * (1 + depth * 0.55), rng.random())
                for _ in range(round(70 * max(1.0, stage.width * stage.height / 900_000)))
            ]
            for depth in range(3)
        ]
        self._moons = [
            (rng.uniform(18, 34), rng.uniform(1.32, 1.75), rng.uniform(9, 16) * rng.choice((-1, 1)), rng.random(), k)
            for k in range(3)
        ]
        self._bursts = [
            (
                0.02 + 0.27 * k + rng.uniform(0, 0.1),
                rng.uniform(0.1, 0.9),
                rng.uniform(0.10, 0.46),
                rng.uniform(110, 190),
                rng.randrange(4),
                rng.random(),
            )
            for k in range(24)
        ]
        self._skyline = self._paint_skyline() if self._city else None

    def _paint_sky(self) -> Picture:
        stage, b, rng = self._stage, self._base, self._rng
        picture = Picture(*stage.pixels, stage.scale)
        pen = picture.pen
        width, height = stage.width, stage.height
        pen.box(0, 0, width, height)
        low = mix(b, self._planet_hue, 0.34)
        pen.fill_linear(0, 0, 0, height, [(0, mix(b, BLACK, 0.45), 1), (0.55, b, 1), (1, low, 1)])
        for source in (stage.scheme.primary, stage.scheme.secondary, stage.scheme.primary, stage.scheme.accent):
            x, y, r = rng.uniform(0, width), rng.uniform(0, height * 0.8), rng.uniform(240, 460)
            pen.circle(x, y, r)
            pen.fill_radial(x, y, r, [(0, source, 0.20), (0.5, source, 0.08), (1, source, 0.0)])
        for _ in range(round(width * height / 5200)):
            size = rng.uniform(0.5, 1.3)
            pen.circle(rng.uniform(0, width), rng.uniform(0, height), size)
            pen.fill(mix(WHITE, rng.choice(self._lights), 0.4), rng.uniform(0.25, 0.8))
        return picture

    def _paint_halo(self) -> Picture:
        r, hue = self._stage.radius, self._planet_hue
        picture = Picture.of_units(3.2 * r, 3.2 * r, self._stage.scale)
        picture.pen.circle(1.6 * r, 1.6 * r, 1.58 * r)
        stops = [(0.0, hue, 0.65), (0.62, hue, 0.42), (0.72, hue, 0.16), (1.0, hue, 0.0)]
        picture.pen.fill_radial(1.6 * r, 1.6 * r, 1.58 * r, stops)
        return picture

    def _paint_glow(self) -> Picture:
        """Light behind the last words, as large as the frame."""
        stage, hue = self._stage, self._planet_hue
        picture = Picture(*stage.pixels, stage.scale)
        x, y, r = stage.width / 2, stage.height * 0.44, 0.62 * max(stage.width, stage.height * 0.8)
        picture.pen.circle(x, y, r)
        picture.pen.fill_radial(x, y, r, [(0, hue, 0.55), (0.5, hue, 0.18), (1, hue, 0.0)])
        return picture

    def _paint_planet(self) -> Picture:
        """A banded globe with its light from the upper left."""
        stage, r = self._stage, self._stage.radius
        picture = Picture.of_units(2 * r + 4, 2 * r + 4, stage.scale)
        pen = picture.pen
        hue = self._planet_hue
        body = toned(hue, 0.50, 0.9)
        pen.move(r + 2, r + 2)
        pen.save()
        pen.circle(0, 0, r)
        pen.clip()
        pen.circle(0, 0, r)
        pen.fill(body)
        rng = stage.random("planet")
        pen.rotate(-0.35)
        y = -r
        while y < r:
            deep = rng.uniform(0.07, 0.20) * r
            pen.to(-r, y)
            pen.curve(-r / 3, y + rng.uniform(-14, 14), r / 3, y + rng.uniform(-14, 14), r, y)
            pen.line(r, y + deep)
            pen.curve(r / 3, y + deep + rng.uniform(-14, 14), -r / 3, y + deep + rng.uniform(-14, 14), -r, y + deep)
            pen.close()
            pen.fill(shifted(body, rng.uniform(-0.07, 0.07)))
            y += deep * 0.95
        pen.rotate(0.35)
        pen.circle(0, 0, r)
        pen.fill_radial(
            -0.4 * r, -0.45 * r, 1.7 * r, [(0, WHITE, 0.28), (0.45, body, 0.0), (0.75, BLACK, 0.28), (1, BLACK, 0.6)]
        )
        pen.restore()
        return picture

    def _paint_skyline(self) -> Picture:
        stage, rng = self._stage, self._stage.random("city")
        deep = min(230.0, 0.30 * stage.height)
        picture = Picture.of_units(stage.width, deep, stage.scale)
        pen = picture.pen
        for row, (share, light) in enumerate(((1.0, 0.10), (0.66, 0.03))):
            colour = shifted(mix(self._base, self._planet_hue, 0.25 - 0.1 * row), light - 0.05)
            x = -20.0
            while x < stage.width:
                wide, tall = rng.uniform(34, 84), deep * share * rng.uniform(0.30, 0.95)
                pen.box(x, deep - tall, wide, tall, 0)
                if rng.random() < 0.3:
                    pen.polygon(
                        [
                            (x + wide * 0.5 - 4, deep - tall),
                            (x + wide * 0.5, deep - tall - 34),
                            (x + wide * 0.5 + 4, deep - tall),
                        ]
                    )
                pen.fill(colour)
                if row:
                    for wx in range(round((wide - 14) / 13)):
                        for wy in range(round((tall - 16) / 17)):
                            if rng.random() < 0.42:
                                pen.box(x + 8 + wx * 13, deep - tall + 10 + wy * 17, 6, 8, 1)
                                pen.fill(rng.choice(self._lights[:2]), rng.uniform(0.35, 0.9))
                x += wide + rng.uniform(-6, 10)
        return picture

    def behind(self, pen: Pen, moment: Moment) -> None:
        stage, time = self._stage, moment.time
        pen.picture(self._sky, 0, 0)
        self._draw_stars(pen, moment)
        self._draw_shooting(pen, moment)
        if not moment.finale or moment.joy < 1:
            self._draw_planet(pen, moment)
        else:
            self._draw_glow(pen, moment)
        if moment.finale:
            self._draw_bursts(pen, moment)
        if self._skyline:
            sway = 5 * wave(time, 9)
            pen.picture(self._skyline, sway * 0.6, stage.height - self._skyline.height / self._skyline.scale + 1)
        elif not moment.finale or moment.since < 1.2:
            self._draw_rocket(pen, moment)

    def _draw_stars(self, pen: Pen, moment: Moment) -> None:
        """Three depths that drift; in the finale they stream outwards from the middle."""
        stage, time = self._stage, moment.time
        cx, cy = stage.centre
        rush = out_cubic(span(moment.since, 0, 1.2)) if moment.finale else 0.0
        for depth, stars in enumerate(self._stars):
            speed = (5, 13, 28)[depth]
            for x, y, size, phase in stars:
                px = (x * stage.width - time * speed) % stage.width
                py = y * stage.height + 6 * wave(time, 7, phase)
                push = 1 + rush * 0.30 * (depth + 1)
                px, py = cx + (px - cx) * push, cy + (py - cy) * push
                twinkle = 0.55 + 0.45 * wave(time, 1.3 + 2 * phase, phase * 7)
                pen.circle(px, py, size * (0.75 + 0.35 * twinkle))
                pen.fill(self._lights[int(phase * 4) % 4] if phase > 0.6 else WHITE, 0.35 + 0.6 * twinkle)
                if depth == 2 and phase > 0.72:
                    reach = size * (3 + 5 * twinkle)
                    for dx, dy in ((reach, 0), (0, reach)):
                        pen.to(px - dx, py - dy)
                        pen.line(px + dx, py + dy)
                    pen.stroke(WHITE, 0.9, 0.5 * twinkle)

    def _draw_shooting(self, pen: Pen, moment: Moment) -> None:
        """A shooting star with every second number."""
        if moment.finale or moment.place % 2:
            return
        share = span(moment.since, 0.12, 0.6)
        if 0 < share < 1:
            stage, rng = self._stage, self._stage.random(f"shot{moment.place}")
            side = rng.choice((-1, 1))
            x0, y0 = stage.width * (0.5 - 0.42 * side), stage.height * rng.uniform(0.04, 0.2)
            length = 340 * out_cubic(share)
            x, y = x0 + side * length * 1.5, y0 + length * 0.55
            tail = 150 * math.sin(math.pi * share)
            for part in range(8):
                k = part / 8
                pen.to(x - side * tail * k, y - tail * 0.37 * k)
                pen.line(x - side * tail * (k + 0.125), y - tail * 0.37 * (k + 0.125))
                pen.stroke(WHITE, 3.6 * (1 - k), (1 - k) * (1 - share * share))

    def _draw_planet(self, pen: Pen, moment: Moment) -> None:
        stage, time = self._stage, moment.time
        x, y = stage.centre
        r = stage.radius
        gone = in_cubic(moment.joy) if moment.finale else 0.0
        grow = spring(span(time, 0, 0.7)) if moment.place == 0 else 0.97 + 0.03 * spring(span(moment.since, 0, 0.6))
        if not gone:
            step = self._stage.scale
            pen.picture(
                self._halo, round((x - 1.6 * r) * step) / step, round((y - 1.6 * r) * step) / step, min(1.0, time * 2)
            )
        pen.save()
        pen.move(x, y + 3 * wave(time, 4))
        pen.scale(grow * (1 - 0.999 * gone))
        self._draw_moons(pen, time, False)
        for side in (False, True):
            if side:
                pen.picture(self._planet, -r - 2, -r - 2)
            pen.save()
            pen.rotate(-0.32)
            pen.scale(1, 0.30)
            for reach, wide, alpha in ((1.52, 26, 0.75), (1.36, 12, 0.5), (1.66, 6, 0.5)):
                pen.arc(0, 0, r * reach, 0.12 if side else math.pi - 0.12, math.pi - 0.12 if side else math.tau + 0.12)
                pen.stroke(self._lights[0], wide, alpha)
            pen.restore()
        self._draw_moons(pen, time, True)
        share = span(moment.since, 0, min(0.8, 0.8 * stage.beats.slot))
        if share < 1:
            pen.circle(0, 0, r * (0.9 + 0.75 * out_cubic(share)))
            pen.stroke(self._lights[moment.place % 3], 9 * (1 - share) + 0.5, 0.7 * (1 - share))
        pen.restore()

    def _draw_moons(self, pen: Pen, time: float, near: bool) -> None:
        r = self._stage.radius
        for size, reach, period, phase, tint in self._moons:
            angle = math.tau * (time / period + phase)
            if (math.sin(angle) > 0) == near:
                x, y = (
                    r * reach * math.cos(angle),
                    r * reach * 0.34 * math.sin(angle) - 0.3 * r * reach * math.cos(angle),
                )
                colour = toned(self._lights[tint], 0.72, 1.0)
                pen.circle(x, y, size)
                pen.fill_radial(
                    x - size * 0.3,
                    y - size * 0.3,
                    size * 1.4,
                    [(0, mix(colour, WHITE, 0.4), 1), (1, mix(colour, BLACK, 0.5), 1)],
                )

    def _draw_glow(self, pen: Pen, moment: Moment) -> None:
        pen.picture(self._glow, 0, 0, 0.9 + 0.1 * wave(moment.time, 1.2))

    def _draw_rocket(self, pen: Pen, moment: Moment) -> None:
        """It circles the planet with a trail, and leaves upwards at the end."""
        stage, time = self._stage, moment.time
        cx, cy = stage.centre
        rx, ry = min(0.42 * stage.width, 470.0), min(0.36 * stage.height, 300.0)
        away = in_cubic(span(moment.since, 0, 1.1)) if moment.finale else 0.0

        def at(t: float) -> tuple[float, float]:
            angle = math.tau * t / 6.5 + 0.6
            return cx + rx * math.cos(angle), cy + ry * math.sin(angle) * 0.98 - away * (stage.height + 200)

        for back in range(22):
            x, y = at(time - 0.035 * (back + 1.6))
            pen.circle(x + 5 * wave(back, 5.0, time), y + away * back * 14, 11 * (1 - back / 22) + 1)
            pen.fill(mix(self._lights[0], self._lights[2], back / 22), 0.55 * (1 - back / 22))
        x, y = at(time)
        x2, y2 = at(time + 0.05)
        pen.save()
        pen.move(x, y)
        pen.rotate(math.atan2(y2 - y - away * 30, x2 - x) + math.pi / 2)
        pen.scale(1.15)
        self._rocket(pen, time)
        pen.restore()

    def _rocket(self, pen: Pen, time: float) -> None:
        fin, hull = self.ring, mix(WHITE, self._base, 0.06)
        flame = 1 + 0.3 * wave(time, 0.12)
        pen.to(-8, 26)
        pen.curve(-12, 44 * flame, -3, 50 * flame, 0, 60 * flame)
        pen.curve(3, 50 * flame, 12, 44 * flame, 8, 26)
        pen.fill((1.0, 0.75, 0.25))
        for side in (-1, 1):
            pen.polygon([(side * 13, 6), (side * 27, 32), (side * 10, 26)])
            pen.stroke(fin, 3, keep=True)
            pen.fill(fin)
        pen.to(0, -44)
        pen.curve(22, -24, 20, 8, 12, 28)
        pen.line(-12, 28)
        pen.curve(-20, 8, -22, -24, 0, -44)
        pen.fill_linear(-18, 0, 18, 0, [(0, hull, 1), (0.6, hull, 1), (1, mix(hull, BLACK, 0.25), 1)])
        pen.circle(0, -10, 8.5)
        pen.fill(fin)
        pen.circle(0, -10, 5.8)
        pen.fill(mix(self._planet_hue, WHITE, 0.5))

    def _draw_bursts(self, pen: Pen, moment: Moment) -> None:
        """Fireworks: sparks on drag-slowed rays that sink and fade."""
        stage = self._stage
        pen.glow(True)
        for born, x, y, reach, tint, phase in self._bursts:
            age = moment.since - born
            if not 0 < age < _BURST_S:
                continue
            px, py = x * stage.width, y * stage.height
            fade = 1 - smooth(span(age, 0.5, _BURST_S - 0.5))
            open_ = out_cubic(age / 0.9)
            flash = 1 - span(age, 0, 0.18)
            colour = self._lights[tint]
            if flash > 0:
                pen.circle(px, py, reach * 0.7)
                pen.fill_radial(px, py, reach * 0.7, [(0, colour, 0.8 * flash), (1, colour, 0.0)])
            for ring, (count, share) in enumerate(((22, 1.0), (14, 0.62))):
                for k in range(count):
                    angle = math.tau * (k / count + phase) + ring
                    far = reach * share * open_ * (0.92 + 0.08 * math.sin(k * 5.1))
                    sink = 80 * age * age * 0.5
                    sx, sy = px + far * math.cos(angle), py + far * math.sin(angle) + sink
                    back = max(0.0, 0.24 * (1 - age / _BURST_S)) * far
                    pen.to(sx - back * math.cos(angle), sy - back * math.sin(angle) - 0.1 * sink)
                    pen.line(sx, sy)
                pen.stroke(colour if not ring else self._lights[3], 3.4 - ring, 0.9 * fade)
        pen.glow(False)

    def told(self) -> str:
        foot = "the lit windows of a city below" if self._city else "a rocket that circles it with a trail of sparks"
        return (
            "Deep night: stars drift in three depths behind a banded planet with a ring and moons; the numbers stand "
            f"before it, with {foot}. At the end the planet gives way to fireworks and confetti."
        )


def _vivid(one: Colour, other: Colour) -> Colour:
    return one if chroma(one) >= chroma(other) else other
