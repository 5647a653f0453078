// Views.
let day = 0;
let home = null; // the view of the whole trip
const insetShown = () => grouped.size > 0 && !day && !!home && map.getZoom() === home.zoom && map.distance(map.getCenter(), home.at) < 1 + 4e4 / 2 ** home.zoom;
const overview = (animate) => {
  const shown = trip.stops.filter((stop) => !day || stop.day === day);
  const bounds = L.latLngBounds((shown.length ? shown : trip.stops).map((stop) => stop.at));
  const small = phone.matches;
  const near = bounds.getNorthEast().equals(bounds.getSouthWest()) ? 14 : 17;
  const edges = small ? [36, 36, 36, 56] : [86, 88, 96, 84]; // left, top, right, bottom
  const head = document.querySelector("#stage #head");
  if (head) {
    // The stops go below the title, or beside it, whichever shows them larger.
    const below = head.offsetTop + head.offsetHeight + (small ? 20 : 34);
    const beside = head.offsetWidth + head.offsetLeft + 60;
    const side = document.documentElement.dir === "rtl" ? 2 : 0;
    const zoomOf = (left, top, right) => map.getBoundsZoom(bounds, false, L.point(left + right, top + edges[3]));
    const room = side ? [edges[0], head.offsetParent.offsetWidth - head.offsetLeft + 40] : [beside, edges[2]];
    if (!small && zoomOf(room[0], edges[1], room[1]) > zoomOf(edges[0], below, edges[2])) edges[side] = room[side ? 1 : 0];
    else edges[1] = below;
  }
  const options = () => ({
    paddingTopLeft: [edges[0], edges[1]], paddingBottomRight: [edges[2], edges[3]], maxZoom: trip.far ? 9 : near,
  });
  if (animate && !still.matches) {
    map.flyToBounds(bounds, { ...options(), duration: 0.8 });
    if (!day) map.once("moveend", () => { home = { at: map.getCenter(), zoom: map.getZoom() }; arrange(); });
    return;
  }
  // Pins that made room for others may have left the map: once more, with more room.
  home = null;
  for (let times = 0; times < 4; times++) {
    map.fitBounds(bounds, { ...options(), animate: false });
    home = shown.length === trip.stops.length ? { at: map.getCenter(), zoom: map.getZoom() } : null;
    arrange();
    const size = map.getSize();
    const points = [...pins.values()].filter((pin) => shown.includes(pin.stop)).map((pin) => map.layerPointToContainerPoint([pin.x, pin.y]));
    const lacking = [
      Math.max(...points.map((p) => 22 - p.x)), Math.max(...points.map((p) => 22 - p.y)),
      Math.max(...points.map((p) => p.x + 22 - size.x)), Math.max(...points.map((p) => p.y + 22 - size.y)),
    ];
    for (const p of points) {
      for (const box of edgeBoxes("#map .leaflet-control")) {
        if (!overlap(around(p.x, p.y, 22), box)) continue;
        const [side, px] = [[0, box.r + 22 - p.x], [1, box.b + 22 - p.y], [2, p.x + 22 - box.l], [3, p.y + 22 - box.t]].sort((a, b) => a[1] - b[1])[0];
        lacking[side] = Math.max(lacking[side], px);
      }
    }
    if (Math.max(...lacking) <= 0) break;
    lacking.forEach((px, side) => (edges[side] += Math.min(60, Math.max(0, px))));
  }
};
const dim = () => {
  for (const [n, layers] of layersOf) {
    const faint = !!day && n !== day;
    for (const layer of layers) layer.getElement?.()?.classList.toggle("faint", faint);
  }
  for (const pin of pins.values()) {
    const faint = !!day && pin.stop.day !== day;
    pin.marker.getElement().classList.toggle("faint", faint);
    pin.label.element.classList.toggle("faint", faint);
    pin.marker.setZIndexOffset(faint ? 0 : 500);
  }
  [...arrows, ...dayNames].forEach((made) => made.element.classList.toggle("faint", !!day && made.day !== day));
};
const chooseDay = (n, move = true) => {
  day = n;
  for (const button of panel.querySelectorAll("[data-day][aria-pressed]")) {
    button.setAttribute("aria-pressed", String(+button.dataset.day === n));
  }
  dim();
  if (!move) return;
  map.closePopup();
  overview(true);
  const chapter = n ? panel.querySelector(`.chapter[data-day="${n}"]`) : null;
  const behavior = still.matches ? "auto" : "smooth";
  const box = chapter?.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  const right = document.documentElement.dir === "rtl";
  if (!chapter) scroller.scrollTo({ top: 0, left: 0, behavior });
  else scroller.scrollBy({ top: box.top - frame.top - 56, left: right ? box.right - frame.right + 20 : box.left - frame.left - 20, behavior });
};

// A stop chosen in the panel is flown to; a stop chosen on the map is found in the panel.
let current = 0;
const chosen = (n) => {
  if (!n && current && pins.get(current).marker.isPopupOpen()) return;
  current = n;
  for (const pin of pins.values()) pin.marker.getElement().classList.toggle("chosen", pin.stop.n === n);
  for (const row of panel.querySelectorAll("[data-stop]")) {
    if (+row.dataset.stop === n) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  if (!n) return;
  if (day && stops.get(n).day !== day) chooseDay(0, false);
  const row = rowOf(n);
  const box = row.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  const top = box.top < frame.top + 50 || box.bottom > frame.bottom ? box.top - frame.top - frame.height / 3 : 0;
  const left = box.left < frame.left || box.right > frame.right ? box.left - frame.left - frame.width / 3 : 0;
  if (top || left) scroller.scrollBy({ top, left, behavior: still.matches ? "auto" : "smooth" });
};
const choose = (n) => {
  const { marker, stop } = pins.get(n);
  const open = () => marker.openPopup();
  map.closePopup();
  chosen(n);
  if (phone.matches && document.body.classList.contains("high")) setSheet("");
  const zoom = Math.max(map.getZoom(), Math.min(trip.far ? 7 : 14.5, map.getMaxZoom()));
  const target = map.unproject(map.project(L.latLng(stop.at), zoom).subtract([0, phone.matches ? 70 : 90]), zoom);
  if (still.matches) {
    map.setView(target, zoom, { animate: false });
    open();
    return;
  }
  map.once("moveend", () => current === n && open());
  map.flyTo(target, zoom, { duration: 0.9 });
};
panel.addEventListener("click", (event) => {
  const row = event.target.closest("[data-stop]");
  const filter = event.target.closest("button[data-day]");
  if (row) choose(+row.dataset.stop);
  else if (filter) chooseDay(+filter.dataset.day === day ? 0 : +filter.dataset.day);
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const row = current && rowOf(current);
  map.closePopup();
  if (row && document.activeElement !== row && panel.contains(document.activeElement)) row.focus();
});
