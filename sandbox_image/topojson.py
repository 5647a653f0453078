"""Turns one object of a TopoJSON file into GeoJSON: python3 topojson.py FILE OBJECT >OUT.

Format: the TopoJSON specification, section 2.1 (arcs are shared lines, delta-encoded where there is a transform).
"""

import json
import sys
from pathlib import Path
from typing import Any

Point = list[float]


def decoded(topology: dict[str, Any]) -> list[list[Point]]:
    """All arcs of a topology in degrees."""
    transform = topology.get("transform")
    if transform is None:
        arcs: list[list[Point]] = topology["arcs"]
        return arcs
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    result = []
    for arc in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy, *_ in arc:
            x, y = x + dx, y + dy
            line.append([round(x * sx + tx, 4), round(y * sy + ty, 4)])
        result.append(line)
    return result


def feature(shape: dict[str, Any], arcs: list[list[Point]]) -> dict[str, Any]:
    """One polygon or multipolygon as a GeoJSON feature."""

    def ring(indexes: list[int]) -> list[Point]:
        line: list[Point] = []
        for index in indexes:
            arc = arcs[index] if index >= 0 else arcs[~index][::-1]
            line.extend(arc[1:] if line else arc)
        return line

    if shape["type"] == "Polygon":
        coordinates: list[Any] = [ring(indexes) for indexes in shape["arcs"]]
    else:
        coordinates = [[ring(indexes) for indexes in polygon] for polygon in shape.get("arcs", [])]
    geometry = {"type": shape["type"], "coordinates": coordinates}
    return {"type": "Feature", "properties": shape.get("properties", {}), "geometry": geometry}


def main(path: str, name: str) -> None:
    topology = json.loads(Path(path).read_text("utf-8"))
    arcs = decoded(topology)
    shapes = topology["objects"][name]["geometries"]
    features = [feature(shape, arcs) for shape in shapes if shape.get("type") in ("Polygon", "MultiPolygon")]
    json.dump(
        {"type": "FeatureCollection", "features": features}, sys.stdout, separators=(",", ":"), ensure_ascii=False
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
