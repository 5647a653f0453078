"""Setting words: lines with right-to-left parts, breaking, fitting into a box, and drawing letters one by one."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from .cairo import Colour, Pen
from .faces import Command, Faces, Piece, trace

_RIGHT = ("R", "AL")
_JOINED = ("ARABIC", "DEVANAGARI", "BENGALI", "TAMIL", "TELUGU", "GUJARATI", "GURMUKHI", "KANNADA", "MALAYALAM", "THAI",
           "LAO", "KHMER", "MYANMAR", "TIBETAN", "SINHALA", "SYRIAC", "MONGOLIAN", "NKO", "ORIYA")  # fmt: skip
_WIDE = ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "IDEOGRAPHIC", "FULLWIDTH")
_NO_START = frozenset("!?,.:;)]}»”’…%！？，。：；）」』】》〉、・ー～")


@dataclass(frozen=True)
class Letter:
    """What moves as one: a letter, or a word of a script whose letters join."""

    pieces: tuple[Piece, ...]
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Where it stands in the line, ems from its left end."""
        return (self.left + self.right) / 2

    def path(self, pen: Pen, x: float, y: float, size: float) -> None:
        """Add its outlines to the pen's path; x, y is the line's origin."""
        for piece in self.pieces:
            if piece.outline:
                trace(pen, piece.outline, x + piece.x * size, y + piece.y * size, size)

    def solid(self, pen: Pen, x: float, y: float, size: float, colour: Colour) -> None:
        """Fill it with its holes."""
        for piece in self.pieces:
            part: list[Command] = []
            for command in piece.outline:
                part.append(command)
                if command[0] == "close":
                    trace(pen, tuple(part), x + piece.x * size, y + piece.y * size, size)
                    pen.fill(colour)
                    part.clear()

    def emoji(self, pen: Pen, x: float, y: float, size: float) -> None:
        """Draw its emoji, if any."""
        for piece in self.pieces:
            if piece.emoji:
                pen.save()
                pen.move(x + piece.x * size, y - 0.93 * size)
                pen.scale(size)
                pen.picture(piece.emoji, 0.0, 0.0)
                pen.restore()


@dataclass(frozen=True)
class Line:
    """A set line: letters from left to right; ink from `top` (negative) to `bottom`, in ems from the baseline."""

    text: str
    letters: tuple[Letter, ...]
    left: float
    right: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        """Width of the ink in ems."""
        return self.right - self.left


@dataclass(frozen=True)
class Placed:
    """A line in the picture: origin, size of an em, colour."""

    line: Line
    x: float
    y: float
    size: float
    colour: Colour
    loud: bool  # the name's line


def _script(char: str) -> str:
    return unicodedata.name(char, "").split(" ")[0]


def is_wide(char: str) -> bool:
    """Is it of a script that is written without blanks between words: Chinese, Japanese?"""
    return _script(char) in _WIDE


def joined(text: str) -> bool:
    """Does the text have letters that join, so that it must move as a whole?"""
    return any(_script(char) in _JOINED for char in text)


def directed(text: str) -> list[tuple[str, str]]:
    """Parts of one direction, in the order in which they stand from left to right: (text, "ltr" or "rtl").

    A simple form of UAX 9: neutral characters between two parts of a direction go with them, others with the line.
    """
    sides = []
    for char in text:
        kind = unicodedata.bidirectional(char)
        sides.append("rtl" if kind in _RIGHT else "ltr" if kind in ("L", "EN", "AN") else "")
    strong = [s for s, c in zip(sides, text, strict=True) if s and unicodedata.bidirectional(c) not in ("EN", "AN")]
    base = strong[0] if strong else "ltr"
    for place, side in enumerate(sides):
        if not side:
            before = next((s for s in reversed(sides[:place]) if s), base)
            after = next((s for s in sides[place:] if s), base)
            sides[place] = before if before == after else base
            if unicodedata.category(text[place]) in ("Mn", "Me", "Cf") and place:
                sides[place] = sides[place - 1]
    parts: list[tuple[str, str]] = []
    for char, side in zip(text, sides, strict=True):
        if parts and parts[-1][1] == side:
            parts[-1] = (parts[-1][0] + char, side)
        else:
            parts.append((char, side))
    return parts[::-1] if base == "rtl" else parts


class Typesetter:
    """Sets lines in one film's fonts."""

    def __init__(self, faces: Faces) -> None:
        self.faces = faces

    def line(self, text: str) -> Line:
        """The text on one line."""
        pieces: list[tuple[int, Piece]] = []
        words, x, group = joined(text), 0.0, 0
        for part, direction in directed(text):
            runs = self.faces.runs(part)
            for face, run in runs[::-1] if direction == "rtl" else runs:
                set_, reach = face.shape(run, self.faces.language, direction)
                last = None
                for piece in set_:
                    if piece.cluster != last and not (words and _goes_on(run, piece.cluster, last)):
                        group += 1
                    last = piece.cluster
                    piece.x += x
                    pieces.append((group, piece))
                group += 1
                x += reach
        letters = []
        for number in dict.fromkeys(number for number, _ in pieces):
            own = tuple(piece for other, piece in pieces if other == number and (piece.outline or piece.emoji))
            if own:
                ends = [(p.x + p.box[0], p.x + p.box[2]) for p in own]
                letters.append(Letter(own, min(e[0] for e in ends), max(e[1] for e in ends)))
        inked = [piece for letter in letters for piece in letter.pieces]
        top = min((p.y + p.box[1] for p in inked), default=-0.7)
        bottom = max((p.y + p.box[3] for p in inked), default=0.0)
        left = min((letter.left for letter in letters), default=0.0)
        right = max((letter.right for letter in letters), default=x)
        return Line(text, tuple(letters), left, right, top, bottom)

    def widths(self, words: Sequence[str]) -> list[float]:
        """The width of each word in ems."""
        return [self.line(word).width for word in words]


def _goes_on(run: str, cluster: int, last: int | None) -> bool:
    """Are both clusters of one word?"""
    if last is None:
        return False
    low, high = sorted((cluster, last))
    return " " not in run[low : high + 1]


def pieces_to_break(text: str) -> list[str]:
    """The text cut where a line may end: after blanks, and between characters of scripts without blanks."""
    parts = [""]
    kana = any("\u3041" <= char <= "\u30ff" for char in text)
    for place, char in enumerate(text):
        before = text[place - 1] if place else ""
        wide = is_wide(char) or (bool(before) and is_wide(before))
        if wide and kana and before:
            # In Japanese a line begins with a new word: a kanji after kana, or the polite お and ご.
            wide = (_script(char) == "CJK" and _script(before) != "CJK" and before not in "おご") or (
                char in "おご" and _script(before) == "CJK"
            )
            wide = wide or before in "、。！？・ "
        if parts[-1] and char not in _NO_START and (before == " " or (wide and char != " ")):
            parts.append("")
        parts[-1] += char
    return parts


def broken(text: str, count: int, setter: Typesetter) -> list[str]:
    """The text on at most `count` lines of widths as equal as can be; words longer than all else are cut last."""
    parts = pieces_to_break(text)
    if count <= 1 or len(parts) == 1:
        return _cut(text, count) if count > 1 else [text.strip()]
    widths = [setter.line(part).right for part in parts]
    low, high = max(widths), sum(widths) + 0.3 * len(parts)
    for _ in range(24):
        middle = (low + high) / 2
        if len(_flowed(parts, widths, middle)) <= count:
            high = middle
        else:
            low = middle
    return [line.strip() for line in _flowed(parts, widths, high)]


def cuts_word(text: str, count: int) -> bool:
    """Would `broken` cut a word that is read as a whole?"""
    return count > 1 and len(pieces_to_break(text)) == 1 and not all(is_wide(char) for char in text if char.isalpha())


def _flowed(parts: list[str], widths: list[float], limit: float) -> list[str]:
    lines, reach = [""], 0.0
    for part, width in zip(parts, widths, strict=True):
        gap = 0.28 if lines[-1].endswith(" ") else 0.0
        if lines[-1] and reach + gap + width > limit:
            lines.append("")
            reach, gap = 0.0, 0.0
        lines[-1] += part
        reach += gap + width
    return lines


def _cut(text: str, count: int) -> list[str]:
    """One long word on several lines; marks stay with their letters."""
    starts = [place for place, char in enumerate(text) if unicodedata.category(char) not in ("Mn", "Me", "Mc", "Cf")]
    step = -(-len(starts) // count)
    cuts = [*starts[::step], len(text)]
    return [text[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
