"""Social versions: the same event laid out anew for the shape of each picture."""

from __future__ import annotations

from dataclasses import replace

from .boxes import Item, Nothing, Stack, largest_fit, stack
from .canvas import Canvas
from .hero import Plan, draw_motif, fades, fill_field, fit_title, set_title
from .page import compose
from .parts import Kit
from .sheet import Look, Sheet
from .stage import Stage


def draw_social(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> None:
    """Name, date, place and address; upright and square pictures stack them, wide ones put the motif aside."""
    if sheet.width <= 1.15 * sheet.height:
        _upright(canvas, kit, plan, sheet, look)
    else:
        _wide(canvas, kit, plan, sheet, look)


def _upright(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> None:
    content = replace(
        kit.content, speakers=(), highlights=(), early="", regular="", deadline="", hosts=(), sponsors=(), logos=(),
        contact=(), address="", hall="", only_address=bool(kit.content.url),
    )  # fmt: skip
    words = {key: word for key, word in kit.words.items() if key in {"when", "where"}}
    compose(canvas, replace(kit, content=content, words=words), plan, sheet, look)


def _wide(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> None:
    """Words at the start of the line, the motif at its end, running off the picture."""
    scheme = look.hero if plan.field else look.sheet
    whole = (0.0, 0.0, sheet.width, sheet.height)
    if plan.field:
        fill_field(canvas, whole, scheme, look.towards)
    else:
        canvas.rect(whole, scheme.ground)
    kit = replace(kit, scheme=scheme)
    very = sheet.width > 3.2 * sheet.height
    margin = min(sheet.side, 0.11 * sheet.height)
    column = sheet.width * (0.62 if very else 0.56) - margin
    high = sheet.height - 2 * margin
    radius = sheet.height * 0.5
    soft = fades(plan, "x")
    edge = margin + column + margin
    box = whole if soft else (edge, 0.0, sheet.width - edge, sheet.height)
    stage = Stage(box, sheet.width - radius * 0.92, sheet.height * 0.5, radius)
    loud = min(edge + radius * 0.3, sheet.width - radius)
    draw_motif(canvas, plan, stage, scheme, ("x", ((margin + column * 0.9, 0.0), (loud, 1.0))))

    def words(unit: float) -> Item:
        small = kit.at(unit)
        place = small.para(kit.content.venue, 1.5, label="venue")
        facts = stack([small.para(kit.content.date, 1.5, "strong", label="date"), place], small.beat * 0.9)
        if very:
            return facts
        address = small.para(kit.content.shown_url, 1.0, "strong", scheme.vivid, label="address")
        line = small.para(kit.content.slogan, 1.2, label="slogan")
        return Stack(
            (line if kit.content.slogan else Nothing(), stack([facts, address], small.beat * 1.5)), small.beat * 2.4
        )

    share = 0.42 if very else 0.5
    unit = largest_fit(
        lambda size: words(size).height(column) <= high * share, high * 0.004, high * (0.1 if very else 0.05)
    )
    below = words(unit).height(column)
    rest = high - below - unit * 1.8
    title = fit_title(kit, column, rest, rest, plan.lockup and not very)
    set_title(canvas, title, margin, margin, scheme.ink)
    words(unit).draw(canvas, margin, sheet.height - margin - below, column)
