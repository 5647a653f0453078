"""The score as engraved pages: Verovio sets the MusicXML, and its pages stand below each other in one SVG.

Words keep their letters (they can be searched and read aloud) and carry subsets of the fonts that draw them, so that
the page looks the same where those are not installed. Verovio is free software (LGPL 3), its music font Leland too
(SIL OFL).
"""

from __future__ import annotations

import re
from typing import Any

import verovio
from lxml import etree

from .faces import families, width

SVG = "{http://www.w3.org/2000/svg}"
WIDTH_MM, HEIGHT_MM, GAP_MM = 210, 297, 4  # A4, and what is left between pages
# Tenths of a millimetre, half a staff space: large where the piece fits a page so, and such that no bar stands alone.
UNITS = (10.5, 10.0, 9.6, 9.2, 8.8, 8.4, 11.2, 8.0)
WITHIN = 16_800.0  # the widest title, of the page's 21,000
OPTIONS = {
    "pageWidth": WIDTH_MM * 10,
    "pageHeight": HEIGHT_MM * 10,
    "pageMarginTop": 150,
    "pageMarginBottom": 130,
    "pageMarginLeft": 150,
    "pageMarginRight": 150,
    "scale": 100,
    "font": "Leland",
    "header": "auto",
    "footer": "none",
    "breaks": "auto",
    "adjustPageHeight": True,
    "spacingSystem": 9,
    "spacingStaff": 10,
    "svgViewBox": True,
    "smuflTextFont": "embedded",
    "xmlIdSeed": 1,
    "mnumInterval": 0,
}


def engrave(musicxml: str, title: str, language: str) -> bytes:
    """The SVG of a score: pages of A4 width below each other on white, each as high as its systems."""
    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    best: tuple[tuple[int, bool], list[Any]] | None = None
    for unit in UNITS:
        toolkit.setOptions({**OPTIONS, "unit": unit})
        if not toolkit.loadData(musicxml):
            raise SystemExit("the engraver could not read the score")
        count = toolkit.getPageCount()
        if best is not None and count > best[0][0]:
            continue
        parser = etree.XMLParser(remove_blank_text=False, huge_tree=True)
        pages = [etree.fromstring(toolkit.renderToSVG(page).encode(), parser) for page in range(1, count + 1)]
        rank = (count, _bar_alone(pages[-1]))
        if best is None or rank < best[0]:
            best = (rank, pages)
        if rank == (1, False):
            break
    assert best is not None
    root = _together(best[1], title)
    _dressed(root, title, language)
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="utf-8")
    return written + b"\n"


def _bar_alone(page: Any) -> bool:
    """Whether the last system has one bar, under others that have more."""
    systems = [group for group in page.iter(f"{SVG}g") if group.get("class") == "system"]
    bars = [sum((group.get("class") or "") == "measure" for group in system.iter(f"{SVG}g")) for system in systems]
    return len(bars) > 1 and bars[-1] == 1


def _together(pages: list[Any], title: str) -> Any:
    """One drawing of all pages, in tenths of a millimetre; glyphs and the music font are there once."""
    heights = [float(page.get("viewBox").split()[3]) for page in pages]
    width_of, gap = WIDTH_MM * 10, GAP_MM * 10
    total = sum(heights) + gap * (len(pages) - 1)
    root = etree.Element(f"{SVG}svg", nsmap={None: SVG[1:-1], "xlink": "http://www.w3.org/1999/xlink"})
    for name, value in (("viewBox", f"0 0 {width_of} {total:g}"), ("width", f"{WIDTH_MM}mm"),
                        ("height", f"{total / 10:g}mm"), ("role", "img"), ("version", "1.1")):  # fmt: skip
        root.set(name, value)
    etree.SubElement(root, f"{SVG}title").text = title
    etree.SubElement(root, f"{SVG}rect", x="0", y="0", width=f"{width_of}", height=f"{total:g}", fill="#ffffff")
    seen: set[str] = set()
    top = 0.0
    for page, height in zip(pages, heights, strict=True):
        if top:
            band = {"x": "0", "y": f"{top - gap:g}", "width": f"{width_of}", "height": f"{gap}", "fill": "#e4e2dd"}
            etree.SubElement(root, f"{SVG}rect", band)
        for name, value in (("y", f"{top:g}"), ("width", f"{width_of}"), ("height", f"{height:g}")):
            page.set(name, value)
        for definitions in page.iter(f"{SVG}defs"):
            for glyph in list(definitions):
                if glyph.get("id") in seen:
                    definitions.remove(glyph)
                seen.add(glyph.get("id"))
        for style in list(page.findall(f"{SVG}style")):
            if style.text and style.text.startswith("@font-face"):
                page.remove(style)
                if "@font-face" not in seen:
                    seen.add("@font-face")
                    root.insert(1, style)
        root.append(page)
        top += height + gap
    return root


def _dressed(root: Any, title: str, language: str) -> None:
    """Words in the score's own typefaces, the title as large as fits, a tempo's note in the size of its words."""
    for note in list(root.iter(f"{SVG}title")):
        if note.get("class") == "labelAttr":
            note.getparent().remove(note)
    heads = 0
    bold: list[str] = []
    italic: list[str] = []
    plain: list[str] = [title, "· 0123456789"]
    for group in root.iter(f"{SVG}g"):
        kinds = set((group.get("class") or "").split())
        words = "".join(span.text or "" for span in group.iter(f"{SVG}tspan") if not span.get("font-family"))
        if "tempo" in kinds:
            for span in group.iter(f"{SVG}tspan"):
                if span.get("font-family"):
                    size = float(span.get("font-size").removesuffix("px"))
                    span.set("font-size", f"{size * 0.62:.0f}px")
        if kinds & {"tempo", "reh", "ending", "fing"}:
            bold.append(words)
        elif kinds & {"dir", "dynam", "mNum"}:
            italic.append(words)
        if "reh" in kinds:
            _framed(group, words, language)
        elif "pgHead" in kinds:
            _titled(group, title, language, heads)
            heads += 1
    rules, names = families("".join(plain), "".join(bold), "".join(italic), language)
    style = etree.Element(f"{SVG}style")
    style.text = f"{rules}text{{font-family:{names};font-variant-numeric:lining-nums}}"
    root.insert(1, style)
    for page in root.iter(f"{SVG}svg"):
        if page.get("class") == "definition-scale":
            page.set("font-family", names)


def _framed(group: Any, words: str, language: str) -> None:
    """Fit the frame of a section's name to what its typefaces draw."""
    frame, text = group.find(f"{SVG}rect"), group.find(f"{SVG}text")
    sizes = [span.get("font-size") for span in group.iter(f"{SVG}tspan") if span.get("font-size")]
    if frame is None or text is None or not sizes:
        return
    em = float(sizes[0].removesuffix("px"))
    wide = width(" ".join(words.split()), language) * em * 1.05 + 0.7 * em
    frame.set("x", f"{float(text.get('x')) - wide / 2:.0f}")
    frame.set("width", f"{wide:.0f}")
    top = float(text.get("y")) - 1.02 * em
    frame.set("y", f"{top:.0f}")
    frame.set("height", f"{1.42 * em:.0f}")


def _titled(head: Any, title: str, language: str, number: int) -> None:
    """Set the head anew: the title centred, smaller where it is long, in two lines where it is longer still.

    Further pages (`number` counts from 0) have it small, with their number.
    """
    old = next(span for span in head.iter(f"{SVG}tspan") if span.get("x"))
    centre, base = float(old.get("x")), float(old.get("y"))
    lines = [title]
    em = min(820.0, WITHIN / max(0.1, width(title, language)))
    if em < 480:
        lines = _halves(title)
        em = min(520.0, WITHIN / max(width(line, language) for line in lines))
    if number:
        lines = [f"{title} · {number + 1}"]
        em = min(380.0, WITHIN / max(0.1, width(lines[0], language)))
    for child in list(head):
        head.remove(child)
    for row, line in enumerate(lines):
        text = etree.SubElement(head, f"{SVG}text", {"text-anchor": "middle", "x": f"{centre:g}"})
        text.set("y", f"{base - (len(lines) - 1 - row) * em * 1.2:g}")
        text.set("font-size", f"{em:.0f}px")
        if re.search("[\u0590-\u08ff]", line):
            text.set("direction", "rtl")
        text.text = line


def _halves(text: str) -> list[str]:
    """Two lines of about the same length, cut at a blank where there is one."""
    blanks = [place for place, char in enumerate(text) if char.isspace()]
    middle = len(text) / 2
    if blanks:
        cut = min(blanks, key=lambda place: abs(place - middle))
        return [text[:cut], text[cut + 1 :]]
    return [text[: round(middle)], text[round(middle) :]]
