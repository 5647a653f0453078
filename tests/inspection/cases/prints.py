"""Posters and their pictures for social media, as drawing programs and models export them."""

from __future__ import annotations

from studio.brief import Brief
from studio.sandboxes.types import Sandbox, Upload
from tests.inspection.cases.case import Case, Files
from tests.inspection.pictures import png, svg, text

NAME, DATE, VENUE = "Night Swim", "21 June", "Lake House"
SOCIAL = "social_media_versions/square.png"
BRIEF = Brief(
    kind="poster",
    title="Night Swim",
    params={
        "event": {"name": NAME, "date": DATE, "venue": VENUE},
        "raster_height": 990,
        "social": [{"name": "square", "width": 300, "height": 300}],
        "palette": {
            "primary": "#0B3954", "secondary": "#087E8B", "accent": "#FF5A5F", "background": "#FFFFFF",
            "text": "#111111",
        },
    },
)  # fmt: skip
BAND = '<rect y="700" width="1080" height="400" fill="#0B3954"/>'
TITLE = text(NAME, size=120, y=300)
WHEN, WHERE = text(DATE, y=500, size=60), text(VENUE, y=600, size=60)
GOOD = svg(BAND, TITLE, WHEN, WHERE)


def _case(
    name: str, verdict: str, how: str, drawing: bytes = GOOD, fails: str = "", quick: bool = False,
    width: int = 700, square: bytes = b"", shown: bytes = b"",
) -> Case:  # fmt: skip
    """`shown` is drawn for the PNG instead of the SVG."""

    def make(darkroom: Sandbox) -> Files:
        darkroom.upload([Upload("/testbed/drawn.svg", shown or drawing)])
        status, picture, words = darkroom.run(
            ["rsvg-convert", "-w", f"{width}", "-h", f"{990 * width // 700}", "/testbed/drawn.svg"]
        )
        assert status == 0, words
        return {
            "poster.svg": drawing,
            "poster.png": picture,
            SOCIAL: square or png(300, 300, (11, 57, 84), split=(255, 90, 95)),
            "design_specs.md": "# Design\n\n420 × 594 mm; #0B3954, #087E8B, #FF5A5F on #FFFFFF; #111111.\n",
        }

    return Case(name, verdict, how, BRIEF, make, tuple(fails.split()), quick)  # type: ignore[arg-type]


SMALL = text("Lighting by the little guild", y=680, size=40)
TINY = text("Lighting by the little guild", y=680, size=22)
CLIPPED = (
    '<defs><clipPath id="letters"><text x="80" y="300" font-size="130" font-weight="bold">Night Swim</text></clipPath>'
    '</defs><rect y="150" width="1080" height="200" fill="#0B3954" clip-path="url(#letters)"/>'
)
CURVED = (
    '<path id="arc" d="M100 400 Q540 200 980 400" fill="none"/><text font-size="100">'
    '<textPath href="#arc">Night Swim</textPath></text>'
)

CASES = [
    _case("a title letter by letter", "accept", "spaced by hand, one text element each",
          svg(BAND, *(text(char, x=90 + 90 * at, y=300, size=120) for at, char in enumerate(NAME) if char != " "),
              WHEN, WHERE), quick=True),
    _case("the date in a link", "accept", "<a href=https:…> around it loads nothing",
          svg(BAND, TITLE, f'<a href="https://lake.example/">{WHEN}</a>', WHERE)),
    _case("fonts that are not there", "accept", "a family of another machine, replaced by each program in its own way",
          svg(BAND, TITLE, text(DATE, y=500, size=44, more='font-family="MyriadPro-Regular"'),
              text(VENUE, y=600, size=44, more='style="font-family:sans-serif"')), quick=True),
    _case("a title cut out of a colour", "accept", "clipPath around the words, a rectangle behind them",
          svg(BAND, CLIPPED, WHEN, WHERE)),
    _case("each letter at its own place", "accept", "a list of x, of which the renderer takes the first",
          svg(BAND, text(NAME, y=300, size=100).replace('x="80"', 'x="80 170 240 310 380 470 540 640 700 760"'), WHEN,
              WHERE)),
    _case("an i that became an l", "reject", "read off a screenshot and typed anew",
          svg(BAND, TITLE, WHEN, WHERE, SMALL), fails="png.matches_svg",
          shown=svg(BAND, TITLE, WHEN, WHERE, SMALL).replace(b"Lighting", b"Llghting"), quick=True),
    _case("an i that became an l in small print", "reject", "type of 14 px on the PNG",
          svg(BAND, TITLE, WHEN, WHERE, TINY), fails="png.matches_svg",
          shown=svg(BAND, TITLE, WHEN, WHERE, TINY).replace(b"Lighting", b"Llghting")),
    _case("small print", "accept", "the same as it should be", svg(BAND, TITLE, WHEN, WHERE, TINY)),
    _case("a title that the renderer leaves out", "reject", "textPath, which librsvg does not draw",
          svg(BAND, CURVED, WHEN, WHERE), fails="png.matches_svg"),
    _case("exported for a fine screen", "reject", "a device scale factor of two", width=1400, fails="png.size"),
    _case("a square that is nearly one", "reject", "the crop was rounded up", square=png(300, 301, split=(9, 9, 9)),
          fails="png.size"),
    _case("a venue under a band", "reject", "the band was drawn last",
          svg(TITLE, WHEN, text(VENUE, y=900, size=60), BAND), fails="poster.contrast", quick=True),
    _case("a picture of yesterday's draft", "reject", "the date was changed and only the SVG saved",
          shown=GOOD.replace(DATE.encode(), b"28 June"), fails="png.matches_svg"),
]  # fmt: skip
