"""What a poster's outputs must satisfy: a pure function of the brief's parameters.

The arguments of each check, as the inspector measures by them:

| check | args |
| --- | --- |
| `files.present` | `required`: list of paths, each a regular file that is not empty |
| `files.safe` | `max_files`, `max_bytes` |
| `svg.well_formed`, `svg.safe` | `file`: path of the SVG |
| `svg.page` | `file`; `width_mm`, `height_mm`: the page; `tolerance`: relative deviation of the ratio that is allowed |
| `poster.text` | `file`; `strings`: list of `{text, pointer}`: words that must appear, and where the brief gives them |
| `poster.overlap` | `file` |
| `poster.contrast` | `file`; `page_width`: the page is measured at this many px; `minimum`: ratio; `large_px`: glyphs from this font size up need only `large_minimum`; `percentile`: of the glyphs' pixels |
| `poster.glyphs` | `file` |
| `poster.palette` | `file`; `palette`: role → #RRGGBB; `near`: CIEDE2000 distance within which a pixel has a colour; `least`: role → share of the page that it must cover; `drawn`: with less of the page free of embedded pictures, nothing is judged |
| `poster.qr` | `file`: the PNG; `url`: what a code must say; `pointer`: where the brief gives it. Only where it does |
| `pdf.page` | `file`; `width_mm`, `height_mm`: the trimmed page; `tolerance_mm`; `bleed_mm`, where one is asked for. Else only where the file was made |
| `png.size` | `files`: list of `{path, width, height, tolerance_px}`; the tolerance is for the width only |
| `png.matches_svg` | `svg`, `png`: paths; `minimum`: similarity at `side_px`; `text_minimum`: within each text's box at full size |
| `png.not_blank` | `files`: list of paths |
| `text.present` | `file`; `needs`: `{what, colours}`: how many different colours the design notes must name |
| `images.used` | `images`: list of `{name, pointer}`: attachments, and where the brief places them; `files`: pictures, in one of which each has to be seen |
"""  # noqa: E501

from __future__ import annotations

from pydantic import JsonValue

from studio.brief import attachment_references, pointer
from studio.contract import MAX_FILES, MAX_OUTPUT_BYTES, Check, Contract
from studio.kinds.poster.params import PosterParams

ENTRY = "poster.svg"
RASTER = "poster.png"
PRINT = "poster.pdf"
SPECS = "design_specs.md"
SPEAKER_FIELDS = ("name", "title", "company", "topic")
UNMEASURED = ("prompt", "style", "whether dates, prices and names are true")


def social_path(name: str) -> str:
    """Where the social version called `name` lies in the outputs."""
    return f"social_media_versions/{name}.png"


def required_files(params: PosterParams) -> list[str]:
    """Every deliverable that must be there, the entry first; the PDF where a bleed is asked for."""
    prints = [PRINT] if params.page.bleed_mm else []
    return [ENTRY, RASTER, *prints, SPECS, *(social_path(version.name) for version in params.social)]


def required_strings(params: PosterParams) -> list[dict[str, JsonValue]]:
    """What the poster must say, each with the JSON Pointer of the field that says so."""
    found: list[dict[str, JsonValue]] = []
    for field in ("name", "date", "venue"):
        found.append({"text": getattr(params.event, field), "pointer": pointer("params", "event", field)})
    for index, speaker in enumerate(params.speakers):
        for field in SPEAKER_FIELDS:
            if text := getattr(speaker, field):
                found.append({"text": text, "pointer": pointer("params", "speakers", index, field)})
    return found


def sizes_args(params: PosterParams) -> list[JsonValue]:
    """The exact size of every picture, as the check takes it."""
    sizes: list[JsonValue] = [
        {"path": RASTER, "width": params.raster_width, "height": params.raster_height, "tolerance_px": 1}
    ]
    for version in params.social:
        size: JsonValue = {
            "path": social_path(version.name),
            "width": version.width,
            "height": version.height,
            "tolerance_px": 0,
        }
        sizes.append(size)
    return sizes


def placed_images(params: PosterParams) -> list[dict[str, JsonValue]]:
    """The attachments that the brief places, each with the JSON Pointer of the field that does."""
    placed = attachment_references(params.model_dump(mode="json"), "params")
    return [{"name": name, "pointer": where} for where, name in placed]


def poster_contract(params: PosterParams) -> Contract:
    """All checks of a poster brief; the same parameters give the same contract."""
    files: list[JsonValue] = list(required_files(params))
    strings: list[JsonValue] = list(required_strings(params))
    pictures: list[JsonValue] = [RASTER, *(social_path(version.name) for version in params.social)]
    page, file = params.page, {"file": ENTRY}
    sizes = f"{RASTER} {params.raster_width} × {params.raster_height} px"
    if params.social:
        sizes += ", " + ", ".join(f"{version.name} {version.width} × {version.height} px" for version in params.social)
    checks: tuple[Check, ...] = (
        Check(
            id="files.present",
            expected=f"there and not empty: {', '.join(required_files(params))}",
            args={"required": files},
        ),
        Check(
            id="files.safe",
            expected=f"regular files only, at most {MAX_FILES}, {MAX_OUTPUT_BYTES >> 20} MiB together",
            args={"max_files": MAX_FILES, "max_bytes": MAX_OUTPUT_BYTES},
        ),
        Check(id="svg.well_formed", expected="XML without entity declarations, its root an SVG", args={**file}),
        Check(
            id="svg.safe",
            expected="no script, no event handler, no active foreignObject, nothing loaded but #… and data:",
            args={**file},
        ),
        Check(
            id="svg.page",
            expected=f"the ratio of {page.width_mm:g} × {page.height_mm:g} mm, within 0.5 %",
            args={**file, "width_mm": page.width_mm, "height_mm": page.height_mm, "tolerance": 0.005},
        ),
        Check(
            id="poster.text",
            expected=f"{len(strings)} strings of the brief (name, date, venue, speakers), each readable on the poster",
            args={**file, "strings": strings},
        ),
        Check(
            id="poster.overlap",
            expected="no text over another text, none beyond the page",
            args={**file},
        ),
        Check(
            id="poster.contrast",
            expected="every text at least 4.5 : 1 on what is behind it, or 3 : 1 from 24 px up on a page 1080 px wide",
            args={
                **file,
                "page_width": 1080,
                "minimum": 4.5,
                "large_px": 24,
                "large_minimum": 3.0,
                "percentile": 5,
            },
        ),
        Check(
            id="poster.glyphs",
            expected="every character has a glyph in an installed or embedded font",
            args={**file},
        ),
        Check(id="png.size", expected=sizes, args={"files": sizes_args(params)}),
        Check(
            id="png.matches_svg",
            expected=f"{RASTER} shows what {ENTRY} renders to",
            args={"svg": ENTRY, "png": RASTER, "minimum": 0.97, "side_px": 512, "text_minimum": 0.8},
        ),
        Check(id="png.not_blank", expected="more than one flat colour in each picture", args={"files": pictures}),
    )
    checks += (_palette(params), *_qr(params), *_images(params), _pdf(params), _specs())
    return Contract(kind="poster", entry=ENTRY, checks=checks, unmeasured=UNMEASURED)


def _palette(params: PosterParams) -> Check:
    colours = params.palette
    return Check(
        id="poster.palette",
        severity="should",
        expected=f"background {colours.background} and primary {colours.primary} dominate",
        args={
            "file": ENTRY,
            "palette": colours.model_dump(mode="json"),
            "near": 10,
            "least": {"background": 0.01, "primary": 0.003},
            "drawn": 0.1,
        },
    )


def _qr(params: PosterParams) -> list[Check]:
    if not params.registration.url:
        return []
    args: dict[str, JsonValue] = {
        "file": RASTER,
        "url": params.registration.url,
        "pointer": pointer("params", "registration", "url"),
    }
    return [Check(id="poster.qr", expected=f"a QR code on {RASTER} opens {params.registration.url}", args=args)]


def _images(params: PosterParams) -> list[Check]:
    images = placed_images(params)
    if not images:
        return []
    names = ", ".join(dict.fromkeys(str(image["name"]) for image in images))
    args: dict[str, JsonValue] = {"images": list(images), "files": [RASTER]}
    return [Check(id="images.used", expected=f"to be seen on the poster: {names}", args=args)]


def _specs() -> Check:
    needs: list[JsonValue] = [{"what": "the colours by their values, such as #1D3461", "colours": 2}]
    return Check(
        id="text.present",
        severity="should",
        expected=f"{SPECS} names the colours by their values",
        args={"file": SPECS, "needs": needs},
    )


def _pdf(params: PosterParams) -> Check:
    page = params.page
    args: dict[str, JsonValue] = {
        "file": PRINT,
        "width_mm": page.width_mm,
        "height_mm": page.height_mm,
        "tolerance_mm": 0.5,
    }
    if not page.bleed_mm:
        return Check(
            id="pdf.page",
            if_present=PRINT,
            expected=f"{PRINT}, where there is one: one page of {page.width_mm:g} × {page.height_mm:g} mm, "
            "fonts embedded",
            args=args,
        )
    return Check(
        id="pdf.page",
        expected=f"{PRINT}: one page, its TrimBox {page.width_mm:g} × {page.height_mm:g} mm, its BleedBox "
        f"{page.bleed_mm:g} mm larger on every side, fonts embedded",
        args={**args, "bleed_mm": page.bleed_mm},
    )
