"""The poster as PDF: vectors and live text with embedded fonts, the page's exact size, and a bleed where one is asked.

ISO 32000-1, 14.11.2: the trim box is the page of the brief; the bleed box lies around it and is the whole sheet.
"""

from __future__ import annotations

import re
from html import escape

from .browser import Browser
from .canvas import Canvas
from .content import Content

POINTS = 72 / 25.4  # in a millimetre, ISO 32000-1, 8.3.2.3
SPARE_MM = 2.0  # the browser rounds paper to whole points: print on a little more, and cut it exactly
_PAGE = re.compile(rb"(\d+) 0 obj\s*(<<(?:(?!endobj).)*?/Type\s*/Page\b(?:(?!endobj).)*?>>)\s*endobj", re.DOTALL)
_MEDIA_BOX = re.compile(rb"/MediaBox\s*\[\s*([-\d.]+)\s+([-\d.]+)\s+([-\d.]+)\s+([-\d.]+)\s*\]")
_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$", re.DOTALL)
_DATE = re.compile(rb"(/(?:Creation|Mod)Date \()(D:[^)]*)\)")


def printed(browser: Browser, canvas: Canvas, content: Content) -> bytes:
    """The PDF of a drawn poster; the same bytes each time."""
    bleed = content.bleed_mm
    wide, high = content.width_mm + 2 * bleed, content.height_mm + 2 * bleed
    svg = canvas.markup(
        title="",
        language=content.language,
        size=(f"{wide:g}mm", f"{high:g}mm"),
        bleed=bleed * canvas.width / content.width_mm,
    )
    style = "html,body{margin:0;overflow:hidden}svg{display:block;position:absolute;top:0;left:0}"
    head = f"<title>{escape(content.name)}</title><style>{style}</style>"
    page = (
        f'<!doctype html><html lang="{escape(content.language)}"><meta charset="utf-8">{head}<body>{svg}</body></html>'
    )
    pdf = browser.printed(page, wide + SPARE_MM, high + SPARE_MM)
    return _cut(_undated(pdf), wide * POINTS, high * POINTS, bleed * POINTS)


def _undated(pdf: bytes) -> bytes:
    """Without the hour of printing, so that the same brief gives the same bytes; nothing moves."""

    def early(found: re.Match[bytes]) -> bytes:
        return found[1] + re.sub(rb"\d", b"0", found[2]).replace(b"D:00000000", b"D:20000101") + b")"

    return _DATE.sub(early, pdf)


def _cut(pdf: bytes, wide: float, high: float, bleed: float) -> bytes:
    """With its boxes exactly so, in points, the upper left corner kept: an incremental update, ISO 32000-1, 7.5.6."""
    page, trailer = _PAGE.search(pdf), _TRAILER.search(pdf)
    media = _MEDIA_BOX.search(page[2]) if page else None
    if not page or not trailer or not media:
        raise SystemExit("the browser's PDF is of a form that its page cannot be cut in")
    top = float(media[4])
    sheet = (0.0, top - high, wide, top)
    trim = (bleed, top - high + bleed, wide - bleed, top - bleed)
    boxes = "\n".join(
        f"/{name} [{' '.join(f'{value:.3f}' for value in box)}]"
        for name, box in (("MediaBox", sheet), ("CropBox", sheet), ("BleedBox", sheet), ("TrimBox", trim))
    )
    changed = page[2].replace(media[0], boxes.encode())
    at = len(pdf)
    body = page[1] + b" 0 obj\n" + changed + b"\nendobj\n"
    table = b"xref\n" + page[1] + b" 1\n" + f"{at:010} 00000 n \n".encode()
    end = b"trailer\n<<" + trailer[1].strip() + b"\n/Prev " + trailer[2] + b">>\n"
    return pdf + body + table + end + f"startxref\n{at + len(body)}\n%%EOF\n".encode()
