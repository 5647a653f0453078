"""Which characters of a drawing have no glyph in any font: what a browser draws for them is an empty box.

A font of our own, made here, ends each text's list of families: it has a very wide glyph for every character. What it
draws, no family of the list has, embedded or installed. For that a browser looks among all installed fonts, as
Fontconfig lists them, but not for private-use characters: these mean nothing outside their own font (Unicode 16, 23.5).
"""

from __future__ import annotations

import base64
import io
import re
import struct
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sandbox_image.inspector.rendering import Rendering, Run

LIMIT_S = 20.0
LOST = "\ufffd"  # stands where a character could not be decoded
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
_NEVER_DRAWN = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp"))
# Unicode 16, DerivedCoreProperties, Default_Ignorable_Code_Point outside the categories above: joiners of marks,
# fillers, variation selectors.
_IGNORABLE = ((0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164), (0xFE00, 0xFE0F),
              (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))  # fmt: skip


@dataclass(frozen=True)
class Tofu:
    """A character (with its marks) that no font has, and the run in which it stands."""

    text: str
    run: Run

    @property
    def private(self) -> bool:
        """Is it one of an icon font's private characters?"""
        return any(unicodedata.category(char) == "Co" for char in self.text)

    @property
    def named(self) -> str:
        return " ".join(f"U+{ord(char):04X}" for char in self.text)


def missing(rendering: Rendering) -> Iterator[Tofu]:
    """The characters without a glyph, each once, in document order."""
    runs = rendering.texts
    found = rendering.missing_glyphs(base64.b64encode(everything_font()).decode(), [run.index for run in runs])
    installed: list[list[tuple[int, int]]] | None = None
    seen = set()
    for run in runs:
        for cluster in [*found.get(run.index, ()), *(char for char in run.text if char == LOST)]:
            if cluster in seen:
                continue
            seen.add(cluster)
            if installed is None:
                installed = installed_characters()
            if cluster == LOST or not _covered(cluster, installed):
                yield Tofu(cluster, run)


def _covered(cluster: str, fonts: Iterable[list[tuple[int, int]]]) -> bool:
    """Does one font have all of a character and its marks, composed or decomposed?"""
    if any(unicodedata.category(char) == "Co" for char in cluster):
        return False
    for form in (cluster, unicodedata.normalize("NFC", cluster), unicodedata.normalize("NFD", cluster)):
        drawn = [ord(char) for char in form if is_drawn(char)]
        if any(all(_within(code, font) for code in drawn) for font in fonts):
            return True
    return False


def is_drawn(char: str) -> bool:
    """Does a character need a glyph at all? Blanks, controls and default ignorable ones do not."""
    code = ord(char)
    return unicodedata.category(char) not in _NEVER_DRAWN and not _within(code, _IGNORABLE)


def _within(code: int, ranges: Iterable[tuple[int, int]]) -> bool:
    return any(low <= code <= high for low, high in ranges)


def installed_characters() -> list[list[tuple[int, int]]]:
    """For each installed font the ranges of characters that it has (fc-list(1))."""
    done = subprocess.run(
        ["fc-list", "--format", "%{charset}\n", ":scalable=true", "charset"],
        capture_output=True,
        timeout=LIMIT_S,
        check=True,
        env=_ENVIRONMENT,
    )
    fonts = set(done.stdout.decode("ascii", "replace").splitlines())
    pattern = re.compile(r"([0-9a-f]+)(?:-([0-9a-f]+))?")
    return [[(int(low, 16), int(high or low, 16)) for low, high in pattern.findall(font)] for font in sorted(fonts)]


def everything_font() -> bytes:
    """A TrueType font with one glyph, 100 em wide, for every character.

    Its character map has format 13, many to one (OpenType 1.9, cmap).
    """
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib.tables.DefaultTable import DefaultTable

    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    pen.lineTo((0, 100))
    pen.lineTo((100, 0))
    pen.closePath()
    builder: Any = FontBuilder(100, isTTF=True)
    builder.setupGlyphOrder([".notdef", "box"])
    builder.setupCharacterMap({0x41: "box"})
    builder.setupGlyf({".notdef": pen.glyph(), "box": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (10000, 0), "box": (10000, 0)})
    builder.setupHorizontalHeader(ascent=80, descent=-20)
    builder.setupNameTable({"familyName": "Everything", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=80, usWinAscent=80, usWinDescent=20)
    builder.setupPost()
    groups = ((0x20, 0xD7FF), (0xE000, 0xFFFD), (0x10000, 0x10FFFD))
    content = struct.pack(">HHIII", 13, 0, 16 + 12 * len(groups), 0, len(groups))
    content += b"".join(struct.pack(">III", *group, 1) for group in groups)
    table: Any = DefaultTable("cmap")
    table.data = struct.pack(">HHHHI", 0, 1, 3, 10, 12) + content
    builder.font["cmap"] = table
    target = io.BytesIO()
    builder.font.save(target)
    return target.getvalue()
