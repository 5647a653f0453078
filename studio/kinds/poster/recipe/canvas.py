"""The page as SVG: shapes below, texts above, in page units. Right-to-left pages are mirrored here and nowhere else.

Callers draw as if every page read from left to right. On a mirrored page shapes are turned round, pictures and codes
only change their place, and texts are anchored at their right edge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

from .setting import Line, Style, Typesetter

Box = tuple[float, float, float, float]  # x, y, width, height
EDGE = 4.0  # page units by which what ends at an edge of the page reaches beyond it


def num(value: float) -> str:
    """A coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") or "0"


def path(points: Sequence[tuple[float, float]], closed: bool = False) -> str:
    """Path data through points, straight."""
    first, *rest = points
    data = f"M{num(first[0])} {num(first[1])}L" + " ".join(f"{num(x)} {num(y)}" for x, y in rest)
    return data + ("Z" if closed else "")


def tag(element: str, content: str = "", /, **attributes: object) -> str:
    """One element; underscores in attribute names become hyphens, numbers are shortened, None is left out."""
    parts = []
    for key, value in attributes.items():
        if value is not None:
            text = num(value) if isinstance(value, float) else str(value)
            parts.append(f" {key.rstrip('_').replace('_', '-')}={quoteattr(text)}")
    opening = f"<{element}{''.join(parts)}"
    return f"{opening}>{content}</{element}>" if content else f"{opening}/>"


@dataclass
class Text:
    """One paragraph on the page, in the page's own (unmirrored) coordinates."""

    lines: tuple[Line, ...]
    starts: tuple[tuple[float, float], ...]  # x of the line's start side, baseline
    sizes: tuple[float, ...]
    style: Style
    fill: str
    box: Box
    right_to_left: bool
    tracking: float
    extent: tuple[float, float]  # ems above and below each baseline
    hidden: bool = False
    label: str = ""  # what it is, for the design notes


@dataclass
class Canvas:
    """Collects what is drawn; `markup()` gives the SVG."""

    width: float
    height: float
    type: Typesetter
    mirrored: bool = False
    shapes: list[tuple[str, bool]] = field(default_factory=list)  # markup, turned round on a mirrored page
    texts: list[Text] = field(default_factory=list)
    defs: list[str] = field(default_factory=list)
    _names: int = 0

    def name(self, prefix: str) -> str:
        """A new id."""
        self._names += 1
        return f"{prefix}{self._names}"

    def define(self, prefix: str, element: str, content: str, **attributes: object) -> str:
        """Put a gradient, clip path or mask into the definitions; returns its id."""
        name = self.name(prefix)
        self.defs.append(tag(element, content, id=name, **attributes))
        return name

    def draw(self, *markup: str) -> None:
        """Shapes, drawn in order."""
        self.shapes.extend((part, True) for part in markup)

    def place(self, markup: str, box: Box) -> None:
        """Something that must not be mirrored, drawn in its own coordinates from 0,0, at `box`."""
        x = self.width - box[0] - box[2] if self.mirrored else box[0]
        self.shapes.append((tag("g", markup, transform=f"translate({num(x)} {num(box[1])})"), False))

    def rect(self, box: Box, fill: str, radius: float = 0.0, **attributes: object) -> None:
        """A filled rectangle."""
        x, y, width, height = box
        self.draw(
            tag("rect", x=x, y=y, width=width, height=height, rx=radius or None, fill=fill, **attributes),
        )

    def gradient(self, colours: Sequence[str], x1: float, y1: float, x2: float, y2: float) -> str:
        """A linear gradient in page units through evenly spaced colours; returns a paint."""
        last = max(1, len(colours) - 1)
        stops = "".join(tag("stop", offset=index / last, stop_color=c) for index, c in enumerate(colours))
        name = self.define("g", "linearGradient", stops, gradientUnits="userSpaceOnUse", x1=x1, y1=y1, x2=x2, y2=y2)
        return f"url(#{name})"

    def past_edges(self, box: Box) -> Box:
        """The box, a little larger where it ends at the page's edges: whatever fills it runs off the page there."""
        x, y, width, height = box
        left, top = (EDGE if start <= 0 else 0.0 for start in (x, y))
        right = EDGE if x + width >= self.width - 0.01 else 0.0
        bottom = EDGE if y + height >= self.height - 0.01 else 0.0
        return x - left, y - top, width + left + right, height + top + bottom

    def clip(self, box: Box, radius: float = 0.0) -> str:
        """A rectangular clip path; returns its reference."""
        x, y, width, height = box
        name = self.define("c", "clipPath", tag("rect", x=x, y=y, width=width, height=height, rx=radius or None))
        return f"url(#{name})"

    def text(
        self,
        lines: Sequence[Line],
        starts: Sequence[tuple[float, float]],
        sizes: Sequence[float],
        style: Style,
        fill: str,
        *,
        hidden: bool = False,
        label: str = "",
    ) -> None:
        """A paragraph; `starts` are the left end and the baseline of each line on an unmirrored page."""
        words = "".join(line.text for line in lines)
        otherwise = "rtl" if self.mirrored else "ltr"
        backwards = self.type.is_right_to_left(words, otherwise)
        up, down = self.type.extent(words, style.role)
        placed = []
        left, right = self.width, 0.0
        for line, (x, baseline), size in zip(lines, starts, sizes, strict=True):
            span = line.width * size
            start = self.width - x - span if self.mirrored else x
            left, right = min(left, start), max(right, start + span)
            placed.append((start + span if backwards else start, baseline))
        top = placed[0][1] - up * sizes[0]
        bottom = placed[-1][1] + down * sizes[-1]
        box = (left, top, right - left, bottom - top)
        tracking = self.type.tracking(words, style)
        self.texts.append(
            Text(
                tuple(lines),
                tuple(placed),
                tuple(sizes),
                style,
                fill,
                box,
                backwards,
                tracking,
                (up, down),
                hidden,
                label,
            )
        )

    def _text_markup(self, text: Text) -> str:
        parts = []
        for line, (x, y), size in zip(text.lines, text.starts, text.sizes, strict=True):
            runs = self.type.runs(line.text, text.style.role)
            if len(runs) == 1:
                content, css = escape(line.text), runs[0].face.css
            else:
                content = "".join(tag("tspan", escape(run.text), class_=run.face.css) for run in runs)
                css = runs[0].face.css
            own = num(size) if size != text.sizes[0] else None
            parts.append(tag("tspan", content, x=x, y=y, class_=css, font_size=own))
        # Keeps words apart for search and speech, and takes no room.
        blank = tag("tspan", " ", class_=css, font_size=1)
        words = "".join(
            part + (blank if line.gap and index < len(parts) - 1 else "")
            for index, (part, line) in enumerate(zip(parts, text.lines, strict=True))
        )
        return tag(
            "text",
            words,
            font_size=text.sizes[0],
            fill=text.fill,
            letter_spacing=num(text.tracking * text.sizes[0]) if text.tracking else None,
            direction="rtl" if text.right_to_left else None,
            aria_hidden="true" if text.hidden else None,
        )

    def markup(
        self,
        *,
        title: str,
        language: str,
        size: tuple[str, str] | None = None,
        with_texts: bool = True,
        words_only: bool = False,
        bleed: float = 0.0,
    ) -> str:
        """The whole SVG document; without its words, or with nothing but them, for measuring.

        With a `bleed` in page units the document is larger by that on every side, and the page runs on there.
        """
        body = []
        for content, turns in [] if words_only else self.shapes:
            flip = self.mirrored and turns
            body.append(tag("g", content, transform=f"matrix(-1 0 0 1 {num(self.width)} 0)") if flip else content)
        if words_only:
            body = [tag("rect", width=self.width, height=self.height, fill="#FFFFFF")]
        if bleed:
            body = self._bled(body, bleed)
        texts = [self._text_markup(text) for text in self.texts] if with_texts else []
        rules = ["text{text-rendering:geometricPrecision}", *(self._rules() if with_texts else [])]
        if words_only:
            rules.append("text,tspan{fill:#000}")
        wide, high = size or (num(self.width), num(self.height))
        view = (-bleed or 0.0, -bleed or 0.0, self.width + 2 * bleed, self.height + 2 * bleed)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
            f'viewBox="{" ".join(map(num, view))}" '
            f"xml:lang={quoteattr(language)} lang={quoteattr(language)}>"
        )
        parts = [
            head,
            tag("title", escape(title)) if title else "",
            tag("style", "".join(rules)),
            tag("defs", "".join(self.defs)) if self.defs and not words_only else "",
            *body,
            *texts,
            "</svg>",
        ]
        return "\n".join(part for part in parts if part) + "\n"

    def _bled(self, body: Sequence[str], bleed: float) -> list[str]:
        """The shapes of the page, and around it their mirror images: whatever lies at an edge goes on behind it."""
        w, h = self.width, self.height
        lap = min(0.2, bleed)  # the strips reach under the page, so that no seam shows between them
        parts = [tag("defs", tag("g", "".join(body), id="page"))]
        for x, across, left, wide in ((0, -1, -bleed, bleed + lap), (0, 1, 0, w), (2 * w, -1, w - lap, bleed + lap)):
            for y, down, top, high in ((0, -1, -bleed, bleed + lap), (0, 1, 0, h), (2 * h, -1, h - lap, bleed + lap)):
                if (across, down) != (1, 1):
                    copy = tag("use", href="#page", transform=f"matrix({across} 0 0 {down} {num(x)} {num(y)})")
                    parts.append(tag("g", copy, clip_path=self.clip((left, top, wide, high))))
        # The page itself reaches over its edge, so that no soft edge of a clip lies where the paper is cut.
        over = min(EDGE / 2, bleed / 2)
        whole = self.clip((-over, -over, w + 2 * over, h + 2 * over))
        return [*parts, tag("g", tag("use", href="#page"), clip_path=whole)]

    def _rules(self) -> list[str]:
        """The style rules of the typefaces in use, with their subsets."""
        faces = {}
        for text in self.texts:
            for line in text.lines:
                for run in self.type.runs(line.text, text.style.role):
                    faces[run.face.css] = run.face
        rules = []
        for name, face in sorted(faces.items()):
            rules.append(face.css_rule())
            rules.append(f'.{name}{{font-family:{name},"{face.family}",sans-serif}}')
        return rules
