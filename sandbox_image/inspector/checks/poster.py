"""Checks of a poster as it is seen: Chromium draws the SVG, and its texts are measured there."""

from __future__ import annotations

from itertools import islice

from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.rendering import PAGE_WIDTH, Rendering
from sandbox_image.inspector.subject import Box, Evidence, Json, Spot, Subject
from sandbox_image.inspector.words import quoted

SHOWN = 4  # findings that a message spells out


def _place(rendering: Rendering, box: Box) -> Box:
    x, y, width, height = rendering.in_page_units(box)
    return (round(x, 1), round(y, 1), round(width, 1), round(height, 1))


@check("poster.text", limit_s=90.0)
def text(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each string of the brief is among the visible texts, in document order, without case and white space.

    Compared in Unicode's compatibility form (UAX 15, NFKC) with full case folding; short strings are whole words.

    What is not found so is looked for by OCR (Tesseract): titles may be outlines, or marked as ornament.
    """
    from sandbox_image.inspector.legibility import shadows
    from sandbox_image.inspector.words import Searcher

    rendering = Rendering.of(subject, args["file"])
    doubles = shadows(rendering)
    texts = [run for run in rendering.texts if not run.ornament and run.owner not in doubles]
    subject.facts["texts"] = [" ".join(run.text.split()) for run in rendering.texts][:500]
    searcher = Searcher(texts)
    strings = args["strings"]
    missing = [item for item in strings if not searcher.holds(item["text"])]
    found = len(strings) - len(missing)
    outlined: list[Json] = []
    unread = ""
    if missing and (rendering.outlines or any(run.ornament for run in rendering.texts)):
        outlined, unread = _read_outlines(rendering, missing, str(subject.brief.get("language", "en")))
        missing = [item for item in missing if item not in outlined]
    measured = f"{found + len(outlined)} of {len(strings)}"
    if outlined:
        measured += f", {len(outlined)} of them read from outlines"
    if not missing:
        found_in = [(item["text"], searcher.holder(item["text"])) for item in strings]
        spots = [Spot(_place(rendering, run.box), text) for text, run in found_in if run]
        return Evidence(True, measured, file=args["file"] if spots else None, spots=tuple(spots))
    named = ", ".join(f"{quoted(item['text'])} ({item['pointer']})" for item in missing[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    message = f"Not found on the poster: {named}{more}. Write them as visible text, as the brief spells them.{unread}"
    return Evidence(False, measured, message, file=args["file"])


def _read_outlines(rendering: Rendering, missing: list[Json], language: str) -> tuple[list[Json], str]:
    """Those of the missing strings that OCR reads on the poster, and a word on scripts that it cannot read."""
    from PIL import Image, ImageOps

    from sandbox_image.inspector import ocr
    from sandbox_image.inspector.pictures import on_white

    models, lacking = ocr.languages([item["text"] for item in missing], language)
    image = on_white(Image.fromarray(rendering.picture())).convert("L")
    if image.width > ocr.READ_WIDTH:
        image = image.resize((ocr.READ_WIDTH, round(image.height * ocr.READ_WIDTH / image.width)))
    words, found = "", []
    for layout, picture in ((11, image), (3, image), (11, ImageOps.invert(image))):
        words += " " + ocr.read(picture, models, layout)
        found = [item for item in missing if ocr.says(words, item["text"])]
        if len(found) == len(missing):
            break
    scripts = ", ".join(sorted(lacking))
    return found, f" Outlines in {scripts} script cannot be read here; keep them as text." if lacking else ""


@check("poster.overlap")
def overlap(subject: Subject, args: dict[str, Json]) -> Evidence:
    """No glyph's box lies over a glyph of another line, and none leaves the page.

    Boxes are the glyphs' ink by the font's metrics, through all transforms (SVG 2, 8.5); the separating axis theorem
    tells how deep they overlap.
    """
    from sandbox_image.inspector.legibility import OVERLAP_EM, outside, overlaps

    rendering = Rendering.of(subject, args["file"])
    beyond = list(islice(outside(rendering), 50))
    pairs = list(islice(overlaps(rendering), 50))
    sentences = [
        f"{quoted(line.text)} leaves the page by {off:.0f} px of {rendering.width}; make it smaller, wrap it or move "
        "it inside."
        for line, _, off in beyond
    ]
    sentences += [
        f"{quoted(a.text)} and {quoted(b.text)} lie over each other by {deep:.2f} em ({OVERLAP_EM:g} may be); move "
        "one or make it smaller."
        for a, b, _, deep in pairs
    ]
    spots = [Spot(_place(rendering, box), line.text) for line, box, _ in beyond]
    spots += [Spot(_place(rendering, box), f"{a.text} / {b.text}") for a, b, box, _ in pairs]
    if not sentences:
        return Evidence(True, 0)
    more = f" {len(sentences) - SHOWN} more like this." if len(sentences) > SHOWN else ""
    return Evidence(
        False,
        len(sentences),
        " ".join(sentences[:SHOWN]) + more,
        file=args["file"],
        spots=tuple(spots),
    )


@check("poster.contrast", limit_s=60.0)
def contrast(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each text against what is painted behind its own glyphs: WCAG 2.2 contrast ratio, SC 1.4.3's two levels.

    Relative luminance and contrast ratio as WCAG 2.2 defines them (`legibility`), of the pixels as Chromium paints
    them. Large is by size on a page `page_width` px wide. The percentile over a text's pixels counts, so that a
    gradient or picture may not swallow a part of it; a text under a later shape measures 1.
    """
    from sandbox_image.inspector.legibility import Reading, luminance, readings

    rendering = Rendering.of(subject, args["file"])
    enlarged = args["page_width"] / PAGE_WIDTH
    worst, failing, count = None, [], 0
    for reading in readings(rendering, args["percentile"]):
        count += 1
        size = reading.run.size * enlarged
        needed = args["large_minimum"] if size >= args["large_px"] - 0.01 else args["minimum"]
        if worst is None or reading.ratio / needed < worst[0].ratio / worst[1]:
            worst = (reading, needed)
        if reading.ratio < needed - 0.005:
            failing.append((reading, needed))
    if worst is None:
        return Evidence(True, None, "There is no text to judge.")
    measured = round(worst[0].ratio, 2)
    subject.facts["contrast"] = {"lowest": measured, "needed": worst[1], "texts": count}

    def spot(reading: Reading) -> Spot:
        return Spot(_place(rendering, reading.run.box), reading.run.text)

    if not failing:
        return Evidence(True, measured, file=args["file"], spots=(spot(worst[0]),))
    failing.sort(key=lambda item: item[0].ratio / item[1])
    sentences = []
    for reading, needed in failing[:SHOWN]:
        named = f"{quoted(reading.run.text)} is {_hex(reading.text_rgb)} on {_hex(reading.ground_rgb)}"
        if reading.ratio < 1.05:
            sentences.append(f"{quoted(reading.run.text)} cannot be seen: covered, or the colour of its ground.")
            continue
        lighter = luminance(reading.text_rgb) > luminance(reading.ground_rgb)
        advice = "the text lighter or the ground darker" if lighter else "the text darker or the ground lighter"
        sentences.append(f"{named}, {reading.ratio:.2f} : 1 where {needed:g} is needed; make {advice}.")
    more = f" {len(failing) - SHOWN} more texts are too faint." if len(failing) > SHOWN else ""
    spots = tuple(spot(reading) for reading, _ in failing)
    return Evidence(False, measured, " ".join(sentences) + more, file=args["file"], spots=spots)


def _hex(rgb: tuple[int, int, int]) -> str:
    return "#{:02X}{:02X}{:02X}".format(*rgb)


@preview("thumbnail.webp", ("poster",), rank=1)
def thumbnail(subject: Subject) -> Picture:
    """The drawn SVG; taken where there is no PNG."""
    from PIL import Image

    from sandbox_image.inspector.pictures import on_white, thumbnail

    rendering = Rendering.of(subject, subject.entry)
    return thumbnail(on_white(Image.fromarray(rendering.picture())))
