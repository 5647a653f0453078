"""An SVG drawn as the gallery shows it: as an image, so that nothing in it runs or loads."""

from __future__ import annotations

import base64
import io
from typing import Any, TypeAlias

from sandbox_image.inspector.browser import Browser
from sandbox_image.inspector.subject import Subject, Unfit
from sandbox_image.inspector.svg_document import SvgDocument, load, pixels, view_box

Pixels: TypeAlias = Any  # numpy.ndarray, uint8, height × width × RGBA

LONGEST = 640  # px of the picture's longer side
LEAST = 16
USUAL = (300.0, 150.0)  # CSS 2.2, 10.3.2: the size of an image that has none

_PAGE = """<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>html,body{{margin:0;background:transparent}}img{{display:block;width:{width}px;height:{height}px}}</style>
</head><body><img alt="" src="data:image/svg+xml;base64,{content}"></body></html>"""


def drawn(subject: Subject, path: str) -> Pixels:
    """The picture, transparent where nothing is painted; made once per process. Raises Unfit where there is none."""
    document = load(subject, path)
    return subject.shared(f"image {path}", lambda: _drawn(document))


def size_of(document: SvgDocument) -> tuple[int, int]:
    """The size in px at which it is drawn, by its own ratio (CSS Images 3, 5.3)."""
    box = view_box(document.root)
    width, height = pixels(document.root.get("width")), pixels(document.root.get("height"))
    if not (width and height and width > 0 and height > 0):
        width, height = (box[2], box[3]) if box else USUAL
    scale = LONGEST / max(width, height)
    return max(LEAST, round(width * scale)), max(LEAST, round(height * scale))


def _drawn(document: SvgDocument) -> Pixels:
    import numpy
    from PIL import Image

    width, height = size_of(document)
    content = base64.b64encode(document.text().encode("utf-8", "surrogatepass")).decode()
    browser = Browser()
    try:
        browser.open(_PAGE.format(width=width, height=height, content=content), width, height)
        shown = browser.evaluate("() => document.images[0].complete && document.images[0].naturalWidth > 0")
        if not shown:
            raise Unfit(f"{document.path} cannot be shown as an image; open it in a browser and look.", document.path)
        with Image.open(io.BytesIO(browser.screenshot()), formats=["PNG"]) as image:
            return numpy.asarray(image.convert("RGBA"))
    finally:
        browser.close()
