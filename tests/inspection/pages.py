"""Pages with a map, as models make them: with Leaflet in many ways, and without."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from studio.brief import Brief, JsonObject

LEAFLET, STYLE = "/*LEAFLET*/", "/*STYLE*/"  # where the library is pasted in
STOPS: list[JsonObject] = [
    {"day": 1, "name": "Lantern Pier", "lat": 41.01, "lon": 28.97, "start": "09:00", "end": "10:30", "tip": "Go early"},
    {"day": 1, "name": "Spice Hall", "lat": 41.02, "lon": 28.99, "start": "13:00", "activity": "Taste everything"},
    {"day": 2, "name": "Old Cistern", "lat": 41.0, "lon": 28.95, "start": "10:00", "end": "11:00"},
    {"day": 2, "name": "Ferry Point", "lat": 41.03, "lon": 28.96, "start": "15:30"},
]
PLACES: list[JsonObject] = [
    {
        "day": 1 + i // 3,
        "name": f"Chosen place {i}",
        "lat": 41.0 + 0.01 * i,
        "lon": 28.95 + 0.012 * (i % 4),
        "start": "09:00",
    }
    for i in range(6)
]
OSM = "L.tileLayer('https://tile.openstreetmap.org/{z}/{x}/{y}.png', {attribution: '© OpenStreetMap'}).addTo(map);"


def brief(stops: list[JsonObject] | None = None, days: int = 2) -> Brief:
    """A brief with the stops, or with none, so that a model chooses them."""
    params = {"destination": "Istanbul", "days": days, "stops": STOPS if stops is None else stops}
    if stops == []:
        params["center"] = {"lat": 41.01, "lon": 28.97}
    return Brief(kind="travel_map", title="Two days", params=params)


@dataclass(frozen=True)
class Page:
    """What differs between the pages; a field's own code replaces the usual one."""

    stops: list[JsonObject] = field(default_factory=lambda: STOPS)
    before: str = "const map = L.map('map');"
    view: str = "map.fitBounds(STOPS.map(s => [s.lat, s.lon]), {padding: [60, 60]});"
    lines: str = (
        "for (const day of [1, 2]) L.polyline(STOPS.filter(s => s.day === day).map(s => [s.lat, s.lon])).addTo(map);"
    )
    marker: str = "L.marker([s.lat, s.lon], {icon: PIN, title: s.name})"
    popup: str = ".addTo(map).bindPopup(words(s))"
    more: str = ""
    style: str = ""
    body: str = '<h1>Two days</h1><div id="map"></div>'
    head: str = ""
    end: str = "</html>\n"

    @property
    def html(self) -> str:
        names = json.dumps(self.stops)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Two days</title>'
            "<style>body{margin:0}#map{height:600px;background:#dde}.dot{width:20px;height:20px;background:#a22}"
            f"{STYLE}{self.style}</style>{self.head}"
            f"<script>{LEAFLET}</script></head><body>{self.body}<script>(() => {{const STOPS = {names};"
            "const time = s => [s.start, s.end].filter(Boolean).join('–');"
            "const words = s => [s.name, time(s), s.activity, s.tip].filter(Boolean).join('<br>');"
            "const PIN = L.divIcon({className: 'pin', html: '<div class=dot></div>', iconSize: [20, 20]});"
            f"{self.before}{self.view}{self.lines}"
            f"STOPS.forEach(s => {{ {self.marker}{self.popup}; }});{self.more}}})()</script></body>{self.end}"
        )


# The same without any library: a drawing whose marks have a role, a name and a position.
DRAWN = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Two days</title></head>
<body style="margin:0">
<h1>Two days</h1><svg id="map" viewBox="0 0 360 300" style="width:100%;max-width:600px"
 role="group" aria-label="Map">
<rect width="360" height="300" fill="#eee"/></svg><aside id="card" hidden></aside><script>
const STOPS = STOPS_HERE, NS = "http://www.w3.org/2000/svg", map = document.getElementById("map");
const xy = s => [(s.lon - 28.94) * 5000 + 20, (41.035 - s.lat) * 6000 + 30];
for (const day of [1, 2]) {
  const line = document.createElementNS(NS, "polyline");
  line.setAttribute("points", STOPS.filter(s => s.day === day).map(s => xy(s).join(",")).join(" "));
  line.setAttribute("style", "fill:none;stroke:#247;stroke-width:3");
  map.append(line);
}
for (const s of STOPS) {
  const mark = document.createElementNS(NS, "g");
  const set = (name, value) => mark.setAttribute(name, value);
  set("role", "button"); set("tabindex", "0"); set("aria-label", s.name);
  set("data-lat", s.lat); set("data-lon", s.lon);
  mark.innerHTML = `<circle cx="${xy(s)[0]}" cy="${xy(s)[1]}" r="9" fill="#a22"/>`;
  mark.addEventListener("click", () => {
    const card = document.getElementById("card");
    card.hidden = false;
    card.textContent = [s.name, s.start, s.end, s.activity, s.tip].filter(Boolean).join(" · ");
  });
  map.append(mark);
}
</script></body></html>
""".replace("STOPS_HERE", json.dumps(STOPS))

GOOD = Page()

CDN = '<script src="https://cdn.example/chart.js"></script>'
BARE_TILES = OSM.replace("© OpenStreetMap", "") + "map.attributionControl.setPrefix('');"

# Check → a page that fails it, and words that the message of the failure must hold. GOOD passes them all.
EXAMPLES: dict[str, tuple[str, str]] = {
    "html.complete": (Page(end="").html, "</html>"),
    "html.self_contained": (Page(head=CDN).html, "cdn.example/chart.js"),
    "html.no_errors": (Page(body='<button onclick="nothing()">Go</button>' + GOOD.body).html, "nothing"),
    "page.not_blank": ("<!DOCTYPE html><html><body></body></html>", "flat colour"),
    "page.fits": (Page(body=GOOD.body + '<p style="width:700px">Wide</p>').html, "390 px"),
    "map.markers": (Page(stops=STOPS[:3]).html, "Ferry Point"),
    "map.popups": (Page(popup=".addTo(map).bindPopup(s.name)").html, "13:00"),
    "map.routes": (Page(lines="").html, "day 1, day 2"),
    "map.place": (Page(marker="L.marker([s.lat + 0.05, s.lon], {icon: PIN, title: s.name})").html, "5.6 km"),
    "map.attribution": (Page(more=BARE_TILES).html, "attribution"),
    "images.used": (GOOD.html, "pier.png"),
    "text.present": ("# Two days\n\n- Lantern Pier, Spice Hall and the Old Cistern, then home\n", "Ferry Point"),
}  # fmt: skip
