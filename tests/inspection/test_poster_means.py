"""Fonts, colours, QR codes and PDFs of posters at their limits, on both sides."""

from __future__ import annotations

import json

import pytest

from studio.contract import Report
from studio.kinds import get_kind
from studio.sandboxes.types import Sandbox, Upload
from tests.inspection.codes import code_sheet
from tests.inspection.conftest import ENTRY, RASTER, Draw, Judge, JudgeAll, contract_of
from tests.inspection.pictures import svg, text
from tests.kinds.conftest import small

pytestmark = pytest.mark.thorough

URL = "https://lido.example/night"

GLYPHS = {
    "many scripts in one family": (text("Night 夜泳 한국 ไทย हिन्दी עברית العربية"), True),
    "emoji sequences": (text("🏊 👨‍👩‍👧‍👦 👍🏽 🇺🇦 1️⃣ ❤️") + text("a\u200db\u00adc\u2060d", y=300), True),
    "marks": (text("e\u0301 x\u0302 \u1112\u119e\u11ab"), True),
    "a family that is not installed": (text("Night", more="font-family=\"'Poppins', sans-serif\""), True),
    "icons without their font": (text("\uf073 21 June"), False),
    "no text at all": ('<path d="M0 0h90v90z"/>', True),
    "icons that are not shown": (text("\uf073", more='display="none"') + text("Night"), True),
    "a lost character": (text("Caf\ufffd"), False),
    "a character that does not exist": (text("Night \u0378"), False),
}


@pytest.fixture(scope="module")
def glyphs(judge_all: JudgeAll) -> dict[str, Report]:
    return judge_all({name: svg(drawing) for name, (drawing, _) in GLYPHS.items()}, "poster.glyphs")


@pytest.mark.parametrize("name", GLYPHS)
def test_glyphs(name: str, glyphs: dict[str, Report]) -> None:
    finding = glyphs[name].checks[0]
    assert finding.verdict == ("pass" if GLYPHS[name][1] else "fail"), finding.message


ICON_FONT = """
import base64, io
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
pen = TTGlyphPen(None)
pen.moveTo((0, 0)); pen.lineTo((0, 700)); pen.lineTo((700, 700)); pen.closePath()
glyph = pen.glyph()
font = FontBuilder(1000, isTTF=True)
font.setupGlyphOrder([".notdef", "icon"])
font.setupCharacterMap({0xF073: "icon"})
font.setupGlyf({".notdef": glyph, "icon": glyph})
font.setupHorizontalMetrics({".notdef": (800, 0), "icon": (800, 0)})
font.setupHorizontalHeader(ascent=800, descent=-200)
font.setupNameTable({"familyName": "Icons", "styleName": "Regular"})
font.setupOS2(); font.setupPost()
target = io.BytesIO()
font.save(target)
print(base64.b64encode(target.getvalue()).decode())
"""


def test_icons_count_in_an_embedded_font_that_has_them(judge: Judge, darkroom: Sandbox) -> None:
    status, font, words = darkroom.run(["python3", "-c", ICON_FONT])
    assert status == 0, words
    face = f"@font-face{{font-family:Icons;src:url(data:font/ttf;base64,{font.decode().strip()})}}"
    icon, other = (text(char, more='font-family="Icons"') for char in ("\uf073", "\uf0e0"))
    drawing = svg(f"<style>{face}</style>", icon)
    assert judge({ENTRY: drawing}, "poster.glyphs").checks[0].verdict == "pass"
    finding = judge({ENTRY: drawing.replace(icon.encode(), other.encode())}, "poster.glyphs").checks[0]
    assert finding.verdict == "fail"
    assert "U+F0E0" in finding.message
    assert finding.place is not None
    assert finding.place.box is not None


def band(colour: str, height: float, y: float = 0) -> str:
    return f'<rect y="{y:g}" width="1080" height="{height:g}" fill="{colour}"/>'


FADE = (
    '<linearGradient id="g" x2="0" y2="1"><stop stop-color="#F5EFE3"/><stop offset="1" stop-color="#D63A26"/>'
    '</linearGradient><rect width="1080" height="1528" fill="url(#g)"/>'
)
GREEN = "#2E8B57"
PALETTES = {
    "as asked": (band("#F5EFE3", 1528) + band("#D63A26", 200), True),
    "a gradient between its colours": (FADE, True),
    "shades by transparency": (
        band("#F5EFE3", 1528) + '<rect width="1080" height="900" fill="#D63A26" opacity="0.4"/>' + band("#D63A26", 20),
        True,
    ),
    "no primary": (band("#F5EFE3", 1528) + band("#1D3461", 300), False),
    "no background": (band("#D63A26", 1528), False),
    "both are there, another colour rules": (band(GREEN, 1528) + band("#F5EFE3", 300) + band("#D63A26", 300), False),
    "both are there and rule": (band(GREEN, 700) + band("#F5EFE3", 600, 700) + band("#D63A26", 228, 1300), True),
    "near the colours": (band("#F0E6D6", 1528) + band("#CC4030", 200), True),
    "quite other colours": (band("#101418", 1528) + band("#00A0A0", 400), False),
}


@pytest.fixture(scope="module")
def palettes(judge_all: JudgeAll) -> dict[str, Report]:
    return judge_all({name: svg(drawing) for name, (drawing, _) in PALETTES.items()}, "poster.palette")


@pytest.mark.parametrize("name", PALETTES)
def test_palette(name: str, palettes: dict[str, Report]) -> None:
    finding = palettes[name].checks[0]
    assert finding.verdict == ("pass" if PALETTES[name][1] else "fail"), (finding.message, finding.measured)


# Pairs from the supplementary data of Sharma, Wu and Dalal (2005).
DIFFERENCES = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


def test_colour_difference_is_the_published_one(darkroom: Sandbox) -> None:
    from studio.inspection import archive

    program = (
        "import sys, json, numpy; sys.path.insert(0, '/testbed/inspector.zip')\n"
        "from sandbox_image.inspector.colours import difference\n"
        f"pairs = {DIFFERENCES!r}\n"
        "print(json.dumps([float(difference(numpy.array(a), numpy.array(b))) for a, b, _ in pairs]))"
    )
    darkroom.upload([Upload("/testbed/inspector.zip", archive())])
    status, said, words = darkroom.run(["python3", "-c", program])
    assert status == 0, words
    assert json.loads(said) == pytest.approx([wanted for *_, wanted in DIFFERENCES], abs=1e-4)


@pytest.mark.parametrize(
    ("texts", "module", "inverted", "good"),
    [
        ([URL], 4, False, True),
        ([URL], 2, False, True),
        ([URL], 4, True, True),
        (["WIFI:S:lido;;", "https://other.example/", "HTTPS://Lido.Example:443/night"], 4, False, True),
        ([URL + "/"], 4, False, False),
        (["http" + URL.removeprefix("https")], 4, False, False),
        ([URL + "?from=poster"], 4, False, False),
        ([], 4, False, False),
    ],
)
def test_qr(texts: list[str], module: float, inverted: bool, good: bool, judge: Judge, darkroom: Sandbox) -> None:
    picture = code_sheet(darkroom, texts, module, inverted)
    finding = judge({RASTER: picture}, "poster.qr", url=URL).checks[0]
    assert finding.verdict == ("pass" if good else "fail"), finding.message
    assert good or URL in finding.message


def test_an_address_in_other_letters_is_the_same(judge: Judge, darkroom: Sandbox) -> None:
    picture = code_sheet(darkroom, ["https://bücher.example/報名"])
    url = "https://xn--bcher-kva.example/%E5%A0%B1%E5%90%8D"
    assert judge({RASTER: picture}, "poster.qr", url=url).verdict == "accept"


def printed(darkroom: Sandbox, width: str = "420mm", height: str = "594mm", pages: int = 1) -> bytes:
    """A PDF of pages with a word each, made with librsvg."""
    source = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><text y="90">Night</text></svg>'
    )
    darkroom.upload([Upload("/testbed/page.svg", source.encode())])
    command = ["rsvg-convert", "-f", "pdf", "--dpi-x", "96", "--dpi-y", "96", *["/testbed/page.svg"] * pages]
    status, content, words = darkroom.run(command)
    assert status == 0, words
    return content


@pytest.mark.parametrize(
    ("size", "pages", "words"),
    [
        (("420mm", "594mm"), 1, ""),
        (("420.4mm", "593.6mm"), 1, ""),
        (("421mm", "594mm"), 1, "420 × 594 mm"),
        (("420mm", "594mm"), 2, "2 pages"),
    ],
)
def test_pdf(size: tuple[str, str], pages: int, words: str, judge: Judge, darkroom: Sandbox) -> None:
    finding = judge({"poster.pdf": printed(darkroom, *size, pages)}, "pdf.page").checks[0]
    assert finding.verdict == ("fail" if words else "pass"), finding.message
    assert words in finding.message


LOOSE = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 1190.55 1683.78]/Contents 4 0 R
/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 38>>stream
BT /F 40 Tf 90 900 Td (Night) Tj ET %--
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R/Size 6>>
"""


def test_a_pdf_with_a_font_that_is_not_in_it(judge: Judge) -> None:
    finding = judge({"poster.pdf": LOOSE}, "pdf.page").checks[0]
    assert finding.verdict == "fail"
    assert "Helvetica" in finding.message


def test_a_report_is_silent_on_a_pdf_that_nobody_made(judge: Judge) -> None:
    ids = {check.id for check in get_kind("poster").contract(small()).checks}
    assert "pdf.page" in ids
    contract = get_kind("poster").contract(small())
    assert "pdf.page" not in {check.id for check in contract.for_delivery({"poster.svg"}).checks}
    assert contract.for_delivery({"poster.svg", "poster.pdf"}) == contract
    report = judge({ENTRY: svg(text("Night"))}, "svg.well_formed", "pdf.page", if_present="poster.pdf")
    assert [finding.id for finding in report.checks] == ["svg.well_formed"]


def test_what_a_brief_does_not_ask_for_is_not_asked() -> None:
    asked = {check.id: check for check in get_kind("poster").contract(small()).checks}
    assert "poster.qr" not in asked
    assert asked["poster.palette"].severity == "should"
    with_url = get_kind("poster").contract(small(registration={"url": URL}))
    assert {check.id: check for check in with_url.checks}["poster.qr"].args["url"] == URL
    assert contract_of("poster.qr").checks[0].severity == "must"


LINE = "Doors open at 19:45, concert from 20:30 to 23:15, tickets 18 euros, call 0561 204 8837 before 26 September"


@pytest.mark.parametrize(
    ("change", "good"),
    [(("", ""), True), (("204", "294"), False), (("8837", "8831"), False), (("19:45", "18:45"), False)],
)
def test_one_digit_in_a_long_line(change: tuple[str, str], good: bool, judge: Judge, draw: Draw) -> None:
    """Drawn by another renderer, 12 px high."""
    drawing = svg(text("Night Swim"), text(LINE, y=400, size=17))
    other = draw(drawing.replace(change[0].encode(), change[1].encode()) if change[0] else drawing, 760)
    finding = judge({ENTRY: drawing, RASTER: other}, "png.matches_svg").checks[0]
    assert finding.verdict == ("pass" if good else "fail"), finding.message
    assert good or finding.place is not None
