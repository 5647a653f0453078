"""Checks of what a poster is drawn with: its fonts and its colours."""

from __future__ import annotations

from sandbox_image.inspector.geometry import bounds
from sandbox_image.inspector.registry import check
from sandbox_image.inspector.rendering import Rendering
from sandbox_image.inspector.subject import Evidence, Json, Subject

GROUP = "poster"  # shares the rendering with the other checks of the drawing

SHOWN = 4  # findings that a message spells out


@check("poster.glyphs", limit_s=60.0)
def glyphs(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Every character of every visible text has a glyph, in a family that the text names or in an installed font.

    Chromium's font matching tells, for embedded fonts as for installed ones; Fontconfig tells what it falls back on.
    Private-use characters (Unicode 16, 23.5) count only in a font that the text names.
    """
    from sandbox_image.inspector.tofu import LOST, missing

    rendering = Rendering.of(subject, args["file"])
    found = list(missing(rendering))
    if not found:
        characters = sum(len(run.glyphs) for run in rendering.texts)
        return Evidence(True, 0, "" if characters else "There is no text to judge.")
    named = ", ".join(f'{each.named} in "{" ".join(each.run.text.split())[:40]}"' for each in found[:SHOWN])
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    if all(each.text == LOST for each in found):
        advice = "a character was lost in decoding; write it anew in UTF-8"
    elif all(each.private for each in found):
        advice = "icon fonts are not installed: embed the icon's font as a data: URI, or draw the icon as a path"
    else:
        advice = "embed a font that has them, or write them otherwise"
    message = f"No font has {named}{more}: an empty box is drawn. Change it: {advice}."
    where = [glyph.quad for glyph in found[0].run.glyphs if glyph.char in found[0].text]
    box = bounds(where or [glyph.quad for glyph in found[0].run.glyphs])
    x, y, width, height = rendering.in_page_units(box)
    place = (round(x, 1), round(y, 1), round(width, 1), round(height, 1))
    return Evidence(False, len(found), message, file=args["file"], box=place)


@check("poster.palette", limit_s=60.0)
def palette(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The palette's background and primary are there, and together cover more than colours from outside the palette.

    A colour is there where a pixel is within `near` of it by CIEDE2000 (Sharma, Wu, Dalal 2005), or of its mix with
    another of the palette. Embedded pictures count neither for nor against; where they cover nearly all, nothing is claimed.
    """
    from sandbox_image.inspector.palettes import shares

    rendering = Rendering.of(subject, args["file"])
    colours, least = args["palette"], args["least"]
    found = shares(rendering, colours, args["near"], least)
    measured = {role: round(found.roles[role], 4) for role in least} | {"foreign": round(found.foreign, 4)}
    if found.drawn < args["drawn"]:
        return Evidence(True, measured, "Pictures cover the page; there is no colour of its own to judge.")
    sentences = []
    for role, share in least.items():
        if found.roles[role] < share:
            sentences.append(
                f"The palette's {role} {colours[role]} covers {found.roles[role]:.1%} of the poster, at least "
                f"{share:.1%} is expected; use it{' for the ground' if role == 'background' else ' for large shapes or the title'}."
            )
    if not sentences and found.ruling < found.foreign and found.foreign_rgb:
        commonest = "#{:02X}{:02X}{:02X}".format(*found.foreign_rgb)
        sentences.append(
            f"Colours from outside the palette cover {found.foreign:.0%} of the poster ({commonest} most), "
            f"{' and '.join(least)} only {found.ruling:.0%}; draw it in the brief's palette."
        )
    return Evidence(not sentences, measured, " ".join(sentences), file=args["file"] if sentences else None)
