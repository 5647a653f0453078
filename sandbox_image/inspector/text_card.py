"""A text's first lines as a picture, set in a browser so that every script is drawn."""

from __future__ import annotations

import html
import io
import unicodedata

from sandbox_image.inspector.browser import Browser
from sandbox_image.inspector.pictures import thumbnail
from sandbox_image.inspector.registry import Picture

WIDTH, HEIGHT = 640, 480
LINES, COLUMNS = 30, 120

_PAGE = """<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>html,body{{margin:0;height:100%;overflow:hidden;background:#FBF9F5}}
pre{{margin:0;padding:32px 36px;font:17px/1.45 "Noto Sans","Noto Sans CJK SC",sans-serif;color:#22302D;
white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}}
body::after{{content:"";position:fixed;inset:auto 0 0 0;height:64px;background:linear-gradient(#FBF9F500,#FBF9F5)}}
</style></head><body><pre dir="auto">{text}</pre></body></html>"""


def draw_card(text: str) -> Picture:
    """The card of a text; what cannot be printed is left out."""
    from PIL import Image

    lines = [line[:COLUMNS] for line in text.splitlines() if line.strip()][:LINES]
    shown = "\n".join(lines)
    shown = "".join(char for char in shown if char in "\t\n" or unicodedata.category(char) not in ("Cc", "Cs", "Co"))
    browser = Browser()
    try:
        browser.open(_PAGE.format(text=html.escape(shown)), WIDTH, HEIGHT, 2.0)
        with Image.open(io.BytesIO(browser.screenshot()), formats=["PNG"]) as image:
            return thumbnail(image)
    finally:
        browser.close()
