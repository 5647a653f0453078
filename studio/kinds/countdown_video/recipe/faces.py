"""Typefaces as outlines: which font has a character, what HarfBuzz makes of a text. Lengths in ems, y downwards."""

from __future__ import annotations

import subprocess
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import uharfbuzz as hb

from .cairo import Pen, Picture

ROOT = Path("/usr/share/fonts")
EMOJI = "NotoColorEmoji.ttf"
_EMOJI_PX = 109  # the only size of the bitmaps in Noto Color Emoji

Command = tuple[str, tuple[float, ...]]


@dataclass
class Piece:
    """A glyph at its place in a line: an outline, or an emoji's picture."""

    x: float
    y: float
    cluster: int
    outline: tuple[Command, ...] = ()
    emoji: Picture | None = None
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # ink: left, top, right, bottom from the origin
    order: float = field(default=0.0)


def trace(pen: Pen, outline: tuple[Command, ...], x: float, y: float, size: float) -> None:
    """Add an outline to the pen's path, its origin at x, y, an em `size` units large."""
    for name, values in outline:
        if name == "close":
            pen.close()
            continue
        points = [(x if place % 2 == 0 else y) + value * size for place, value in enumerate(values)]
        getattr(pen, name)(*points)


class Face:
    """One font of a file, opened once."""

    def __init__(self, path: Path, index: int = 0) -> None:
        self.path, self.index = path, index
        self._face = hb.Face(hb.Blob.from_file_path(str(path)), index)
        self.font = hb.Font(self._face)
        self.upem = self._face.upem
        self.is_emoji = path.name == EMOJI

    def has(self, char: str) -> bool:
        """Is there a glyph for this character?"""
        return bool(self.font.get_nominal_glyph(ord(char)))

    @cache  # noqa: B019 - faces live as long as the program
    def outline(self, glyph: int) -> tuple[Command, ...]:
        """A glyph's outline."""
        found: list[Command] = []
        em = self.upem

        def add(name: str) -> Any:
            def take(*values: Any) -> None:
                numbers = [value for value in values if isinstance(value, int | float)]
                flipped = tuple(v / em if place % 2 == 0 else -v / em for place, v in enumerate(numbers))
                found.append((name, flipped))

            return take

        funcs = hb.DrawFuncs()
        funcs.set_move_to_func(add("to"))
        funcs.set_line_to_func(add("line"))
        funcs.set_cubic_to_func(add("curve"))
        funcs.set_close_path_func(add("close"))
        self.font.draw_glyph(glyph, funcs, None)
        return tuple(found)

    def shape(self, text: str, language: str, direction: str) -> tuple[list[Piece], float]:
        """The glyphs of a text of one script and direction, and how far they reach."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.direction = direction
        if language:
            buffer.language = language
        hb.shape(self.font, buffer, {"kern": True, "liga": True})
        pieces, x = [], 0.0
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            left, top = x + position.x_offset / self.upem, -position.y_offset / self.upem
            piece = Piece(left, top, info.cluster, order=left)
            if self.is_emoji:
                piece.emoji = emoji_picture(text)
                piece.box = (0.0, -0.93, 1.2, 0.24)
            else:
                piece.outline = self.outline(info.codepoint)
                extents = self.font.get_glyph_extents(info.codepoint)
                if extents:
                    sides = (extents.x_bearing, -extents.y_bearing, extents.x_bearing + extents.width,
                             -extents.y_bearing - extents.height)  # fmt: skip
                    piece.box = tuple(side / self.upem for side in sides)
            pieces.append(piece)
            x += position.x_advance / self.upem
        if self.is_emoji and pieces:
            return pieces[:1], max(x, 1.25)
        return pieces, x


@cache
def emoji_picture(text: str) -> Picture:
    """One emoji (or sequence) as a picture; one em is `_EMOJI_PX` px high."""
    import numpy as np
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype(str(next(ROOT.rglob(EMOJI))), _EMOJI_PX)
    image = Image.new("RGBA", (round(_EMOJI_PX * 1.25), round(_EMOJI_PX * 1.2)))
    ImageDraw.Draw(image).text((0, 0), text, font=font, embedded_color=True)
    return Picture.of_rgba(np.asarray(image), _EMOJI_PX)


# Latin first, then the other scripts of the image; each character is drawn by the first that has it.
DISPLAY = {
    "grotesk": ("InterDisplay-Black.otf",),
    "geometric": ("LeagueSpartan-Black.otf", "LeagueSpartan-ExtraBold.otf"),
    "condensed": ("BebasNeue-Bold.otf",),
}
_OTHERS = (
    "InterDisplay-Black.otf",
    "NotoSans-Black.ttf",
    "NotoSans-Bold.ttf",
    "NotoSansHebrew-Bold.ttf",
    "NotoKufiArabic-Bold.ttf",
    "NotoSansArabic-Bold.ttf",
    "NotoSansDevanagari-Bold.ttf",
    "NotoSansThai-Bold.ttf",
    "NotoSansCJK-Bold.ttc",
)
_LAST = (EMOJI, "NotoSansSymbols2-Regular.ttf", "NotoSansSymbols-Bold.ttf", "NotoSansMath-Regular.ttf")
_COLLECTION = {"ja": 0, "ko": 1, "zh-hans": 2, "zh-hant": 3, "zh-hk": 4}


def collection_index(language: str, text: str) -> int:
    """Which font of a CJK collection: by language, else by the characters that the text has."""
    parts = language.lower().split("-")
    if parts[0] in {"ja", "ko"}:
        return _COLLECTION[parts[0]]
    if parts[0] == "zh":
        if {"hk", "mo"} & set(parts):
            return _COLLECTION["zh-hk"]
        return _COLLECTION["zh-hant" if {"hant", "tw"} & set(parts) else "zh-hans"]
    if any("\u3040" <= char <= "\u30ff" for char in text):
        return _COLLECTION["ja"]
    return _COLLECTION["ko" if any("\uac00" <= char <= "\ud7a3" for char in text) else "zh-hans"]


class Faces:
    """The fonts of one film, in the order of preference."""

    def __init__(self, style: str, language: str, text: str) -> None:
        files = {path.name: path for path in sorted(ROOT.rglob("*.[ot]t[fc]"), reverse=True)}
        self.language = language
        self._index = collection_index(language, text)
        self._files = files
        self._open: dict[tuple[Path, int], Face] = {}
        self._chain = [files[name] for name in (*DISPLAY[style], *_OTHERS) if name in files]
        self._symbols = [files[name] for name in _LAST if name in files]

    def _face(self, path: Path) -> Face:
        index = self._index if path.suffix == ".ttc" else 0
        if (path, index) not in self._open:
            self._open[path, index] = Face(path, index)
        return self._open[path, index]

    def face_for(self, char: str, emoji: bool) -> Face:
        """The face that draws a character."""
        chain = [*self._symbols, *self._chain] if emoji else [*self._chain, *self._symbols]
        for path in chain:
            face = self._face(path)
            if face.has(char):
                return face
        return self._found(char) or self._face(self._chain[0])

    @cache  # noqa: B019 - faces live as long as the program
    def _found(self, char: str) -> Face | None:
        """A face of any installed font that has the character, by fontconfig."""
        for weight in (":bold", ""):
            command = ["fc-match", "-f", "%{file}\n%{index}", f":charset={ord(char):x}{weight}"]
            answer = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
            if len(answer) == 2 and Path(answer[0]).exists():
                face = Face(Path(answer[0]), int(answer[1]) & 0xFFFF)
                if face.has(char):
                    return face
        return None

    def runs(self, text: str) -> list[tuple[Face, str]]:
        """Neighbouring characters that one face draws."""
        found: list[tuple[Face, str]] = []
        for place, char in enumerate(text):
            follows = found and (unicodedata.category(char) in {"Mn", "Me", "Mc", "Cf"} or is_joiner(text, place))
            if follows:
                face, before = found[-1]
                if face.is_emoji or face.has(char) or unicodedata.category(char) == "Cf":
                    found[-1] = (face, before + char)
                    continue
            face = self.face_for(char, is_emoji(text, place))
            if found and found[-1][0] is face and not face.is_emoji:
                found[-1] = (face, found[-1][1] + char)
            else:
                found.append((face, char))
        return found


def is_emoji(text: str, place: int) -> bool:
    """Is the character there drawn as a coloured picture?"""
    char, after = text[place], text[place + 1 : place + 2]
    return "\U0001f000" <= char <= "\U0001faff" or after == "\ufe0f"


def is_joiner(text: str, place: int) -> bool:
    """Does the character belong to the emoji before it: joined, a skin tone, or the second half of a flag?"""
    char, before = text[place], text[place - 1] if place else ""
    regional = "\U0001f1e6" <= char <= "\U0001f1ff"
    pairs = 0
    while regional and pairs < place and "\U0001f1e6" <= text[place - 1 - pairs] <= "\U0001f1ff":
        pairs += 1
    return before == "\u200d" or "\U0001f3fb" <= char <= "\U0001f3ff" or (regional and pairs % 2 == 1)
