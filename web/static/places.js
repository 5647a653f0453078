// The stops of a trip on a map: a click adds one, a number can be dragged. The rows of the form are the truth; the map
// shows them. Leaflet is loaded when somebody opens the map; the ground is the outline of the world's land, and tiles
// where the operator allows them.

let place = null;
let words = null;
let list = null;
let map = null;
let markers = null;

function rows() {
  return [...list.querySelectorAll(":scope > ol > li")];
}

function control(row, name) {
  return row.querySelector(`[name$="/${name}"]`);
}

function position(row) {
  const [lat, lon] = ["lat", "lon"].map((name) => Number.parseFloat(control(row, name).value));
  return Number.isFinite(lat) && Number.isFinite(lon) && Math.abs(lat) <= 90 ? [lat, lon] : null;
}

function write(input, value) {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

function put(row, at) {
  const where = at.wrap();
  write(control(row, "lat"), where.lat.toFixed(5));
  write(control(row, "lon"), where.lng.toFixed(5));
}

function draw() {
  markers.clearLayers();
  rows().forEach((row, index) => {
    const at = position(row);
    if (!at) return;
    const icon = window.L.divIcon({ className: "stop-pin", html: String(index + 1), iconSize: [28, 28] });
    const title = control(row, "name").value || words.stop.replace("{number}", index + 1);
    const marker = window.L.marker(at, { icon, draggable: true, title, alt: title });
    marker.on("dragend", () => put(row, marker.getLatLng()));
    markers.addLayer(marker);
  });
}

function add(at) {
  const last = rows().at(-1);
  const day = last ? control(last, "day").value : "1";
  list.querySelector(":scope > [data-add]").click();
  const row = rows().at(-1);
  if (row === last) return; // there may be no more
  put(row, at);
  write(control(row, "day"), day || "1");
  write(control(row, "name"), words.stop.replace("{number}", rows().length));
  draw();
  map.getContainer().focus({ preventScroll: true });
}

// TopoJSON (its specification 1.0): arcs are steps from point to point, in units of the transform.
function land(topology) {
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]]);
  });
  const ring = (numbers) => numbers.flatMap((number) => (number < 0 ? [...arcs[~number]].reverse() : arcs[number]));
  const shapes = topology.objects.land.geometries ?? [topology.objects.land];
  const polygons = shapes.flatMap((shape) => (shape.type === "Polygon" ? [shape.arcs] : shape.arcs));
  return { type: "MultiPolygon", coordinates: polygons.map((rings) => rings.map(ring)) };
}

function loaded(element) {
  return new Promise((done, fail) => {
    element.addEventListener("load", done, { once: true });
    element.addEventListener("error", fail, { once: true });
    document.head.append(element);
  });
}

async function library() {
  const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: place.dataset.sheet });
  const script = Object.assign(document.createElement("script"), { src: place.dataset.library });
  script.nonce = document.querySelector("script[nonce]").nonce;
  const [, , outline] = await Promise.all([
    loaded(sheet), loaded(script), fetch(place.dataset.land).then((answer) => answer.json()),
  ]);
  return outline;
}

async function build(box) {
  const outline = await library();
  const { L } = window;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  map = L.map(box, { worldCopyJump: true, zoomSnap: 0.5, minZoom: 1 });
  map.attributionControl.setPrefix(false);
  L.geoJSON(land(outline), {
    interactive: false,
    style: { color: colour("edge"), weight: 1, fillColor: colour("paper"), fillOpacity: 1 },
    attribution: "Natural Earth",
  }).addTo(map);
  if (place.dataset.tiles) {
    const attribution = "© OpenStreetMap";
    L.tileLayer(place.dataset.tiles, { maxZoom: 19, attribution, referrerPolicy: "strict-origin" }).addTo(map);
  }
  L.control.scale({ imperial: false }).addTo(map);
  markers = L.layerGroup().addTo(map);
  const known = rows().map(position).filter(Boolean);
  if (known.length) map.fitBounds(known, { padding: [40, 40], maxZoom: 13 });
  else map.setView([25, 10], 1.5);
  draw();
  map.on("click", (event) => add(event.latlng));
  box.setAttribute("role", "application");
  box.setAttribute("aria-label", words.map);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target !== box) return;
    event.preventDefault();
    add(map.getCenter());
  });
  list.addEventListener("input", draw);
  list.addEventListener("click", () => setTimeout(draw));
}

function mount() {
  place = document.querySelector("[data-stop-map]");
  if (!place) return;
  words = JSON.parse(place.dataset.words);
  list = place.closest("[data-rows]");
  map = null;
  place.hidden = false;
  const button = place.querySelector("[data-open-map]");
  const box = place.querySelector("[data-map]");
  const hint = place.querySelector("[data-map-hint]");
  button.addEventListener("click", async () => {
    const opens = box.hidden;
    box.hidden = hint.hidden = !opens;
    button.setAttribute("aria-expanded", String(opens));
    if (!opens || map) return map?.invalidateSize();
    button.disabled = true;
    try {
      await build(box);
    } catch {
      box.hidden = true;
      hint.textContent = words.failed;
    }
    button.disabled = false;
  });
}

document.addEventListener("studio:form", mount); // the form was made again
mount();
