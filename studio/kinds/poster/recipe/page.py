"""The page: margins and columns, the largest unit at which everything fits, hero and parts in their places.

Six layouts, chosen by the page's shape and by how much there is to say. Standing pages: *giant* (a title and little
else), *cards* (title above, parts below) and *column* (motif and facts in a coloured column); those that lie are in
`wide`.
"""

from __future__ import annotations

import math
from dataclasses import replace

from . import parts
from .arrangements import aired, arrangements, best_arrangement
from .boxes import Item, Stack, largest_fit, stack
from .canvas import Canvas
from .hero import WHOLE, Plan, Room, draw_hero, draw_motif, fades, fill_field, fit_title, set_title, slogan
from .parts import Kit
from .sheet import Look, Sheet
from .stage import Stage
from .wide import LYING, draw_banner, draw_lying, draw_open, lying_name

COLUMNS = 12


def layout_name(kit: Kit, plan: Plan, sheet: Sheet) -> str:
    """Which layout the page gets, by its shape, by its content, and where both allow two by the plan."""
    content = kit.content
    if sheet.width > LYING * sheet.height:
        return lying_name(kit, sheet)
    if not content.speakers and len(content.highlights) <= 3:
        return "giant"
    if plan.column and len(content.speakers) <= 8 and sheet.height < 2 * sheet.width and len(content.name) < 80:
        return "column"
    return "cards"


def compose(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Draw the whole page; returns the kit with the unit that was found."""
    name = layout_name(kit, plan, sheet)
    if name == "giant" and plan.field:
        fill_field(canvas, (0.0, 0.0, sheet.width, sheet.height), look.hero, look.towards, WHOLE)
        kit = replace(kit, scheme=look.hero)
        return _standing(canvas, kit, replace(plan, field=False), sheet, look)
    canvas.rect((0.0, 0.0, sheet.width, sheet.height), look.sheet.ground)
    draw = {"open": draw_open, "banner": draw_banner, "lying": draw_lying, "column": _column}.get(name, _standing)
    return draw(canvas, kit, plan, sheet, look)


# Layouts


def _standing(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Hero above, parts below: the layouts *giant* and *cards*."""
    measure, foot = sheet.measure, sheet.above
    high = kit.most(min(0.0175 * math.sqrt(sheet.width * sheet.height), 0.038 * sheet.width, 0.03 * sheet.height))
    wordy = 0.12 * min(1.0, max(0.0, (len(kit.content.name) - 40) / 100))

    def hero_share(unit: float) -> float:
        ease = (unit / high - 0.3) / 0.4
        return 0.17 + wordy + 0.17 * min(1.0, max(0.0, ease))

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) + foot <= sheet.height * (1 - hero_share(unit))

    found, item, _ = best_arrangement(kit, arrangements(kit, 6), measure, fits, high * 0.04, high)
    hero_height = sheet.height - foot - item.height(measure)
    depth = hero_height - (found.beat * 2.4 if plan.field else 0.0)
    room = Room(
        (0.0, 0.0, sheet.width, depth), sheet.side, sheet.width - sheet.side, sheet.above, found.beat * 3, plan.field
    )
    if plan.field:
        fill_field(canvas, room.box, look.hero, look.towards)
    draw_hero(canvas, found, plan, room, look.hero if plan.field else kit.scheme)
    item.draw(canvas, sheet.side, hero_height, measure)
    return found


def _column(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """A coloured column with the motif, the facts and the registration; title and people beside it."""
    band = sheet.width * 0.36
    inset = sheet.side * 0.62
    left = band + inset
    measure = sheet.width - sheet.side - left
    inner = band - sheet.side - inset
    high = kit.most(0.0165 * math.sqrt(sheet.width * sheet.height))
    usable = sheet.height - 2 * sheet.above

    def side(unit: float) -> Stack:
        small = replace(kit.at(unit), scheme=look.hero)
        entry = parts.registration(small, False) if kit.content.has_registration else None
        return stack([parts.facts(small, 1), entry], small.beat * 3.4)

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) <= usable * (0.66 if unit > high * 0.45 else 0.76)

    side_unit = largest_fit(lambda unit: side(unit).height(inner) <= usable * 0.6, high * 0.04, high, 9)
    choices = arrangements(kit, 3, with_facts=False, with_entry=False)
    found, item, build = best_arrangement(kit, choices, measure, fits, high * 0.04, min(high, side_unit * 1.2))
    fill_field(canvas, (0.0, 0.0, band, sheet.height), look.hero, look.towards)
    beside = side(min(side_unit, found.unit * 1.2))
    top_of_side = sheet.height - sheet.above - beside.height(inner)
    soft = fades(plan, "y")
    clear = top_of_side - found.beat * 3
    box = (0.0, 0.0, band, sheet.height if soft else clear)
    stage = Stage(box, band * 0.5, clear * 0.5, min(band * 0.62, clear * 0.6))
    draw_motif(canvas, plan, stage, look.hero, ("y", ((clear * 0.75, 1.0), (top_of_side, 0.0))))
    beside.draw(canvas, sheet.side, top_of_side, inner)
    words = slogan(found, look.sheet, found.unit * 1.7, measure, (usable - item.height(measure)) * 0.35)
    below = words.height(measure)
    gap = found.beat * 2.6 if below else 0.0
    room = usable - item.height(measure) - found.beat * 4 - below - gap
    title = fit_title(found, measure, room, measure, plan.lockup)
    set_title(canvas, title, left, sheet.above, look.sheet.ink)
    words.draw(canvas, left, sheet.above + title.height + gap, measure)
    item = aired(found, build, measure, usable - title.height - gap - below - found.beat * 6)
    item.draw(canvas, left, sheet.height - sheet.above - item.height(measure), measure)
    return found
