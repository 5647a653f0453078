"""Checks at their limits, on both sides, and on what people really draw."""

from __future__ import annotations

import pytest

from studio.contract import Report
from studio.sandboxes.types import Sandbox
from tests.inspection.conftest import ENTRY, RASTER, Draw, Judge, JudgeAll
from tests.inspection.pictures import svg, text

TITLE = text("Night Swim")
WHITE_BAND = '<rect y="100" width="1080" height="200" fill="#FFFFFF"/>'


def passes(judge: Judge, check: str, drawing: bytes, **more: object) -> bool:
    finding = judge({ENTRY: drawing}, check, **more).checks[0]
    assert finding.verdict != "error", finding.message
    return finding.verdict == "pass"


@pytest.mark.parametrize(
    ("size", "good"),
    [
        ('width="420mm" height="594mm"', True),
        ('width="100%" height="100%"', True),
        ('width="420mm" height="420mm"', False),
    ],
)
def test_page_by_width_and_height(size: str, good: bool, judge: Judge) -> None:
    assert passes(judge, "svg.page", svg(TITLE, attributes=f" {size}")) is good


def test_a_page_without_any_size(judge: Judge) -> None:
    assert not passes(judge, "svg.page", b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>')


CONTRAST = {
    "4.42 in small": (text("Night Swim", size=20, fill="#787878"), False),
    "4.61 in small": (text("Night Swim", size=20, fill="#757575"), True),
    "2.95 in large": (text("Night Swim", size=24, fill="#969696"), False),
    "3.12 in large": (text("Night Swim", size=24, fill="#929292"), True),
    "3.54 just too small": (text("Night Swim", size=23.5, fill="#888888"), False),
    "3.54 scaled up to large": (
        text("Night Swim", size=12, fill="#888888", x=40, y=90, more='transform="scale(2)"'),
        True,
    ),
    "white on white": (text("Night Swim", fill="#FFFFFF"), False),
    "faint by opacity": (text("Night Swim", more='opacity="0.3"'), False),
    "one faint word": ('<text x="80" y="200" font-size="40">Night <tspan fill="#DDDDDD">Swim</tspan></text>', False),
    "faint by a group": (f'<g opacity="0.25">{TITLE}</g>', False),
    "covered later": (TITLE + WHITE_BAND, False),
    "half covered later": (TITLE + '<rect x="200" y="100" width="800" height="200" fill="#FFFFFF"/>', False),
    "covered before": (WHITE_BAND + TITLE, True),
    "ornament": (TITLE + text("WATER", y=900, size=200, fill="#F6F6F6", more='aria-hidden="true"'), True),
    "with an outline": (
        text("Night Swim", size=60, fill="#FFFFFF", more='stroke="#000000" stroke-width="6" paint-order="stroke"'),
        True,
    ),
    "only an outline": (text("Night Swim", size=60, fill="none", more='stroke="#111111" stroke-width="2"'), True),
    "gradient fill, all dark": (
        '<linearGradient id="g"><stop stop-color="#111111"/><stop offset="1" stop-color="#333366"/></linearGradient>'
        + text("Night Swim", fill="url(#g)"),
        True,
    ),
    "gradient fill, fading": (
        '<linearGradient id="g"><stop stop-color="#111111"/><stop offset="1" stop-color="#EEEEEE"/></linearGradient>'
        + text("Night Swim", fill="url(#g)"),
        False,
    ),
    "by style sheet": (
        "<style>.faint{fill:#CCCCCC}</style>" + text("Night Swim", fill="", more='class="faint"'),
        False,
    ),
    "bold by doubling": (TITLE + text("Night Swim", x=81), True),
    "nothing but emoji": (text("👨‍👩‍👧‍👦 ❤️ 🇺🇦 1️⃣ 🖤"), True),
    "faded by a mask": (
        '<linearGradient id="g"><stop stop-color="#FFF"/><stop offset="1"/></linearGradient><mask id="m"'
        ' maskUnits="userSpaceOnUse" width="1080" height="400"><rect x="80" width="250" height="400"'
        ' fill="url(#g)"/></mask>' + text("Night Swim", more='mask="url(#m)"'),
        False,
    ),
    "emoji beside": (text("🏊 Night Swim 🌙"), True),
    "emoji beside faint words": (text("🏊 Night Swim 🌙", fill="#CCCCCC"), False),
    "light weight": (text("Night Swim", size=20, more='font-weight="200"'), True),
    "foreign text": (
        '<foreignObject x="80" y="100" width="600" height="200"><p xmlns="http://www.w3.org/1999/xhtml"'
        ' style="color:#CCCCCC;font-size:40px">Night Swim</p></foreignObject>',
        False,
    ),
}


@pytest.fixture(scope="module")
def contrasts(judge_all: JudgeAll) -> dict[str, Report]:
    return judge_all({name: svg(drawing) for name, (drawing, _) in CONTRAST.items()}, "poster.contrast")


@pytest.mark.parametrize("name", CONTRAST)
def test_contrast(name: str, contrasts: dict[str, Report]) -> None:
    finding = contrasts[name].checks[0]
    assert finding.verdict == ("pass" if CONTRAST[name][1] else "fail"), finding.message


OVERLAP = {
    "tight leading": (text("Night", size=100) + text("gym Swim", y=285, size=100), True),
    "lines into each other": (text("Night", size=100) + text("Swim", y=240, size=100), False),
    "a shadow": (TITLE + text("Night Swim", x=82.5, y=202.5), True),
    "twice, too far for a shadow": (TITLE + text("Night Swim", x=88, y=208), False),
    "ornament": (text("WATER", y=240, size=200, fill="#EEEEEE", more='aria-hidden="true"') + TITLE, True),
    "slanted beside": (
        text("Slanted words here", x=0, y=0, more='transform="translate(100 700) rotate(-45)"')
        + text("Beside", x=420, y=680),
        True,
    ),
    "slanted across": (
        text("Slanted words here", x=0, y=0, more='transform="translate(100 700) rotate(-45)"')
        + text("Across", x=220, y=580),
        False,
    ),
    "tspans on one line": (
        '<text x="80" y="200" font-size="40">Night<tspan font-weight="bold">Swim</tspan></text>',
        True,
    ),
    "tspans that run over": (
        '<text font-size="40"><tspan x="80" y="200">Night</tspan><tspan x="120" y="210">Swim</tspan></text>',
        False,
    ),
    "along a curve": (
        '<path id="c" d="M100 400 Q540 100 980 400" fill="none"/>'
        '<text font-size="40"><textPath href="#c">Swimming through the night</textPath></text>',
        True,
    ),
    "by use": (f'<defs><g id="t">{TITLE}</g></defs><use href="#t"/><use href="#t" x="30" y="12"/>', False),
    "off the right edge": (text("Night Swim at the lake", x=700), False),
    "to the very edge": (text("Swim", x=1079, more='text-anchor="end"'), True),
    "off the foot": (text("gym", y=1526), False),
    "upright columns": (
        text("夜泳", x=200, more='writing-mode="vertical-rl"') + text("湖边", x=260, more='writing-mode="vertical-rl"'),
        True,
    ),
    "right to left": (text("שחייה בלילה", x=1000, more='direction="rtl"'), True),
}


@pytest.fixture(scope="module")
def overlaps(judge_all: JudgeAll) -> dict[str, Report]:
    return judge_all({name: svg(drawing) for name, (drawing, _) in OVERLAP.items()}, "poster.overlap")


@pytest.mark.parametrize("name", OVERLAP)
def test_overlap(name: str, overlaps: dict[str, Report]) -> None:
    finding = overlaps[name].checks[0]
    assert finding.verdict == ("pass" if OVERLAP[name][1] else "fail"), finding.message


TEXT = {
    "tspans": (
        '<text y="99" font-size="40"><tspan x="9">Ni</tspan><tspan>ght</tspan><tspan x="9" dy="50">Swim</tspan></text>',
        True,
    ),
    "neighbouring elements": (text("Night") + text("Swim", y=260), True),
    "capitals by style": (text("night swim", more='style="text-transform:uppercase"'), True),
    "letter by letter": ("".join(text(c, x=80 + 40 * i) for i, c in enumerate("NIGHTSWIM")), True),
    "doubled line by line": (
        text("Night") + text("Night", x=81) + text("Swim", y=260) + text("Swim", x=81, y=260),
        True,
    ),
    "two columns, line by line": (
        text("Night") + text("Other", x=600) + text("Swim", y=250) + text("Words", x=600, y=250),
        True,
    ),
    "many equal pieces": ("".join(text("Night", y=20 * n, size=15) for n in range(1, 70)), False),
    "hyphenated": (text("Night Sw-") + text("im", y=250), True),
    "not displayed": (text("Night Swim", more='display="none"') + text("Day"), False),
    "transparent": (text("Night Swim", more='opacity="0"') + text("Day"), False),
    "never drawn": (f"<defs>{TITLE}</defs>" + text("Day"), False),
    "clipped away": (
        f'<clipPath id="c"><rect width="5" height="5"/></clipPath><g clip-path="url(#c)">{TITLE}</g>'
        + text("Day", y=700),
        False,
    ),
    "only its title": ("<title>Night Swim</title>" + text("Day"), False),
}


@pytest.fixture(scope="module")
def texts(judge_all: JudgeAll) -> dict[str, Report]:
    return judge_all({name: svg(drawing) for name, (drawing, _) in TEXT.items()}, "poster.text")


@pytest.mark.parametrize("name", TEXT)
def test_text(name: str, texts: dict[str, Report]) -> None:
    finding = texts[name].checks[0]
    assert finding.verdict == ("pass" if TEXT[name][1] else "fail"), finding.message


def test_a_file_marked_as_hidden_is_judged_all_the_same(judge: Judge) -> None:
    drawing = svg(TITLE, text("faint", y=400, fill="#DDDDDD"), attributes=' aria-hidden="true"')
    report = judge({ENTRY: drawing}, "poster.text", "poster.contrast")
    assert [finding.verdict for finding in report.checks] == ["pass", "fail"]


def test_legible_ornament_is_read(judge: Judge) -> None:
    assert passes(judge, "poster.text", svg(text("Night Swim", size=60, more='aria-hidden="true"'), text("Day", y=400)))


@pytest.mark.parametrize(("words", "good"), [("Highlights of the lake", False), ("Li of the lake", True)])
def test_a_short_name_is_a_word_of_its_own(words: str, good: bool, judge: Judge) -> None:
    strings = [{"text": "Li", "pointer": "/params/speakers/0/name"}]
    assert passes(judge, "poster.text", svg(text(words)), strings=strings) is good


def outlined(darkroom: Sandbox, words: str) -> str:
    """The words as one path, 60 units high."""
    program = f"""
from fontTools.ttLib import TTFont
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
font = TTFont("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
glyphs, cmap, x, d = font.getGlyphSet(), font.getBestCmap(), 0, ""
for char in {words!r}:
    pen = SVGPathPen(glyphs)
    name = cmap[ord(char)]
    glyphs[name].draw(TransformPen(pen, (60 / 2048, 0, 0, -60 / 2048, x, 0)))
    d += pen.getCommands()
    x += glyphs[name].width * 60 / 2048
print(d)
"""
    status, path, words_of_error = darkroom.run(["python3", "-c", program])
    assert status == 0, words_of_error
    return f'<path transform="translate(80 300)" d="{path.decode().strip()}"/>'


def test_outlines_are_read(judge: Judge, darkroom: Sandbox) -> None:
    assert passes(judge, "poster.text", svg(outlined(darkroom, "Night Swim"), text("Day", y=600)))
    assert not passes(judge, "poster.text", svg(outlined(darkroom, "Night Walk"), text("Day", y=600)))


@pytest.mark.parametrize(("change", "good"), [(b"", True), (b"#FFFFFF", True), (b"#0B3954", False)])
def test_likeness(change: bytes, good: bool, judge: Judge, draw: Draw) -> None:
    """The PNG of the same drawing, and of one with its ground in another colour; drawn by another renderer."""
    drawing = svg(TITLE, text("Lake Road 3, from nine o'clock", y=400, size=22), '<circle cx="540" cy="900" r="300"/>')
    other = drawing.replace(b'fill="#FFFFFF"', b'fill="' + change + b'"', 1) if change else drawing
    report = judge({ENTRY: drawing, RASTER: draw(other, 1358)}, "png.matches_svg")
    assert (report.verdict == "accept") is good, report.checks
