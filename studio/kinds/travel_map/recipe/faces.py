"""The page's typefaces: subsets of free fonts with just the characters that it uses, as data: URIs."""

from __future__ import annotations

import base64
import io
import random
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FOLDER = Path("/usr/share/fonts")
TITLES = ("EBGaramond12-Regular.otf", "GFSDidot.otf", "InterDisplay-SemiBold.otf")
TEXT = (("Inter-Regular.otf", 400), ("Inter-SemiBold.otf", 650))
ALWAYS = "0123456789–:.,·/kmh°NESW×‹› "


@dataclass(frozen=True)
class Faces:
    """Rules for the style sheet, and the names of the families."""

    css: str
    title: str


def faces(texts: list[str], rng: random.Random) -> Faces:
    """Embed what the texts need of a title face and two weights of a text face."""
    chars = set("".join(texts)) | set(ALWAYS)
    wanted = rng.choice(TITLES)
    rules = [
        _rule("Trip Title", wanted, 400, chars),
        *(_rule("Trip Text", name, weight, chars) for name, weight in TEXT),
    ]
    return Faces("\n".join(rule for rule in rules if rule), wanted)


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
