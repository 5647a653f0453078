"""The page: margins and columns, the largest unit at which everything fits, hero and parts in their places.

Four layouts, chosen by the page's shape and by how much there is to say: *giant* (a title and little else), *cards*
(title above, parts below), *column* (motif and facts in a coloured column) and *lying* (wide pages).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from . import parts
from .boxes import Item, Row, Stack, largest_fit, stack
from .canvas import Canvas
from .hero import Plan, Room, draw_hero, draw_motif, fades, fill_field, fit_title, set_title, slogan
from .parts import Kit
from .scheme import Scheme
from .stage import Stage

COLUMNS = 12
CLOSER_LOOKS = 7  # arrangements that are fitted after a first look at all


@dataclass(frozen=True)
class Sheet:
    """A page in page units; its area is a million of them squared."""

    width: float
    height: float

    @property
    def side(self) -> float:
        """Margin left and right: 6 % of the width."""
        return 0.06 * self.width

    @property
    def above(self) -> float:
        """Margin above and below: as at the sides, but at most 7.5 % of the height."""
        return min(0.062 * self.width, 0.075 * self.height)

    @property
    def measure(self) -> float:
        """Width between the margins."""
        return self.width - 2 * self.side


@dataclass(frozen=True)
class Look:
    """The colours of a page: of the sheet itself, and of the field that carries the hero (the same without a field)."""

    sheet: Scheme
    hero: Scheme
    towards: str  # what the field's gradient leads to


@dataclass(frozen=True)
class Arrangement:
    """One way to put the parts below each other, and how much it is liked (1 is usual)."""

    build: Callable[[Kit], Item]
    liking: float


def sheet_of(width: float, height: float) -> Sheet:
    """The sheet of a page with this shape."""
    scale = (1e6 / (width * height)) ** 0.5
    return Sheet(width * scale, height * scale)


def layout_name(kit: Kit, plan: Plan, sheet: Sheet) -> str:
    """Which layout the page gets: lying, giant, column or cards."""
    content = kit.content
    if sheet.width > 1.2 * sheet.height:
        return "lying"
    if not content.speakers and len(content.highlights) <= 3:
        return "giant"
    if plan.column and len(content.speakers) <= 8 and sheet.height < 2 * sheet.width and len(content.name) < 80:
        return "column"
    return "cards"


def compose(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Draw the whole page; returns the kit with the unit that was found."""
    name = layout_name(kit, plan, sheet)
    if name == "giant" and plan.field:
        fill_field(canvas, (0.0, 0.0, sheet.width, sheet.height), look.hero, look.towards)
        kit = replace(kit, scheme=look.hero)
        return _standing(canvas, kit, replace(plan, field=False), sheet, look)
    canvas.rect((0.0, 0.0, sheet.width, sheet.height), look.sheet.ground)
    draw = {"lying": _lying, "column": _column}.get(name, _standing)
    return draw(canvas, kit, plan, sheet, look)


# Arrangements of the parts


def _people_choices(count: int, most: int) -> Iterator[tuple[int, bool, bool, float]]:
    """Columns, words beside the frame, no frames, liking."""
    if not count:
        yield 1, False, False, 1.0
        return
    for columns in range(1, min(most, count) + 1):
        rest = -count % columns
        full = 1.0 - 0.5 * rest / columns / max(1, count // columns)
        if columns >= 2 and count <= 4 * columns:
            yield columns, False, False, 1.32 * full
        if columns <= 4:
            yield columns, True, False, 1.0 * full
        if count >= 3 * columns and count > 8:
            yield columns, True, True, 0.8 * full


def _arrangements(kit: Kit, most: int, with_facts: bool = True, with_entry: bool = True) -> list[Arrangement]:
    count = len(kit.content.speakers)
    found = []
    for (columns, beside, plain, liking), paired, even in product(
        _people_choices(count, most), (2, 1) if most > 1 else (1,), (True, False)
    ):
        if even and (paired == 1 or not with_entry or not kit.content.has_registration):
            continue

        def build(
            kit: Kit, columns: int = columns, beside: bool = beside, plain: bool = plain, paired: int = paired,
            even: bool = even,
        ) -> Item:  # fmt: skip
            items: list[Item | None] = [parts.facts(kit, paired) if with_facts else None]
            if count:
                items.append(parts.section(kit, "speakers", parts.people(kit, columns, beside, plain)))
            items.append(_lower(kit, paired, even, with_entry))
            items.append(parts.imprint(kit, 3 if paired == 2 else 1))
            return stack(items, kit.beat * 3)

        found.append(Arrangement(build, liking * (1.35 if paired == 2 else 1.0) * (1.08 if even else 1.0)))
    return found


def _lower(kit: Kit, paired: int, even: bool, with_entry: bool) -> Item | None:
    """Highlights and registration: beside each other or one below the other."""
    content = kit.content
    if content.only_address:
        return parts.section(kit, "", kit.para(content.shown_url, parts.MEDIUM, "strong", kit.scheme.vivid, "address"))
    entry = with_entry and content.has_registration
    if not entry:
        columns = 2 if paired == 2 and len(content.highlights) > 1 else 1
        return parts.section(kit, "highlights", parts.highlights(kit, columns)) if content.highlights else None
    if not content.highlights:
        return parts.section(kit, "register", parts.registration(kit, True))
    if paired == 1:
        shown = parts.section(kit, "highlights", parts.highlights(kit, 1))
        return stack([shown, parts.section(kit, "register", parts.registration(kit, True))], kit.beat * 3)
    columns = 2 if len(content.highlights) > 6 and not even else 1
    shown = parts.section(kit, "highlights", parts.highlights(kit, columns))
    entry_part = parts.section(kit, "register", parts.registration(kit, even))
    return Row((shown, entry_part), (6.0, 6.0) if even else (8.0, 4.0), kit.unit * 1.6)


def best_arrangement(
    kit: Kit,
    arrangements: list[Arrangement],
    width: float,
    fits: Callable[[Item, float], bool],
    low: float,
    high: float,
) -> tuple[Kit, Item]:
    """The arrangement with the best product of unit and liking, at its largest unit that fits.

    Heights at one middling unit tell which are worth a closer look: the unit that fits goes about as their square root.
    """
    middling = kit.at(math.sqrt(low * high * 4))
    heights = [arrangement.build(middling).height(width) for arrangement in arrangements]
    ranked = sorted(range(len(arrangements)), key=lambda n: -arrangements[n].liking / math.sqrt(heights[n] or 1.0))
    best_score, best_unit, best = 0.0, low, arrangements[ranked[0]]
    for number in ranked[:CLOSER_LOOKS]:
        arrangement = arrangements[number]
        least = max(low, best_score / arrangement.liking * 1.001)
        if least >= high:
            continue
        build = arrangement.build
        if best_score and not fits(build(kit.at(least)), least):
            continue

        def holds(unit: float, build: Callable[[Kit], Item] = build) -> bool:
            return fits(build(kit.at(unit)), unit)

        unit = largest_fit(holds, least, high, 8)
        if unit * arrangement.liking > best_score:
            best_score, best_unit, best = unit * arrangement.liking, unit, arrangement
    found = kit.at(best_unit)
    return found, best.build(found)


# Layouts


def _standing(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Hero above, parts below: the layouts *giant* and *cards*."""
    measure, foot = sheet.measure, sheet.above
    high = min(0.0175 * math.sqrt(sheet.width * sheet.height), 0.038 * sheet.width, 0.03 * sheet.height)
    wordy = 0.12 * min(1.0, max(0.0, (len(kit.content.name) - 40) / 100))

    def hero_share(unit: float) -> float:
        ease = (unit / high - 0.3) / 0.4
        return 0.17 + wordy + 0.17 * min(1.0, max(0.0, ease))

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) + foot <= sheet.height * (1 - hero_share(unit))

    found, item = best_arrangement(kit, _arrangements(kit, 6), measure, fits, high * 0.04, high)
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


def _lying(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """Hero at the start of the line, parts after it."""
    ratio = sheet.width / sheet.height
    hero_width = sheet.width * (0.44 if ratio < 2 else 0.36 if ratio < 3.2 else 0.3)
    inset = min(sheet.side, 0.12 * sheet.height)
    left = hero_width + inset
    measure = sheet.width - sheet.side - left
    room_high = sheet.height - 2 * sheet.above
    high = min(0.042 * sheet.height, 0.034 * measure)

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) <= room_high

    choices = _arrangements(kit, 8) + (_abreast(kit, ratio) if ratio > 1.8 else [])
    found, item = best_arrangement(kit, choices, measure, fits, high * 0.03, high)
    right = hero_width - min(sheet.side * 0.5, inset)
    room = Room(
        (0.0, 0.0, hero_width, sheet.height), min(sheet.side, inset * 1.4), right, sheet.above, sheet.above, True
    )
    if plan.field:
        fill_field(canvas, room.box, look.hero, look.towards)
    draw_hero(canvas, found, plan, room, look.hero if plan.field else look.sheet)
    spare = room_high - item.height(measure)
    item.draw(canvas, left, sheet.above + spare * (0.5 if ratio > 1.8 else 1.0), measure)
    return found


def _abreast(kit: Kit, ratio: float) -> list[Arrangement]:
    """All parts beside each other, for banners."""
    content = kit.content
    found = []
    for columns, beside, plain, liking in _people_choices(len(content.speakers), 8):

        def build(kit: Kit, columns: int = columns, beside: bool = beside, plain: bool = plain) -> Item:
            items: list[tuple[Item, float]] = [(parts.facts(kit, 1), 3.2)]
            if content.speakers:
                items.append((parts.section(kit, "speakers", parts.people(kit, columns, beside, plain)), 2.2 * columns))
            if content.highlights:
                items.append((parts.section(kit, "highlights", parts.highlights(kit, 1)), 2.4))
            last = [parts.section(kit, "register", parts.registration(kit, True))] if content.has_registration else []
            behind = parts.imprint(kit, 1)
            if last or behind.height(1e3) > 0:
                items.append((stack([*last, behind], kit.beat * 2), 2.6))
            return Row(tuple(item for item, _ in items), tuple(weight for _, weight in items), kit.unit * 2)

        found.append(Arrangement(build, liking * 1.2))
    return found


def _column(canvas: Canvas, kit: Kit, plan: Plan, sheet: Sheet, look: Look) -> Kit:
    """A coloured column with the motif, the facts and the registration; title and people beside it."""
    band = sheet.width * 0.36
    inset = sheet.side * 0.62
    left = band + inset
    measure = sheet.width - sheet.side - left
    inner = band - sheet.side - inset
    high = 0.0165 * math.sqrt(sheet.width * sheet.height)
    usable = sheet.height - 2 * sheet.above

    def side(unit: float) -> Stack:
        small = replace(kit.at(unit), scheme=look.hero)
        entry = parts.registration(small, False) if kit.content.has_registration else None
        return stack([parts.facts(small, 1), entry], small.beat * 3.4)

    def fits(item: Item, unit: float) -> bool:
        return item.height(measure) <= usable * (0.66 if unit > high * 0.45 else 0.76)

    side_unit = largest_fit(lambda unit: side(unit).height(inner) <= usable * 0.6, high * 0.04, high, 9)
    choices = _arrangements(kit, 3, with_facts=False, with_entry=False)
    found, item = best_arrangement(kit, choices, measure, fits, high * 0.04, min(high, side_unit * 1.2))
    fill_field(canvas, (0.0, 0.0, band, sheet.height), look.hero, look.towards)
    beside = side(min(side_unit, found.unit * 1.2))
    top_of_side = sheet.height - sheet.above - beside.height(inner)
    soft = fades(plan, "y")
    clear = top_of_side - found.beat * 3
    box = (0.0, 0.0, band, sheet.height if soft else clear)
    stage = Stage(box, band * 0.5, clear * 0.5, min(band * 0.62, clear * 0.6))
    draw_motif(canvas, plan, stage, look.hero, ("y", ((clear * 0.75, 1.0), (top_of_side, 0.0))))
    beside.draw(canvas, sheet.side, top_of_side, inner)
    body = item.height(measure)
    words = slogan(found, look.sheet, found.unit * 1.7, measure, (usable - body) * 0.35)
    below = words.height(measure)
    gap = found.beat * 2.6 if below else 0.0
    room = usable - body - found.beat * 4 - below - gap
    title = fit_title(found, measure, room, measure, plan.lockup)
    set_title(canvas, title, left, sheet.above, look.sheet.ink)
    words.draw(canvas, left, sheet.above + title.height + gap, measure)
    item.draw(canvas, left, sheet.height - sheet.above - body, measure)
    return found
