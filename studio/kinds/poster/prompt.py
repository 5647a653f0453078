"""What a model is told about a poster brief."""

from __future__ import annotations

from studio.brief import Brief
from studio.kinds.poster.contract import required_files
from studio.kinds.poster.params import PosterParams

TEMPLATE = """\
Design a poster for an event. The whole brief is in /testbed/input/brief.json (its `params`), attachments lie beside \
it{documents}; /testbed/input/run.json holds a `seed` for choices that may vary.

What the person wants, in their own words:
{wish}

Language of every text on the poster (BCP 47): {language}. Names, dates and prices are printed exactly as the brief \
gives them.

Deliver to /testbed/output:
{files}
- poster.svg is the page itself, {width:g} × {height:g} mm: give it that width, height and a viewBox of that ratio. \
Words are real <text>; embed a subset of each font as a data: URI, so that it looks the same elsewhere. No script, no \
event handler, no foreignObject, nothing loaded from outside.
- poster.png is the SVG rendered at {raster_width} × {raster_height} px.{social}
- {print}
- design_specs.md lists the colours with their contrast, the sizes, the grid, and the poster's words as text.

How it is judged, by programs in a clean sandbox:
{checks}

What good looks like: a grid of 12 columns with a baseline; three type sizes with clear jumps (1.5 or more) and one \
display face; margins of 5 % and more. The name is read from across the street, and breaks where a reader would break \
it. One idea carries the page: a motif drawn from the palette and the subject, behind the words and never under them \
at full contrast, with a scrim where it is busy. Gradients are mixed in OKLCH, so that no middle is grey. Long names \
shrink a step, then wrap, and no column runs beyond the page; scripts run in their own direction, and lines break \
between words, not before a particle or inside a price. A page with little to say gets one giant title, one with many \
people a grid of cards, a wide one a title across and a strip of columns below. Missing fields leave no hole. \
Speakers without a photo get a monogram, a QR code its quiet zone and the address under it. Social versions are laid \
out anew for their shape. Beyond that, surprise us.

Write programs that read brief.json instead of copying its values, so that the design survives a changed brief. \
Measure text with fontTools or uharfbuzz instead of guessing. Python with Pillow, NumPy, fontTools, uharfbuzz, \
segno and lxml, a headless Chromium, ImageMagick and librsvg are installed, with Noto fonts for many scripts; \
`cat /opt/studio/README` says what else. Look at your PNG before you submit; `studio-check` runs the same checks \
on your outputs.
"""


_PRINT = "poster.pdf, if you make one, is the same page in vectors: one page of its exact size, fonts embedded."
_PRINT_WITH_BLEED = (
    "poster.pdf is the same page in vectors, fonts embedded, for a printer: its TrimBox is the page, and ground and "
    "motif run on for {bleed:g} mm on every side, which is its BleedBox."
)


def poster_prompt(brief: Brief, params: PosterParams, checks: list[tuple[str, str]]) -> str:
    """The task in words; `checks` are pairs of a check's id and what it expects."""
    social = "".join(
        f"\n- social_media_versions/{version.name}.png, exactly {version.width} × {version.height} px, is the same "
        "event laid out anew."
        for version in params.social
    )
    return TEMPLATE.format(
        documents=", documents in /testbed/documents",
        wish=brief.prompt.strip() or "(nothing further; the parameters say it all)",
        language=brief.language,
        files=", ".join(required_files(params)),
        width=params.page.width_mm,
        height=params.page.height_mm,
        raster_width=params.raster_width,
        raster_height=params.raster_height,
        social=social,
        print=_PRINT_WITH_BLEED.format(bleed=params.page.bleed_mm) if params.page.bleed_mm else _PRINT,
        checks="\n".join(f"- {name}: {expected}" for name, expected in checks),
    )
