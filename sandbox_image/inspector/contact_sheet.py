"""Many results side by side on one page, set in a browser so that titles of every script are drawn.

`python3 -m sandbox_image.inspector.contact_sheet FOLDER FORMAT` reads FOLDER/sheet.json, `{"heading": …, "columns": …,
"cells": [{"picture": name or null, "title": …, "note": …, "good": …}]}`, and writes the picture to standard output.
"""

from __future__ import annotations

import base64
import html
import io
import json
import sys
from pathlib import Path

from sandbox_image.inspector.browser import Browser
from sandbox_image.inspector.subject import Json

CELL, PICTURE, WORDS, GAP, EDGE, HEAD = 320, 240, 52, 16, 24, 64  # CSS px
FORMATS = ("png", "jpeg", "webp")

_PAGE = """<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>
html,body{{margin:0;background:#F4F1EA;color:#22302D;font-family:"Noto Sans","Noto Sans CJK SC",sans-serif}}
h1{{margin:0;height:{head}px;line-height:{head}px;padding:0 {edge}px;font-size:20px;font-weight:600}}
main{{display:grid;grid-template-columns:repeat({columns},{cell}px);gap:{gap}px;padding:0 {edge}px {edge}px}}
figure{{margin:0}}
.frame{{height:{picture}px;display:flex;align-items:center;justify-content:center;background:#E6E1D6}}
.frame img{{max-width:100%;max-height:100%;display:block}}
figcaption{{height:{words}px;padding-top:6px;box-sizing:border-box;font-size:14px;line-height:20px;overflow:hidden}}
figcaption b,figcaption span{{display:block;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}}
figcaption span{{color:#5B6662;font-size:12px}}
.bad span{{color:#A3301B}}
</style></head><body><h1 dir="auto">{heading}</h1><main>{cells}</main></body></html>"""

_CELL = """<figure class="{mood}"><div class="frame">{shown}</div>
<figcaption><b dir="auto">{title}</b><span dir="auto">{note}</span></figcaption></figure>"""


def sheet(folder: Path, format_: str) -> bytes:
    """The page as PNG, JPEG or WebP."""
    from PIL import Image

    wanted: Json = json.loads((folder / "sheet.json").read_bytes())
    columns, cells = int(wanted["columns"]), wanted["cells"]
    rows = -(-len(cells) // columns)
    page = _PAGE.format(
        head=HEAD, edge=EDGE, columns=columns, cell=CELL, gap=GAP, picture=PICTURE, words=WORDS,
        heading=html.escape(wanted["heading"]), cells="".join(_cell(folder, each) for each in cells),
    )  # fmt: skip
    width = 2 * EDGE + columns * CELL + (columns - 1) * GAP
    height = HEAD + rows * (PICTURE + WORDS) + (rows - 1) * GAP + EDGE
    browser = Browser(cpu_seconds=60)
    try:
        browser.open(page, width, height)
        shot = browser.screenshot()
    finally:
        browser.close()
    if format_ == "png":
        return shot
    out = io.BytesIO()
    with Image.open(io.BytesIO(shot), formats=["PNG"]) as image:
        image.convert("RGB").save(out, format_.upper(), quality=82)
    return out.getvalue()


def _cell(folder: Path, cell: Json) -> str:
    shown = ""
    if cell["picture"]:
        content = base64.b64encode((folder / Path(cell["picture"]).name).read_bytes()).decode()
        shown = f'<img alt="" src="data:image/webp;base64,{content}">'
    title, note = html.escape(cell["title"]), html.escape(cell["note"])
    return _CELL.format(mood="good" if cell["good"] else "bad", shown=shown, title=title, note=note)


if __name__ == "__main__":
    sys.stdout.buffer.write(sheet(Path(sys.argv[1]), sys.argv[2]))
