"""Typefaces: which font draws which character, how wide a run is, and the subset that travels with the poster.

A *chain* is an ordered list of faces; each grapheme cluster is drawn by the first face that has all of it. Clusters
that no face of the chain has go to whatever installed font fontconfig names.
"""

from __future__ import annotations

import base64
import io
import subprocess
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import uharfbuzz as hb
from fontTools.ttLib import TTFont

from .script import clusters, ignorable, is_emoji, is_wide

ROOT = Path("/usr/share/fonts")


class Face:
    """One font file (or one font of a collection), opened once. Lengths are in ems."""

    def __init__(self, path: Path, index: int, number: int) -> None:
        self.path, self.index, self.css = path, index, f"f{number}"
        self._face = hb.Face(hb.Blob.from_file_path(str(path)), index)
        self._font = hb.Font(self._face)
        self.upem = self._face.upem
        self.family = str(self._face.get_name(1) or path.stem)
        self.used: set[int] = set()
        self.drawn: set[str] = set()  # runs of text, for their ink
        self._extent: tuple[float, float] | None = None

    @cache  # noqa: B019 - faces live as long as the program
    def glyph(self, codepoint: int) -> int | None:
        """The glyph of one character, or None."""
        found: int | None = self._font.get_nominal_glyph(codepoint)
        return found or None

    def covers(self, cluster: str) -> bool:
        """Whether every visible character of the cluster has a glyph."""
        return all(ignorable(char) or self.glyph(ord(char)) for char in cluster)

    def shape(self, text: str, language: str) -> tuple[float, float, float]:
        """Advance width, and ink above and below the baseline (both positive), in ems."""
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        if language:
            buffer.language = language
        hb.shape(self._font, buffer)
        width = sum(position.x_advance for position in buffer.glyph_positions)
        top = bottom = 0
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            extents = self._font.get_glyph_extents(info.codepoint)
            if extents:
                top = max(top, extents.y_bearing + position.y_offset)
                bottom = min(bottom, extents.y_bearing + extents.height + position.y_offset)
        return width / self.upem, top / self.upem, -bottom / self.upem

    def extent(self) -> tuple[float, float]:
        """Ink above and below the baseline over all that is drawn: the box of every line set in this face."""
        if self._extent is None:
            # Single characters too: where marks stack, programs that look at one at a time see more than the whole.
            shaped = [self.shape(text, "") for text in sorted(self.drawn | {chr(code) for code in self.used})]
            top, bottom = max((s[1] for s in shaped), default=0.7), max((s[2] for s in shaped), default=0.2)
            self._extent = max(0.66, top), max(0.05, bottom)
        return self._extent

    def subset(self) -> bytes:
        """A WOFF2 font with the characters in use and all layout features; the same bytes each time."""
        wanted = hb.SubsetInput()
        wanted.unicode_set.update(sorted(self.used | {0x20}))
        wanted.layout_feature_tag_set.clear()
        wanted.layout_feature_tag_set.invert()
        wanted.flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
        wanted.drop_table_tag_set.update(int.from_bytes(tag, "big") for tag in (b"FFTM", b"DSIG", b"BASE"))
        small = hb.subset(self._face, wanted)
        font = TTFont(io.BytesIO(small.blob.data), recalcTimestamp=False, recalcBBoxes=False)
        font.flavor = "woff2"
        target = io.BytesIO()
        font.save(target, reorderTables=None)
        return target.getvalue()

    @cache  # noqa: B019 - faces live as long as the program
    def css_rule(self) -> str:
        """The `@font-face` rule with the subset inside; its box is the ink of what it draws."""
        content = base64.b64encode(self.subset()).decode()
        top, bottom = self.extent()
        return (
            f"@font-face{{font-family:{self.css};src:url(data:font/woff2;base64,{content}) format('woff2');"
            f"ascent-override:{top * 100:.1f}%;descent-override:{bottom * 100:.1f}%;line-gap-override:0%}}"
        )


@dataclass(frozen=True)
class Run:
    """Neighbouring clusters that one face draws."""

    face: Face
    text: str


# The faces of each role, by file name. Latin first, then the other scripts of the image.
DISPLAY = {
    "grotesk": ("InterDisplay-Black.otf", "InterDisplay-ExtraBold.otf"),
    "geometric": ("LeagueSpartan-ExtraBold.otf", "LeagueSpartan-Bold.otf"),
    "condensed": ("BebasNeue-Bold.otf",),
    "narrow": ("YanoneKaffeesatz-Bold.otf",),
    "didone": ("GFSDidotBold.otf", "GFSDidot.otf"),
    "garalde": ("EBGaramond12-Bold.otf", "EBGaramond12-Regular.otf"),
}
SERIF_STYLES = frozenset({"didone", "garalde"})
_SANS_BOLD = (
    "InterDisplay-Black.otf",
    "NotoSans-Bold.ttf",
    "NotoSansHebrew-Bold.ttf",
    "NotoKufiArabic-Bold.ttf",
    "NotoSansDevanagari-Bold.ttf",
    "NotoSansThai-Bold.ttf",
    "NotoSansCJK-Bold.ttc",
)
_SERIF_BOLD = (
    "NotoSerif-Bold.ttf",
    "NotoSerifHebrew-Bold.ttf",
    "NotoNaskhArabic-Bold.ttf",
    "NotoSerifDevanagari-Bold.ttf",
    "NotoSerifThai-Bold.ttf",
    "NotoSerifCJK-Bold.ttc",
    "NotoSans-Bold.ttf",
)
_STRONG = (
    "Inter-SemiBold.otf",
    "NotoSans-Bold.ttf",
    "NotoSansHebrew-Bold.ttf",
    "NotoSansArabic-Bold.ttf",
    "NotoSansDevanagari-Bold.ttf",
    "NotoSansThai-Bold.ttf",
    "NotoSansCJK-Bold.ttc",
)
_BODY = (
    "Inter-Regular.otf",
    "NotoSans-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansCJK-Regular.ttc",
)
_COLLECTION = {"ja": 0, "ko": 1, "zh-hans": 2, "zh-hant": 3, "zh-hk": 4}
_WIDE_IN_CJK = frozenset("“”‘’…—·《》〈〉・")


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
    """All faces of one poster: `chain(role)` for the roles display, strong and body."""

    def __init__(self, style: str, language: str, texts: Sequence[str]) -> None:
        self.style, self.language = style, language
        self._index = collection_index(language, "".join(texts))
        self._files = {path.name: path for path in sorted(ROOT.rglob("*.[ot]t[fc]"), reverse=True)}
        self._open: dict[tuple[Path, int], Face] = {}
        rest = _SERIF_BOLD if style in SERIF_STYLES else _SANS_BOLD
        self.chains = {
            "display": self._chain((*DISPLAY[style], *rest)),
            "strong": self._chain(_STRONG),
            "body": self._chain(_BODY),
        }
        self._runs: dict[tuple[str, str], tuple[Run, ...]] = {}

    def _chain(self, names: Iterable[str]) -> list[Path]:
        return [self._files[name] for name in names if name in self._files]

    def face(self, path: Path, index: int | None = None) -> Face:
        """The face of a file, opened at its first use."""
        if index is None:
            index = self._index if path.suffix == ".ttc" else 0
        if (path, index) not in self._open:
            self._open[path, index] = Face(path, index, len(self._open))
        return self._open[path, index]

    def opened(self) -> list[Face]:
        """Faces in the order of their first use that draw at least one character."""
        return [face for face in self._open.values() if face.used]

    def style_covers(self, text: str) -> bool:
        """Whether the display face itself has every letter of `text` that is Latin, Greek or Cyrillic."""
        first = self.face(self.chains["display"][0])
        return all(first.glyph(ord(char)) for char in text if char.isalnum() and ord(char) < 0x0530)

    @cache  # noqa: B019 - faces live as long as the program
    def _pick(self, cluster: str, role: str, wide: bool) -> Face:
        chain = self.chains[role]
        if is_emoji(cluster):
            return self._installed(cluster)
        if wide and cluster in _WIDE_IN_CJK:
            chain = sorted(chain, key=lambda path: path.suffix != ".ttc")
        for path in chain:
            if (face := self.face(path)).covers(cluster):
                return face
        return self._installed(cluster)

    @cache  # noqa: B019 - faces live as long as the program
    def _installed(self, cluster: str) -> Face:
        """Whatever installed font has the cluster; the first of the chain where none has."""
        color = "NotoColorEmoji.ttf"
        if is_emoji(cluster) and color in self._files:
            return self.face(self._files[color])
        codes = " ".join(f"{ord(char):x}" for char in cluster if not ignorable(char))
        command = ["fc-list", f":charset={codes}", "file"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        names = [line.strip().rstrip(":") for line in answer.splitlines() if line.strip()]
        fit = sorted(names, key=lambda name: ("Regular" not in name, "Noto" not in name, "UI" in name, name))
        for name in fit:
            if (face := self.face(Path(name), None if name.endswith(".ttc") else 0)).covers(cluster):
                return face
        return self.face(self.chains["body"][0])

    def runs(self, text: str, role: str) -> tuple[Run, ...]:
        """`text` cut where the face changes; blanks and marks stay with what is before them."""
        if (text, role) not in self._runs:
            self._runs[text, role] = tuple(self._cut(text, role))
        return self._runs[text, role]

    def _cut(self, text: str, role: str) -> Iterable[Run]:
        wide = any(is_wide(char) for char in text)
        face: Face | None = None
        held = ""
        for cluster in clusters(text):
            blank = all(unicodedata.category(char) in {"Zs", "Cf"} for char in cluster)
            chosen = face if blank and face and not is_emoji(held) else self._pick(cluster, role, wide)
            if face is not None and chosen is not face:
                yield Run(face, held)
                held = ""
            face = chosen
            held += cluster
        if face is not None:
            yield Run(face, held)

    def register(self, text: str, role: str) -> None:
        """Say that `text` will be drawn in `role`, so that boxes and subsets know its characters."""
        for run in self.runs(text, role):
            # A shaper may take characters apart (Thai sara am) or put them together, so both forms must be there.
            forms = {run.text, *(unicodedata.normalize(form, run.text) for form in ("NFC", "NFD", "NFKD"))}
            codes = {ord(char) for form in forms for char in form}
            known = {ord(char) for char in run.text}
            run.face.drawn.add(run.text)
            run.face.used.update(code for code in codes if code in known or run.face.glyph(code))
