"""A birthday cake in two tiers, whose candles are lit one by one as the numbers go."""

from __future__ import annotations

from .cairo import Pen, Picture
from .colour import BLACK, WHITE, lightness, mix, shifted, toned
from .easing import smooth, wave
from .stage import Stage
from .world import Moment


class Cake:
    """It stands at the bottom of the frame, in the middle."""

    def __init__(self, stage: Stage, night: bool) -> None:
        self._stage, self._night = stage, night
        tall = stage.height > 1.2 * stage.width
        self._below = 60 if tall else 18
        square = not tall and stage.height > 0.8 * stage.width
        self._size = min(0.36 * stage.width, 300.0 if tall else 184.0 if square else 232.0)
        self._tiers = self._paint()

    def _paint(self) -> Picture:
        """The cake, 300 × 210 units before its size, without flames."""
        scheme = self._stage.scheme
        picture = Picture.of_units(300, 210, self._stage.scale * self._size / 300)
        pen = picture.pen
        icing = mix(scheme.background, WHITE, 0.85) if not self._night else (1.0, 0.97, 0.94)
        tiers = ((20, 118, 260, 80, scheme.primary), (66, 52, 168, 70, scheme.secondary))
        pen.ellipse(150, 198, 148, 12)
        pen.fill(mix(icing, BLACK, 0.08))
        pen.ellipse(150, 194, 142, 10)
        pen.fill(icing)
        for x, y, w, h, colour in tiers:
            soft = toned(colour, max(0.72, lightness(colour)), 0.85)
            pen.box(x, y, w, h, 16)
            pen.fill_linear(
                x, 0, x + w, 0, [(0, shifted(soft, 0.05), 1), (0.45, soft, 1), (1, shifted(soft, -0.08), 1)]
            )
            pen.box(x, y + h - 14, w, 14, 7)
            pen.fill(shifted(soft, -0.07))
            count = round(w / 24)
            pen.box(x - 4, y - 8, w + 8, 22, 11)
            pen.fill(icing)
            for k in range(count):
                cx = x + (k + 0.5) * w / count
                pen.box(cx - 10, y, 20, 22 + 12 * ((k * 7) % 3), 10)
                pen.fill(icing)
            for k in range(count):
                cx = x + (k + 0.5) * w / count
                pen.circle(cx, y + h - 16, 6.5)
                pen.fill(icing)
        return picture

    def draw(self, pen: Pen, moment: Moment) -> None:
        stage = self._stage
        count = len(stage.beats.numbers)
        candles = min(10, max(3, count))
        bounce = 0.03 * wave(moment.since, 0.5) if moment.finale else 0.0
        pen.save()
        pen.move(stage.width / 2, stage.height - self._below)
        pen.scale(self._size / 300)
        pen.scale(1 - bounce, 1 + bounce)
        pen.ellipse(0, 2, 160, 14)
        pen.fill(BLACK, 0.12)
        lit = candles if moment.finale else (moment.place + 1) * candles / count
        for k in range(candles):
            x = -70 + 140 * (k + 0.5) / candles
            tall = 34 + 5 * ((k * 5) % 3)
            colour = stage.scheme.brights[k % 3]
            pen.box(x - 4, -160 - tall, 8, tall + 8, 3)
            pen.fill(mix(colour, WHITE, 0.25))
            for stripe in range(3):
                pen.to(x - 4, -150 - tall + stripe * 13 + 6)
                pen.line(x + 4, -150 - tall + stripe * 13)
                pen.stroke(WHITE, 2.6, 0.8)
            pen.to(x, -160 - tall)
            pen.line(x, -166 - tall)
            pen.stroke(mix(colour, BLACK, 0.6), 1.6)
            birth = smooth(max(0.0, min(1.0, lit - k)))
            if birth > 0:
                self._flame(pen, x, -164 - tall, birth, moment.time, k)
        pen.picture(self._tiers, -150, -208)
        self._face(pen, moment)
        pen.restore()

    def _flame(self, pen: Pen, x: float, y: float, size: float, time: float, number: int) -> None:
        flicker = 1 + 0.14 * wave(time, 0.31, number * 0.37) + 0.08 * wave(time, 0.13, number * 0.21)
        lean = 2.2 * wave(time, 0.9, number * 0.3)
        pen.circle(x, y - 9, 20 * size)
        pen.fill_radial(x, y - 9, 20 * size, [(0, (1.0, 0.85, 0.4), 0.5), (1, (1.0, 0.85, 0.4), 0.0)])
        for scale, colour in ((1.0, (1.0, 0.62, 0.15)), (0.6, (1.0, 0.93, 0.55))):
            tall, wide = 20 * flicker * scale * size, 6 * scale * size
            pen.to(x, y)
            pen.curve(x - wide * 1.3, y - tall * 0.15, x - wide * 0.8, y - tall * 0.6, x + lean, y - tall)
            pen.curve(x + wide * 0.8, y - tall * 0.6, x + wide * 1.3, y - tall * 0.15, x, y)
            pen.fill(colour)

    def _face(self, pen: Pen, moment: Moment) -> None:
        line = mix(self._stage.scheme.primary, BLACK, 0.65)
        blink = moment.time % 3.1 > 2.98
        for side in (-1, 1):
            x, y = side * 34, -44
            if moment.joy > 0.5 or blink:
                pen.to(x - 7, y + 2)
                pen.curve(x - 4, y - 6, x + 4, y - 6, x + 7, y + 2)
                pen.stroke(line, 3.4)
            else:
                pen.ellipse(x, y, 5, 6)
                pen.fill(line)
                pen.circle(x + 1.6, y - 2.2, 1.8)
                pen.fill(WHITE)
            pen.ellipse(side * 54, y + 9, 8, 5)
            pen.fill((1.0, 0.4, 0.5), 0.4)
        pen.to(-9, -38)
        pen.curve(-6, -28 - 4 * moment.joy, 6, -28 - 4 * moment.joy, 9, -38)
        if moment.joy > 0.5:
            pen.close()
            pen.fill(line)
        else:
            pen.stroke(line, 3)
