"""The places of a finding as the report has them: each box with the page that it lies on (studio.contract.Place)."""

from __future__ import annotations

from sandbox_image.inspector.pictures import png_size
from sandbox_image.inspector.subject import Box, Evidence, Json, Spot, Subject, Unfit

MOST = 24  # places of one finding
LABEL_CHARS = 80


def places_of(subject: Subject, evidence: Evidence) -> list[Json]:
    """All places of a finding, the first of them first; none where it names no file."""
    spots = evidence.spots or (Spot(evidence.box, time_s=evidence.time_s),)
    return [_place(subject, path, spot) for spot in spots[:MOST] if (path := spot.file or evidence.file)]


def _place(subject: Subject, path: str, spot: Spot) -> Json:
    found: dict[str, Json] = {"file": path, "box": None, "page": None, "time_s": spot.time_s, "until_s": spot.until_s}
    if spot.box is not None:
        page = spot.page or _page(subject, path)
        found |= {"box": _rounded(spot.box), "page": _rounded(page) if page else None}
    if label := " ".join(spot.label.split()):
        found["label"] = label if len(label) <= LABEL_CHARS else label[: LABEL_CHARS - 1] + "…"
    return found


def _rounded(box: Box) -> list[float]:
    return [round(float(value), 2) for value in box]


def _page(subject: Subject, path: str) -> Box | None:
    """The whole of a drawing in its own units, or of a PNG in pixels; None for what has no such page."""
    ending = path.rsplit(".", 1)[-1].lower()
    try:
        if ending == "png":
            width, height = png_size(path, subject.file(path))
            return 0.0, 0.0, float(width), float(height)
        if ending == "svg":
            from sandbox_image.inspector.rendering import page_of
            from sandbox_image.inspector.svg_document import load

            return page_of(load(subject, path))[0]
    except (Unfit, OSError, TimeoutError):
        pass
    return None
