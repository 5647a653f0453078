"""Limits of checks of a poster as a browser draws it."""

from __future__ import annotations

from studio.sandboxes.types import Sandbox, Upload
from tests.inspection.boundaries.boundary import Boundary, Files, Side
from tests.inspection.boundaries.of_pictures import drawing
from tests.inspection.codes import code_sheet
from tests.inspection.conftest import ARGS, ENTRY, RASTER
from tests.inspection.pictures import svg, text

TITLE = text("Night Swim")
PALE = "#F5EFE3"  # the palette's background
URL = "https://lido.example/night"


def small(fill: str) -> Files:
    """A text of 20 px in a colour, on white."""
    return drawing(text("Night Swim", size=20, fill=fill, more='font-weight="bold"'))


def large(fill: str, size: float = 24) -> Files:
    """A text of 24 px in a colour, on white."""
    return drawing(text("Night Swim", size=size, fill=fill, more='font-weight="bold"'))


def stacked(lower: float) -> Files:
    """Two letters of 100 px, whose ink is 72.9 px high, one so many px below the other."""
    return drawing(text("H", y=300, size=100), text("H", y=300 + lower, size=100))


def doubled(aside: float) -> Files:
    """A text of 100 px twice, the second one so many px to the right."""
    return drawing(text("Night", size=100), text("Night", x=80 + aside, size=100))


def at_the_foot(y: float) -> Files:
    """A text of 100 px that stands on this height of a page 1528 high."""
    return drawing(text("HEEL", y=y, size=100))


def named(words: str) -> Side:
    """A poster with these words."""
    return Side(words, drawing(text(words)))


def name(wanted: str) -> dict[str, object]:
    """The argument of a name that has to be there."""
    return {"file": ENTRY, "strings": [{"text": wanted, "pointer": "/params/event/name"}]}


def primary(side: int) -> Files:
    """The palette's background with a square in its primary colour."""
    return drawing(f'<rect x="90" y="90" width="{side}" height="{side}" fill="#D63A26"/>', ground=PALE)


def background(height: float) -> Files:
    """The palette's primary colour with a band in its background colour."""
    return drawing(f'<rect width="1080" height="{height:g}" fill="{PALE}"/>', ground="#D63A26")


def field(colour: str) -> Files:
    """The palette's background with a large square in another colour."""
    return drawing(f'<rect width="900" height="900" fill="{colour}"/>', ground=PALE)


def dot(side: int) -> Files:
    """A drawing of 640 × 640 px with a rectangle on nothing, 16 wide."""
    start = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 640">'
    return {ENTRY: f'{start}<rect x="16" y="16" width="16" height="{side}"/></svg>'.encode()}


def rendered(source: bytes, sandbox: Sandbox, width: int = 1080) -> bytes:
    """A drawing by librsvg: not the renderer that the inspector uses."""
    sandbox.upload([Upload("/testbed/drawn.svg", source)])
    status, picture, words = sandbox.run(["rsvg-convert", "-w", str(width), "/testbed/drawn.svg"])
    assert status == 0, words
    return picture


def differing(radius: float) -> Side:
    """A drawing, and its picture with a circle more."""
    source = svg(text("Night Swim", size=60), '<rect y="900" width="1080" height="300" fill="#225588"/>')
    more = source.replace(b"</svg>", f'<circle cx="540" cy="600" r="{radius:g}" fill="#555555"/></svg>'.encode())
    return Side(f"a circle of {radius:g} px more", lambda sandbox: {ENTRY: source, RASTER: rendered(more, sandbox)})


def fainter(fill: str) -> Side:
    """A drawing, and its picture with one letter in another colour."""
    one = '<text x="80" y="300" font-size="60" fill="#000">Night Sw<tspan fill="{}">i</tspan>m</text>'
    source, other = (svg(one.format(each)) for each in ("#000", fill))
    return Side(f"a letter in {fill}", lambda sandbox: {ENTRY: source, RASTER: rendered(other, sandbox)})


PHOTO = """
import io, sys
import numpy
from PIL import Image
def noise(seed):
    values = numpy.random.default_rng(seed).integers(0, 255, (8, 6, 3), dtype=numpy.uint8)
    return Image.fromarray(values).resize((240, 320), Image.Resampling.BICUBIC)
share = float(sys.argv[1])
photo = Image.blend(noise(1), noise(2), share)
sheet = photo
if sys.argv[2] == "placed":
    sheet = Image.new("RGB", (700, 990), "#f4efe6")
    sheet.paste(photo, (200, 300))
target = io.BytesIO()
sheet.save(target, "PNG")
sys.stdout.buffer.write(target.getvalue())
"""


def photo(share: float, how: str, sandbox: Sandbox) -> bytes:
    """A photo mixed with another one, by itself or on a poster."""
    status, picture, words = sandbox.run(["python3", "-c", PHOTO, str(share), how])
    assert status == 0, words
    return picture


def face(sandbox: Sandbox) -> dict[str, bytes]:
    """What came with the brief."""
    return {"face.png": photo(0.0, "alone", sandbox)}


def placed(share: float) -> Side:
    """A poster with the photo, mixed with another one."""
    return Side(f"{share:.0%} of another photo in it", lambda sandbox: {RASTER: photo(share, "placed", sandbox)})


def coded(*texts: str) -> Side:
    """A picture with codes that say these."""
    return Side(" ".join(texts) or "no code", lambda sandbox: {RASTER: code_sheet(sandbox, texts)})


BOUNDARIES = [
    Boundary(
        "svg.not_blank", "0.05 % of the drawing painted",
        Side("208 of 409,600 px", dot(13)), Side("192 of 409,600 px", dot(12)),
        ("poster.svg is empty: nothing in it is painted within its viewBox; render it",), {"file": ENTRY},
    ),
    Boundary(
        "poster.text", "shorter names than six letters are words of their own",
        Side("lights in Highlights", drawing(text("Highlights")), name("lights")),
        Side("light in Highlights", drawing(text("Highlights")), name("light")),
        ('Not found on the poster: "light" (/params/event/name). Write them as visible text',),
    ),
    Boundary(
        "poster.text", "every letter of a name",
        named("NIGHT  SWIM"), named("Night Swin"),
        ('Not found on the poster: "Night Swim" (/params/event/name)',), name("Night Swim"),
    ),
    Boundary(
        "poster.overlap", "letters 0.08 em over each other",
        Side("0.07 em", stacked(66)), Side("0.09 em", stacked(64)),
        ('"H" and "H" lie over each other by 0.09 em (0.08 may be); move one',), ARGS["poster.overlap"], "box",
    ),
    Boundary(
        "poster.overlap", "a shadow within 0.1 em (and half a px)",
        Side("10.4 px of 100", doubled(10.4)), Side("10.7 px of 100", doubled(10.7)),
        ("lie over each other by", "move one"), ARGS["poster.overlap"], "box",
    ),
    Boundary(
        "poster.overlap", "1 px and 0.02 em beyond the page",
        Side("2.8 px", at_the_foot(1530.8)), Side("3.2 px", at_the_foot(1531.2)),
        ('"HEEL" leaves the page by 3 px of 1080; make it smaller',), ARGS["poster.overlap"], "box",
    ),
    Boundary(
        "poster.contrast", "4.5 : 1 below 24 px",
        Side("4.51", small("#787677")), Side("4.49", small("#77767E")),
        ("4.49 : 1 where 4.5 is needed; make the text darker",), ARGS["poster.contrast"], "box",
    ),
    Boundary(
        "poster.contrast", "3 : 1 from 24 px up",
        Side("3.01", large("#93949F")), Side("2.99", large("#969594")),
        ("2.99 : 1 where 3 is needed; make the text darker",), ARGS["poster.contrast"], "box",
    ),
    Boundary(
        "poster.contrast", "large is 24 px",
        Side("24 px", large("#888888", 24)), Side("23.9 px", large("#888888", 23.9)),
        ("3.54 : 1 where 4.5 is needed",), ARGS["poster.contrast"], "box",
    ),
    Boundary(
        "poster.glyphs", "a glyph for every character",
        Side("U+0377", drawing(text("\u0377 Night"))), Side("U+0378", drawing(text("\u0378 Night"))),
        ('No font has U+0378 in "', "embed a font that has them"), ARGS["poster.glyphs"], "box",
    ),
    Boundary(
        "poster.palette", "0.3 % in the primary colour",
        Side("0.31 %", primary(72)), Side("0.29 %", primary(69)),
        ("primary #D63A26 covers 0.29% of the poster, at least 0.30% is expected; use it",), ARGS["poster.palette"],
    ),
    Boundary(
        "poster.palette", "1 % in the background colour",
        Side("1.1 %", background(16.8)), Side("0.9 %", background(13.8)),
        ("background #F5EFE3 covers 0.98% of the poster, at least 1.00% is expected; use it",), ARGS["poster.palette"],
    ),
    Boundary(
        "poster.palette", "a colour within 10 (CIEDE2000) of the palette's",
        Side("#D63A4C, 9.5", field("#D63A4C")), Side("#D63A50, 10.5", field("#D63A50")),
        ("primary #D63A26 covers 0.00%",), ARGS["poster.palette"],
    ),
    Boundary(
        "poster.qr", "the brief's address to the letter",
        coded(URL), coded(URL + "/"),
        (f'The QR code in poster.png says "{URL}/"; make it for {URL} (/params/registration/url), to the letter',),
        ARGS["poster.qr"],
    ),
    Boundary(
        "poster.qr", "a code that can be read",
        coded(URL), coded(),
        (f"No QR code can be read in poster.png; draw one for {URL}",), ARGS["poster.qr"],
    ),
    Boundary(
        "png.matches_svg", "a similarity of 0.97",
        differing(145), differing(160),
        ("poster.png is not what poster.svg looks like (similarity 0.96", "0.97 is needed); render it again"),
        ARGS["png.matches_svg"],
    ),
    Boundary(
        "png.matches_svg", "a similarity of 0.8 of each letter",
        fainter("#585858"), fainter("#707070"),
        ("poster.png shows something else where poster.svg says", "0.8 is needed); render it again"),
        ARGS["png.matches_svg"], "box",
    ),
    Boundary(
        "images.used", "an attachment seen with a score of 0.8",
        placed(0.5), placed(0.55),
        ("face.png (/params/speakers/0/photo) is not to be seen in poster.png; place", "large enough"),
        ARGS["images.used"], attached=face,
    ),
]  # fmt: skip
