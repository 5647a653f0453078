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


CASES = [
    _case("a title letter by letter", "accept", "spaced by hand, one text element each",
          svg(BAND, *(text(char, x=90 + 90 * at, y=300, size=120) for at, char in enumerate(NAME) if char != " "),
              WHEN, WHERE), quick=True),
    _case("the date in a link", "accept", "<a href=https:…> around it loads nothing",
          svg(BAND, TITLE, f'<a href="https://lake.example/">{WHEN}</a>', WHERE)),
    _case("exported for a fine screen", "reject", "a device scale factor of two", width=1400, fails="png.size"),
    _case("a square that is nearly one", "reject", "the crop was rounded up", square=png(300, 301, split=(9, 9, 9)),
          fails="png.size"),
    _case("a venue under a band", "reject", "the band was drawn last",
          svg(TITLE, WHEN, text(VENUE, y=900, size=60), BAND), fails="poster.contrast", quick=True),
    _case("a picture of yesterday's draft", "reject", "the date was changed and only the SVG saved",
          shown=GOOD.replace(DATE.encode(), b"28 June"), fails="png.matches_svg"),
]  # fmt: skip
