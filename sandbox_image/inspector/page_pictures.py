"""Are attached pictures to be seen on a page?"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.map_visit import clicks
from sandbox_image.inspector.page_visit import first
from sandbox_image.inspector.subject import Evidence, Json, Subject

ALIKE = 0.9  # correlation of 16 × 16 grey pixels; other photos measure below 0.7
SIDE = 16
INPUT = Path("/testbed/input")

Array: TypeAlias = Any


def on_page(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each attachment is seen in the first view or after a click, whole or cut to a square (correlation of greys)."""
    path = args["file"]
    stops: list[Json] = next((each.args["stops"] for each in subject.checks if each.id == "map.popups"), [])
    done = clicks(subject, path, stops)
    seen = [*first(subject, path).pictures, *done.pictures]
    seen += [picture for click in done.clicks for picture in click.pictures]
    shapes = [shape for picture in seen for shape in _of_page(picture)]
    measured = {item["name"]: round(_likeness(item["name"], shapes), 3) for item in args["images"]}
    missing = [item for item in args["images"] if measured[item["name"]] < ALIKE]
    if not missing:
        return Evidence(True, measured)
    named = ", ".join(f"{item['name']} ({item['pointer']})" for item in missing[:4])
    more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
    message = f"Nowhere seen: {named}{more}; put the picture into the page as a data: URI."
    return Evidence(False, measured, message, file=path)


def _likeness(name: str, shapes: list[Array]) -> float:
    """How alike the attachment and the likest picture of the page are, -1..1."""
    import PIL.Image
    import PIL.ImageOps

    file = INPUT / name
    if not file.is_file():
        raise RuntimeError(f"the attachment {name} was not handed to the inspection")
    try:
        with PIL.Image.open(file) as opened:
            opened.draft("RGB", (512, 512))
            image = PIL.ImageOps.exif_transpose(opened).convert("RGBA")
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError):
        return 1.0  # no picture that a page could show
    own = [_grey(image), _grey(_square(image))]
    return max((_correlation(a, b) for a in own for b in shapes), default=0.0)


def _of_page(picture: Json) -> list[Array]:
    import PIL.Image

    image = PIL.Image.frombytes("RGBA", (32, 32), bytes(picture["pixels"]))
    ratio = picture["width"] / max(1.0, picture["height"])
    whole = image.resize((max(1, round(64 * min(4.0, max(0.25, ratio)))), 64))
    return [_grey(image), _grey(_square(whole))]


def _square(image: Any) -> Any:
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side))


def _grey(image: Any) -> Array:
    import numpy
    import PIL.Image

    paper = PIL.Image.new("RGBA", image.size, "white")
    small = PIL.Image.alpha_composite(paper, image).convert("L").resize((SIDE, SIDE), PIL.Image.Resampling.BOX)
    return numpy.asarray(small, numpy.float64)


def _correlation(a: Array, b: Array) -> float:
    """Pearson's; flat pictures are alike when their grey is."""
    import numpy

    if a.std() < 2 or b.std() < 2:
        return 1.0 if a.std() < 2 and b.std() < 2 and abs(a.mean() - b.mean()) < 4 else 0.0
    return float(numpy.corrcoef(a.ravel(), b.ravel())[0, 1])
