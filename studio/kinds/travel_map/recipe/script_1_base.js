// The map, and what is drawn under the stops.
const trip = JSON.parse(document.getElementById("trip").textContent);
const words = trip.words;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const phone = matchMedia("(max-width: 760px)");
const panel = document.getElementById("panel");
const scroller = document.getElementById("scroll");
const dayOf = new Map(trip.days.map((day) => [day.n, day]));
const stops = new Map(trip.stops.map((stop) => [stop.n, stop]));

const map = L.map("map", {
  zoomControl: false, zoomSnap: 0.25, zoomDelta: 1, minZoom: 0, maxZoom: 19, attributionControl: false,
  zoomAnimation: !still.matches, fadeAnimation: !still.matches, markerZoomAnimation: !still.matches,
});
map.fitBounds(L.latLngBounds(trip.stops.map((stop) => stop.at)), { animate: false, maxZoom: 15 }); // markers need a view
const pane = (name, z) => {
  const made = map.createPane(name);
  made.style.zIndex = z;
  made.style.pointerEvents = "none";
  return made;
};
pane("land", 120);
pane("rings", 320);
pane("areas", 330);
pane("names", 340);
pane("lines", 410);
pane("arrows", 420);
pane("labels", 590);

// The base: land where there is any to see, rings of distance, the areas of the days.
const landRenderer = L.svg({ pane: "land", padding: 0.35 });
const copies = trip.land.flatMap((polygon) => {
  const turns = trip.far && !trip.world ? [0] : [-360, 0, 360];
  return turns.map((turn) => polygon.map((ring) => {
    const points = [];
    for (let i = 0; i < ring.length; i += 2) points.push([ring[i + 1], ring[i] + turn]);
    return points;
  }));
});
const css = getComputedStyle(document.documentElement);
const colour = (name) => css.getPropertyValue(name).trim();
const coast = [[20, 0.14], [8, 0.24]].map(([weight, opacity]) => ({
  weight, opacity, color: "#5E8CA0", fill: false, interactive: false, renderer: landRenderer, lineJoin: "round", smoothFactor: 1.5,
}));
const land = L.layerGroup([
  ...coast.map((style) => L.polygon(copies, style)),
  L.polygon(copies, {
    weight: 0.8, color: "#7C8C8B", opacity: 0.9, fillColor: colour("--paper"), fillOpacity: 1, interactive: false, renderer: landRenderer,
    smoothFactor: 1,
  }),
]);
for (const border of trip.borders) {
  const points = [];
  for (let i = 0; i < border.length; i += 2) points.push([border[i + 1], border[i]]);
  for (const turn of trip.world ? [-360, 0, 360] : [0]) {
    land.addLayer(L.polyline(points.map(([lat, lon]) => [lat, lon + turn]), {
      weight: 1, color: colour("--ink"), opacity: 0.28, dashArray: "5 3 1 3", interactive: false, renderer: landRenderer,
    }));
  }
}
const showLand = () => {
  const seen = trip.far || map.getZoom() <= 6;
  if (seen !== map.hasLayer(land)) seen ? land.addTo(map) : land.remove();
  map.getContainer().classList.toggle("water", seen);
};
const ringRenderer = L.svg({ pane: "rings", padding: 0.6 });
for (const ring of [...trip.rings].reverse()) {
  L.polygon(ring.line, { stroke: false, fillColor: colour("--panel"), fillOpacity: trip.far ? 0 : 0.26, interactive: false, renderer: ringRenderer }).addTo(map);
}
L.polyline(trip.graticule, { color: colour("--ink"), opacity: 0.075, weight: 1, interactive: false, renderer: ringRenderer }).addTo(map);
for (const ring of trip.rings) {
  L.polyline(ring.line, {
    color: colour("--ink"), opacity: 0.34, weight: 1, dashArray: "1 5", lineCap: "round", interactive: false, renderer: ringRenderer,
  }).addTo(map);
}
for (const line of trip.transfers) {
  L.polyline(line, {
    color: colour("--ink"), opacity: 0.55, weight: 1.6, dashArray: "1 6", lineCap: "round", interactive: false, renderer: ringRenderer,
  }).addTo(map);
}
const areaRenderer = L.svg({ pane: "areas", padding: 0.6 });
const lineRenderer = L.svg({ pane: "lines", padding: 0.6 });
const layersOf = new Map();
for (const day of trip.days) {
  const layers = [];
  for (const area of day.areas) {
    layers.push(L.polygon(area, {
      stroke: true, color: day.ink, weight: 1, opacity: 0.16, fillColor: day.ink, fillOpacity: 0.1, interactive: false, renderer: areaRenderer,
      smoothFactor: 0.5,
    }));
  }
  // A pale casing keeps crossing routes apart; the route of a day is one line.
  const whole = [];
  for (const parts of day.lines) {
    parts.forEach((part, index) => {
      const last = whole[whole.length - 1];
      if (index === 0 && last && last.at(-1)[0] === part[0][0] && last.at(-1)[1] === part[0][1]) last.push(...part.slice(1));
      else whole.push([...part]);
    });
  }
  if (whole.length) {
    const shape = { lineCap: "round", lineJoin: "round", interactive: false, renderer: lineRenderer, smoothFactor: 0.4 };
    layers.push(L.polyline(whole, { ...shape, color: colour("--panel"), weight: 7, opacity: 0.85 }));
    layers.push(L.polyline(whole, { ...shape, color: day.ink, weight: 3.5, opacity: 1, dashArray: day.dash || null }));
  }
  layers.forEach((layer) => layer.addTo(map));
  layersOf.set(day.n, layers);
}
