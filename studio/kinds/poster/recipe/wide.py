"""Layouts of pages that lie: *open* (little to say), *banner* (wide, with a strip of columns), *lying* (the rest)."""

from __future__ import annotations

from dataclasses import replace

from .arrangements import abreast, aired, arrangements, best_arrangement
from .boxes import Item
from .canvas import Canvas
from .hero import WHOLE, Plan, Room, draw_hero, fill_field
from .parts import Kit
from .sheet import Look, Sheet

LYING = 1.2  # width by height from which a page lies
WIDE = 1.8  # and from which it is wide


def lying_name(kit: Kit, sheet: Sheet) -> str:
    """Which layout a lying page gets."""
    content = kit.content
    wide = sheet.width >= WIDE * sheet.height
    if not content.speakers and len(content.highlights) <= (0 if wide else 3):
        return "open"
    crowded = len(content.speakers) > 6 or len(content.highlights) > 6 or len(content.name) >= 60
    return "banner" if wide and not crowded else "lying"


def draw_open(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """One ground for the whole page: a large title with the facts under it, the motif running off its far end."""
    scheme = look.hero if plan.field else look.sheet
    if plan.field:
        fill_field(canvas, (0.0, 0.0, sheet.width, sheet.height), scheme, look.towards, WHOLE)
        kit, plan = replace(kit, scheme=scheme), replace(plan, field=False)
    above = _margin(sheet)
    measure = sheet.measure * 0.6
    usable = sheet.height - 2 * above
    high = kit.most(min(0.034 * sheet.height, 0.032 * measure))

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) <= usable * (0.42 if unit > high * 0.5 else 0.6)

    found, item, _ = best_arrangement(kit, arrangements(kit, 2), measure, fits, high * 0.03, high)
    tall = item.height(measure)
    room = Room(
        (0.0, 0.0, sheet.width, sheet.height), sheet.side, sheet.width - sheet.side, above,
        above + tall + found.beat * 4, cut=True, aside=1.0,
    )  # fmt: skip
    draw_hero(canvas, found, plan, room, scheme)
    item.draw(canvas, sheet.side, sheet.height - above - tall, measure)
    return found


def draw_banner(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Title and motif across the whole width, and all the rest in one strip of columns below."""
    above, measure = _margin(sheet), sheet.measure
    high = kit.most(min(0.036 * sheet.height, 0.0165 * sheet.width))

    def share(unit: float) -> float:
        return 0.32 + 0.14 * min(1.0, max(0.0, (unit / high - 0.3) / 0.5))

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) + above <= sheet.height * (1 - share(unit))

    found, item, build = best_arrangement(kit, abreast(kit), measure, fits, high * 0.03, high)
    item = aired(found, build, measure, sheet.height * (1 - share(found.unit)) - above)
    top = sheet.height - above - item.height(measure)
    depth = top - (found.beat * 2.4 if plan.field else 0.0)
    room = Room(
        (0.0, 0.0, sheet.width, depth), sheet.side, sheet.width - sheet.side, above,
        found.beat * (3 if plan.field else 2.4), cut=plan.field, aside=0.3,
    )  # fmt: skip
    if plan.field:
        fill_field(canvas, room.box, look.hero, look.towards)
    draw_hero(canvas, found, plan, room, look.hero if plan.field else look.sheet)
    item.draw(canvas, sheet.side, top, measure)
    return found


def draw_lying(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Hero at the start of the line, parts after it."""
    ratio = sheet.width / sheet.height
    hero_width = sheet.width * (0.44 if ratio < 2 else 0.36 if ratio < 3.2 else 0.3)
    inset = min(sheet.side, 0.12 * sheet.height)
    left = hero_width + inset
    measure = sheet.width - sheet.side - left
    room_high = sheet.height - 2 * sheet.above
    high = kit.most(min((0.042 + 0.008 * max(0.0, ratio - 1.6)) * sheet.height, 0.034 * measure))

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) <= room_high

    choices = arrangements(kit, 8) + (abreast(kit) if ratio > WIDE else [])
    found, item, build = best_arrangement(kit, choices, measure, fits, high * 0.03, high)
    item = aired(found, build, measure, room_high * 0.94)
    right = hero_width - min(sheet.side * 0.5, inset)
    room = Room(
        (0.0, 0.0, hero_width, sheet.height), min(sheet.side, inset * 1.4), right, sheet.above, sheet.above, True,
        ends=not plan.field,
    )  # fmt: skip
    if plan.field:
        fill_field(canvas, room.box, look.hero, look.towards)
    draw_hero(canvas, found, plan, room, look.hero if plan.field else look.sheet)
    spare = room_high - item.height(measure)
    item.draw(canvas, left, sheet.above + spare * (0.5 if ratio > WIDE else 1.0), measure)
    return found


def _margin(sheet: Sheet) -> float:
    """Above and below on a lying page: as at the sides, but at most a tenth of its height."""
    return min(sheet.side, 0.1 * sheet.height)
