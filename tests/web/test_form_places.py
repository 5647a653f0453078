"""Stops of a trip from what people have: tables, GPX, GeoJSON; and what is refused."""

from __future__ import annotations

import json

import pytest

from studio.errors import BriefError
from web.forms import read_places

HEADED = "Name;Latitude;Longitude;Day;From\nSenso-ji;35,7148;139,7967;Day 2;09:00\nno position;;;1;\n"
PASTED = "Senso-ji\t35.7148\t139.7967\t2\nTokyo Tower\t35.6586\t139.7454\t2\n"
GPX = """<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1" creator="x">
<wpt lat="35.7148" lon="139.7967"><name>Senso-ji</name><desc>See the gate</desc></wpt>
<rte><rtept lat="-35.1" lon="-139.5"><name>South</name></rtept></rte></gpx>"""
GEO = json.dumps(
    {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "geometry": {"type": "Point", "coordinates": [139.7967, 35.7148]},
                "properties": {"名称": "浅草寺", "day": 2},
            },
            {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}, "properties": {}},
        ],
    }
)


def test_a_table_with_a_header_and_decimal_commas() -> None:
    assert read_places(HEADED, "/x") == [
        {"name": "Senso-ji", "lat": 35.7148, "lon": 139.7967, "day": 2, "start": "09:00"}
    ]


def test_a_table_without_a_header() -> None:
    found = read_places(PASTED, "/x")
    assert [stop["name"] for stop in found] == ["Senso-ji", "Tokyo Tower"]
    assert found[1]["lat"] == 35.6586


def test_gpx() -> None:
    found = read_places(GPX, "/x")
    assert found[0] == {"name": "Senso-ji", "lat": 35.7148, "lon": 139.7967, "day": 1, "activity": "See the gate"}
    assert (found[1]["name"], found[1]["lat"], found[1]["lon"]) == ("South", -35.1, -139.5)


def test_geojson() -> None:
    assert read_places(GEO, "/x") == [{"name": "浅草寺", "lat": 35.7148, "lon": 139.7967, "day": 2}]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "one line of words",
        "{not json",
        "<gpx><wpt",
        '<!DOCTYPE gpx [<!ENTITY a "aaaa">]><gpx><wpt lat="1" lon="2"><name>&a;</name></wpt></gpx>',
        "[" * 100_000,
    ],
)
def test_what_holds_no_place_is_refused_at_the_list(text: str) -> None:
    with pytest.raises(BriefError) as caught:
        read_places(text, "/brief/params/stops")
    assert [problem.pointer for problem in caught.value.problems] == ["/brief/params/stops"]
