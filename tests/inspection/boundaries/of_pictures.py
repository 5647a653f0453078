"""Limits of checks of pictures, and of SVG files as documents; none of them needs a browser."""

from __future__ import annotations

import struct
import zlib

from tests.inspection.boundaries.boundary import Boundary, Files, Side
from tests.inspection.conftest import ARGS, ENTRY, RASTER
from tests.inspection.pictures import chunk, png, svg, text

PICTURE = "picture.png"
TITLE = text("Night Swim")
LINK = '<a href="https://lido.example/"><text x="80" y="200" font-size="40">Night Swim</text></a>'
OUTSIDE = '<image href="https://lido.example/a.png" width="9" height="9"/>'
INSIDE = f'<image href="data:image/png;base64,{"iVBORw0KGgo="}" width="9" height="9"/>'


def speckled(name: str, count: int) -> Files:
    """A picture of 100 × 100 px with so many black ones."""
    rows = b"".join(
        b"\0" + b"".join(b"\0" if 100 * row + column < count else b"\xff" for column in range(100))
        for row in range(100)
    )
    head = struct.pack(">IIBBBBB", 100, 100, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return {name: b"\x89PNG\r\n\x1a\n" + parts}


def drawing(*parts: str, **more: object) -> Files:
    """A poster."""
    return {ENTRY: svg(*parts, **more)}  # type: ignore[arg-type]


def nested(depth: int) -> Files:
    """A drawing whose elements lie so deep in each other, its root counted."""
    groups = depth - 2
    return drawing("<g>" * groups + '<path d="M0 0"/>' + "</g>" * groups)


def page_of(share: float) -> Files:
    """A page 1080 wide, whose ratio is off by so much: 0.01 is one per cent wider."""
    return drawing(TITLE, height=1080 * 594 / 420 / (1 + share))


def declared(inner: str) -> Files:
    """A drawing with a document type declaration."""
    return {ENTRY: f"<!DOCTYPE svg{inner}>".encode() + svg(TITLE)}


BOUNDARIES = [
    Boundary(
        "png.size", "the height exactly",
        Side("350 × 495", {RASTER: png(350, 495)}), Side("350 × 496", {RASTER: png(350, 496)}),
        ("poster.png has 350 × 496 px; render it with 350 × 495 px",), ARGS["png.size"],
    ),
    Boundary(
        "png.size", "the width of a page within 1 px",
        Side("351 × 495", {RASTER: png(351, 495)}), Side("352 × 495", {RASTER: png(352, 495)}),
        ("poster.png has 352 × 495 px; render it with 350 × 495 px",), ARGS["png.size"],
    ),
    Boundary(
        "png.size", "a social version's width exactly",
        Side("108 × 108", {"social.png": png(108, 108)}), Side("109 × 108", {"social.png": png(109, 108)}),
        ("social.png has 109 × 108 px; render it with 108 × 108 px",),
        {"files": [{"path": "social.png", "width": 108, "height": 108, "tolerance_px": 0}]},
    ),
    Boundary(
        "png.not_blank", "0.05 % of the pixels in another colour",
        Side("5 of 10,000", speckled(RASTER, 5)), Side("4 of 10,000", speckled(RASTER, 4)),
        ("poster.png is one flat colour; render it again",), ARGS["png.not_blank"],
    ),
    Boundary(
        "picture.not_blank", "0.05 % of the pixels in another colour",
        Side("5 of 10,000", speckled(PICTURE, 5)), Side("4 of 10,000", speckled(PICTURE, 4)),
        ("picture.png is one flat colour; render it again",), {"file": PICTURE},
    ),
    Boundary(
        "picture.decodes", "whole to its last chunk",
        Side("with IEND", {PICTURE: png(9, 9)}), Side("without it", {PICTURE: png(9, 9)[:-12]}),
        ("it ends before its picture does. Export it anew",), {"file": PICTURE},
    ),
    Boundary(
        "picture.decodes", "what its name says",
        Side("a PNG called .png", {PICTURE: png(9, 9)}),
        Side("a PNG called .jpg", {"picture.jpg": png(9, 9)}, {"file": "picture.jpg"}),
        ("picture.jpg is not a JPEG file; it holds PNG. Export it as JPEG",), {"file": PICTURE},
    ),
    Boundary(
        "svg.well_formed", "at most 400 elements within each other",
        Side("400", nested(400)), Side("401", nested(401)),
        ("nests elements more than 400 deep (line 2); flatten it",), ARGS["svg.well_formed"],
    ),
    Boundary(
        "svg.well_formed", "a document type, but no entity",
        Side("a DOCTYPE", declared("")), Side("an entity in it", declared(' [<!ENTITY lake "See">]')),
        ("declares the entity 'lake' (line 1); write the characters themselves",), ARGS["svg.well_formed"],
    ),
    Boundary(
        "svg.safe", "an address to follow, none to load",
        Side("a link", drawing(LINK)), Side("a picture from there", drawing(OUTSIDE)),
        ("loads 'https://lido.example/a.png'; embed it as a data: URI",), ARGS["svg.safe"],
    ),
    Boundary(
        "svg.safe", "embedded pictures, no active ones",
        Side("image/png", drawing(INSIDE)), Side("text/html", drawing(INSIDE.replace("image/png", "text/html"))),
        ("text/html",), ARGS["svg.safe"],
    ),
    Boundary(
        "svg.safe", "attributes that are no event handlers",
        Side("data-onclick", drawing('<g data-onclick="1"/>')), Side("onclick", drawing('<g onclick="1"/>')),
        ("the event handler onclick on <g>; remove it",), ARGS["svg.safe"],
    ),
    Boundary(
        "svg.page", "at most 0.5 % wider",
        Side("0.49 %", page_of(0.0049)), Side("0.51 %", page_of(0.0051)),
        ("by viewBox is 0.71", "the brief's is 0.70707 (0.5% off); make it 420 : 594"), ARGS["svg.page"],
    ),
    Boundary(
        "svg.page", "at most 0.5 % narrower",
        Side("0.49 %", page_of(-0.0049)), Side("0.51 %", page_of(-0.0051)),
        ("by viewBox is 0.70", "the brief's is 0.70707 (0.5% off); make it 420 : 594"), ARGS["svg.page"],
    ),
]  # fmt: skip
