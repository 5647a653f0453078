"""Checks that hold a poster's drawing against something: its PNG, and the brief's palette.

They have a browser of their own, beside the one in which the texts are measured.
"""

from __future__ import annotations

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.rendering import Rendering
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject
from sandbox_image.inspector.words import quoted

GROUP = "poster compared"


@check("png.matches_svg", limit_s=60.0)
def matches_svg(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The PNG against a fresh rendering: SSIM (Wang et al. 2004) of the whole, and of each letter at full size.

    A letter's window is its own box, at the best offset of a few pixels. Measured at 7 to 40 px a letter: renderings
    by Chromium, librsvg and ImageMagick, resized, as JPEG, in 48 colours, are ≥ 0.82; another digit ≤ 0.78 from 11 px.
    Where a font is not there, librsvg's rendering of what is on the PNG will do as well (`likeness.compare`).
    """
    from sandbox_image.inspector.likeness import compare

    rendering, file = Rendering.of(subject, args["svg"]), subject.file(args["png"])
    likeness = compare(rendering, args["png"], file, args["side_px"], args["minimum"], args["text_minimum"])
    measured = round(likeness.whole, 3)
    lowest = round(likeness.letters[0].value, 3) if likeness.letters else None
    subject.facts["likeness"] = {"whole": measured, "lowest_letter": lowest}
    if likeness.whole < args["minimum"]:
        message = (
            f"{args['png']} is not what {args['svg']} looks like (similarity {likeness.whole:.3f}, "
            f"{args['minimum']:g} is needed); render it again from the final SVG."
        )
        return Evidence(False, measured, message, file=args["png"])
    off = [letter for letter in likeness.letters if letter.value < args["text_minimum"]]
    spots = tuple(Spot(letter.box, letter.word) for letter in off or likeness.letters[:1])
    if not off:
        return Evidence(True, measured, file=args["png"] if spots else None, spots=spots)
    message = (
        f"{args['png']} shows something else where {args['svg']} says {quoted(off[0].word)} (similarity of its "
        f"{quoted(off[0].char)} {off[0].value:.3f}, {args['text_minimum']:g} is needed); render it again from the "
        "final SVG."
    )
    both: Json = {"whole": measured, "letter": round(off[0].value, 3)}
    return Evidence(False, both, message, file=args["png"], spots=spots)


@check("poster.palette", limit_s=60.0)
def palette(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The palette's background and primary are there, and together cover more than colours from outside the palette.

    A colour is there where a pixel is within `near` of it by CIEDE2000 (Sharma, Wu, Dalal 2005), or of its mix with
    another of the palette. Embedded pictures count neither way; where they cover nearly all, nothing is claimed.
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
            use = "the ground" if role == "background" else "large shapes or the title"
            sentences.append(
                f"The palette's {role} {colours[role]} covers {found.roles[role]:.2%} of the poster, at least "
                f"{share:.2%} is expected; use it for {use}."
            )
    if not sentences and found.ruling < found.foreign and found.foreign_rgb:
        commonest = "#{:02X}{:02X}{:02X}".format(*found.foreign_rgb)
        sentences.append(
            f"Colours from outside the palette cover {found.foreign:.0%} of the poster ({commonest} most), "
            f"{' and '.join(least)} only {found.ruling:.0%}; draw it in the brief's palette."
        )
    return Evidence(not sentences, measured, " ".join(sentences), file=args["file"] if sentences else None)
