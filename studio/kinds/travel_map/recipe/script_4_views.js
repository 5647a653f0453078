// Views.
let day = 0;
const overview = (animate) => {
  const shown = trip.stops.filter((stop) => !day || stop.day === day);
  const bounds = L.latLngBounds((shown.length ? shown : trip.stops).map((stop) => stop.at));
  const small = phone.matches;
  const near = bounds.getNorthEast().equals(bounds.getSouthWest()) ? 14 : 17;
  const edges = small ? [34, 34, 34, 56] : [76, 84, 96, 76]; // left, top, right, bottom
  const options = () => ({
    paddingTopLeft: [edges[0], edges[1]], paddingBottomRight: [edges[2], edges[3]], maxZoom: trip.far ? 9 : near,
  });
  if (animate && !still.matches) {
    map.flyToBounds(bounds, { ...options(), duration: 0.8 });
    return;
  }
  // Pins that made room for others may have left the map: once more, with more room.
  for (let times = 0; times < 3; times++) {
    map.fitBounds(bounds, { ...options(), animate: false });
    arrange();
    const size = map.getSize();
    const spots = [...pins.values()].filter((pin) => shown.includes(pin.stop)).map((pin) => map.layerPointToContainerPoint([pin.x, pin.y]));
    const lacking = [
      Math.max(...spots.map((p) => 22 - p.x)), Math.max(...spots.map((p) => 22 - p.y)),
      Math.max(...spots.map((p) => p.x + 22 - size.x)), Math.max(...spots.map((p) => p.y + 22 - size.y)),
    ];
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
  if (chapter) scroller.scrollTo({ top: chapter.offsetTop - scroller.offsetTop - 56, behavior });
  else scroller.scrollTo({ top: 0, behavior });
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
  if (box.top < frame.top + 60 || box.bottom > frame.bottom) {
    scroller.scrollBy({ top: box.top - frame.top - frame.height / 3, behavior: still.matches ? "auto" : "smooth" });
  }
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
