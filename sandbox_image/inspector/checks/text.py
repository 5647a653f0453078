"""Checks of the Markdown deliverable, the text equivalent of what is shown."""

from __future__ import annotations

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject

SHOWN = 4


@check("text.present")
def present(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The file is UTF-8 text, says something, and holds each string; case and white space do not count."""
    from sandbox_image.inspector.words import fold

    path = args["file"]
    try:
        text = subject.bytes_of(path, 4 << 20).decode("utf-8-sig")
    except UnicodeDecodeError:
        return Evidence(False, None, f"{path} is not UTF-8 text; write it anew.", file=path)
    marks = str.maketrans("", "", "*_`\\")
    said = fold(text.translate(marks))
    missing = [item for item in args["strings"] if fold(item["text"].translate(marks)) not in said]
    if len(said) < args.get("minimum_chars", 1):
        return Evidence(False, len(said), f"{path} says next to nothing; write what is shown.", file=path)
    measured = f"{len(args['strings']) - len(missing)} of {len(args['strings'])}"
    if not missing:
        return Evidence(True, measured)
    named = ", ".join(f'"{item["text"][:60]}" ({item["pointer"]})' for item in missing[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    return Evidence(False, measured, f"{path} does not name {named}{more}.", file=path)
