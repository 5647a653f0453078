"""The parts of a poster below its title: when and where, people, highlights, registration, who is behind it.

Every part is a box for any width. Sizes follow one unit (`Kit.unit`, the running text); the scale is 1, 1.55 and 2.5
times that, and gaps are multiples of `Kit.beat`, half the pitch of running text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .boxes import Either, Figure, Flow, Grid, Item, Nothing, Para, Row, Ruled, stack
from .canvas import Box, Canvas, num, tag
from .colour import is_dark, mix, readable
from .content import Content, Person, initials
from .pictures import attached, frame, logo, portrait, qr_code
from .scheme import Scheme
from .setting import Line, Style, Typesetter

SMALL, MEDIUM, LARGE = 1.0, 1.55, 2.5
FINEST = 6.0  # px of the PNG: running text below this is hard to read on a screen


@dataclass(frozen=True)
class Kit:
    """What all parts share."""

    type: Typesetter
    scheme: Scheme
    content: Content
    words: Mapping[str, str]
    unit: float
    frame: str
    swatches: tuple[str, ...]  # grounds of the monograms, in turn
    air: float = 1.0  # by how much the gaps between parts are widened
    dots: float = 4.0  # pixels of the PNG per page unit

    def most(self, usual: float) -> float:
        """The largest unit to try: the usual one, or more where letters would be only a few pixels high."""
        return max(usual, min(FINEST / self.dots, 2.0 * usual))

    @property
    def beat(self) -> float:
        """Half the pitch of running text; gaps are multiples of it."""
        return self.unit * 0.66

    def at(self, unit: float) -> Kit:
        """The same at another unit."""
        return replace(self, unit=unit)

    def para(
        self, text: str, size: float = SMALL, role: str = "body", fill: str | None = None, label: str = "text"
    ) -> Item:
        """A paragraph, or nothing where there is no text."""
        if not text:
            return Nothing()
        leading = 1.36 if size == SMALL else 1.2
        style = Style(role, self.unit * size, leading, -0.01 if size == LARGE else 0.0)
        least = 0.84 if size < MEDIUM else 0.6
        return Para(self.type, text, style, fill or self.scheme.ink, label=label, least=least)

    def label(self, key: str) -> Item:
        """One of the studio's own words, small and set apart; nothing in a language that has none."""
        word = self.words.get(key, "")
        style = Style("strong", self.unit * 0.82, 1.2, 0.07, capitals=True)
        if not word or style.size * self.dots < FINEST * 0.8:
            return Nothing()
        return Para(self.type, word, style, self.scheme.vivid, label="label")


def facts(kit: Kit, columns: int) -> Item:
    """When and where, under strong rules."""
    content = kit.content
    when = stack(
        [
            kit.label("when"),
            stack(
                [kit.para(content.date, LARGE, "strong", label="date"), kit.para(content.time, MEDIUM)], kit.beat * 0.8
            ),
        ],
        kit.beat,
    )
    places = [kit.para(content.hall, MEDIUM), kit.para(content.address, SMALL, fill=kit.scheme.quiet)]
    where = stack(
        [
            kit.label("where"),
            stack(
                [kit.para(content.venue, LARGE, "strong", label="venue"), stack(places, kit.beat * 0.7)], kit.beat * 0.8
            ),
        ],
        kit.beat,
    )
    ruled = [Ruled(item, kit.scheme.ink, kit.unit * 0.16, kit.beat * 1.4) for item in (when, where)]
    if columns == 1:
        return stack(ruled, kit.beat * 2.5)
    wanted = [kit.type.width_in_lines(text, "strong", 2) for text in (content.date, content.venue)]
    share = min(0.62, max(0.38, wanted[0] / sum(wanted)))
    share = 0.5 if 0.42 < share < 0.58 else share
    return Row(tuple(ruled), (share, 1 - share), kit.unit * 1.6)


def section(kit: Kit, key: str, item: Item) -> Item:
    """A part under a thin rule and its heading."""
    headed = stack([kit.label(key), item], kit.beat * 1.6)
    return _under_thin_rule(kit, headed)


def _under_thin_rule(kit: Kit, item: Item) -> Item:
    """The item under a thin rule, as far down as what stands under a strong one beside it."""
    return Ruled(item, kit.scheme.rule, kit.unit * 0.07, kit.unit * 0.09 + kit.beat * 1.4)


def people(kit: Kit, columns: int, beside: bool, plain: bool = False) -> Item:
    """The speakers in a grid of cards; `beside` puts the words next to the frame, `plain` leaves the frames out."""
    cells = tuple(_card(kit, person, number, beside, plain) for number, person in enumerate(kit.content.speakers))
    return Grid(cells, columns, kit.unit * 1.6, kit.beat * (2.6 if beside or plain else 3.4) * kit.air)


def _card(kit: Kit, person: Person, number: int, beside: bool, plain: bool) -> Item:
    scheme = kit.scheme
    role = stack(
        [kit.para(person.title, fill=scheme.quiet), kit.para(person.company, role="strong", fill=scheme.vivid)],
        kit.beat * 0.45,
    )
    words = stack(
        [
            stack([kit.para(person.name, MEDIUM, "strong", label="name"), role], kit.beat * 0.65),
            kit.para(person.topic, 1.12, label="topic"),
        ],
        kit.beat * 0.95,
    )
    if plain:
        return Ruled(words, scheme.rule, kit.unit * 0.07, kit.beat)
    side = kit.unit * (4.6 if beside else 7.4)
    tall = side * (1.12 if kit.frame == "arch" and not beside else 1.0)
    figure = Figure(side, tall, lambda canvas, box: monogram(canvas, kit, person, number, box))
    if beside:
        return Row((figure, words), (-side, 1.0), kit.unit * 1.1)
    return stack([figure, words], kit.beat * 1.5)


def monogram(canvas: Canvas, kit: Kit, person: Person, number: int, box: Box) -> None:
    """A person's photo, or initials, in the poster's frame."""
    x, y, width, height = box
    data = frame(kit.frame, width, height)
    if picture := attached(person.photo):
        name = canvas.define("c", "clipPath", tag("path", d=data))
        canvas.place(tag("g", portrait(picture, width, height), clip_path=f"url(#{name})"), box)
        return
    ground = kit.swatches[number % len(kit.swatches)]
    canvas.place(tag("path", d=data, fill=ground) + _ornament(kit, number, width, height), box)
    letters = initials(person.name)
    if not letters:
        return
    style = Style("display", 1.0)
    up, down = kit.type.ink(letters, "display")
    wide = kit.type.width(letters, "display")
    size = min(width * 0.62 / wide, height * 0.4 / (up + down))
    baseline = y + height * (0.56 if kit.frame == "arch" else 0.5) + (up - down) * size / 2
    fill = readable(mix(ground, "#FFFFFF" if is_dark(ground) else "#000000", 0.9), [ground])
    line = Line(letters, wide, "")
    canvas.text([line], [(x + (width - wide * size) / 2, baseline)], [size], style.scaled(size), fill, hidden=True)


def _ornament(kit: Kit, number: int, width: float, height: float) -> str:
    """A fine inner line that turns a flat frame into a crafted one."""
    if kit.frame in {"hexagon", "leaf"}:
        return ""
    inset = min(width, height) * 0.055
    data = frame(kit.frame, width - 2 * inset, height - 2 * inset)
    ground = kit.swatches[number % len(kit.swatches)]
    line = mix(ground, "#FFFFFF" if is_dark(ground) else "#000000", 0.35)
    return tag(
        "path", d=data, fill="none", stroke=line, stroke_width=kit.unit * 0.07,
        transform=f"translate({num(inset)} {num(inset)})",
    )  # fmt: skip


def highlights(kit: Kit, columns: int) -> Item:
    """What one should not miss, each behind a small shape."""
    colours = (kit.scheme.a, kit.scheme.b, kit.scheme.c)
    cells = []
    for number, text in enumerate(kit.content.highlights):
        mark = kit.unit * 0.78
        figure = Figure(mark, kit.unit * 1.2, _bullet(colours[number % 3], number, mark, kit.unit))
        cells.append(Row((figure, kit.para(text, 1.15)), (-mark, 1.0), kit.unit * 0.75))
    return Grid(tuple(cells), columns, kit.unit * 1.6, kit.beat * 1.1)


def _bullet(colour: str, number: int, side: float, unit: float) -> Callable[[Canvas, Box], None]:
    """A small shape, each turned another way than the last."""

    def paint(canvas: Canvas, box: Box) -> None:
        x, y, s = box[0], box[1] + unit * 0.08, side
        shapes = (
            f"M{num(x)} {num(y)}h{num(s)}a{num(s)} {num(s)} 0 0 1 {num(-s)} {num(s)}z",
            f"M{num(x)} {num(y + s)}a{num(s)} {num(s)} 0 0 1 {num(s)} {num(-s)}v{num(s)}z",
            f"M{num(x)} {num(y + s)}h{num(s)}a{num(s)} {num(s)} 0 0 0 {num(-s)} {num(-s)}z",
        )
        canvas.draw(tag("path", d=shapes[number % 3], fill=colour))

    return paint


def registration(kit: Kit, lying: bool) -> Item:
    """QR code with the address under it, prices and deadline; `lying` puts the words beside the code where they fit."""
    content = kit.content
    deadline = ""
    if content.deadline:
        deadline = kit.words.get("until", "{}").replace("{}", content.deadline)
    words = stack([_prices(kit, 1 if lying else 2), kit.para(deadline, 1.12)], kit.beat * 1.6)
    if not content.url:
        return words
    side = kit.unit * 9.5
    code = Figure(side, side, lambda canvas, box: canvas.place(qr_code(content.url, box[2]), box))
    address = kit.para(content.shown_url, SMALL, "strong", label="address")
    standing = stack([stack([code, address], kit.beat), words], kit.beat * 2)
    if not lying or not (content.early or content.regular or deadline):
        return standing
    beside = stack([Row((code, words), (-side, 1.0), kit.unit * 1.6), address], kit.beat)
    widest = max([5.0, *(size * kit.type.width(text, "strong") for text, size in _sized_prices(kit))])
    return Either(beside, standing, side + kit.unit * (1.6 + min(12.0, widest)))


def _sized_prices(kit: Kit) -> list[tuple[str, float]]:
    """The prices, early one first, each with its size."""
    prices = (kit.content.early, kit.content.regular)
    return [(price, LARGE if kit.type.width(price, "strong") <= 4.4 else MEDIUM) for price in prices]


def _prices(kit: Kit, columns: int) -> Item:
    pairs = []
    for key, (price, size) in zip(("early", "regular"), _sized_prices(kit), strict=True):
        if price:
            label = kit.label(key) if kit.content.early else Nothing()
            pairs.append(stack([label, kit.para(price, size, "strong", label="price")], kit.beat * 0.6))
    return Grid(tuple(pairs), min(columns, len(pairs)), kit.unit, kit.beat * 1.3) if pairs else Nothing()


def imprint(kit: Kit, columns: int) -> Item:
    """Who is behind it and how to ask, under a thin rule; nothing where the brief gives none of it."""
    content = kit.content
    groups, shown = [], []
    for key, values in (("host", content.hosts), ("sponsors", content.sponsors), ("contact", content.contact)):
        if values:
            shown.append(values)
            groups.append(
                stack([kit.label(key), _names(kit, values, "body" if key == "contact" else "strong")], kit.beat)
            )
    logos = _logos(kit)
    if not groups and logos is None:
        return Nothing()
    rows: list[Item] = []
    if groups:
        if columns == 3 == len(groups):
            longest = [max(kit.type.width(value, "strong") for value in values) for values in shown]
            weights = tuple(max(wide, 0.6 * max(longest)) for wide in longest)
            rows.append(Row(tuple(groups), weights, kit.unit * 1.6))
        else:
            rows.append(Grid(tuple(groups), max(1, min(columns, len(groups))), kit.unit * 1.6, kit.beat * 1.6))
    if logos is not None:
        rows.append(logos)
    return _under_thin_rule(kit, stack(rows, kit.beat * 1.8))


def _names(kit: Kit, values: tuple[str, ...], role: str) -> Item:
    """Names in a row that wraps between names only."""
    style = Style(role, kit.unit, 1.3)
    paras = [Para(kit.type, value, style, kit.scheme.ink, label="imprint", least=0.84) for value in values]
    return Flow(tuple((para, para.natural_width) for para in paras), kit.unit * 1.3, kit.beat * 0.6)


def _logos(kit: Kit) -> Item | None:
    high = kit.unit * 3
    found = [picture for name in kit.content.logos if (picture := attached(name))]
    figures = []
    for markup, wide, tall in (logo(picture, high, high * 3) for picture in found):

        def paint(canvas: Canvas, box: Box, markup: str = markup) -> None:
            canvas.place(markup, box)

        figures.append((Figure(wide, tall, paint), wide))
    return Flow(tuple(figures), kit.unit * 1.6, kit.unit) if figures else None
