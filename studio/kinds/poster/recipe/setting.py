"""Setting type: widths, lines of running text, and titles broken where a reader would break them.

Widths are in ems unless said otherwise, so that every size shares the same measurements.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .faces import Faces, Run
from .script import Piece, clusters, direction, is_wide, may_track, pieces

STEPS = (1.0, 0.92, 0.84, 0.76, 0.68, 0.6)  # by which a style shrinks for a long word
MOST_PIECES = 60  # of a title that is broken by weighing all ways
SLACK = 1.004  # what a renderer may set wider than measured


@dataclass(frozen=True)
class Style:
    """How a text is set: role of its typeface, size in page units, line pitch in ems, tracking in ems, capitals."""

    role: str
    size: float
    leading: float = 1.32
    tracking: float = 0.0
    capitals: bool = False

    def scaled(self, factor: float) -> Style:
        """The same at another size."""
        return Style(self.role, self.size * factor, self.leading, self.tracking, self.capitals)


@dataclass(frozen=True)
class Line:
    """One line: its words, their width in ems, and what stood between it and the next line (a blank or nothing)."""

    text: str
    width: float
    gap: str = " "


@dataclass(frozen=True)
class Title:
    """A title's lines, each with its own size in page units, and the height of all of them."""

    lines: tuple[Line, ...]
    sizes: tuple[float, ...]
    baselines: tuple[float, ...]  # from the top of the title
    height: float
    width: float


class Typesetter:
    """Measures and breaks the texts of one poster."""

    def __init__(self, faces: Faces, words: Mapping[str, Sequence[str]]) -> None:
        self.faces = faces
        self._words = words
        self._widths: dict[tuple[str, str, float], float] = {}
        self._pieces: dict[str, list[Piece]] = {}
        self._longest: dict[tuple[str, str, float], float] = {}
        self._lines: dict[tuple[str, str, float, int], tuple[Line, ...]] = {}

    def shown(self, text: str, style: Style) -> str:
        """The words as printed: in capitals where the style and the script say so and nothing is lost."""
        if style.capitals and may_track(text) and text.upper().casefold() == text.casefold():
            return text.upper()
        return text

    def tracking(self, text: str, style: Style) -> float:
        """Letter spacing in ems; none in scripts that join or stack."""
        return style.tracking if style.tracking and may_track(text) else 0.0

    def width(self, text: str, role: str, tracking: float = 0.0) -> float:
        """Advance width of a text on one line."""
        key = (text, role, tracking)
        if key not in self._widths:
            language = self.faces.language
            shaped = sum(run.face.shape(run.text, language)[0] for run in self.runs(text, role))
            self._widths[key] = (shaped + tracking * sum(1 for _ in clusters(text))) * SLACK
        return self._widths[key]

    def width_in_lines(self, text: str, role: str, count: int) -> float:
        """Width of the widest line where the text is broken into `count` lines, or into as many as it can."""
        for number in range(count, 1, -1):
            broken = self._break_into(text, role, number)
            if broken is not None:
                return max(line.width for line in broken[0])
        return self.width(text, role)

    def runs(self, text: str, role: str) -> tuple[Run, ...]:
        """The text cut by typeface."""
        return self.faces.runs(text, role)

    def extent(self, text: str, role: str) -> tuple[float, float]:
        """Height above and depth below the baseline of any line of this text."""
        boxes = [run.face.extent() for run in self.runs(text, role)] or [(0.72, 0.2)]
        return max(box[0] for box in boxes), max(box[1] for box in boxes)

    def ink(self, text: str, role: str) -> tuple[float, float]:
        """Height and depth of exactly this line's ink."""
        shaped = [run.face.shape(run.text, self.faces.language) for run in self.runs(text, role)]
        return max((s[1] for s in shaped), default=0.7), max((s[2] for s in shaped), default=0.0)

    def pieces(self, text: str) -> list[Piece]:
        """Where the text may break."""
        if text not in self._pieces:
            words = self._words.get(text) or self._words.get(text.casefold())
            self._pieces[text] = pieces(text, words)
        return self._pieces[text]

    def lines(self, text: str, style: Style, width: float) -> tuple[Line, ...]:
        """Running text in lines of at most `width` page units: as few as possible, of like length."""
        text = self.shown(text, style)
        measure = max(width / style.size, 0.5)
        key = (text, style.role, round(measure, 3), round(style.tracking * 100))
        if key not in self._lines:
            tracking = self.tracking(text, style)
            lines = self._greedy(text, style.role, tracking, measure)
            if 1 < len(lines) <= 6:
                lines = self._balanced(text, style.role, tracking, measure, lines)
            self._lines[key] = tuple(lines)
        return self._lines[key]

    def _balanced(self, text: str, role: str, tracking: float, measure: float, lines: list[Line]) -> list[Line]:
        """As many lines, broken where a reader would; a long text at the narrowest measure that needs no more lines."""
        if len(self.pieces(text)) <= 16:
            broken = self._break_into(text, role, len(lines), measure, tracking)
            return list(broken[0]) if broken else lines
        low, high = measure * 0.5, measure
        for _ in range(5):
            middle = (low + high) / 2
            tried = self._greedy(text, role, tracking, middle)
            if len(tried) <= len(lines) and max(line.width for line in tried) <= middle:
                high, lines = middle, tried
            else:
                low = middle
        return lines

    def _greedy(self, text: str, role: str, tracking: float, measure: float) -> list[Line]:
        found: list[Line] = []
        held, held_width, gap = "", 0.0, ""
        for piece in self._small_pieces(text, role, tracking, measure):
            width = self.width(piece.text, role, tracking)
            joint = self.width(gap, role, tracking) if gap else 0.0
            if held and held_width + joint + width > measure:
                found.append(Line(held, self.width(held, role, tracking), gap))
                held, held_width = piece.text, width
            else:
                held, held_width = (
                    (held + gap + piece.text, held_width + joint + width) if held else (piece.text, width)
                )
            gap = piece.gap
        if held:
            found.append(Line(held, self.width(held, role, tracking), ""))
        return found

    def _small_pieces(self, text: str, role: str, tracking: float, measure: float) -> list[Piece]:
        """The pieces of which lines are made: words whole where they fit, else in parts, else cut between clusters."""
        found: list[Piece] = []
        for piece in self._whole_words(text, role, tracking, measure):
            if self.width(piece.text, role, tracking) <= measure:
                found.append(piece)
                continue
            held, taken = "", 0.0
            for cluster in clusters(piece.text):
                width = self.width(cluster, role, tracking)
                if held and taken + width > measure:
                    found.append(Piece(held, "", 5.0))
                    held, taken = "", 0.0
                held, taken = held + cluster, taken + width
            found.append(Piece(held, piece.gap, piece.cost))
        return found

    def _whole_words(self, text: str, role: str, tracking: float, measure: float) -> list[Piece]:
        """The pieces, joined across breaks that a reader would mind much, as far as the measure allows."""
        found: list[Piece] = []
        for piece in self.pieces(text):
            last = found[-1] if found else None
            if last and not last.gap and last.cost >= 2:
                joined = last.text + piece.text
                if self.width(joined, role, tracking) <= measure:
                    found[-1] = Piece(joined, piece.gap, piece.cost)
                    continue
            found.append(piece)
        return found

    def shrunk(self, text: str, style: Style, width: float, least: float) -> float:
        """By how much to shrink a style for its longest word: one of a few steps, `least` or more; 1 where it fits."""
        text = self.shown(text, style)
        key = (text, style.role, style.tracking)
        if key not in self._longest:
            tracking = self.tracking(text, style)
            words = self._whole_words(text, style.role, tracking, math.inf)
            self._longest[key] = max((self.width(word.text, style.role, tracking) for word in words), default=0.0)
        wanted = width / (self._longest[key] * style.size or 1.0)
        return next((step for step in STEPS if least <= step <= wanted), 1.0 if wanted < least * 0.7 else least)

    # Titles

    def title(self, text: str, style: Style, width: float, height: float, *, lockup: bool, longest: int = 8) -> Title:
        """The title as large as it goes in `width` × `height` page units, broken well.

        With `lockup` every line fills the width at a size of its own, within a factor of 2.6. `style.size` is the
        largest size allowed.
        """
        text = self.shown(text, style)
        lockup = lockup and (may_track(text) or any(is_wide(char) for char in text))
        candidates = []
        for count in range(1, longest + 1 if len(self.pieces(text)) <= MOST_PIECES else 1):
            broken = self._break_into(text, style.role, count)
            if broken is None:
                break
            lines, cost = broken
            for tied in (True, False) if lockup and 1 < count <= 4 else (False,):
                title = self._sized(lines, style, width, height, tied)
                mass = math.sqrt(sum(s * s * line.width for s, line in zip(title.sizes, lines, strict=True)))
                score = (min(title.sizes) * 0.75 + mass * 0.25) * 0.8**cost * (1.06 if tied else 1.0)
                candidates.append((score, title))
        if not candidates or min(max(title.sizes) for _, title in candidates) <= 0:
            return self._forced(text, style, width, height)
        best = max(candidates, key=lambda candidate: candidate[0])[1]
        forced = self._forced(text, style, width, height)
        return forced if min(forced.sizes) > 1.6 * min(best.sizes) else best

    def _break_into(
        self, text: str, role: str, count: int, measure: float = math.inf, tracking: float = 0.0
    ) -> tuple[tuple[Line, ...], float] | None:
        """The best way to break into exactly `count` lines, with how much a reader minds. None: cannot be done."""
        parts = self.pieces(text)
        size = len(parts)
        if count > size:
            return None
        if count == 1:
            return (Line(text, self.width(text, role, tracking), ""),), 0.0

        def joined(first: int, last: int) -> str:
            return "".join(part.text + part.gap for part in parts[first : last - 1]) + parts[last - 1].text

        # Distance from the start to the beginning and to the end of each piece; exact but for kerning between them.
        begins, ends_at, reached = [], [], 0.0
        for part in parts:
            begins.append(reached)
            reached += self.width(part.text, role, tracking)
            ends_at.append(reached)
            reached += self.width(part.gap, role, tracking) if part.gap else 0.0
        ideal = ends_at[-1] / count
        best: list[dict[int, tuple[float, int, float]]] = [{0: (0.0, 0, 0.0)}]
        for number in range(1, count + 1):
            row: dict[int, tuple[float, int, float]] = {}
            ends = [size] if number == count else range(number, size - (count - number) + 1)
            for end in ends:
                for start, (badness, _, cost) in best[-1].items():
                    if start >= end:
                        continue
                    span = ends_at[end - 1] - begins[start]
                    if span > measure:
                        continue
                    minds = parts[end - 1].cost if end < size else 0.0
                    orphan = 0.6 if end == size and span < 0.35 * ideal else 0.0
                    total = badness + (span / ideal) ** 4 + 0.9 * (minds + orphan)
                    if end not in row or total < row[end][0]:
                        row[end] = (total, start, cost + minds + orphan)
            if not row:
                return None
            best.append(row)
        cuts = [size]
        for number in range(count, 0, -1):
            cuts.append(best[number][cuts[-1]][1])
        cuts.reverse()
        texts = [(joined(first, last), parts[last - 1].gap) for first, last in zip(cuts, cuts[1:], strict=False)]
        lines = tuple(Line(words, self.width(words, role, tracking), gap) for words, gap in texts)
        return lines, best[count][size][2]

    def _sized(self, lines: Sequence[Line], style: Style, width: float, height: float, tied: bool) -> Title:
        widest = max(line.width for line in lines)
        even = min(style.size, width / widest)
        sizes = [min(style.size * 1.5, width / line.width, even * 2.6) if tied else even for line in lines]
        inks = [self.ink(line.text, style.role) for line in lines]
        box = self.extent("".join(line.text for line in lines), style.role)
        if not tied:
            wide = any(is_wide(char) for char in lines[0].text)
            pitch = max(style.leading, 1.16 if wide else 0.0, max(box[0], inks[0][0]) + box[1] + 0.02)
            # Marks below one line and above the next, as Devanagari and Arabic have them, must not touch.
            pitch = max(pitch, *(below[0] + above[1] + 0.04 for above, below in pairwise(inks)), 0.0)
        for _ in range(2):
            top, baselines = 0.0, []
            for index, (size, ink) in enumerate(zip(sizes, inks, strict=True)):
                if index == 0:
                    top += max(ink[0], box[0] - 0.06) * size
                elif tied:
                    gap = 0.10 * min(size, sizes[index - 1]) + 0.03 * size
                    top += inks[index - 1][1] * sizes[index - 1] + ink[0] * size + gap
                else:
                    top += pitch * size
                baselines.append(top)
            whole = top + max(inks[-1][1], box[1]) * sizes[-1]
            if whole <= height:
                break
            sizes = [size * height / whole for size in sizes]
        reach = max(line.width * size for line, size in zip(lines, sizes, strict=True))
        return Title(tuple(lines), tuple(sizes), tuple(baselines), min(whole, max(height, 0.0)), reach)

    def _forced(self, text: str, style: Style, width: float, height: float) -> Title:
        """The largest size at which running text fits, words cut where they must be: for very long names."""
        low, high = 0.0, style.size
        best = None
        for _ in range(14):
            size = (low + high) / 2
            lines = self.lines(text, Style(style.role, size), width)
            title = self._sized(lines, Style(style.role, size, style.leading), width, math.inf, False)
            if title.height <= height:
                low, best = size, title
            else:
                high = size
        if best is None:
            lines = self.lines(text, Style(style.role, max(style.size / 64, 0.1)), width)
            best = self._sized(lines, style, width, height, False)
        return best

    def is_right_to_left(self, text: str, otherwise: str) -> bool:
        """Whether a paragraph with this text reads from right to left."""
        return (direction(text) or otherwise) == "rtl"
