// The map, and what is drawn under the stops.
const trip = JSON.parse(document.getElementById("trip").textContent);
const { words, look } = trip;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const phone = matchMedia("(max-width: 760px)");
const panel = document.getElementById("panel");
const scroller = document.getElementById("scroll");
const dayOf = new Map(trip.days.map((day) => [day.n, day]));
const stops = new Map(trip.stops.map((stop) => [stop.n, stop]));
const grouped = new Set(trip.inset);

// What differs from look to look, in px and shares.
const STYLES = {
  plan: { pin: 15, route: 3.5, casing: 3.5, inner: 0, arrow: 1, ring: [0.3, "1 5"], grid: 0.13, coast: "#5E8CA0" },
  chart: { pin: 14, route: 2.4, casing: 2.5, inner: 0, glow: [[15, 0.13], [8, 0.2]], arrow: 0.95, ring: [0.5, "1 4"], grid: 0.07, coast: "#FFFFFF" },
  poster: { pin: 18, route: 8, casing: 3, inner: 2, arrow: 1.5, ring: [0, null], grid: 0, coast: "#FFFFFF" },
  metro: { pin: 14, route: 9, casing: 2.5, inner: 2.2, arrow: 0.95, ring: [0, null], grid: 0, coast: "#8899AA" },
};
const style = STYLES[look.name];

const map = L.map("map", {
  zoomControl: false, zoomSnap: 0.25, zoomDelta: 1, minZoom: 0, maxZoom: 19, attributionControl: false,
  zoomAnimation: !still.matches, fadeAnimation: !still.matches, markerZoomAnimation: !still.matches,
});
map.fitBounds(L.latLngBounds(trip.stops.map((stop) => stop.at)), { animate: false, maxZoom: 15 }); // markers need a view
const pane = (name, z) => {
  const made = map.createPane(name);
  made.style.zIndex = z;
  made.style.pointerEvents = "none";
  return L.svg({ pane: name, padding: 0.6 });
};
const fieldRenderer = pane("fields", 110);
const landRenderer = pane("land", 120);
const ringRenderer = pane("rings", 320);
const areaRenderer = pane("areas", 330);
pane("names", 340);
const lineRenderer = pane("lines", 410);
pane("arrows", 420);
pane("labels", 590);
const shape = (renderer, more) => ({ interactive: false, renderer, smoothFactor: 0.5, lineCap: "round", lineJoin: "round", ...more });

// Hatchings tell the days' areas apart without colour.
const HATCHES = [
  "M-2 2 2-2M0 8 8 0M6 10 10 6", "M-2 6 2 10M0 0 8 8M6-2 10 2", "M0 4H8", "M4 0V8", "M2 2h.01M6 6h.01", "M0 4H8M4 0V8", "M0 6 4 2 8 6", "M-2 2 2-2M0 8 8 0M6 10 10 6M0 0 8 8",
];
if (look.name === "plan") {
  const defs = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  defs.setAttribute("class", "defs");
  defs.setAttribute("aria-hidden", "true");
  defs.innerHTML = trip.days.map((day, index) => {
    const engraved = look.motif === "engraved";
    const path = engraved && index % 2 === 0 ? "M1 1h.01M5 5h.01" : HATCHES[index % HATCHES.length];
    const thick = /\.01/.test(path) ? 2.2 : 0.9;
    return `<pattern id="hatch-${day.n}" width="8" height="8" patternUnits="userSpaceOnUse"><path d="${path}" fill="none" stroke="${day.ink}" stroke-width="${thick}" stroke-linecap="round" opacity=".5"/></pattern>`;
  }).join("");
  document.body.append(defs);
}

// Flat fields of colour, land where there is any to see, rings of distance.
for (const field of trip.fields) {
  L.polygon(field.line, shape(fieldRenderer, { stroke: true, weight: 1.2, color: field.fill, fillColor: field.fill, fillOpacity: 1 })).addTo(map);
}
const copies = trip.land.flatMap((polygon) => {
  const turns = trip.far && !trip.world ? [0] : [-360, 0, 360];
  return turns.map((turn) => polygon.map((ring) => {
    const points = [];
    for (let i = 0; i < ring.length; i += 2) points.push([ring[i + 1], ring[i] + turn]);
    return points;
  }));
});
const poster = look.name === "poster";
const landFill = poster ? { fillColor: look.panel, fillOpacity: 0.5, color: look.ink, opacity: 0.4 } : { fillColor: look.paper, fillOpacity: 1, color: look.ink, opacity: 0.55 };
const coast = poster ? [] : look.name === "chart" ? [[16, 0.06], [6, 0.12]] : [[20, 0.12], [8, 0.2]];
const land = L.layerGroup([
  ...coast.map(([weight, opacity]) => L.polygon(copies, shape(landRenderer, { weight, opacity, color: style.coast, fill: false, smoothFactor: 1.5 }))),
  L.polygon(copies, shape(landRenderer, { weight: 0.9, ...landFill, smoothFactor: 1 })),
]);
for (const border of trip.borders) {
  const points = [];
  for (let i = 0; i < border.length; i += 2) points.push([border[i + 1], border[i]]);
  for (const turn of trip.world ? [-360, 0, 360] : [0]) {
    land.addLayer(L.polyline(points.map(([lat, lon]) => [lat, lon + turn]), shape(landRenderer, { weight: 1, color: look.ink, opacity: 0.3, dashArray: "5 3 1 3" })));
  }
}
const showLand = () => {
  const seen = trip.far || map.getZoom() <= 6;
  if (seen !== map.hasLayer(land)) seen ? land.addTo(map) : land.remove();
  map.getContainer().classList.toggle("water", seen);
};
const rings = [...trip.rings].reverse();
rings.forEach((ring, index) => {
  if (trip.far) return;
  const number = rings.length - index;
  const zone = look.name === "metro" ? { fillColor: number % 2 ? look.paper : look.water, fillOpacity: 1 }
    : look.name === "poster" ? { fillColor: look.casing, fillOpacity: look.motif === "bands" ? 0.055 : 0 }
    : look.name === "chart" ? { fillColor: "#FFFFFF", fillOpacity: 0.022 } : { fillColor: look.panel, fillOpacity: 0.2 };
  if (zone.fillOpacity) L.polygon(ring.line, shape(ringRenderer, { stroke: false, ...zone })).addTo(map);
});
if (trip.rays.length) {
  if (look.name === "chart") L.polyline(trip.rays, shape(ringRenderer, { color: look.ink, opacity: 0.13, weight: 0.8 })).addTo(map);
  else L.polygon(trip.rays.map((ray) => [ray]), shape(fieldRenderer, { stroke: false, fillColor: look.casing, fillOpacity: 0.14, smoothFactor: 0 })).addTo(map);
}
if (style.grid) L.polyline(trip.grid.lines, shape(ringRenderer, { color: look.ink, opacity: style.grid, weight: 1 })).addTo(map);
if (style.ring[0]) {
  for (const ring of rings) L.polyline(ring.line, shape(ringRenderer, { color: look.ink, opacity: style.ring[0], weight: 1, dashArray: style.ring[1] })).addTo(map);
}
if (trip.ticks) {
  L.polyline(trip.ticks.circles, shape(ringRenderer, { color: look.ink, opacity: 0.6, weight: 1 })).addTo(map);
  L.polyline(trip.ticks.marks, shape(ringRenderer, { color: look.ink, opacity: 0.6, weight: 1 })).addTo(map);
}
// From day to day, on a trip that goes from place to place.
const [passWeight, passDash] = { plan: [2.2, "1 6"], chart: [1.8, "3 6"], poster: [4.5, "1 9"], metro: [4, "1 8"] }[look.name];
for (const { lines } of trip.transfers) {
  if (style.glow) L.polyline(lines, shape(ringRenderer, { color: look.ink, opacity: 0.12, weight: 9 })).addTo(map);
  L.polyline(lines, shape(ringRenderer, { color: look.ink, opacity: 0.85, weight: passWeight, dashArray: passDash })).addTo(map);
}

// The days: areas, and routes whose casing keeps crossings apart.
const dashed = (dash, weight) => dash.split(" ").map((px) => Math.round(px * weight * 10) / 10).join(" ");
// The route of a day is one line, but where it leaves the map at one edge and comes in at another.
const joined = (lines) => {
  const whole = [];
  for (const parts of lines) {
    parts.forEach((part, index) => {
      const last = whole[whole.length - 1];
      if (index === 0 && last && last.at(-1)[0] === part[0][0] && last.at(-1)[1] === part[0][1]) last.push(...part.slice(1));
      else whole.push([...part]);
    });
  }
  return whole;
};
const layersOf = new Map();
for (const day of trip.days) {
  const layers = [];
  day.areas.forEach((area, index) => {
    const fill = index % 3 ? { fillColor: day.ink, fillOpacity: 0.07 } : { fillColor: `url(#hatch-${day.n})`, fillOpacity: 1 };
    layers.push(L.polygon(area, shape(areaRenderer, { stroke: true, color: day.ink, weight: index % 3 ? 0.7 : 1.6, opacity: index % 3 ? 0.35 : 0.75, ...fill })));
  });
  const whole = joined(day.lines);
  if (whole.length) {
    const own = (more) => layers.push(L.polyline(whole, shape(lineRenderer, { smoothFactor: 0.4, ...more })));
    for (const [weight, opacity] of style.glow || []) own({ color: day.ink, weight, opacity });
    own({ color: look.casing, weight: style.route + 2 * style.casing, opacity: poster ? 1 : 0.85 });
    own({ color: day.ink, weight: style.route, opacity: 1, dashArray: style.inner ? null : dashed(day.dash, style.route / 3.5) || null });
    if (style.inner && day.dash) own({ color: look.casing, weight: style.inner, opacity: 0.95, dashArray: dashed(day.dash, 0.9) });
  }
  layers.forEach((layer) => layer.addTo(map));
  layersOf.set(day.n, layers);
}
