"""Checks of a PDF document: that it opens, that its pages can be drawn and show something, that its fonts travel."""

from __future__ import annotations

from sandbox_image.inspector.pdf_document import MAX_DRAWN, SHOW_PX, draw_pages, open_pdf
from sandbox_image.inspector.pictures import dominant_share, thumbnail
from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Subject

BLANK_SHARE = 0.99995  # of a document's paper in one colour: a page number alone is more
SHOWN = 4


@check("pdf.opens", limit_s=60.0)
def opens(subject: Subject, args: dict[str, Json]) -> Evidence:
    """It is whole (ISO 32000-1, 7.5), opens without a password, and its pages can be drawn, the first 60 at most."""
    path = args["file"]
    document = open_pdf(subject, path)
    pictures = subject.shared(f"pages {path}", lambda: draw_pages(document, 1, document.drawn))
    pages, (width, height) = document.told.pages, document.told.sizes[0]
    subject.note(path, "pdf", {"pages": pages, "width_mm": round(width, 1), "height_mm": round(height, 1)})
    drawn = f", {len(pictures)} drawn" if pages > MAX_DRAWN else ""
    return Evidence(True, f"{pages} page{'' if pages == 1 else 's'}{drawn}, {width:.0f} × {height:.0f} mm")


@check("pdf.not_blank", limit_s=60.0)
def not_blank(subject: Subject, args: dict[str, Json]) -> Evidence:
    """At least one page is more than one flat colour, as Poppler draws it (ISO 32000-1): 0.005 % of it are others.

    An empty page among others may be meant.
    """
    path = args["file"]
    document = open_pdf(subject, path)
    pictures = subject.shared(f"pages {path}", lambda: draw_pages(document, 1, document.drawn))
    shares = [dominant_share(picture) for picture in pictures]
    if min(shares) <= BLANK_SHARE:
        blank = sum(share > BLANK_SHARE for share in shares)
        return Evidence(True, f"{len(shares) - blank} of {len(shares)} pages show something")
    message = f"Every page of {path} is one flat colour; export it again and look at it."
    return Evidence(False, f"0 of {len(shares)} pages show something", message, file=path)


@check("pdf.fonts")
def fonts(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Every font is embedded (ISO 32000-1, 9.9), so that the text looks the same elsewhere; Type 3 fonts always are."""
    path = args["file"]
    told = open_pdf(subject, path).told
    missing = told.loose_fonts
    measured = f"{told.fonts - len(missing)} of {told.fonts} embedded"
    if not missing:
        return Evidence(True, measured)
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    words = f"{path} does not embed {', '.join(missing[:SHOWN])}{more}; export it with fonts embedded."
    return Evidence(False, measured, words, file=path)


@preview("thumbnail.webp", (), endings=(".pdf",))
def thumbnail_of_pdf(subject: Subject) -> Picture:
    """The first page."""
    return thumbnail(draw_pages(open_pdf(subject, subject.entry), 1, 1, width=SHOW_PX)[0])
