"""A garden party: sky, clouds, hills, bunting, a cake whose candles are lit one by one, and friends who watch."""

from __future__ import annotations

import math

from .cairo import Colour, Pen, Picture
from .cake import Cake
from .colour import BLACK, WHITE, mix, shifted, toned
from .easing import out_cubic, span, spring, wave
from .friends import SORTS, Friend, Mood, hop_of
from .stage import Stage, star_points
from .world import Moment


class Party:
    """The world `party`."""

    name = "party"
    face = "grotesk"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        scheme = stage.scheme
        self._rng = stage.random("party")
        self.card = mix(scheme.background, WHITE, 0.86) if not scheme.dark else (1.0, 0.99, 0.97)
        self.inks = scheme.inks_on(self.card)
        self.ring = scheme.accent
        self.confetti = scheme.brights
        self._night = scheme.dark
        self._base = scheme.background
        self._sky = self._paint_sky()
        self._edge = self._paint_sky()
        self._edge.fade(*stage.centre, 0.62 * math.hypot(stage.width, stage.height))
        self._clouds = [self._paint_cloud(k) for k in range(3)]
        self._cloud_at = [
            (self._rng.random(), self._rng.uniform(0.03, 0.34), k % 3, self._rng.uniform(0.6, 1.15))
            for k in range(6 + round(stage.width / 400))
        ]
        self._ground = stage.height - min(210.0, 0.30 * stage.height)
        self._hills = [self._paint_hill(k) for k in range(3)]
        self._cake = Cake(stage, self._night)
        self._friends = self._place_friends()
        rng = self._rng
        self._drift = [
            (
                rng.random(),
                rng.random(),
                rng.uniform(5, 12),
                rng.randrange(4),
                rng.uniform(0.02, 0.06),
                rng.random(),
                rng.randrange(len(scheme.brights)),
            )
            for _ in range(46)
        ]
        self._rays = rng.choice((10, 12, 14))

    # Drawn once

    def _paint_sky(self) -> Picture:
        stage, b = self._stage, self._base
        picture = Picture(*stage.pixels, stage.scale)
        top, low = stage.scheme.secondary, stage.scheme.primary
        if self._night:
            stops = [
                (0.0, shifted(mix(b, top, 0.10), -0.03), 1.0),
                (0.6, mix(b, top, 0.25), 1.0),
                (1.0, mix(b, low, 0.4), 1.0),
            ]
        else:
            stops = [
                (0.0, mix(mix(b, top, 0.30), WHITE, 0.18), 1.0),
                (0.5, mix(b, WHITE, 0.5), 1.0),
                (1.0, mix(b, low, 0.16), 1.0),
            ]
        picture.pen.box(0, 0, stage.width, stage.height)
        picture.pen.fill_linear(0, 0, 0, stage.height, stops)
        return picture

    def _paint_cloud(self, number: int) -> Picture:
        rng = self._stage.random(f"cloud{number}")
        picture = Picture.of_units(280, 130, self._stage.scale)
        pen = picture.pen
        colour = mix(self._base, WHITE, 0.25 if self._night else 0.9)
        puffs = [
            (60 + 40 * k + rng.uniform(-8, 8), 78 - 26 * math.sin(math.pi * (k + 0.7) / 4.6), rng.uniform(28, 44))
            for k in range(5)
        ]
        pen.box(0, 0, 280, 108)
        pen.clip()
        pen.box(24, 64, 232, 80, 34)
        pen.fill(colour)
        for x, y, r in puffs:
            pen.circle(x, y, r)
            pen.fill_linear(
                0, 30, 0, 115, [(0, mix(colour, WHITE, 0.6 if not self._night else 0.1), 1), (1, colour, 1)]
            )
        return picture

    def _paint_hill(self, number: int) -> Picture:
        stage = self._stage
        rng = stage.random(f"hill{number}")
        width, deep = stage.width + 120, stage.height - self._ground + 70
        picture = Picture.of_units(width, deep, stage.scale)
        pen = picture.pen
        source = (stage.scheme.secondary, stage.scheme.primary, stage.scheme.accent)[number]
        washed = mix(self._base, source, (0.30, 0.30, 0.42)[number])
        colour = shifted(washed, -0.02 * number) if not self._night else shifted(washed, -0.05 + 0.02 * number)
        top = (0, 36, 84)[number]
        pen.to(0, deep)
        pen.line(0, top + 40)
        steps, x = 5, 0.0
        for k in range(steps):
            after = width * (k + 1) / steps
            y = top + (12 if k % 2 else 52) + rng.uniform(-12, 12)
            pen.curve(
                x + width / steps * 0.5, top + 32 + (30 if k % 2 else -30), after - width / steps * 0.5, y, after, y
            )
            x = after
        pen.line(width, deep)
        pen.close()
        pen.fill_linear(
            0, top, 0, deep, [(0, mix(colour, WHITE, 0.22 if not self._night else 0.06), 1), (1, colour, 1)]
        )
        if number == 2:
            for _ in range(round(width / 9)):
                pen.circle(rng.uniform(0, width), rng.uniform(top + 78, deep), rng.uniform(1.6, 3.4))
                pen.fill(mix(colour, WHITE, 0.7 if not self._night else 0.3), 0.8)
        return picture

    def _place_friends(self) -> list[Friend]:
        stage, rng, scheme = self._stage, self._rng, self._stage.scheme
        sorts = rng.sample(SORTS, 2)
        bodies = {
            "bunny": mix(scheme.background, WHITE, 0.9) if not self._night else (0.98, 0.96, 0.95),
            "moon": toned(scheme.accent, 0.88, 0.9),
            "chick": toned(scheme.accent, 0.88, 0.95),
            "bear": toned(mix(scheme.accent, scheme.primary, 0.4), 0.72, 0.55),
            "cat": toned(scheme.secondary, 0.82, 0.45),
        }
        size = min(230.0, 0.20 * stage.width)
        inset = max(0.17 * stage.width, size * 0.62) if stage.width > 1000 else size * 0.55
        base = stage.height - 62
        found = []
        for side, sort in zip((0, 1), sorts, strict=True):
            x = inset if side == 0 else stage.width - inset
            dress = scheme.primary if side == 0 else scheme.secondary
            found.append(
                Friend(
                    sort,
                    x,
                    base,
                    size,
                    bodies[sort],
                    dress,
                    scheme.accent if sort != "moon" else scheme.secondary,
                    rng.random(),
                )
            )
        return found

    # Drawn for each frame

    def behind(self, pen: Pen, moment: Moment) -> None:
        stage, time = self._stage, moment.time
        width, height = stage.width, stage.height
        pen.picture(self._sky, 0, 0)
        self._draw_rays(pen, moment)
        for x, y, sort, size in self._cloud_at:
            span_ = width + 300
            at = (x * span_ + time * 14 * size) % span_ - 290
            pen.save()
            pen.move(at, y * height + 5 * wave(time, 5, x))
            pen.scale(size)
            pen.picture(self._clouds[sort], 0, 0, 0.92 if not self._night else 0.5)
            pen.restore()
        self._draw_drift(pen, moment)
        for number, hill in enumerate(self._hills):
            sway = (14, 26, 44)[number] * wave(time, 11, 0.2 * number)
            pen.picture(hill, -60 + sway, self._ground - 50)
        self._draw_bunting(pen, time)
        if not moment.finale or moment.joy < 1:
            self._draw_rosette(pen, moment)
        self._cake.draw(pen, moment)
        for number, friend in enumerate(self._friends):
            hop, squash = hop_of(moment.since, stage.beats.slot, 0.04 + 0.09 * number)
            if moment.finale:
                hop = abs(math.sin(math.pi * (moment.since * 1.7 + 0.3 * number))) * 0.8
                squash = 0.35 * math.cos(math.tau * (moment.since * 1.7 + 0.3 * number))
            friend.draw(pen, Mood(time, hop, squash, moment.joy))
        if moment.finale:
            self._draw_balloons(pen, moment)

    def _draw_rays(self, pen: Pen, moment: Moment) -> None:
        x, y = self._stage.centre
        reach = math.hypot(self._stage.width, self._stage.height)
        pen.save()
        pen.move(x, y)
        pen.rotate(moment.time * 0.09)
        for ray in range(self._rays):
            angle, half = math.tau * ray / self._rays, math.pi / self._rays * 0.5
            pen.to(0, 0)
            pen.line(reach * math.cos(angle - half), reach * math.sin(angle - half))
            pen.line(reach * math.cos(angle + half), reach * math.sin(angle + half))
            pen.close()
        light = WHITE if not self._night else self._stage.scheme.accent
        strength = (0.55 if not self._night else 0.16) * (1 + 0.3 * moment.joy)
        pen.fill(light, strength)
        pen.restore()
        # The sky again, transparent in the middle: rays that fade outwards, for less than a gradient costs.
        pen.picture(self._edge, 0, 0)

    def _draw_drift(self, pen: Pen, moment: Moment) -> None:
        """Hearts, stars and dots that rise slowly, nearer ones quicker."""
        stage = self._stage
        for x, y, size, sort, speed, phase, tint in self._drift:
            rise = (y - moment.time * speed * (0.7 + size / 12)) % 1.1 - 0.05
            pen.save()
            pen.move(stage.width * x + 18 * wave(moment.time, 4, phase), stage.height * rise)
            pen.rotate(0.6 * wave(moment.time, 5, phase))
            pen.scale(size / 10)
            if sort == 0:
                heart(pen)
            elif sort == 1:
                pen.polygon(star_points(5, 11, 5))
            else:
                pen.circle(0, 0, 5.5 if sort == 2 else 3.5)
            pen.fill(stage.scheme.brights[tint], 0.75)
            pen.restore()

    def _draw_bunting(self, pen: Pen, time: float) -> None:
        stage, colours = self._stage, self._stage.scheme.brights
        for row, (drop, size, phase) in enumerate(((70, 40, 0.0), (38, 34, 0.5))):
            swags = max(2, round(stage.width / 430)) + row
            length = stage.width / swags
            for swag in range(swags):
                flags = max(5, round(length / (size * 1.25)))
                left = swag * length
                points = []
                for k in range(flags + 1):
                    u = k / flags
                    points.append((left + u * length, -8 + 4 * drop * u * (1 - u) + 3 * wave(time, 3, phase + 0.1 * k)))
                pen.to(*points[0])
                for x, y in points[1:]:
                    pen.line(x, y)
                pen.stroke(mix(self._base, BLACK, 0.25), 2)
                for k in range(flags):
                    (x0, y0), (x1, y1) = points[k], points[k + 1]
                    lean = 5 * wave(time, 1.7, phase + 0.17 * (k + swag * flags))
                    pen.polygon([(x0 + 2, y0), (x1 - 2, y1), ((x0 + x1) / 2 + lean, (y0 + y1) / 2 + size)])
                    pen.fill(colours[(k + swag + row) % len(colours)])

    def _draw_rosette(self, pen: Pen, moment: Moment) -> None:
        """The scalloped plate behind the numbers: turns a little and swells at each."""
        stage = self._stage
        x, y = stage.centre
        shrink = 1 - out_cubic(moment.joy) if moment.finale else 1.0
        beat = spring(span(moment.since, 0.05, min(0.6, 0.7 * stage.beats.slot)), 5, 1.5) if not moment.finale else 1
        grow = spring(span(moment.time, 0.0, 0.6)) if moment.place == 0 else 0.94 + 0.06 * beat
        pen.save()
        pen.move(x, y)
        pen.scale(grow * shrink)
        radius, petals = stage.radius, 18
        pen.circle(0, 12, radius + 26)
        pen.fill(BLACK, 0.10)
        pen.save()
        turn = math.tau / petals * 2 * (moment.place + out_cubic(span(moment.since, 0.0, 0.5)))
        pen.rotate(turn if not moment.finale else 0.0)
        colours = stage.scheme.brights[:3]
        for tint, colour in enumerate(colours):
            for k in range(tint, petals, 3):
                angle = math.tau * k / petals
                pen.circle((radius + 2) * math.cos(angle), (radius + 2) * math.sin(angle), 44)
            pen.fill(colour)
        pen.restore()
        pen.circle(0, 0, radius)
        pen.fill(self.card)
        for k in range(48):
            angle = math.tau * k / 48 - turn * 0.5
            pen.circle((radius - 16) * math.cos(angle), (radius - 16) * math.sin(angle), 2.6)
        pen.fill(mix(self.card, stage.scheme.secondary, 0.5))
        pen.restore()

    def _draw_balloons(self, pen: Pen, moment: Moment) -> None:
        """Balloons rise at the sides, behind the words."""
        stage = self._stage
        for k, tint in enumerate((0, 2, 1, 3, 0, 1)):
            side = -1 if k % 2 == 0 else 1
            rise = out_cubic(span(moment.since, 0.1 * k, 1.7))
            x = stage.width / 2 + side * (stage.width / 2 - 34 - 40 * (k // 2)) + 8 * wave(moment.time, 2.4, 0.2 * k)
            y = stage.height + 140 - rise * (0.46 * stage.height + 150 - 74 * (k // 2)) - 10 * moment.since
            balloon(pen, x, y, stage.scheme.brights[tint], 0.06 * wave(moment.time, 2.1, 0.3 * k))

    def told(self) -> str:
        friends = " and ".join(f"a {friend.sort}" for friend in self._friends)
        return (
            "A garden party: hills, clouds and bunting, a cake whose candles are lit one by one with the numbers, and "
            f"{friends} who hop at each of them. At the end they cheer, balloons rise and confetti flies."
        )


def heart(pen: Pen) -> None:
    """The path of a heart about 20 units wide."""
    pen.to(0, 9)
    pen.curve(-16, -2, -9, -13, 0, -5)
    pen.curve(9, -13, 16, -2, 0, 9)
    pen.close()


def balloon(pen: Pen, x: float, y: float, colour: Colour, lean: float) -> None:
    """A balloon on its string."""
    pen.save()
    pen.move(x, y)
    pen.rotate(lean)
    pen.to(0, 46)
    pen.curve(10, 80, -10, 110, 3, 150)
    pen.stroke(mix(colour, BLACK, 0.4), 1.6, 0.7)
    pen.polygon([(-6, 50), (6, 50), (0, 42)])
    pen.fill(shifted(colour, -0.1))
    pen.ellipse(0, 0, 37, 45)
    pen.fill_radial(-12, -16, 66, [(0, mix(colour, WHITE, 0.55), 1), (0.5, colour, 1), (1, shifted(colour, -0.12), 1)])
    pen.ellipse(-14, -20, 6, 10)
    pen.fill(WHITE, 0.6)
    pen.restore()
