"""An SVG as Chromium draws it: its texts with glyph boxes and paint, and pictures of it with and without them."""

from __future__ import annotations

import io
import pkgutil
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from sandbox_image.inspector.browser import Browser
from sandbox_image.inspector.geometry import Glyph, Line, bounds, same_line
from sandbox_image.inspector.subject import Box, Json, Subject, Unfit
from sandbox_image.inspector.svg_document import SvgDocument, load, pixels, view_box

Pixels: TypeAlias = Any  # numpy.ndarray, uint8, height × width × RGBA

PAGE_WIDTH = 1080  # px; font sizes are judged on a page of this width
MAX_RATIO = 20.0
MAX_PIXELS = 16_000_000
FAINTEST = 0.04  # paint below this opacity is not seen

_PAGE = """<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'">
<style>html,body{margin:0;padding:0;overflow:hidden;background:transparent}</style>
</head><body><div id="page"></div></body></html>"""

_NUMBERS = re.compile(r"^rgba?\(([^()]*)\)$")


@dataclass(frozen=True)
class Paint:
    """How a text is filled or stroked: a plain colour, or (`rgb` None) a gradient, pattern or other colour space."""

    rgb: tuple[int, int, int] | None
    alpha: float


@dataclass(frozen=True)
class Run:
    """One text node with one style."""

    index: int
    text: str
    owner: int  # number of its text element
    html: bool
    glyphs: tuple[Glyph, ...]
    size: float  # font size in px of the page
    fill: Paint | None
    stroke: Paint | None
    stroke_width: float
    family: str
    ornament: bool
    shown: bool

    @property
    def box(self) -> Box:
        """The upright box around its glyphs' ink; it must have some."""
        return bounds(glyph.quad for glyph in self.glyphs)

    @property
    def visible(self) -> bool:
        """Is it painted at all? Whether it is clipped away or covered, pixels tell."""
        return self.shown and bool(self.fill or self.stroke)


def _paint(value: str, opacity: float) -> Paint | None:
    """A computed paint (SVG 2, 13.2; CSS Color 4 serialisation); None where it paints nothing."""
    if value in ("none", ""):
        return None
    found = _NUMBERS.match(value)
    if not found:
        return Paint(None, opacity) if opacity > FAINTEST else None
    numbers = [float(n.rstrip("%")) for n in re.split(r"[\s,/]+", found[1].strip()) if n]
    alpha = opacity * (numbers[3] if len(numbers) > 3 else 1.0)
    red, green, blue = (round(n) for n in numbers[:3])
    return Paint((red, green, blue), alpha) if alpha > FAINTEST else None


class Rendering:
    """One SVG open in a browser, laid out PAGE_WIDTH px wide."""

    def __init__(self, document: SvgDocument) -> None:
        self.document = document
        self.width = PAGE_WIDTH
        box, ratio = page_of(document)
        self.unit_box = box
        self.height = max(1, round(self.width / ratio))
        self._pictures: dict[tuple[str, tuple[int, ...], float], Pixels] = {}
        self._browser = Browser()
        self._browser.open(_PAGE, self.width, self.height)
        program = pkgutil.get_data(__package__ or "", "measure.js")
        self._browser.call("Runtime.evaluate", {"expression": (program or b"").decode()})
        missing = None if view_box(document.root) else " ".join(f"{n:g}" for n in box)
        placed = self._call("place", document.text(), self.width, self.height, missing)
        measured = self._call("measure")
        for answer in (placed, measured):
            if "error" in answer:
                raise Unfit(f"{document.path} cannot be drawn: {answer['error']}.", document.path)
        self.outlines: int = placed["paths"]
        self.runs = tuple(_run(index, item) for index, item in enumerate(measured["runs"]))

    @classmethod
    def of(cls, subject: Subject, path: str) -> Rendering:
        """The rendering of a deliverable, made once per process. Raises Unfit when it cannot be drawn."""
        document = load(subject, path)
        return subject.shared(f"drawing {path}", lambda: cls(document))

    def _call(self, function: str, *arguments: Json) -> Any:
        return self._browser.evaluate(f"(...a) => studio.{function}(...a)", *arguments)

    @property
    def scale(self) -> float:
        """Device pixels per px of the page, for measuring: 2, or less where that makes too large a picture."""
        return float(min(2.0, (MAX_PIXELS / (self.width * self.height)) ** 0.5))

    def picture(self, mode: str = "all", chosen: tuple[int, ...] = (), scale: float | None = None) -> Pixels:
        """A screenshot. `all`: as it is. `ground`: the chosen runs are not painted. `mask`: only they are, in black.

        `bare`: as `mask`, without the drawing's own masks. `unpictured`: embedded pictures are hidden.
        """
        import numpy
        from PIL import Image

        key = (mode, chosen, scale or self.scale)
        if key not in self._pictures:
            self._browser.resize(self.width, self.height, key[2])
            self._call("show", mode, list(chosen))
            with Image.open(io.BytesIO(self._browser.screenshot()), formats=["PNG"]) as image:
                self._pictures[key] = numpy.asarray(image.convert("RGBA"))
        return self._pictures[key]

    def fitted(self, width: int, height: int, scale: int = 1) -> Pixels:
        """A screenshot with the page laid out at exactly this size in px, to compare with a picture of that size.

        It has `scale` × `scale` device pixels for each px.
        """
        import numpy
        from PIL import Image

        self._browser.resize(width, height, float(scale))
        self._call("show", "all", [])
        self._call("fit", width, height)
        with Image.open(io.BytesIO(self._browser.screenshot()), formats=["PNG"]) as image:
            pixels = numpy.asarray(image.convert("RGBA"))
        self._call("unfit", self.width, self.height)
        return pixels

    def missing_glyphs(self, font: str, chosen: list[int]) -> dict[int, list[str]]:
        """For each of the chosen runs the characters that only `font` (base64) draws, put last in their families."""
        found = self._call("missing", font, chosen)
        return {int(index): [str(each) for each in clusters] for index, clusters in found.items()}

    @cached_property
    def texts(self) -> tuple[Run, ...]:
        """The runs that are seen: painted, and not clipped away (their black copy leaves ink on the page)."""
        painted = tuple(run for run in self.runs if run.visible)
        mask = self.picture("mask", tuple(run.index for run in painted))[..., 3]
        return tuple(run for run in painted if self._inked(run, mask))

    def _inked(self, run: Run, mask: Pixels) -> bool:
        """A run wholly beyond the page is kept: that it is there, and cannot be seen, is a fault to report."""
        seen = [self.pixel_box(glyph.box, mask) for glyph in run.glyphs]
        inside = [(x0, y0, x1, y1) for x0, y0, x1, y1 in seen if x1 > x0 and y1 > y0]
        inked: int = sum(mask[y0:y1, x0:x1].max() > 60 for x0, y0, x1, y1 in inside)
        return 2 * inked >= len(inside)

    def pixel_box(self, box: Box, picture: Pixels, margin: float = 0.0) -> tuple[int, int, int, int]:
        """A box of the page in pixels of a picture of it: x0, y0, x1, y1, cut at its edges (empty beyond them)."""
        height, width = picture.shape[:2]
        sx, sy = width / self.width, height / self.height
        x0, y0 = int((box[0] - margin) * sx), int((box[1] - margin) * sy)
        x1, y1 = int((box[0] + box[2] + margin) * sx) + 1, int((box[1] + box[3] + margin) * sy) + 1
        return max(0, x0), max(0, y0), min(width, x1), min(height, y1)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The visible texts line by line, in document order, without ornament."""
        found: list[Line] = []
        for run in self.texts:
            if run.ornament:
                continue
            for glyph in run.glyphs:
                last = found[-1] if found else None
                size = max(run.size, last.size) if last else run.size
                if last and last.owner == run.owner and same_line(last.glyphs[-1], glyph, size):
                    last.glyphs.append(glyph)
                    last.size = size
                    if run.index not in last.runs:
                        last.runs.append(run.index)
                else:
                    found.append(Line(run.owner, [run.index], run.size, [glyph]))
        return tuple(found)

    def in_page_units(self, box: Box) -> Box:
        """A measured box in the SVG's own units, as the report's place gives it."""
        x, y, width, height = self.unit_box
        sx, sy = width / self.width, height / self.height
        return (x + box[0] * sx, y + box[1] * sy, box[2] * sx, box[3] * sy)


def page_of(document: SvgDocument) -> tuple[Box, float]:
    """The page in the SVG's own units, and its ratio (width : height)."""
    root, box = document.root, view_box(document.root)
    width, height = pixels(root.get("width")), pixels(root.get("height"))
    sized = width and height and width > 0 and height > 0
    if not box and not sized:
        raise Unfit(f"{document.path} has neither a viewBox nor a width and height; give its page a size.")
    ratio = width / height if width and height and sized else (box[2] / box[3] if box else 1.0)
    if not 1 / MAX_RATIO <= ratio <= MAX_RATIO:
        raise Unfit(f"{document.path} is {ratio:g} times as wide as it is high; no page has that shape.")
    return box or (0.0, 0.0, width or 1.0, height or 1.0), ratio


def _run(index: int, item: Json) -> Run:
    glyphs = tuple(Glyph(g[0], bool(g[1]), tuple(g[2:10]), tuple(g[10:14])) for g in item["glyphs"])
    opacity = item["opacity"]
    stroke = _paint(item["stroke"], opacity * item["strokeOpacity"]) if item["strokeWidth"] > 0 else None
    return Run(
        index=index,
        text=item["text"],
        owner=item["owner"],
        html=item["html"],
        glyphs=glyphs,
        size=item["size"],
        fill=_paint(item["fill"], opacity * item["fillOpacity"]),
        stroke=stroke,
        stroke_width=item["strokeWidth"],
        family=item["family"],
        ornament=item["ornament"],
        shown=item["shown"],
    )
