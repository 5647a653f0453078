"""Checks of the PNG files: their sizes, and that there is something on them."""

from __future__ import annotations

from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject, Unfit

BLANK_SHARE = 0.9995  # of the pixels in one colour: nothing that a person would see is on it


@check("png.size")
def size(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Sizes from the header (ISO/IEC 15948, 11.2.2 IHDR): the height exactly, the width within the tolerance."""
    from sandbox_image.inspector.pictures import png_size

    measured, sentences, wrong = {}, [], []
    for wanted in args["files"]:
        path = wanted["path"]
        try:
            width, height = png_size(path, subject.file(path))
        except Unfit as problem:
            sentences.append(str(problem))
            wrong.append(path)
            continue
        measured[path] = f"{width} × {height}"
        if height != wanted["height"] or abs(width - wanted["width"]) > wanted["tolerance_px"]:
            sentences.append(
                f"{path} has {width} × {height} px; render it with {wanted['width']} × {wanted['height']} px."
            )
            wrong.append(path)
        if path == args["files"][0]["path"]:
            subject.facts["png"] = {"width": width, "height": height}
    return _told(measured, sentences, wrong)


def _told(measured: dict[str, Json], sentences: list[str], wrong: list[str]) -> Evidence:
    spots = tuple(Spot(file=path) for path in wrong)
    return Evidence(not sentences, measured, " ".join(sentences), file=wrong[0] if wrong else None, spots=spots)


@check("png.not_blank", limit_s=60.0)
def not_blank(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each picture decodes wholly (ISO/IEC 15948) and is more than one flat colour: 0.05 % of its pixels are others."""
    from sandbox_image.inspector.pictures import dominant_share, open_png

    measured, sentences, wrong = {}, [], []
    for path in args["files"]:
        try:
            share = dominant_share(open_png(path, subject.file(path)))
        except Unfit as problem:
            sentences.append(str(problem))
            wrong.append(path)
            continue
        measured[path] = round(share, 4)
        if share > BLANK_SHARE:
            sentences.append(f"{path} is one flat colour; render it again and look at it.")
            wrong.append(path)
    return _told(measured, sentences, wrong)


@preview("thumbnail.webp", ("poster",), rank=0)
def thumbnail(subject: Subject) -> Picture:
    """The delivered PNG, smaller."""
    from sandbox_image.inspector.pictures import open_png, thumbnail

    path = subject.entry.rsplit(".", 1)[0] + ".png"
    return thumbnail(open_png(path, subject.file(path)))
