"""Runs within a sandbox: makes maps with the recipe, opens them, and tells what a person would see.

`python3 map_measure.py FOLDER` reads FOLDER/wanted.json, `[{"brief": …, "seed": …, "sizes": [[width, height], …],
"pdf": bool, "thumbnail": bool}]`, with the recipe in FOLDER/travel_map and the inspector in FOLDER/inspector.zip, and
prints one JSON list: for each the boxes of labels and pins, the pages of the print, or the pixels of a thumbnail.
"""

from __future__ import annotations

import base64
import io
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
sys.path[:0] = [str(FOLDER / "inspector.zip"), str(FOLDER)]

SEEN = """
new Promise((done) => document.fonts.ready.then(() => setTimeout(() => {
  const box = (element) => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const shown = (element) => getComputedStyle(element).visibility === 'visible' && element.getClientRects().length;
  const all = (which) => [...document.querySelectorAll(which)].filter(shown);
  const inset = document.querySelector('#inset:not([hidden])');
  done({
    look: document.body.className,
    labels: all('.label').map((each) => [each.textContent, ...box(each)]),
    stops: document.querySelectorAll('.pin').length,
    pins: all('.pin b').map(box),
    edges: all('#map .leaflet-control:not(:empty), #stage #head, .legend').map(box),
    inset: inset && { box: box(inset), names: all('#inset .plotname').map((each) => [each.textContent, ...box(each)]),
      pins: all('#inset g[data-n] circle').map(box) },
    map: box(document.getElementById('map')),
  });
}, 120)))
"""
THUMBNAIL = 64  # px


def main() -> None:
    from travel_map.page import page
    from travel_map.trip import read_trip
    from travel_map.words import Words

    from sandbox_image.inspector.browser import Browser

    browser = Browser(cpu_seconds=240)
    browser.call("Page.enable")
    told = []
    for wanted in json.loads((FOLDER / "wanted.json").read_bytes()):
        trip = read_trip(wanted["brief"])
        made = FOLDER / "map.html"
        made.write_text(page(trip, Words(trip.language), random.Random(wanted["seed"]), FOLDER), encoding="utf-8")
        answer: dict[str, Any] = {"bytes": made.stat().st_size, "views": []}
        for width, height in wanted["sizes"]:
            _open(browser, made, width, height)
            seen = browser.call("Runtime.evaluate", {"expression": SEEN, "awaitPromise": True, "returnByValue": True})
            answer["views"].append(seen["result"]["value"])
        if wanted.get("thumbnail"):
            answer["thumbnail"] = _thumbnail(browser)
        if wanted.get("pdf"):
            answer["pages"] = _pages(browser)
        told.append(answer)
    browser.close()
    sys.stdout.write(json.dumps(told))


def _open(browser: Any, made: Path, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setDeviceMetricsOverride", metrics)
    browser.call("Page.navigate", {"url": made.as_uri()})
    ready = "document.readyState === 'complete' && !!document.querySelector('.pin')"
    while not browser.call("Runtime.evaluate", {"expression": ready})["result"].get("value"):
        browser.wait(0.05)


def _thumbnail(browser: Any) -> list[list[float]]:
    """The page at 64 px as OKLab (Ottosson 2020), row by row."""
    import numpy as np
    from PIL import Image

    shot = base64.b64decode(browser.call("Page.captureScreenshot", {"format": "png"})["data"])
    with Image.open(io.BytesIO(shot)) as opened:
        image = opened.convert("RGB")
    image.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    coded = np.asarray(image, dtype=np.float64) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    to_lms = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
              [0.0883024619, 0.2817188376, 0.6299787005]]  # fmt: skip
    to_lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
              [0.0259040371, 0.7827717662, -0.8086757660]]  # fmt: skip
    lab = np.cbrt(linear @ np.array(to_lms).T) @ np.array(to_lab).T
    return [[round(float(part), 4) for part in pixel] for pixel in lab.reshape(-1, 3)]


def _pages(browser: Any) -> list[dict[str, Any]]:
    printed = browser.call("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    file = FOLDER / "print.pdf"
    file.write_bytes(base64.b64decode(printed["data"]))
    info = subprocess.run(["pdfinfo", str(file)], capture_output=True, text=True, check=True).stdout
    count = int(next(line.split()[1] for line in info.splitlines() if line.startswith("Pages:")))
    size = next(line.split()[2:5:2] for line in info.splitlines() if line.startswith("Page size:"))
    pages = []
    for number in range(1, count + 1):
        command = ["pdftotext", "-f", str(number), "-l", str(number), str(file), "-"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        pages.append({"text": text, "size_pt": [float(each) for each in size]})
    return pages


if __name__ == "__main__":
    main()
