// The sheet on a phone: low, half, high.
const grip = document.getElementById("grip");
const setSheet = (name) => {
  document.body.classList.remove("low", "high");
  if (name) document.body.classList.add(name);
  grip.setAttribute("aria-expanded", String(name === "high"));
  panel.style.height = "";
  map.invalidateSize({ pan: false });
};
let drag = null;
grip.addEventListener("click", () => {
  if (!drag?.moved) setSheet(document.body.classList.contains("high") ? "" : "high");
});
grip.addEventListener("pointerdown", (event) => {
  drag = { y: event.clientY, height: panel.offsetHeight, moved: false };
  grip.setPointerCapture(event.pointerId);
});
grip.addEventListener("pointermove", (event) => {
  if (!drag || !grip.hasPointerCapture(event.pointerId)) return;
  const by = drag.y - event.clientY;
  if (Math.abs(by) > 4) drag.moved = true;
  if (drag.moved) {
    panel.classList.add("dragged");
    panel.style.height = `${Math.max(80, drag.height + by)}px`;
  }
});
grip.addEventListener("pointerup", () => {
  panel.classList.remove("dragged");
  if (!drag?.moved) return;
  const share = panel.offsetHeight / innerHeight;
  setSheet(share < 0.28 ? "low" : share > 0.64 ? "high" : "");
});

// Controls at the edges.
const corner = (position, make) => {
  const control = L.control({ position });
  control.onAdd = make;
  control.addTo(map);
};
const end = document.documentElement.dir === "rtl" ? "left" : "right";
const start = end === "left" ? "right" : "left";
L.control.zoom({ position: `bottom${end}`, zoomInTitle: "+", zoomOutTitle: "−" }).addTo(map);
corner(`bottom${end}`, () => {
  const bar = L.DomUtil.create("div", "leaflet-bar");
  const button = L.DomUtil.create("button", "", bar);
  button.type = "button";
  button.title = words.overview;
  button.setAttribute("aria-label", words.overview);
  button.append(svg('<path d="M2 7V2h5M11 2h5v5M16 11v5h-5M7 16H2v-5" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>', { viewBox: "0 0 18 18" }));
  L.DomEvent.disableClickPropagation(bar);
  button.addEventListener("click", () => chooseDay(0));
  return bar;
});
corner(`top${end}`, () => {
  const box = L.DomUtil.create("div", "compass");
  box.setAttribute("aria-hidden", "true");
  const spikes = [0, 90, 180, 270].map((turn) => `<path d="M0-21 4-4 0 0Z" transform="rotate(${turn})" fill="var(--ink)"/><path d="M0-21-4-4 0 0Z" transform="rotate(${turn})" fill="var(--panel)" stroke="var(--ink)" stroke-width=".7"/>`);
  box.append(svg(`<circle r="15" fill="none" stroke="var(--ink)" stroke-width=".8" stroke-dasharray="1 2.2"/>${spikes.join("")}<text y="-24" text-anchor="middle">N</text>`, { viewBox: "-34 -36 68 68", width: "100%", height: "100%" }));
  return box;
});
// The days' key, where there is room for one.
if (trip.days.length > 1 && trip.days.length < 8) {
  const box = L.DomUtil.create("div", "legend", map.getContainer());
  box.setAttribute("aria-hidden", "true");
  for (const each of trip.days) {
    if (!each.lines.length && !trip.stops.some((stop) => stop.day === each.n)) continue;
    const row = L.DomUtil.create("p", `day-${each.n}`, box);
    const thick = Math.min(style.route, 7);
    const inner = style.inner && each.dash ? `<path d="M3 7H33" stroke="${look.casing}" stroke-width="1.8" stroke-dasharray="${dashed(each.dash, 0.7)}"/>` : "";
    row.append(svg(`<path d="M3 7H33" stroke="${each.ink}" stroke-width="${thick}" stroke-dasharray="${style.inner ? "none" : dashed(each.dash, 0.8) || "none"}"/>${inner}`, { viewBox: "0 0 36 14", width: 36, height: 14, fill: "none", "stroke-linecap": "round" }));
    L.DomUtil.create("b", "", row).textContent = each.name;
    if (each.about) L.DomUtil.create("span", "", row).textContent = each.about;
  }
}
L.control.scale({ position: `bottom${start}`, imperial: false, maxWidth: 130 }).addTo(map);

// The squares' letters and figures stand at the edges of a plan, where the view is.
const squareNames = [];
const nameSquares = () => {
  squareNames.splice(0).forEach((element) => element.remove());
  const { step, west, north } = trip.grid;
  const size = map.getSize();
  const put = (text, x, y) => {
    const element = L.DomUtil.create("div", "gridname", map.getContainer());
    element.setAttribute("aria-hidden", "true");
    element.textContent = text;
    Object.assign(element.style, { left: `${x}px`, top: `${y}px` });
    squareNames.push(element);
  };
  for (let i = 0; i < 26; i++) {
    const { x } = map.latLngToContainerPoint([north, west + (i + 0.5) * step]);
    const { y } = map.latLngToContainerPoint([north - (i + 0.5) * step, west]);
    if (x > 34 && x < size.x - 34) put(String.fromCharCode(65 + i), x, 24);
    if (y > 40 && y < size.y - 34 - (phone.matches ? 18 : 0)) put(String(i + 1), 24, y);
  }
};
if (document.querySelector(".square")) map.on("moveend zoomend resize", nameSquares);

// Streets, where they can be had: never from a file, which sends no address that the tile server could know.
const streets = () => {
  if (!/^https?:$/.test(location.protocol) || navigator.onLine === false) return;
  const credit = L.control.attribution({ position: `bottom${start}`, prefix: false }).addTo(map);
  const layer = L.tileLayer("https://tile.openstreetmap.org/{z}/{x}/{y}.png", {
    maxZoom: 19, referrerPolicy: "strict-origin-when-cross-origin",
    attribution: '&copy; <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a>',
  });
  let loaded = false;
  layer.on("tileload", () => (loaded = true));
  layer.on("tileerror", () => {
    if (loaded || !map.hasLayer(layer)) return;
    layer.remove();
    credit.remove();
  });
  layer.addTo(map);
};
