"""The image's Chromium over the DevTools protocol: word boundaries, and exact pictures of SVG.

The browser is driven through a pair of pipes (descriptors 3 and 4), so no port and no network is needed. Messages are
JSON, each ended by a zero byte.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

PROGRAM = "chromium-headless-shell"
FLAGS = (
    "--headless",
    "--no-sandbox",  # the sandbox around us is the one that counts
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--font-render-hinting=none",
    "--disable-lcd-text",
    "--disable-partial-raster",
    "--disable-background-networking",
    "--remote-debugging-pipe",
)
TILE = 4096  # px; larger pictures are taken in tiles


class Browser:
    """One headless browser with one tab, for as long as the `with` block."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="poster-", ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        profile = f"--user-data-dir={self._folder.name}/profile"
        script = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "bash", PROGRAM, *FLAGS, profile, "about:blank"],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._held = b""
        self._number = 0
        self._session: str | None = None

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        self._folder.cleanup()

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._held:
            chunk = os.read(self._in, 1 << 20)
            if not chunk:
                raise SystemExit("the browser ended by itself")
            self._held += chunk
        line, self._held = self._held.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one command and wait for its answer; events on the way are dropped."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session and not method.startswith("Target."):
            message["sessionId"] = self._session
        content = json.dumps(message).encode() + b"\0"
        while content:
            content = content[os.write(self._out, content) :]
        while True:
            answer = self._message()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise SystemExit(f"the browser refused {method}: {answer['error'].get('message')}")
                result: dict[str, Any] = answer["result"]
                return result

    def _open(self) -> None:
        if self._session is None:
            target = self._call("Target.getTargets")["targetInfos"][0]["targetId"]
            self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        self._open()
        answer = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"the browser: {answer['exceptionDetails'].get('text')}")
        return answer["result"].get("value")

    def words(self, texts: Sequence[str], language: str) -> list[list[str]]:
        """Each text cut into words by the browser's dictionaries (UAX 29, ICU)."""
        if not texts:
            return []
        program = (
            "((texts, language) => { let segmenter; try { segmenter = new Intl.Segmenter(language, "
            "{granularity: 'word'}) } catch { segmenter = new Intl.Segmenter('en', {granularity: 'word'}) } "
            "return texts.map(text => Array.from(segmenter.segment(text), part => part.segment)) })"
            f"({json.dumps(list(texts))}, {json.dumps(language)})"
        )
        answer: list[list[str]] = self.evaluate(program)
        return answer

    def picture(self, svg: str, width: int, height: int, *, draft: bool = False) -> bytes:
        """A PNG of the SVG, drawn to exactly `width` × `height` pixels; a draft is packed fast instead of small."""
        self._open()
        folder = Path(self._folder.name)
        # A width rounded to whole pixels is a hair off the page's ratio: stretch by that hair, leave no seam.
        stretched = svg.replace("<svg ", '<svg preserveAspectRatio="none" ', 1)
        (folder / "picture.svg").write_text(stretched, encoding="utf-8")
        style = f"display:block;position:absolute;width:{width}px;height:{height}px"
        page = f'<!doctype html><body style="margin:0;overflow:hidden"><img style="{style}" src="picture.svg">'
        (folder / "picture.html").write_text(page, encoding="utf-8")
        tiles = [(x, y) for y in range(0, height, TILE) for x in range(0, width, TILE)]
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=min(width, TILE),
            height=min(height, TILE),
            deviceScaleFactor=1,
            mobile=False,
        )
        self._call("Page.navigate", url=(folder / "picture.html").as_uri())
        self.evaluate(
            "new Promise(done => { const wait = () => document.images[0] && document.readyState === 'complete' "
            "? document.images[0].decode().then(() => done(1)) : setTimeout(wait, 5); wait() })"
        )
        if len(tiles) == 1:
            return self._shot(width, height, draft)
        whole = Image.new("RGB", (width, height))
        for x, y in tiles:
            self.evaluate(
                f"document.images[0].style.left = '{-x}px'; document.images[0].style.top = '{-y}px'; "
                "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
            )
            part = self._shot(min(TILE, width - x), min(TILE, height - y), True)
            whole.paste(Image.open(io.BytesIO(part)), (x, y))
        target = io.BytesIO()
        whole.save(target, "PNG")
        return target.getvalue()

    def printed(self, page: str, width_mm: float, height_mm: float) -> bytes:
        """The first page of an HTML document as PDF, on paper of this size without margins."""
        self._open()
        path = Path(self._folder.name) / "print.html"
        path.write_text(page, encoding="utf-8")
        self._call("Page.navigate", url=path.as_uri())
        self.evaluate(
            "new Promise(done => { const wait = () => document.readyState === 'complete' "
            "? document.fonts.ready.then(() => done(1)) : setTimeout(wait, 5); wait() })"
        )
        answer = self._call(
            "Page.printToPDF",
            paperWidth=width_mm / 25.4,
            paperHeight=height_mm / 25.4,
            marginTop=0,
            marginBottom=0,
            marginLeft=0,
            marginRight=0,
            printBackground=True,
            pageRanges="1",
            generateTaggedPDF=False,
        )
        return base64.b64decode(answer["data"])

    def _shot(self, width: int, height: int, fast: bool) -> bytes:
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        answer = self._call("Page.captureScreenshot", format="png", clip=clip, optimizeForSpeed=fast)
        return base64.b64decode(answer["data"])
