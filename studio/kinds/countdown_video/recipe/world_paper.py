"""Cut paper: large flat shapes with their shadows, which turn and shift to each beat like a stage set."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .cairo import Colour, Pen, Picture
from .colour import BLACK, WHITE, lightness, mix, readable, shifted
from .easing import out_cubic, smooth, span, spring, wave
from .stage import Stage, star_points
from .world import Moment

SORTS = ("disc", "half", "quarter", "ring", "bars", "wave", "flower", "triangle", "dots")


@dataclass(frozen=True)
class Piece:
    """One shape: its home around the middle as shares of half the frame, size in units, tint, turns per beat."""

    sort: str
    x: float
    y: float
    size: float
    tint: Colour
    ink: Colour
    turn: float
    steps: int
    depth: float
    phase: float


class Paper:
    """The world `paper`."""

    name = "paper"
    face = "grotesk"

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        scheme = stage.scheme
        rng = self._rng = stage.random("paper")
        self._base = scheme.background
        self.card = mix(self._base, WHITE, 0.88) if lightness(self._base) > 0.55 else mix(self._base, BLACK, 0.5)
        self.inks = tuple(readable(c, self.card) for c in (scheme.primary, scheme.secondary, scheme.primary))
        self.ring = scheme.accent
        self.confetti = scheme.brights
        colours = [
            scheme.primary,
            scheme.secondary,
            scheme.accent,
            mix(scheme.primary, self._base, 0.55),
            mix(scheme.secondary, self._base, 0.55),
            mix(scheme.accent, self._base, 0.5),
        ]
        self._pieces = self._cast(colours)
        self._ground = self._paint_ground()
        self._disc = rng.choice(colours[:2])

    def _cast(self, colours: list[Colour]) -> list[Piece]:
        """Pieces around the middle, evenly by angle, none of two neighbours in one colour."""
        rng, stage = self._rng, self._stage
        wide = max(stage.width, stage.height) / 720
        count = 9 + round(3 * (wide - 1))
        sorts = [SORTS[k % len(SORTS)] for k in range(count)]
        rng.shuffle(sorts)
        found, start = [], rng.random()
        for k, sort in enumerate(sorts):
            angle = math.tau * (k / count + start) + rng.uniform(-0.12, 0.12)
            reach = rng.uniform(0.82, 1.12)
            tint = colours[k % len(colours)]
            ink = colours[(k + 2) % len(colours)]
            size = rng.uniform(115, 215)
            found.append(
                Piece(
                    sort,
                    reach * math.cos(angle),
                    reach * math.sin(angle),
                    size,
                    tint,
                    ink,
                    rng.choice((-1, 1)),
                    rng.choice((4, 8)),
                    rng.uniform(0.6, 1.4),
                    rng.random(),
                )
            )
        return sorted(found, key=lambda piece: piece.depth)

    def _paint_ground(self) -> Picture:
        """Tinted paper with a grain and two wide soft bands."""
        import numpy as np

        stage = self._stage
        picture = Picture(*stage.pixels, stage.scale)
        pen = picture.pen
        pen.box(0, 0, stage.width, stage.height)
        pen.fill_linear(
            0, 0, stage.width, stage.height, [(0, shifted(self._base, 0.02), 1), (1, shifted(self._base, -0.035), 1)]
        )
        picture.flush()
        grain = np.random.default_rng(stage.seed).integers(-3, 4, picture.pixels.shape[:2])
        toned_ = picture.pixels[..., :3].astype(np.int16) + grain[..., None]
        picture.pixels[..., :3] = np.clip(toned_, 0, 255).astype(np.uint8)
        return picture

    def behind(self, pen: Pen, moment: Moment) -> None:
        stage, time = self._stage, moment.time
        pen.picture(self._ground, 0, 0)
        cx, cy = stage.width / 2, stage.height / 2
        beat = moment.place + spring(span(moment.since, 0.0, min(0.75, 0.8 * stage.beats.slot)), 4.4, 1.2) - 1
        burst = spring(span(moment.since, 0, 0.9), 4, 1.1) if moment.finale else 0.0
        for piece in self._pieces:
            rise = spring(span(time, 0.04 * piece.phase * 10, 0.8))
            away = 1 + 0.10 * burst * piece.depth
            x = cx + piece.x * cx * away + 9 * piece.depth * wave(time, 5.2, piece.phase)
            y = cy + piece.y * cy * away + 9 * piece.depth * wave(time, 4.1, piece.phase + 0.3)
            angle = piece.turn * (beat * math.tau / piece.steps + 0.05 * time) + math.tau * piece.phase
            self._draw_piece(pen, piece, x, y, angle, rise * (1 + 0.05 * burst))
        if not moment.finale or moment.joy < 1:
            self._draw_clock(pen, moment)

    def _draw_piece(self, pen: Pen, piece: Piece, x: float, y: float, angle: float, grown: float) -> None:
        lift = 7 + 6 * piece.depth
        for shadow in (True, False):
            pen.save()
            pen.move(x + (lift * 0.5 if shadow else 0), y + (lift if shadow else 0))
            pen.rotate(angle)
            pen.scale(grown * piece.size / 100)
            self._paths(pen, piece, shadow)
            pen.restore()

    def _paths(self, pen: Pen, piece: Piece, shadow: bool) -> None:
        """The shape 200 units wide around the origin, its pattern on top."""
        tint, alpha = (BLACK, 0.16) if shadow else (piece.tint, 1.0)
        sort = piece.sort
        if sort == "ring":
            pen.circle(0, 0, 76)
            pen.stroke(tint, 44, alpha)
            return
        if sort == "dots":
            for row in range(5):
                for column in range(5):
                    pen.circle(-72 + 36 * column, -72 + 36 * row, 10.5)
            pen.fill(tint, alpha)
            return
        if sort == "bars":
            for k in range(4):
                pen.box(-90, -78 + 44 * k, 180, 24, 12)
            pen.fill(tint, alpha)
            return
        if sort == "half":
            pen.arc(0, 30, 100, math.pi, math.tau)
            pen.close()
        elif sort == "quarter":
            pen.to(-70, 70)
            pen.arc(-70, 70, 160, -math.pi / 2, 0)
            pen.close()
        elif sort == "wave":
            pen.to(-110, 0)
            for k in range(3):
                x = -110 + 74 * k
                pen.curve(x + 20, -46, x + 54, -46, x + 74, 0)
            pen.line(112, 42)
            for k in range(3):
                x = 112 - 74 * k
                pen.curve(x - 20, -4, x - 54, -4, x - 74, 42)
            pen.close()
        elif sort == "flower":
            for k in range(6):
                pen.circle(52 * math.cos(k * math.tau / 6), 52 * math.sin(k * math.tau / 6), 42)
            pen.circle(0, 0, 52)
        elif sort == "triangle":
            pen.polygon(star_points(3, 106, 53, math.pi))
        else:
            pen.circle(0, 0, 96)
        pen.fill(tint, alpha)
        if not shadow and sort in ("disc", "flower"):
            pen.circle(0, 0, 34)
            pen.fill(piece.ink)
        if not shadow and sort in ("half", "quarter"):
            for k in range(3):
                pen.arc(
                    0 if sort == "half" else -70,
                    30 if sort == "half" else 70,
                    26 + 24 * k,
                    math.pi if sort == "half" else -math.pi / 2,
                    math.tau if sort == "half" else 0,
                )
                pen.stroke(piece.ink, 7)

    def _draw_clock(self, pen: Pen, moment: Moment) -> None:
        """A disc behind the numbers whose rim runs out as a film leader's does."""
        stage = self._stage
        x, y = stage.centre
        r = stage.radius + 14
        shrink = 1 - out_cubic(moment.joy) if moment.finale else 1.0
        grow = (
            spring(span(moment.time, 0, 0.6)) if moment.place == 0 else 0.96 + 0.04 * spring(span(moment.since, 0, 0.5))
        )
        pen.save()
        pen.move(x, y)
        pen.scale(grow * shrink)
        pen.circle(7, 13, r + 12)
        pen.fill(BLACK, 0.18)
        pen.circle(0, 0, r + 12)
        pen.fill(self.card)
        turn = -math.pi / 2 + math.tau * smooth(span(moment.since, 0, stage.beats.slot))
        pen.to(0, 0)
        pen.arc(0, 0, r - 4, turn, math.pi * 1.5)
        pen.close()
        pen.fill(self._disc, 0.92)
        pen.circle(0, 0, r - 30)
        pen.fill(mix(self.card, self._disc, 0.10))
        for k in range(60):
            angle = math.tau * k / 60
            pen.to((r - 46) * math.cos(angle), (r - 46) * math.sin(angle))
            pen.line(
                (r - (62 if k % 5 == 0 else 52)) * math.cos(angle), (r - (62 if k % 5 == 0 else 52)) * math.sin(angle)
            )
        pen.stroke(mix(self.card, self._disc, 0.5), 2.4)
        pen.restore()

    def told(self) -> str:
        return (
            "A set of cut paper: discs, arcs, waves and flowers with soft shadows turn by a step at each number, "
            "around a disc whose rim runs out within it. At the end they spread, and confetti flies."
        )
