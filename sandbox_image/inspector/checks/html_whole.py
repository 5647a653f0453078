"""A check of an HTML page as a document; it needs no browser, so it is done beside those that do."""

from __future__ import annotations

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject


@check("html.complete")
def complete(subject: Subject, args: dict[str, Json]) -> Evidence:
    """One document from its first tag to `</html>` (HTML Living Standard, 13.1 "Writing HTML documents")."""
    from sandbox_image.inspector.html_document import faults, text_of

    path = args["file"]
    found = faults(text_of(path, subject.bytes_of(path)))
    if not found:
        return Evidence(True, "whole")
    return Evidence(False, found[0], f"{path} {' '.join(found)}", file=path)
