"""The hero of a poster: its title and the motif, composed for the shape of the room that they have."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from .boxes import Item, largest_fit
from .canvas import Box, Canvas, tag
from .colour import contrast, mix, ramp
from .motifs import MOTIFS
from .parts import Kit
from .scheme import Scheme
from .setting import Style, Title
from .stage import Stage

Fade = tuple[str, tuple[tuple[float, float], ...]]  # axis; places along it with how much of the motif shows, 0..1
WHOLE = 0.25  # how far the gradient of a field that is the whole page goes
GONE = -1.0  # in a fade: nothing shows, not even the echo


@dataclass(frozen=True)
class Plan:
    """The choices of one poster that its seed makes; the same for the page and its social versions."""

    motif: str
    lockup: bool
    title_first: bool  # title above the motif, not below
    field: bool  # hero on the primary colour
    column: bool  # motif and facts in a column of their own, where the content suits it
    seed: int
    echo: float = 0.07  # how much of a soft motif may show under words, 0..1


@dataclass(frozen=True)
class Room:
    """Where a hero stands: its whole box, and the column in which words are set."""

    box: Box
    left: float
    right: float
    top: float  # margin above the first word
    foot: float  # blank space below the last one
    cut: bool = False  # whether the box ends in an edge of colour, so that the motif may run up to it
    aside: float = 0.0  # motif at the end of the line whatever the name; this share of the words' column stays quiet
    ends: bool = False  # whether the box ends within the page without an edge of colour, so that the motif fades there


def fades(plan: Plan, axis: str) -> bool:
    """Whether the plan's motif may fade out along an axis; else it ends where its box ends."""
    return axis in MOTIFS[plan.motif][1]


def fit_title(kit: Kit, width: float, height: float, largest: float, lockup: bool) -> Title:
    """The event's name, as large as it goes in `width` × `height` and no larger than `largest`."""
    return kit.type.title(kit.content.name, Style("display", largest, 0.98), width, height, lockup=lockup)


def set_title(canvas: Canvas, title: Title, x: float, y: float, fill: str) -> None:
    """Set a title with its upper left corner at x, y."""
    starts = [(x, y + baseline) for baseline in title.baselines]
    canvas.text(title.lines, starts, title.sizes, Style("display", title.sizes[0]), fill, label="title")


def fill_field(canvas: Canvas, box: Box, scheme: Scheme, towards: str, most: float = 0.55) -> None:
    """A field of the scheme's ground, with a gradient towards another colour as far as words stay readable on it.

    It goes at most as far as `most`: a field that is the whole page must still be the palette's.
    """
    x, y, width, height = box
    for share in (share for share in (0.55, 0.4, 0.25, 0.12) if share <= most):
        colours = ramp(scheme.ground, mix(scheme.ground, towards, share), 5)
        if all(contrast(scheme.ink, colour) >= 5.4 for colour in colours):
            canvas.rect(box, canvas.gradient(colours, x, y, x + width * 0.6, y + height))
            return
    canvas.rect(box, scheme.ground)


def draw_hero(canvas: Canvas, kit: Kit, plan: Plan, room: Room, scheme: Scheme) -> None:
    """Motif first, then title and slogan on what the motif leaves quiet."""
    _, _, width, height = room.box
    if room.aside or (width > 1.75 * height and len(kit.content.name) < 60):
        _beside(canvas, kit, plan, room, scheme)
    else:
        _stacked(canvas, kit, plan, room, scheme)


def slogan(kit: Kit, scheme: Scheme, size: float, width: float, height: float) -> Item:
    """The line under the title, no larger than `size` and no higher than `height` at this width."""

    def item(unit: float) -> Item:
        return replace(kit.at(unit), scheme=scheme).para(kit.content.slogan, 1.0, "body", scheme.ink, label="slogan")

    return item(largest_fit(lambda unit: item(unit).height(width) <= height, size / 40, size, 10))


def _beside(canvas: Canvas, kit: Kit, plan: Plan, room: Room, scheme: Scheme) -> None:
    """Title at the start, motif at the end of the line, running off the page."""
    x, y, width, height = room.box
    high = height - room.top - room.foot
    column = (room.right - room.left) * 0.60
    words = slogan(kit, scheme, kit.unit * 1.75, column, high * 0.3)
    below = words.height(column)
    gap = kit.beat * 2.2 if below else 0.0
    title = fit_title(kit, column, high - below - gap, high, plan.lockup)
    quiet = room.left + max(title.width, (room.aside or 0.3) * column)
    soft = fades(plan, "x")
    edge = max(room.left + column + kit.unit * 1.6, x + width * 0.62)
    box = room.box if soft else (edge, y, x + width - edge, height)
    stage = Stage(box, x + width * 0.82, y + height * 0.5, min(height * 0.6, width * 0.27))
    across: Fade = ("x", ((quiet, 0.0), (max(quiet + width * 0.14, x + width * 0.74), 1.0)))
    down: Fade = ("y", ((y + height * 0.8, 1.0), (y + height, 1.0 if room.cut else GONE)))
    draw_motif(canvas, plan, stage, scheme, across, down)
    top = y + room.top + max(0.0, high - title.height - gap - below)
    set_title(canvas, title, room.left, top, scheme.ink)
    words.draw(canvas, room.left, top + title.height + gap, column)


def _stacked(canvas: Canvas, kit: Kit, plan: Plan, room: Room, scheme: Scheme) -> None:
    """Title over motif, or motif over title."""
    x, y, width, height = room.box
    column = room.right - room.left
    high = height - room.top - room.foot
    words = slogan(kit, scheme, min(kit.unit * 2.0, column * 0.05), column, high * 0.24)
    below = words.height(column)
    gap = kit.beat * 2.6 if below else 0.0
    length = len(kit.content.name)
    share = 0.62 if length < 24 else 0.6 if length < 40 else 0.68 if length < 90 else 0.8
    title = fit_title(kit, column, max(high * share - below - gap, high * 0.2), column, plan.lockup)
    whole = title.height + gap + below
    soft = fades(plan, "y")
    if plan.title_first:
        top = y + room.top
        clear = top + whole + kit.beat * 3
        # A motif that ends hard keeps off the rules below it.
        art: Box = (x, clear, width, y + height - clear - (0.0 if room.cut or soft else kit.beat * 2.4))
        end = y + height
        fade: Fade = (
            "y",
            (
                (top + whole, 0.0),
                (clear + art[3] * 0.25, 1.0),
                (end - art[3] * 0.22, 1.0),
                (end, 1.0 if room.cut else 0.0),
            ),
        )
    else:
        top = y + height - room.foot - whole
        clear = top - kit.beat * 2.5
        art = (x, y, width, clear - y)
        fade = ("y", ((clear - art[3] * 0.2, 1.0), (clear, 0.3), (top + title.sizes[0] * 0.3, 0.0), (y + height, GONE)))
    radius = min(width * 0.56, art[3] * 0.72)
    drift = random.Random(plan.seed).uniform(-0.1, 0.2)
    stage = Stage(room.box if soft else art, x + width * (0.5 + drift), art[1] + art[3] * 0.5, radius)
    if art[3] > height * 0.08:
        across: Fade = ("x", ((x + width * 0.72, 1.0), (x + width, GONE)))
        draw_motif(canvas, plan, stage, scheme, fade, *([across] if room.ends else []))
    set_title(canvas, title, room.left, top, scheme.ink)
    words.draw(canvas, room.left, top + title.height + gap, column)


def draw_motif(canvas: Canvas, plan: Plan, stage: Stage, scheme: Scheme, *fading: Fade) -> None:
    """The motif in its box; a soft one shows as much along each axis as `fading` says, at least the plan's echo."""
    draw, _ = MOTIFS[plan.motif]
    shapes = "".join(draw(random.Random(plan.seed), stage, scheme))
    drawn = tag("g", shapes, clip_path=canvas.clip(canvas.past_edges(stage.box)))
    for axis, marks in fading:
        if fades(plan, axis):
            mask = _mask(canvas, stage.box, axis, marks, plan.echo)
            drawn = tag("g", drawn, mask=f"url(#{mask})")
    canvas.draw(drawn)


def _mask(canvas: Canvas, box: Box, axis: str, marks: tuple[tuple[float, float], ...], echo: float) -> str:
    """A mask that lets through as much as the marks say; returns its id."""
    # Wider than the box that clips what it covers, or the soft edge of that box shows through unmasked in print.
    x, y, width, height = box[0] - 8, box[1] - 8, box[2] + 16, box[3] + 16
    first, last = marks[0][0], max(marks[-1][0], marks[0][0] + 1)
    stops = []
    for place, share in marks:
        level = echo + (1 - echo) * share if share >= 0 else 0.0
        # White of some opacity: the same whether a program takes masks by alpha or by luminance.
        offset = (place - first) / (last - first)
        stops.append(tag("stop", offset=offset, stop_color="#FFFFFF", stop_opacity=f"{level:.3f}"))
    other = "y" if axis == "x" else "x"
    ends = {f"{axis}1": first, f"{axis}2": last, f"{other}1": 0.0, f"{other}2": 0.0}
    name = canvas.define("g", "linearGradient", "".join(stops), gradientUnits="userSpaceOnUse", **ends)
    cover = tag("rect", x=x, y=y, width=width, height=height, fill=f"url(#{name})")
    # Chromium prints masks by alpha as vectors, and those by luminance as pictures.
    return canvas.define(
        "m", "mask", cover, maskUnits="userSpaceOnUse", x=x, y=y, width=width, height=height, style="mask-type:alpha"
    )
