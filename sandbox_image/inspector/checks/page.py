"""Checks of an HTML page as it is seen, and its thumbnail."""

from __future__ import annotations

from sandbox_image.inspector.page_views import (
    BLANK_SHARE,
    LEAST_LETTERS,
    NARROW,
    OVERFLOW_PX,
    PREVIEW_WIDTH,
    WIDE,
    View,
)
from sandbox_image.inspector.page_visit import first, narrow
from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Box, Evidence, Json, Spot, Subject

GROUP = "web page"


def _views(subject: Subject, path: str, widths: list[int] | None = None) -> list[View]:
    views = [first(subject, path).wide, narrow(subject, path)]
    return [view for view in views if widths is None or view.width in widths]


@check("page.not_blank", limit_s=60.0)
def not_blank(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The window is more than one flat colour, wide and narrow, and there are words in it.

    The picture is Chromium's of the window; the words are the page's rendered text (HTML Living Standard, `innerText`).
    """
    path = args["file"]
    measured, sentences = {}, []
    for view in _views(subject, path):
        share = view.one_colour
        measured[f"{view.width} px"] = {"one colour": round(share, 5), "characters": view.letters}
        if share > BLANK_SHARE:
            sentences.append(
                f"{path} is one flat colour at {view.width} px ({share:.2%} of the window); look at a screenshot, and "
                "whether what draws it runs."
            )
        elif view.letters < LEAST_LETTERS:
            sentences.append(f"{path} shows no text at {view.width} px; say on the page what it is.")
    return Evidence(not sentences, measured, " ".join(sentences), file=path if sentences else None)


@check("page.fits", limit_s=60.0)
def fits(subject: Subject, args: dict[str, Json]) -> Evidence:
    """At each width nothing scrolls sideways (CSSOM View: scrollWidth of the scrolling element; WCAG 2.2 SC 1.4.10)."""
    path = args["file"]
    measured, sentences, spots = {}, [], []
    for view in _views(subject, path, args["widths"]):
        measured[f"{view.width} px"] = max(0, view.beyond)
        if view.beyond > OVERFLOW_PX:
            if view.widest_box:
                left, top, width, height = view.widest_box
                spots.append(Spot((left, top, width, height), view.widest, page=_page(view)))
            cause = f" {view.widest} is too wide;" if view.widest else ""
            sentences.append(
                f"At {view.width} px {path} is {view.beyond} px wider than the window;{cause} let it wrap or shrink."
            )
    return Evidence(not sentences, measured, " ".join(sentences), path if sentences else None, spots=tuple(spots))


def _page(view: View) -> Box:
    width, height = next(size for size in (WIDE, NARROW) if size[0] == view.width)
    return 0.0, 0.0, float(width), float(height)


@preview("thumbnail.webp", ("travel_map",), endings=(".html", ".htm"))
def thumbnail(subject: Subject) -> Picture:
    """The first view at 1280 px."""
    return first(subject, subject.entry).wide.preview(PREVIEW_WIDTH)


@preview("wide.webp", ("travel_map",), rank=0)
def wide(subject: Subject) -> Picture:
    """The same at its full width, on which what was found is drawn."""
    return first(subject, subject.entry).wide.preview(WIDE[0])


@preview("phone.webp", ("travel_map",), rank=0)
def phone(subject: Subject) -> Picture:
    """The first view at 390 px."""
    return narrow(subject, subject.entry).preview(PREVIEW_WIDTH)
