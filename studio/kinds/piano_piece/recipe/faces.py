"""The score's typefaces: subsets of free fonts with just the characters that it uses, as data: URIs."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import uharfbuzz as hb
from fontTools.ttLib import TTFont

FOLDER = Path("/usr/share/fonts")
# Latin first, then the other scripts of the image; each character is drawn by the first that has it. A row is a family:
# its plain face, then bold and italic where the score sets words so.
FACES = (
    ("EBGaramond12-Regular.otf", "EBGaramond12-Bold.otf", "EBGaramond12-Italic.otf"),
    ("NotoSerif-Regular.ttf", "NotoSerif-Bold.ttf", ""),
    ("NotoSerifHebrew-Regular.ttf", "NotoSerifHebrew-Bold.ttf", ""),
    ("NotoNaskhArabic-Regular.ttf", "NotoNaskhArabic-Bold.ttf", ""),
    ("NotoSerifDevanagari-Regular.ttf", "NotoSerifDevanagari-Bold.ttf", ""),
    ("NotoSerifThai-Regular.ttf", "NotoSerifThai-Bold.ttf", ""),
    ("NotoSerifCJK-Regular.ttc", "NotoSerifCJK-Bold.ttc", ""),
    ("NotoSans-Regular.ttf", "", ""),
    ("NotoSansSymbols2-Regular.ttf", "", ""),
    ("NotoSansSymbols-Regular.ttf", "", ""),
)
DIGITS = frozenset("0123456789")
_COLLECTION = {"ja": 0, "ko": 1, "zh-hans": 2, "zh-hant": 3, "zh-hk": 4}


def _index(language: str, text: str) -> int:
    """Which font of a CJK collection: by language, else by the characters that the text has."""
    parts = language.lower().split("-")
    if parts[0] in ("ja", "ko"):
        return _COLLECTION[parts[0]]
    if parts[0] == "zh":
        if {"hk", "mo"} & set(parts):
            return _COLLECTION["zh-hk"]
        return _COLLECTION["zh-hant" if {"hant", "tw"} & set(parts) else "zh-hans"]
    if any("\u3040" <= char <= "\u30ff" for char in text):
        return _COLLECTION["ja"]
    return _COLLECTION["ko" if any("\uac00" <= char <= "\ud7a3" for char in text) else "zh-hans"]


@cache
def _path(name: str) -> Path | None:
    return next(iter(sorted(FOLDER.rglob(name))), None) if name else None


@cache
def _face(path: Path, number: int) -> Any:
    """A font of a file, or one of a collection's."""
    return hb.Face(hb.Blob.from_file_path(str(path)), number if path.suffix == ".ttc" else 0)


@cache
def _font(path: Path, number: int) -> Any:
    return hb.Font(_face(path, number))


def families(plain: str, bold: str, italic: str, language: str) -> tuple[str, str]:
    """Rules for the style sheet with all that the texts need, and the list of families, the generic one last."""
    rules: list[str] = []
    names: list[str] = []
    number = _index(language, plain + bold + italic)
    left = {char for char in plain + bold + italic if not char.isspace()}
    for row, faces in enumerate(FACES):
        path = _path(faces[0])
        if path is None or not left:
            continue
        font = _font(path, number)
        own = {char for char in left if font.get_nominal_glyph(ord(char))}
        if not own:
            continue
        # The bold Garamond has old figures only, a tempo wants plain ones: the next family has them too.
        left -= own - DIGITS if row == 0 else own
        names.append(f"score{row}")
        styles = (
            (plain, faces[0], "400", "normal"),
            (bold, faces[1], "700", "normal"),
            (italic, faces[2], "400", "italic"),
        )
        for text, name, weight, style in styles:
            shared = set(text) & own - (DIGITS if row == 0 and weight == "700" else set())
            if shared and (found := _path(name)) is not None:
                coded = base64.b64encode(_subset(found, number, shared | {" "})).decode()
                rules.append(
                    f"@font-face{{font-family:score{row};font-weight:{weight};font-style:{style};"
                    f"src:url(data:font/woff2;base64,{coded}) format('woff2')}}"
                )
    return "".join(rules), ",".join([*names, "serif"])


def _subset(path: Path, number: int, chars: Iterable[str]) -> bytes:
    """A WOFF2 font with these characters and all their forms; the same bytes each time."""
    wanted = hb.SubsetInput()
    wanted.unicode_set.update(sorted(ord(char) for char in chars))
    wanted.layout_feature_tag_set.clear()
    wanted.layout_feature_tag_set.invert()
    wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
    wanted.drop_table_tag_set.update(int.from_bytes(tag, "big") for tag in (b"FFTM", b"DSIG", b"BASE"))
    small = hb.subset(_face(path, number), wanted)
    font = TTFont(io.BytesIO(small.blob.data), recalcTimestamp=False, recalcBBoxes=False)
    font.flavor = "woff2"
    content = io.BytesIO()
    font.save(content, reorderTables=None)
    return content.getvalue()


def width(text: str, language: str) -> float:
    """About how wide a text is, in ems: by the faces that draw it."""
    number = _index(language, text)
    total = 0.0
    for char in text:
        for faces in FACES:
            path = _path(faces[0])
            if path is None:
                continue
            font = _font(path, number)
            if glyph := font.get_nominal_glyph(ord(char)):
                total += font.get_glyph_h_advance(glyph) / _face(path, number).upem
                break
        else:
            total += 1.0
    return total
