"""The last words: the finale's template with the name large in it, and the person's photo in a frame above."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .cairo import Colour, Pen, Picture
from .colour import BLACK, WHITE, mix
from .easing import out_cubic, smooth, span, spring, wave
from .lettering import Placed, Typesetter, broken, cuts_word, is_wide, joined
from .stage import SHORT, Stage

Box = tuple[float, float, float, float]  # left, top, width, height
RING = 11.0  # units around the card
CUT = 0.45  # what a layout is worth in which a word is cut, against one without
NAME, REST = 0.27 * SHORT, 0.125 * SHORT  # largest sizes of an em
_CLINGING = frozenset("!?,.:;…！？，。：；、」』»”’)")
_TITLES = ("さん", "ちゃん", "くん", "君", "様", "先生", "同学", "同學")  # go with a name, though no blank parts them


def finale_parts(template: str, name: str) -> list[tuple[str, bool]]:
    """The template's lines from top to bottom, and which of them is the name's. Marks stay with the name."""
    before, found, after = template.partition("{name}")
    if not found:
        return [(template.strip(), False), (name, True)] if template.strip() else [(name, True)]
    title = next((title for title in _TITLES if after.startswith(title)), "") or _attached(after)
    loud, after = name + title, after[len(title) :]
    if after.lstrip()[:1] in tuple("!?:;») "):
        # French sets these marks after a blank.
        after = after.replace(" ", "\u00a0", 1) if after[:1] == " " else after
    while after and (after[0] in _CLINGING or after[0] == "\u00a0"):
        loud, after = loud + after[0], after[1:]
    prefix = _attached(before[::-1])[::-1]
    loud, before = prefix + loud, before[: len(before) - len(prefix)]
    while before and before[-1] in "¡¿«„“「『(":
        before, loud = before[:-1], before[-1] + loud
    after = after.replace("{name}", name)
    return [(text, big) for text, big in ((before.strip(), False), (loud, True), (after.strip(), False)) if text]


def _attached(text: str) -> str:
    """The letters that stand at the name without a blank ("'s", "야"), in scripts that part words by blanks."""
    letters = ""
    for char in text:
        if not (char.isalpha() or char in "'’-") or is_wide(char):
            break
        letters += char
    return letters if len(letters) <= 8 else ""


def lay_out(parts: Sequence[tuple[str, bool]], box: Box, setter: Typesetter, inks: Sequence[Colour]) -> list[Placed]:
    """The lines in the box as large as they fit, the name largest: shrunk first, then wrapped."""
    left, top, width, height = box
    best: tuple[float, list[Placed]] = (0.0, [])
    for loud_count in range(1, 7):
        for quiet_count in range(1, 6):
            rows = []
            for text, loud in parts:
                for row in broken(text, loud_count if loud else quiet_count, setter):
                    rows.append((setter.line(row), loud))
            loudest = min((width / max(line.width, 0.1) for line, loud in rows if loud), default=REST)
            loudest = min(loudest, NAME)
            quiet = min([width / max(line.width, 0.1) for line, loud in rows if not loud] + [REST, loudest * 0.72])
            sizes = [loudest if loud else quiet for _, loud in rows]
            gaps = 0.30 * sum((a + b) / 2 for a, b in zip(sizes, sizes[1:], strict=False))
            tall = sum((line.bottom - line.top) * size for (line, _), size in zip(rows, sizes, strict=True)) + gaps
            shrink = min(1.0, height / tall)
            score = shrink * (loudest + 1.3 * quiet) / (1 + 0.06 * (len(rows) - len(parts)))
            if any(cuts_word(text, loud_count if loud else quiet_count) for text, loud in parts):
                score *= CUT
            if score <= best[0] * 1.001:
                continue
            y = top + (height - tall * shrink) / 2
            placed = []
            for number, ((line, loud), size) in enumerate(zip(rows, sizes, strict=True)):
                em = size * shrink
                if number:
                    y += 0.30 * (em + sizes[number - 1] * shrink) / 2
                x = left + (width - line.width * em) / 2 - line.left * em
                placed.append(Placed(line, x, y - line.top * em, em, inks[0] if loud else inks[1], loud))
                y += (line.bottom - line.top) * em
            best = (score, placed)
    return best[1]


def ends(row: Placed) -> Box:
    """Left, right, top and bottom of a row's ink."""
    line = row.line
    return (row.x + line.left * row.size, row.x + line.right * row.size, row.y + line.top * row.size,
            row.y + line.bottom * row.size)  # fmt: skip


class Finale:
    """Words on a card that follows their outline, letters that jump in, a framed photo."""

    def __init__(
        self, stage: Stage, setter: Typesetter, parts: Sequence[tuple[str, bool]], photo: Picture | None,
        inks: tuple[Colour, ...], card: Colour, ring: Colour,
    ) -> None:  # fmt: skip
        self._stage, self._photo, self._ring, self._card = stage, photo, ring, card
        self._inks = inks
        width, height = stage.width, stage.height
        margin = 0.05 * min(width, height) + 62
        box = (margin, 0.12 * height, width - 2 * margin, 0.60 * height)
        if photo:
            self._round = min(0.2 * height, 0.3 * width, 190.0)
            self._photo_at = (width / 2, 0.07 * height + self._round)
            top = self._photo_at[1] + self._round + 50
            box = (margin, top, width - 2 * margin, min(0.84 * height - top, 0.5 * height))
        self.placed = lay_out(parts, box, setter, inks)
        self._many = stage.random("finale").random() < 0.6
        self._ground = Picture(*stage.pixels, stage.scale)
        self._draw_ground()
        self._order = self._letters()

    def _draw_ground(self) -> None:
        """A card along the outline of the words, its ring, its shadow; bands close the holes between words and rows."""
        pen = self._ground.pen
        for grown, colour, alpha, dy in (
            (RING, BLACK, 0.20, 9.0),
            (RING, self._ring, 1.0, 0.0),
            (0.0, self._card, 1.0, 0.0),
        ):
            for number, row in enumerate(self.placed):
                edge = 0.24 * row.size + 6
                for letter in row.line.letters:
                    letter.path(pen, row.x, row.y + dy, row.size)
                pen.stroke(colour, 2 * (edge + grown), alpha, keep=True)
                pen.fill(colour, alpha)
                left, right, top, bottom = ends(row)
                tall = 0.8 * (bottom - top) + edge
                inset = max(0.0, min(tall / 2 - edge, (right - left) / 2))
                pen.to(left + inset, (top + bottom) / 2 + dy)
                pen.line(right - inset, (top + bottom) / 2 + dy)
                pen.stroke(colour, tall + 2 * grown, alpha)
                if number:
                    above = ends(self.placed[number - 1])
                    left, right = max(left, above[0]), min(right, above[1])
                    middle = (above[2] + above[3]) / 2
                    # No wider than the outline of the smaller row, else its corners would stand out.
                    side = min(edge, 0.24 * self.placed[number - 1].size + 6) + grown
                    pen.box(left - side, middle + dy, right - left + 2 * side, (top + bottom) / 2 - middle)
                    pen.fill(colour, alpha)

    def _letters(self) -> list[tuple[Placed, int, Colour, float]]:
        """Each letter with its row, colour and the moment when it jumps in."""
        found: list[tuple[Placed, int, Colour, float]] = []
        count = sum(len(row.line.letters) for row in self.placed)
        step = min(0.045, 0.55 / max(1, count))
        for row in self.placed:
            mixed = row.loud and self._many and not joined(row.line.text)
            order = range(len(row.line.letters))
            for number in order:
                ink = self._inks[number % len(self._inks)] if mixed else row.colour
                found.append((row, number, ink, 0.12 + step * len(found)))
        return found

    def draw(self, pen: Pen, since: float) -> None:
        """The words `since` seconds after the last number left."""
        x, y = self._stage.width / 2, self._stage.height / 2
        grown = spring(span(since, 0.0, 0.55), 6.5, 1.3)
        pen.save()
        pen.move(x, y)
        pen.scale(grown)
        pen.picture(self._ground, -x, -y, smooth(span(since, 0, 0.1)))
        pen.restore()
        if self._photo:
            self._draw_photo(pen, since)
        for row, number, ink, moment in self._order:
            self._draw_letter(pen, row, number, ink, since - moment)

    def _draw_letter(self, pen: Pen, row: Placed, number: int, ink: Colour, since: float) -> None:
        if since <= 0:
            return
        letter = row.line.letters[number]
        share = span(since, 0.0, 0.5)
        grown = spring(share)
        float_ = 0.018 * row.size * wave(since, 1.6, -0.07 * number) * smooth(span(since, 0.5, 0.5))
        lift = float_ - 0.5 * row.size * (1 - out_cubic(share))
        middle = row.x + letter.middle * row.size
        base = row.y + (row.line.top + row.line.bottom) / 2 * row.size
        pen.save()
        pen.move(middle, base + lift)
        pen.scale(grown)
        letter.path(pen, row.x - middle, row.y - base, row.size)
        pen.fill(ink)
        letter.emoji(pen, row.x - middle, row.y - base, row.size)
        pen.restore()

    def _draw_photo(self, pen: Pen, since: float) -> None:
        assert self._photo
        grown = spring(span(since, 0.05, 0.6))
        x, y = self._photo_at
        pen.save()
        pen.move(x, y + 4 * wave(since, 1.9))
        pen.scale(grown)
        pen.rotate(0.02 * wave(since, 2.3) * (1 - 0.3 * math.exp(-since)))
        r = self._round
        pen.circle(0, 8, r + 16)
        pen.fill(BLACK, 0.18)
        pen.circle(0, 0, r + 16)
        pen.fill(self._ring)
        pen.circle(0, 0, r + 8)
        pen.fill(mix(self._card, WHITE, 0.3))
        pen.circle(0, 0, r)
        pen.clip()
        pen.scale(2 * r / 1000)
        pen.picture(as_thousand(self._photo), -500, -500)
        pen.restore()


def as_thousand(photo: Picture) -> Picture:
    """The photo as 1000 × 1000 units."""
    photo.scale = photo.width / 1000
    return photo
