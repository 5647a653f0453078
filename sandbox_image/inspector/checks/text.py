"""Checks of the text equivalents in Markdown."""

from __future__ import annotations

import re

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject, Unfit

SHOWN = 5


@check("text.present")
def present(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The file is UTF-8 text and names each of `strings`; case, white space and typographic variants do not count."""
    from sandbox_image.inspector.words import Haystack

    path = args["file"]
    try:
        text = subject.bytes_of(path, 4 << 20).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unfit(f"{path} is not UTF-8 text; save it as UTF-8.", path) from None
    plain = Haystack.of([re.sub(r"[*_`|#>]+", " ", text), text])
    missing = [string for string in args["strings"] if not plain.holds(string)]
    measured = f"{len(args['strings']) - len(missing)} of {len(args['strings'])}"
    if not missing:
        return Evidence(True, measured)
    named = ", ".join(f'"{string[:60]}"' for string in missing[:SHOWN])
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    return Evidence(False, measured, f"{path} does not name {named}{more}; it shall say what is shown.", file=path)
