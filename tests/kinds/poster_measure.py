"""Runs within a sandbox: draws posters with the recipe, and tells what a person would see.

`python3 poster_measure.py FOLDER` reads FOLDER/wanted.json, `[{"brief": …, "seed": …, "pdf": bool}]`, with the recipe
in FOLDER/poster, and prints one JSON list: for each its layout, the boxes of its texts as shares of the page, its
pixels, and what Poppler says of the PDF.
"""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
sys.path.insert(0, str(FOLDER))
THUMBNAIL = 64  # px


def main() -> None:
    from poster.browser import Browser
    from poster.content import read_content
    from poster.design import Design
    from poster.page import layout_name
    from poster.printing import printed

    told = []
    with Browser() as browser:
        for wanted in json.loads((FOLDER / "wanted.json").read_bytes()):
            content = read_content(wanted["brief"])
            design = Design(content, wanted["seed"], {})
            canvas = design.poster(0.08)
            svg = canvas.markup(title="", language=content.language)
            boxes = [(text.label, *text.box) for text in canvas.texts if not text.hidden]
            told.append(
                {
                    "layout": layout_name(design.kit, design.plan, design.sheet),
                    "boxes": [
                        [label, x / canvas.width, y / canvas.height, (x + w) / canvas.width, (y + h) / canvas.height]
                        for label, x, y, w, h in boxes
                    ],
                    "pixels": _pixels(browser.picture(svg, THUMBNAIL, THUMBNAIL, draft=True)),
                    "pdf": _printed(printed(browser, canvas, content)) if wanted.get("pdf") else None,
                }
            )
    sys.stdout.write(json.dumps(told))


def _pixels(png: bytes) -> list[list[float]]:
    """A picture as OKLab (Ottosson 2020), row by row."""
    import numpy as np
    from PIL import Image

    coded = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.float64) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    to_lms = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
              [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
    to_lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
              [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip
    lab = np.cbrt(linear @ np.array(to_lms).T) @ np.array(to_lab).T
    return [[round(float(part), 4) for part in pixel] for pixel in lab.reshape(-1, 3)]


def _printed(pdf: bytes) -> dict[str, Any]:
    file = FOLDER / "print.pdf"
    file.write_bytes(pdf)

    def said(*command: str) -> list[str]:
        return subprocess.run([*command, str(file)], capture_output=True, text=True, check=True).stdout.splitlines()

    info = [line.split() for line in said("pdfinfo", "-box")]
    corners = _corners(file)
    return {
        "sha256": hashlib.sha256(pdf).hexdigest(),
        "pages": next(int(line[1]) for line in info if line[0] == "Pages:"),
        "boxes": {line[0]: [float(each) for each in line[1:]] for line in info if line[0].endswith("Box:")},
        "pictures": len(said("pdfimages", "-list")) - 2,
        "fonts": [line.split()[-5] for line in said("pdffonts")[2:]],
        "text": subprocess.run(["pdftotext", str(file), "-"], capture_output=True, text=True, check=True).stdout,
        "corners": corners,
    }


def _corners(file: Path) -> list[list[int]]:
    from PIL import Image

    drawn = subprocess.run(["pdftoppm", "-r", "30", "-png", str(file)], capture_output=True, check=True).stdout
    picture = Image.open(io.BytesIO(drawn)).convert("RGB")
    right, bottom = picture.width - 2, picture.height - 2
    return [list(picture.getpixel(place)) for place in ((1, 1), (right, 1), (1, bottom), (right, bottom))]


if __name__ == "__main__":
    main()
