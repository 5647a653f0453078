"""Where on the first view at 1280 px a map's stops and markers are: the places of its findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox_image.inspector.map_visit import Click, Shown
from sandbox_image.inspector.page_tour import key_of
from sandbox_image.inspector.page_views import WIDE
from sandbox_image.inspector.page_visit import First
from sandbox_image.inspector.subject import Box, Json, Spot

PAGE: Box = (0.0, 0.0, float(WIDE[0]), float(WIDE[1]))


def of_markers(found: First, clicks: Iterable[Click]) -> tuple[Spot, ...]:
    """The markers that are in sight at first, by what they are called."""
    return of_each(found, (click.marker for click in clicks))


def of_each(found: First, markers: Iterable[Json]) -> tuple[Spot, ...]:
    """The same of markers that need not have been clicked."""
    seen = ((marker, _box(found, marker)) for marker in markers)
    return tuple(Spot(box, name_of(marker), page=PAGE) for marker, box in seen if box)


def of_stops(found: First, stops: Sequence[Json], shown: Iterable[Shown], *, own: bool = False) -> tuple[Spot, ...]:
    """The markers of the brief's stops; where one has none in sight (or `own`), where the map has the stop's position.

    `stops` are all stops of the brief, in the order in which their positions were looked up.
    """
    spots = []
    for each in shown:
        box = _box(found, each.click.marker) if each.click and not own else None
        if box is None and found.expected and (index := stops.index(each.stop)) < len(found.expected):
            box = _tuple(found.expected[index])
        if box:
            spots.append(Spot(box, each.stop["name"], page=PAGE))
    return tuple(spots)


def of_positions(
    found: First, stops: Sequence[Json], positions: Iterable[Sequence[float]], label: str
) -> tuple[Spot, ...]:
    """Where the map has these positions of stops (latitude, longitude)."""
    wanted = {(point[0], point[1]) for point in positions}
    pairs = zip(stops, found.expected, strict=False)
    boxes = [(_tuple(box), stop["name"]) for stop, box in pairs if (stop["lat"], stop["lon"]) in wanted]
    return tuple(Spot(box, f"{label}, {name}", page=PAGE) for box, name in boxes if box)


def _box(found: First, marker: Json) -> Box | None:
    """A marker may have been made anew since, with another number: what tells it from others finds it."""
    return _tuple(found.boxes.get(key_of(marker)))


def _tuple(box: Sequence[float] | None) -> Box | None:
    if box is None:
        return None
    x, y, width, height = box
    return x, y, width, height


def name_of(marker: Json) -> str:
    """The first of the words by which a marker is called: its title, or else what it shows."""
    return " ".join(str(marker["label"]).strip().split("\n")[0].split())
