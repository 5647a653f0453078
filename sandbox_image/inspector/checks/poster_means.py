"""The check of what a poster is written with: its fonts."""

from __future__ import annotations

from sandbox_image.inspector.geometry import bounds
from sandbox_image.inspector.registry import check
from sandbox_image.inspector.rendering import Rendering
from sandbox_image.inspector.subject import Box, Evidence, Json, Spot, Subject
from sandbox_image.inspector.tofu import LOST, Tofu, missing

GROUP = "poster"  # shares the rendering with the other checks of the drawing

SHOWN = 4  # findings that a message spells out


@check("poster.glyphs", limit_s=60.0)
def glyphs(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Every character of every visible text has a glyph, in a family that the text names or in an installed font.

    Chromium's font matching tells, for embedded fonts as for installed ones; Fontconfig tells what it falls back on.
    A font's characters are those of its `cmap` (OpenType 1.9). Private-use characters (Unicode 16, 23.5) count only in
    a font that the text names.
    """
    rendering = Rendering.of(subject, args["file"])
    found = list(missing(rendering))
    if not found:
        characters = sum(len(run.glyphs) for run in rendering.texts)
        return Evidence(True, 0, "" if characters else "There is no text to judge.")
    named = ", ".join(map(_where, found[:SHOWN]))
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    if all(each.text == LOST for each in found):
        advice = "a character was lost in decoding; write it anew in UTF-8"
    elif all(each.private for each in found):
        advice = "icon fonts are not installed: embed the icon's font as a data: URI, or draw the icon as a path"
    else:
        advice = "embed a font that has them, or write them otherwise"
    message = f"No font has {named}{more}: an empty box is drawn. Change it: {advice}."
    spots = tuple(Spot(_place(rendering, each), each.named) for each in found)
    return Evidence(False, len(found), message, file=args["file"], spots=spots)


def _place(rendering: Rendering, tofu: Tofu) -> Box:
    """The first such character's box in the page's own units, or its text's."""
    glyphs = tofu.run.glyphs
    box = bounds(glyph.quad for glyph in next(([each] for each in glyphs if each.char in tofu.text), glyphs))
    x, y, width, height = rendering.in_page_units(box)
    return (round(x, 1), round(y, 1), round(width, 1), round(height, 1))


def _where(tofu: Tofu) -> str:
    """The character's number, and the words around it where there are any that can be read."""
    words = " ".join("".join(char for char in tofu.run.text if char.isprintable()).split())
    return f'{tofu.named} in "{words[:40]}"' if words else tofu.named
