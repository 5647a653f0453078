"""A map by MapLibre, which draws lines and tiles on a canvas: they are taken from its style."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.inspection.pages import STOPS
from tests.inspection.test_pages import JudgePage, failing, judge_page, leaflet
from tests.inspection.third_party import Package, Unreachable, fetched

__all__ = ["judge_page", "leaflet"]  # fixtures

pytestmark = pytest.mark.slow

MAPLIBRE = Package("npm", "maplibre-gl", "4.7.1", "package/dist", {})
ROUTES = """map.on('load', () => [1, 2].forEach(day => {
  const coordinates = STOPS.filter(s => s.day === day).map(s => [s.lon, s.lat]);
  map.addSource('day' + day, {type: 'geojson', data: {type: 'LineString', coordinates}});
  map.addLayer({id: 'day' + day, type: 'line', source: 'day' + day, paint: {'line-color': '#a22', 'line-width': 4}});
}));"""
TILES = """osm: {type: 'raster', tiles: ['https://tile.openstreetmap.org/{z}/{x}/{y}.png'], tileSize: 256,
 attribution: '© OpenStreetMap'}"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its style sheet and script, as a page takes them in."""
    try:
        folder = fetched(MAPLIBRE, tmp_path_factory.mktemp("maplibre"))
    except Unreachable as reason:
        pytest.skip(f"not reachable here: {reason}")
    style = re.sub(r"url\((?!data)[^)]*\)", "none", (folder / "maplibre-gl.css").read_text("utf-8"))
    return f"<style>{style}</style><script>{Path(folder / 'maplibre-gl.js').read_text('utf-8')}</script>"


def page(library: str, sources: str = "", routes: str = ROUTES) -> str:
    layer = ", {id: 'tiles', type: 'raster', source: 'osm'}" if sources else ""
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Two days</title>{library}
<style>body {{ margin: 0 }} #map {{ height: 600px }}</style></head>
<body><h1>Two days</h1><div id="map"></div><script>
const STOPS = {json.dumps(STOPS)};
const ground = {{id: 'ground', type: 'background', paint: {{'background-color': '#dde'}}}};
const map = new maplibregl.Map({{container: 'map', center: [28.97, 41.015], zoom: 11.5,
  style: {{version: 8, sources: {{{sources}}}, layers: [ground{layer}]}}}});
const time = s => [s.start, s.end].filter(Boolean).join('–');
for (const s of STOPS) new maplibregl.Marker().setLngLat([s.lon, s.lat]).addTo(map)
  .setPopup(new maplibregl.Popup().setHTML([s.name, time(s), s.activity, s.tip].filter(Boolean).join('<br>')));
{routes}
</script></body></html>
"""


def test_lines_of_the_style_are_routes(library: str, judge_page: JudgePage) -> None:  # noqa: F811 - the fixture
    assert failing(judge_page(page(library))) == {}


def test_without_them_there_are_none(library: str, judge_page: JudgePage) -> None:  # noqa: F811 - the fixture
    assert list(failing(judge_page(page(library, routes="")))) == ["map.routes"]


def test_tiles_that_are_blocked_are_excused(library: str, judge_page: JudgePage) -> None:  # noqa: F811 - the fixture
    assert failing(judge_page(page(library, TILES))) == {}


def test_another_request_is_not(library: str, judge_page: JudgePage) -> None:  # noqa: F811 - the fixture
    asking = ROUTES + "fetch('https://api.example/weather').catch(console.error);"
    assert {"html.self_contained", "html.no_errors"} <= failing(judge_page(page(library, TILES, asking))).keys()
