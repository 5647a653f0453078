"""An SVG drawn as the gallery shows it: as an image, so that nothing in it runs or loads."""

from __future__ import annotations

import base64
import io
import time
from typing import Any, TypeAlias

from sandbox_image.inspector.browser import Browser
from sandbox_image.inspector.subject import Subject, Unfit
from sandbox_image.inspector.svg_document import SvgDocument, load, pixels, view_box

Pixels: TypeAlias = Any  # numpy.ndarray, uint8, height × width × RGBA

CPU_SECONDS = 40  # for each of the browser's processes, over all drawings
LOAD_LIMIT_S = 30.0
LONGEST = 640  # px of the picture's longer side
LEAST = 16
USUAL = (300.0, 150.0)  # CSS 2.2, 10.3.2: the size of an image that has none

_PAGE = """<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>html,body{margin:0;background:transparent}img{display:block}</style></head><body></body></html>"""

# The page runs no script, so no promise of it is ever kept: what happens in it is asked for again and again.
_SHOW = """(source, width, height) => {
  const image = document.createElement("img");
  image.alt = "";
  image.decoding = "sync";
  image.style.width = width + "px";
  image.style.height = height + "px";
  image.src = source;
  document.body.replaceChildren(image);
}"""
_SHOWN = "() => document.images[0].complete ? document.images[0].naturalWidth : -1"


def drawn(subject: Subject, path: str) -> Pixels:
    """The picture, transparent where nothing is painted; made once per process. Raises Unfit where there is none."""
    document = load(subject, path)
    return subject.shared(f"image {path}", lambda: _drawn(subject, document))


def size_of(document: SvgDocument) -> tuple[int, int]:
    """The size in px at which it is drawn, by its own ratio (CSS Images 3, 5.3)."""
    box = view_box(document.root)
    width, height = pixels(document.root.get("width")), pixels(document.root.get("height"))
    if not (width and height and width > 0 and height > 0):
        width, height = (box[2], box[3]) if box else USUAL
    scale = LONGEST / max(width, height)
    return max(LEAST, round(width * scale)), max(LEAST, round(height * scale))


def _drawn(subject: Subject, document: SvgDocument) -> Pixels:
    import numpy
    from PIL import Image

    width, height = size_of(document)
    content = base64.b64encode(document.text().encode("utf-8", "surrogatepass")).decode()
    browser = subject.shared("browser for images", _browser)
    browser.resize(width, height, 1.0)
    browser.evaluate(_SHOW, f"data:image/svg+xml;base64,{content}", width, height)
    deadline = time.monotonic() + LOAD_LIMIT_S
    while (natural := browser.evaluate(_SHOWN)) < 0:
        if time.monotonic() > deadline:
            raise TimeoutError("the image was not loaded in time")
        browser.wait(0.01)
    if not natural:
        raise Unfit(f"{document.path} cannot be shown as an image; open it in a browser and look.", document.path)
    with Image.open(io.BytesIO(browser.screenshot()), formats=["PNG"]) as image:
        return numpy.asarray(image.convert("RGBA"))


def _browser() -> Browser:
    """One for all drawings of this process."""
    browser = Browser(CPU_SECONDS)
    browser.open(_PAGE, LONGEST, LONGEST)
    return browser
