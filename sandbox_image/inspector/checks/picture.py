"""Checks of any picture, PNG or JPEG: that it is one, whole, and shows something."""

from __future__ import annotations

from sandbox_image.inspector.pictures import dominant_share, thumbnail
from sandbox_image.inspector.raster import format_of, picture_of, seen
from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Subject

BLANK_SHARE = 0.9995  # of the pixels in one colour: nothing that a person would see is on it


@check("picture.decodes", limit_s=60.0)
def decodes(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The file is what its name says and decodes to its last row (PNG: ISO/IEC 15948; JPEG: ITU-T T.81)."""
    path = args["file"]
    image = picture_of(subject, path)
    subject.note(path, "picture", {"width": image.width, "height": image.height})
    return Evidence(True, f"{format_of(path)}, {image.width} × {image.height} px, {image.mode}")


@check("picture.not_blank", limit_s=60.0)
def not_blank(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Not one flat colour: 0.05 % of the pixels of what the file decodes to (ISO/IEC 15948, ITU-T T.81) are others.

    Where a picture is partly transparent, that counts as a colour: a white icon is none.
    """
    path = args["file"]
    image = picture_of(subject, path)
    share = dominant_share(seen(subject, path))
    if share > BLANK_SHARE and (image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info):
        share = min(share, dominant_share(image.convert("RGBA").getchannel("A")))
    if share <= BLANK_SHARE:
        return Evidence(True, round(share, 4))
    return Evidence(False, round(share, 4), f"{path} is one flat colour; render it again and look at it.", file=path)


@preview("thumbnail.webp", (), endings=(".png", ".jpg", ".jpeg"))
def thumbnail_of_picture(subject: Subject) -> Picture:
    """The picture, smaller, turned as its metadata say."""
    import PIL.ImageOps

    return thumbnail(PIL.ImageOps.exif_transpose(seen(subject, subject.entry)))
