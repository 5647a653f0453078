"""Arrangements of the parts below each other or abreast, and the search for the best one in a given room."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from . import parts
from .boxes import Item, Row, largest_fit, stack
from .parts import FINEST, Kit

CLOSER_LOOKS = 7  # arrangements that are fitted after a first look at all

Build = Callable[[Kit], Item]


@dataclass(frozen=True)
class Arrangement:
    """One way to put the parts below each other, and how much it is liked (1 is usual)."""

    build: Build
    liking: float


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


def arrangements(kit: Kit, most: int, with_facts: bool = True, with_entry: bool = True) -> list[Arrangement]:
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
            behind = parts.imprint(kit, 1)
            if paired == 2 and _half_a_line(kit, with_entry) and behind.height(1e9) > 0:
                entry = parts.section(kit, "register", parts.registration(kit, True))
                items.append(Row((entry, behind), (6.0, 6.0), kit.unit * 1.6))
            else:
                behind = parts.imprint(kit, 3 if paired == 2 else 1)
                items += [_lower(kit, paired, even, with_entry), behind]
            return stack(items, kit.beat * 3 * kit.air)

        found.append(Arrangement(build, liking * (1.35 if paired == 2 else 1.0) * (1.08 if even else 1.0)))
    return found


def _half_a_line(kit: Kit, with_entry: bool) -> bool:
    """Whether registration stands alone and leaves the other half of its line to who is behind it."""
    content = kit.content
    return with_entry and content.has_registration and not content.highlights and not content.only_address


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
    choices: list[Arrangement],
    width: float,
    fits: Callable[[Item, float], bool],
    low: float,
    high: float,
) -> tuple[Kit, Item, Build]:
    """The arrangement with the best product of unit and liking, at its largest unit that fits.

    Heights at one middling unit tell which are worth a closer look: the unit that fits goes about as their square root.
    Where letters would be too small for the PNG, size counts for more than liking.
    """
    middling = kit.at(math.sqrt(low * high * 4))
    heights = [choice.build(middling).height(width) for choice in choices]
    fine = FINEST / kit.dots

    def score(unit: float, liking: float) -> float:
        return unit * liking * min(1.0, unit / fine) ** 2

    ranked = sorted(range(len(choices)), key=lambda n: -choices[n].liking / math.sqrt(heights[n] or 1.0))
    closer = [*ranked[:CLOSER_LOOKS], min(range(len(choices)), key=lambda n: heights[n])]
    best_score, best_unit, best = 0.0, low, choices[ranked[0]]
    for number in closer:
        choice = choices[number]
        least = largest_fit(lambda unit: score(unit, choice.liking) <= best_score, low, high, 12)  # noqa: B023
        if best_score and (least >= high or not fits(choice.build(kit.at(least)), least)):
            continue
        unit = largest_fit(lambda unit: fits(choice.build(kit.at(unit)), unit), least, high, 8)  # noqa: B023
        if score(unit, choice.liking) > best_score:
            best_score, best_unit, best = score(unit, choice.liking), unit, choice
    found = kit.at(best_unit)
    return found, best.build(found), best.build


def aired(kit: Kit, build: Build, width: float, room: float) -> Item:
    """The parts with gaps as wide as the room allows, up to twice their usual size."""
    air = largest_fit(lambda air: build(replace(kit, air=air)).height(width) <= room, 1.0, 2.2, 6)
    return build(replace(kit, air=air))


def abreast(kit: Kit, most: int = 8) -> list[Arrangement]:
    """All parts beside each other in one strip, for wide pages; each column as wide as its words ask for."""
    found = []
    for (columns, beside, plain, liking), paired, lying, under in product(
        _people_choices(len(kit.content.speakers), most), (True, False), (True, False), (True, False)
    ):
        if not lying and not kit.content.has_registration:
            continue

        def build(
            kit: Kit, columns: int = columns, beside: bool = beside, plain: bool = plain, paired: bool = paired,
            lying: bool = lying, under: bool = under,
        ) -> Item:  # fmt: skip
            content = kit.content
            dates = _wanted(kit, (content.date, content.venue), parts.LARGE, 10.0, 19.0)
            items: list[tuple[Item, float]] = [(parts.facts(kit, 2 if paired else 1), dates * (2.1 if paired else 1.0))]
            if content.speakers:
                names = [person.name for person in content.speakers]
                each = _wanted(kit, names, parts.MEDIUM, 7.4, 12.0) + (5.7 if beside and not plain else 0.0)
                shown = parts.section(kit, "speakers", parts.people(kit, columns, beside, plain))
                items.append((shown, each * columns + 1.6 * (columns - 1)))
            if content.highlights:
                wide = _wanted(kit, content.highlights, 1.15, 9.0, 17.0) + 1.6
                items.append((parts.section(kit, "highlights", parts.highlights(kit, 1)), wide))
            if content.has_registration:
                entry = parts.section(kit, "register", parts.registration(kit, lying))
                items.append((entry, 18.0 if lying and content.url else 11.0))
            behind = parts.imprint(kit, 3 if under else 1)
            if behind.height(1e9) > 0 and not under:
                items.append((behind, 10.0))
            strip = Row(tuple(item for item, _ in items), tuple(weight for _, weight in items), kit.unit * 2)
            return stack([strip, behind if under else None], kit.beat * 2.6)

        found.append(Arrangement(build, liking * (1.15 if paired else 1.0)))
    return found


def _wanted(kit: Kit, texts: Sequence[str], size: float, least: float, most: float) -> float:
    """How wide a column of these texts would like to be, in units: each in two lines, more where that gets too wide."""
    return min(most, max(least, *(1.02 * kit.type.width_in_lines(text, "strong", 2) * size for text in texts)))
