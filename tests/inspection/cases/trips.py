"""Maps as models make them: late, layered, tabbed, and with faults that a quick look misses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from studio.brief import JsonObject
from studio.sandboxes.types import Sandbox
from tests.inspection.cases.case import Case, Files
from tests.inspection.pages import DRAWN, GOOD, LEAFLET, OSM, PLACES, STOPS, STYLE, brief


def _made(html: str, stops: Sequence[JsonObject]) -> Callable[[Sandbox], Files]:
    plan = "# Two days\n\n" + "\n".join(f"- {stop.get('start', '')} {stop['name']}" for stop in stops)

    def make(darkroom: Sandbox) -> Files:
        whole = html
        for mark, name in ((LEAFLET, "leaflet.js"), (STYLE, "leaflet.css")):
            if mark in whole:
                whole = whole.replace(mark, darkroom.read(f"/opt/studio/web/leaflet/{name}", 1 << 20).decode())
        return {"map.html": whole, "itinerary.md": plan}

    return make


def _good(name: str, how: str, html: str, stops: list[JsonObject] = STOPS, quick: bool = False) -> Case:
    return Case(name, "accept", how, brief(stops), _made(html, stops), quick=quick)


def _bad(
    name: str, fails: str, how: str, html: str, stops: list[JsonObject] = STOPS, given: bool = True, quick: bool = False
) -> Case:
    asked = brief(stops) if given else brief([])
    return Case(name, "reject", how, asked, _made(html, stops), tuple(fails.split()), quick)


def _page(**changes: object) -> str:
    return replace(GOOD, **changes).html  # type: ignore[arg-type]


GROUPS = "const groups = {1: L.layerGroup().addTo(map), 2: L.layerGroup()};"
LINES_IN_GROUPS = GOOD.lines.replace(".addTo(map)", ".addTo(groups[day])")
IN_GROUP = ".addTo(groups[s.day]).bindPopup(words(s))"
INTRO = (
    '<div id="intro" role="dialog" aria-modal="true" style="position:fixed;inset:0;z-index:5000;background:#000a">'
    '<div style="margin:200px auto;width:300px;background:#fff;padding:20px"><h2>Welcome</h2>'
    "<button onclick=\"document.getElementById('intro').remove()\">Start exploring</button></div></div>"
)
TABS = (
    DRAWN.replace(
        "</head>",
        "<style>input{position:absolute;opacity:0}label{padding:8px;background:#ddd;cursor:pointer}"
        ".day2{display:none}#r2:checked ~ svg .day2{display:inline}"
        "#r2:checked ~ svg .day1{display:none}</style></head>",
    )
    .replace(
        "<h1>Two days</h1>",
        "<h1>Two days</h1><input type=radio name=d id=r1 checked><label for=r1>Day 1</label>"
        "<input type=radio name=d id=r2><label for=r2>Day 2</label><br>",
    )
    .replace('set("tabindex", "0");', 'set("tabindex", "0"); set("class", "day" + s.day);')
    .replace("  map.append(line);", '  line.setAttribute("class", "day" + day); map.append(line);')
)
MENU = """menu.onclick = () => nav.hidden = !nav.hidden;
for (const d of [1, 2]) {
  const entry = nav.appendChild(document.createElement('button'));
  entry.textContent = 'Day ' + d;
  entry.onclick = () => { groups[3 - d].remove(); groups[d].addTo(map); nav.hidden = true; };
}"""
GROWING = """for (const d of [1, 2]) {
  const [a, b] = STOPS.filter(s => s.day === d).map(s => [s.lat, s.lon]);
  const at = i => [a[0] + (b[0] - a[0]) * i / 20, a[1] + (b[1] - a[1]) * i / 20];
  const line = L.polyline([at(0), at(1)]).addTo(map);
  let i = 2;
  const clock = setInterval(() => i > 20 ? clearInterval(clock) : line.addLatLng(at(i++)), 50);
}"""
FLIGHT = """.addTo(map).on('click', e => {
  map.flyTo(e.latlng, 15, {duration: 1.4});
  map.once('moveend', () => L.popup().setLatLng(e.latlng).setContent(words(s)).openOn(map));
})"""
FIJI: list[JsonObject] = [
    {"day": 1, "name": "Taveuni", "lat": -16.85, "lon": 179.95, "start": "09:00"},
    {"day": 1, "name": "Rabi", "lat": -16.5, "lon": -179.95, "start": "13:00"},
    {"day": 2, "name": "Kioa", "lat": -16.66, "lon": 179.9, "start": "10:00"},
    {"day": 2, "name": "Qamea", "lat": -16.77, "lon": -179.76, "start": "15:00"},
]
NAMES = ("رصيف الفوانيس", "سوق التوابل", "الصهريج القديم", "رصيف العبارات")
ARABIC: list[JsonObject] = [{**stop, "name": name} for stop, name in zip(STOPS, NAMES, strict=True)]
TWICE: list[JsonObject] = [
    STOPS[0], {**STOPS[0], "name": "Pier by night", "start": "20:00", "end": "22:00", "tip": "Late"}, *STOPS[2:]
]  # fmt: skip
BOTH = """; const same = STOPS.filter(o => o.lat === s.lat && o.lon === s.lon);
if (same[0] === s) L.marker([s.lat, s.lon], {icon: PIN, title: s.name}).addTo(map)
  .bindPopup(same.map(words).join('<hr>'))"""
SWAPPED = [STOPS[0], {**STOPS[1], "lat": STOPS[1]["lon"], "lon": STOPS[1]["lat"]}, *STOPS[2:]]
EXCHANGED = [{**STOPS[0], "lat": 41.03, "lon": 28.96}, *STOPS[1:3], {**STOPS[3], "lat": 41.01, "lon": 28.97}]
TABLE = "".join(f'<td style="min-width:90px">Column {number}</td>' for number in range(8))

CASES = [
    _good("a start page over the map", "a dialog with “Start exploring” comes first", _page(body=GOOD.body + INTRO),
          quick=True),
    _good("a map that begins after a while", "setTimeout around the whole script, for an effect",
          _page(before="setTimeout(() => { const map = L.map('map');", more="}, 1500);")),
    _good("markers one after the other", "a drop-in animation by setTimeout(…, 350 * i)",
          _page(popup="""; setTimeout(() => L.marker([s.lat, s.lon], {icon: PIN, title: s.name}).addTo(map)
          .bindPopup(words(s)), 350 * (STOPS.indexOf(s) + 1))""")),
    _good("a map made when it comes to sight", "IntersectionObserver below a long introduction",
          _page(body="<h1>Two days</h1><p style='height:1200px'>Much first.</p><div id=map></div>",
                before="new IntersectionObserver((e, o) => { if (!e[0].isIntersecting) return; o.disconnect();"
                " const map = L.map('map');", more="}).observe(document.getElementById('map'));")),
    _good("a popup after a flight", "flyTo, and the popup at moveend", _page(popup=FLIGHT)),
    _good("days in the layer control", "L.control.layers, folded up, day 2 not on the map",
          _page(style=".leaflet-control-layers-toggle{background-image:none!important}", view=GOOD.view + GROUPS,
                lines=LINES_IN_GROUPS, popup=IN_GROUP,
                more="L.control.layers(null, {'Day 1': groups[1], 'Day 2': groups[2]}).addTo(map);")),
    _good("days in a menu that folds up", "a ☰ button opens the list of days, each closes it again",
          _page(body="<button id=menu>☰ Days</button><nav id=nav hidden></nav>" + GOOD.body, view=GOOD.view + GROUPS,
                popup=IN_GROUP, more=MENU)),
    _good("tabs by style sheet alone", "an SVG map, hidden radio buttons and :checked ~ svg", TABS, quick=True),
    _good("all days in one line of parts", "one L.polyline of a list of lists",
          _page(lines="L.polyline([1, 2].map(d => STOPS.filter(s => s.day === d).map(s => [s.lat, s.lon])))"
                ".addTo(map);")),
    _good("lines that grow", "the route is drawn step by step by addLatLng", _page(lines=GROWING)),
    _good("across the antimeridian", "islands on both sides of 180°", _page(stops=FIJI), FIJI),
    _good("Arabic, from right to left", "a brief in Arabic, dir=rtl",
          _page(stops=ARABIC).replace('<html lang="en">', '<html lang="ar" dir="rtl">'), ARABIC),
    _good("one marker for two stops at a place", "the day begins and ends at the same pier",
          _page(stops=TWICE, popup=BOTH), TWICE),
    _good("a button that asks where one is", "map.locate(), with locationerror handled; the frame forbids it",
          _page(body="<button id=me>Where am I?</button>" + GOOD.body,
                more="me.onclick = () => map.locate({setView: true}); map.on('locationerror', () => {});")),
    _good("tiles by WMS", "L.tileLayer.wms with its attribution; blocked like all tiles",
          _page(more="L.tileLayer.wms('https://maps.example/service', {layers: 'base', attribution: '© Land survey'})"
                ".addTo(map);")),
    _good("a map behind a tab on a phone", "a list first, a button shows the map",
          _page(style="#switch{display:none}@media(max-width:600px){#map{display:none}.on #map{display:block}"
                "#switch{display:block}}", body="<h1>Two days</h1><button id=switch>Map</button><p>Four stops</p>"
                "<div id=map></div>", more="document.getElementById('switch').onclick = () => { document.body.classList"
                ".toggle('on'); map.invalidateSize(); };")),
    _bad("a picture from the web on a phone only", "html.self_contained", "<source media=…> for small screens",
         _page(body=GOOD.body + '<picture><source media="(max-width: 600px)" srcset="https://pictures.example/s.jpg">'
               '<img alt="" width=9 height=9 src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="></picture>')),
    _bad("a button that fails before a stop is chosen", "html.no_errors", "“next” from a stop that is null",
         _page(body="<button id=next>Next</button>" + GOOD.body, before=GOOD.before + "let at = null;",
               popup=".addTo(map).bindPopup(words(s)).on('click', () => { at = s; })",
               more="document.getElementById('next').onclick = () => document.title = at.name;")),
    _bad("popups one stop off", "map.popups", "words(STOPS[i + 1]): an index that begins at 1",
         _page(popup=".addTo(map).bindPopup(words(STOPS[(STOPS.indexOf(s) + 1) % STOPS.length]))"), quick=True),
    _bad("two stops' coordinates exchanged", "map.place", "rows mixed up while copying from the brief",
         _page(stops=EXCHANGED)),
    _bad("one stop with lat and lon swapped", "map.place", "one row typed as x, y", _page(stops=SWAPPED)),
    _bad("words only while one hovers", "map.popups", "mouseover and mouseout; nothing on a phone",
         _page(before=GOOD.before + "const card = document.body.appendChild(document.createElement('div'));",
               popup=".addTo(map).on('mouseover', () => card.innerHTML = words(s))"
               ".on('mouseout', () => card.innerHTML = '')")),
    _bad("words in the title attribute only", "map.popups", "title: … taken for a popup",
         _page(marker="L.marker([s.lat, s.lon], {icon: PIN, title: words(s)})", popup=".addTo(map)")),
    _bad("one marker on top of another", "map.popups", "two stops at one place, two markers there",
         _page(stops=TWICE), TWICE),
    _bad("lines in the order of GeoJSON", "map.routes", "[lon, lat] fed to L.polyline, markers are right",
         _page(lines="for (const d of [1, 2]) L.polyline(STOPS.filter(s => s.day === d).map(s => [s.lon, s.lat]))"
               ".addTo(map);")),
    _bad("a picture from the web in each popup", "html.self_contained html.no_errors", "<img src=https:…> of the place",
         _page(popup=".addTo(map).bindPopup(words(s) + '<img width=80 src=\"https://pictures.example/p.jpg\">')")),
    _bad("an error in the last popup only", "html.no_errors", "a field that one of the chosen stops does not have",
         _page(stops=PLACES, popup=".addTo(map).bindPopup(words(s)).on('click', () => s === STOPS.at(-1) && s.x.y)"),
         PLACES, given=False),
    _bad("the library's own icons", "html.no_errors", "Leaflet pasted in, marker-icon.png not",
         _page(marker="L.marker([s.lat, s.lon], {title: s.name})")),
    _bad("a dialog that the frame keeps open", "html.no_errors", "<form method=dialog>, which a sandbox blocks",
         _page(body=GOOD.body + "<dialog id=d>Hello <form method=dialog><button>Go</button></form></dialog>",
               more="d.showModal();")),
    _bad("a click that never ends", "map.popups", "a loop over days whose counter is not counted up",
         _page(popup=".addTo(map).bindPopup(words(s)).on('click', () => { for (let d = 0; d < 2;) s.day; })")),
    _bad("a popup that the pointer opens and the click closes", "map.popups", "openPopup on mouseover with bindPopup",
         _page(popup=".addTo(map).bindPopup(words(s)).on('mouseover', e => e.target.openPopup())")),
    _bad("tile errors in the console", "html.no_errors", "on('tileerror', console.error)",
         _page(more=OSM.replace(".addTo(map)", ".on('tileerror', () => console.error('no tile')).addTo(map)"))),
    _bad("a wide table on a phone", "page.fits", "eight columns of prices below the map",
         _page(body=f"{GOOD.body}<table><tr>{TABLE}</tr></table>")),
    _bad("markers painted on a canvas", "map.markers", "fillRect for each stop instead of a marker",
         _page(before="const pen = document.getElementById('map').appendChild(document.createElement('canvas'))"
               ".getContext('2d');", view="", lines="", popup="",
               marker="pen.fillRect((s.lon - 28.94) * 3000, (41.04 - s.lat) * 2000, 9, 9)")),
    _bad("a name escaped twice", "map.popups", "escapeHtml on what was escaped before",
         _page(stops=[{**STOPS[0], "name": "Salt &amp;amp; Pepper"}, *STOPS[1:]]),
         [{**STOPS[0], "name": "Salt & Pepper"}, *STOPS[1:]]),
]  # fmt: skip
