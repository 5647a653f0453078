"""Places as people have them: a copied table, CSV, GPX 1.1 (waypoints, route points) or GeoJSON (RFC 7946).

All become stops of a trip, as far as they have a name and a position: latitude and longitude in degrees on WGS 84.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from pydantic import JsonValue

from studio.brief import JsonObject
from studio.errors import BriefError, Problem
from web.i18n import gettext

MAX_PLACES = 100
MAX_CHARS = 500_000

# What a column or a property may be called.
NAMES: Mapping[str, tuple[str, ...]] = {
    "name": ("name", "title", "stop", "place", "名称", "地点", "景点"),
    "lat": ("lat", "latitude", "纬度"),
    "lon": ("lon", "lng", "long", "longitude", "经度"),
    "day": ("day", "天", "第几天", "日"),
    "start": ("start", "from", "开始"),
    "end": ("end", "until", "to", "结束"),
    "activity": ("activity", "desc", "description", "活动"),
    "tip": ("tip", "note", "cmt", "提示"),
    "photo": ("photo", "照片"),
}
_FIELDS = {spelling: field for field, spellings in NAMES.items() for spelling in spellings}
_WITHOUT_HEADER = ("name", "lat", "lon", "day", "start", "end", "activity", "tip")


def read_places(text: str, pointer: str) -> list[JsonObject]:
    """The stops in `text`. Raises BriefError at `pointer` with what it lacks."""
    text = text.strip("\ufeff \r\n")
    if not text or len(text) > MAX_CHARS:
        raise _refused(pointer, gettext("Paste places, or choose a file with some."))
    try:
        if text[0] in "{[":
            rows = list(_of_geojson(json.loads(text)))
        elif "<gpx" in text[:2000]:
            rows = list(_of_gpx(text))
        else:
            rows = list(_of_table(text))
    except (ValueError, RecursionError, csv.Error, ElementTree.ParseError) as error:
        raise _refused(pointer, gettext("That cannot be read: %(reason)s", reason=str(error)[:160])) from None
    stops = [stop for row in rows if (stop := _stop(row))]
    if not stops:
        raise _refused(pointer, gettext("No place was found: each needs a name, a latitude and a longitude."))
    return stops[:MAX_PLACES]


def _refused(pointer: str, message: str) -> BriefError:
    return BriefError([Problem(pointer, message)])


def _stop(row: Mapping[str, JsonValue]) -> JsonObject | None:
    """The stop that a row says, with what is no number kept as text for the form; None without a position."""
    found: JsonObject = {}
    for key, value in row.items():
        field = _FIELDS.get(str(key).strip().casefold())
        if field and field not in found and value is not None and str(value).strip():
            found[field] = str(value).strip() if not isinstance(value, int | float) else value
    lat, lon = _degrees(found.get("lat")), _degrees(found.get("lon"))
    if lat is None or lon is None or not found.get("name"):
        return None
    day = re.search(r"\d+", str(found.get("day", "1")))
    return found | {"name": str(found["name"]), "lat": lat, "lon": lon, "day": int(day[0]) if day else 1}


def _degrees(value: JsonValue) -> float | None:
    try:
        return round(float(str(value).replace(",", ".").replace("\N{MINUS SIGN}", "-")), 6)
    except ValueError:
        return None


def _of_geojson(value: JsonValue) -> Iterable[JsonObject]:
    """Points of a FeatureCollection, a Feature or a list; a list may hold plain stops too."""
    if isinstance(value, list):
        for item in value:
            yield from _of_geojson(item)
        return
    if not isinstance(value, dict):
        return
    features = value.get("features")
    if isinstance(features, list):
        yield from _of_geojson(features)
        return
    geometry, properties = value.get("geometry"), value.get("properties")
    if isinstance(geometry, dict):
        position = geometry.get("coordinates")
        if geometry.get("type") == "Point" and isinstance(position, list) and len(position) > 1:
            own = properties if isinstance(properties, dict) else {}
            yield {**own, "lon": position[0], "lat": position[1]}
    else:
        yield value


def _of_gpx(text: str) -> Iterable[JsonObject]:
    if "<!" in text.replace("<!--", "").replace("<![CDATA[", ""):
        raise ValueError("a GPX file has no document type of its own")
    for element in ElementTree.fromstring(text).iter():
        if element.tag.rpartition("}")[2] in ("wpt", "rtept"):
            words: JsonObject = {child.tag.rpartition("}")[2]: child.text for child in element}
            yield {**words, "lat": element.get("lat"), "lon": element.get("lon")}


def _of_table(text: str) -> Iterable[JsonObject]:
    """Rows under a header; without one, columns are name, latitude, longitude, and then the others."""
    first = text.splitlines()[0]
    delimiter = max("\t;,", key=first.count)
    rows = list(csv.reader(text.splitlines(), delimiter=delimiter))
    header = [cell.strip().casefold() for cell in rows[0]]
    if sum(cell in _FIELDS for cell in header) < 2:
        header = list(_WITHOUT_HEADER)
    else:
        rows = rows[1:]
    for row in rows:
        yield dict(zip(header, row, strict=False))
