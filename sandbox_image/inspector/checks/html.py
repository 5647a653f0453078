"""Checks of an HTML page as it is used: alone, without errors."""

from __future__ import annotations

from sandbox_image.inspector.page_visit import first, foreign_loads, heard, stops_of, tour
from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject

GROUP = "web page"  # one browser for all checks of a page
SHOWN = 4


@check("html.self_contained", limit_s=60.0)
def self_contained(subject: Subject, args: dict[str, Json]) -> Evidence:
    """With all network blocked, nothing is asked for, whatever is used, but tiles and pictures beside the page.

    Asked for is what the browser's network tells of (Fetch Standard) or what the page's policy kept back (CSP Level 3).

    With `beside`, scripts, styles and whatever else lies beside the page may be asked for too: it travels along.
    """
    path = args["file"]
    _visit(subject, path)
    every = heard(subject, path).loads
    loads = foreign_loads(every, beside=args.get("beside") is True)
    if not loads:
        tiles = sum(load.tile for load in every)
        return Evidence(True, f"nothing fetched{f' but {tiles} tiles' if tiles else ''}")
    named = ", ".join(f"{load.url[:120]} ({load.kind.lower()})" for load in loads[:SHOWN])
    more = f" and {len(loads) - SHOWN} more" if len(loads) > SHOWN else ""
    message = f"{path} fetches {named}{more}; put the content itself into the page, pictures and fonts as data: URIs."
    return Evidence(False, len(loads), message, file=path)


def _visit(subject: Subject, path: str) -> int:
    """See the page wide and narrow, use all that can be used, click each marker; how many controls were used."""
    from sandbox_image.inspector.map_visit import clicks, clicks_at_first

    stops, clicked = stops_of(subject), any(each.id == "map.popups" for each in subject.checks)
    # What this browser does comes before what the others are waited for.
    first(subject, path)
    if clicked:
        clicks_at_first(subject, path, stops)
    first(subject, path).wide.develop()
    used = tour(subject, path).controls
    if clicked:
        clicks(subject, path, stops)
    return used


@check("html.no_errors", limit_s=60.0)
def no_errors(subject: Subject, args: dict[str, Json]) -> Evidence:
    """No uncaught exception, no unhandled rejection, no console error: loading, using controls, wide and narrow.

    HTML Living Standard, 8.1.4 (runtime script errors, unhandled promise rejections); Console Standard (`error`,
    `assert`).
    """
    path = args["file"]
    used = _visit(subject, path)
    errors = heard(subject, path).faults
    if not errors:
        return Evidence(True, f"no error; {used} controls used")
    said = " ".join(f"“{error}”" for error in errors[:SHOWN])
    more = f" {len(errors) - SHOWN} more." if len(errors) > SHOWN else ""
    message = f"{path} reports {said}{more} Mend the cause; the page runs in a frame without network or storage."
    return Evidence(False, len(errors), message, file=path)
