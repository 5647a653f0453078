"""The page's typefaces: subsets of free fonts with just the characters that it uses, as data: URIs."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER = Path("/usr/share/fonts")
TEXT = (("Inter-Regular.otf", 400), ("Inter-SemiBold.otf", 650))
ALWAYS = "0123456789–:.,·/kmh°NESW×‹› "


def faces(texts: list[str], title: str, title_weight: int) -> str:
    """Rules that embed what the texts need of the title face (a file's name) and of two weights of a text face."""
    whole = "".join(texts)
    chars = set(whole + whole.upper() + ALWAYS)
    rules = [
        _rule("Trip Title", title, title_weight, chars),
        *(_rule("Trip Text", name, weight, chars) for name, weight in TEXT),
    ]
    return "\n".join(rule for rule in rules if rule)


def _rule(family: str, name: str, weight: int, chars: set[str]) -> str:
    path = next(iter(sorted(FOLDER.rglob(name))), None)
    if path is None:
        return ""
    options = subset.Options(
        flavor="woff2", layout_features=["kern", "liga", "tnum", "lnum", "mark", "ccmp"], hinting=False
    )
    options.name_IDs = []
    options.notdef_outline = True
    font = subset.load_font(str(path), options)
    known = set(TTFont(path, lazy=True).getBestCmap())
    shared = sorted(ord(char) for char in chars if ord(char) in known)
    if not shared:
        return ""
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=shared)
    cutter.subset(font)
    font["head"].modified = font["head"].created  # the same bytes each time
    content = io.BytesIO()
    subset.save_font(font, content, options)
    coded = base64.b64encode(content.getvalue()).decode()
    return (
        f'@font-face{{font-family:"{family}";font-weight:{weight};font-display:swap;'
        f"src:url(data:font/woff2;base64,{coded}) format('woff2')}}"
    )
