"""Checks of an SVG file as a document: its form, its safety, its page."""

from __future__ import annotations

from itertools import islice

from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Subject
from sandbox_image.inspector.svg_document import load, pixels, view_box

LEAST_SHARE = 0.0005  # of the pixels differ from the first: less is nothing that a person would see


@check("svg.well_formed")
def well_formed(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The file is well-formed XML (XML 1.0, 5th edition) whose root is `svg` in the SVG namespace (SVG 2, 5.1).

    A DOCTYPE may stand; an entity declaration may not, whether it is used or not.
    """
    document = load(subject, args["file"])
    return Evidence(True, f"{document.elements} elements")


@check("svg.safe")
def safe(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Nothing in the file runs or loads anything (SVG 2, 2.2 "secure static mode" holds without a browser's help)."""
    from sandbox_image.inspector.svg_safety import dangers

    document = load(subject, args["file"])
    found = list(islice(dangers(document.root), 20))
    sentences = [f"{args['file']}, {danger}." for danger in found[:4]]
    if len(found) > 4:
        sentences.append("There is more of it." if len(found) == 20 else f"{len(found) - 4} more of this kind.")
    return Evidence(not found, len(found), " ".join(sentences), file=args["file"] if found else None)


@check("svg.not_blank", limit_s=60.0)
def not_blank(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Drawn as an image, on nothing, it is more than one flat colour or none (SVG 2, 2.2: secure static mode)."""
    from sandbox_image.inspector.svg_picture import drawn

    path = args["file"]
    picture = drawn(subject, path)
    height, width = picture.shape[:2]
    subject.note(path, "picture", {"width": width, "height": height})
    flat = picture.reshape(-1, 4).astype("int32")
    # A pixel as it looks on black and on white: the same twice where it covers all, far apart where it covers nothing.
    cover = flat[:, 3:]
    looks = [flat[:, :3] * cover // 255 + ground * (255 - cover) // 255 for ground in (0, 255)]
    other = (abs(looks[0] - looks[0][0]).max(axis=1) > 4) | (abs(looks[1] - looks[1][0]).max(axis=1) > 4)
    painted, share = float((cover > 10).mean()), float(other.mean())
    measured = {"painted": round(painted, 5), "other than the first pixel": round(share, 5)}
    if share > LEAST_SHARE:
        return Evidence(True, measured)
    what = "one flat colour" if painted > 0.5 else "empty: nothing in it is painted within its viewBox"
    return Evidence(False, measured, f"{path} is {what}; render it and look at it.", file=path)


@check("svg.page")
def page(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Width : height is the brief's within the tolerance, by the sizing of CSS Images 3 and SVG 2, 8.2.

    Both the root's absolute `width` and `height` and its `viewBox`, where given, must have the ratio: if they disagree,
    the drawing sits on a page of another shape.
    """
    root = load(subject, args["file"]).root
    width, height, box = pixels(root.get("width")), pixels(root.get("height")), view_box(root)
    ratios = {}
    if width and height and width > 0 and height > 0:
        ratios["width and height"] = width / height
    if box:
        ratios["viewBox"] = box[2] / box[3]
    wanted = args["width_mm"] / args["height_mm"]
    if not ratios:
        message = f'Give the root viewBox="0 0 {args["width_mm"]:g} {args["height_mm"]:g}" or a width and a height.'
        return Evidence(False, None, message, file=args["file"])
    off = {name: abs(ratio / wanted - 1) for name, ratio in ratios.items()}
    worst = max(off, key=lambda name: off[name])
    measured = round(ratios[worst], 5)
    if off[worst] <= args["tolerance"]:
        return Evidence(True, measured)
    message = (
        f"The page's ratio by {worst} is {measured:g}, the brief's is {wanted:.5g} "
        f"({off[worst]:.1%} off); make it {args['width_mm']:g} : {args['height_mm']:g}."
    )
    return Evidence(False, measured, message, file=args["file"])


@preview("thumbnail.webp", (), endings=(".svg",))
def thumbnail(subject: Subject) -> Picture:
    """The drawing, on white, or on a dark ground where it is painted in light colours only."""
    import numpy
    from PIL import Image

    from sandbox_image.inspector.pictures import thumbnail
    from sandbox_image.inspector.svg_picture import drawn

    picture = drawn(subject, subject.entry)
    painted = picture[picture[..., 3] > 128][:, :3]
    light = len(painted) and float(numpy.percentile(painted.mean(axis=1), 5)) > 215 and painted.size < picture.size / 2
    ground = Image.new("RGBA", (picture.shape[1], picture.shape[0]), "#2B3134" if light else "#FFFFFF")
    return thumbnail(Image.alpha_composite(ground, Image.fromarray(picture)))
