// Ornaments that move with the map but are no markers: names, arrows, labels of rings.
const ornaments = [];
const ornament = (paneName, at, className, content) => {
  const element = document.createElement("div");
  element.className = `deco ${className}`;
  element.setAttribute("aria-hidden", "true");
  if (typeof content === "string") element.textContent = content;
  else if (content) element.append(content);
  map.getPane(paneName).append(element);
  const made = { element, at: L.latLng(at), dx: 0, dy: 0 };
  ornaments.push(made);
  return made;
};
const settle = (o) => {
  const at = map.latLngToLayerPoint(o.at);
  o.element.style.translate = `${at.x + o.dx}px ${at.y + o.dy}px`;
};
const svg = (markup, attributes) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.innerHTML = markup;
  return made;
};
const HEAD = "M-4-5.5 5.5 0-4 5.5-2 0Z";
const ringNames = trip.rings.map((ring) => ornament("names", ring.at, "ringname", ring.label));
const bearingNames = (trip.ticks?.names || []).map(([name, lat, lon]) => ornament("names", [lat, lon], "bearing", name));
const arrowAt = ([lat, lon, turn], bold, edge, line) => {
  const head = svg(`<path d="${HEAD}" transform="rotate(${turn}) scale(${style.arrow})" fill="${bold}" stroke="${edge}" stroke-width="${style.inner ? 3.5 : 2.5}" paint-order="stroke" stroke-linejoin="round"/>`, { viewBox: "-10 -10 20 20" });
  const made = ornament("arrows", [lat, lon], "arrow", head);
  made.ends = [line[0], line.at(-1)];
  return made;
};
const arrows = trip.days.flatMap((day) => day.arrows.map((spot, index) => {
  const pair = style.inner ? [look.casing, day.ink] : [day.ink, look.casing];
  return Object.assign(arrowAt(spot, ...pair, day.lines[index][0]), { day: day.n });
}));
for (const { arrow, lines } of trip.transfers) arrows.push(arrowAt(arrow, look.ink, look.casing, lines[0]));

// Stops.
const card = (stop) => {
  const box = document.createElement("article");
  box.className = `card day-${stop.day}`;
  const add = (parent, tag, text, className) => {
    const element = document.createElement(tag);
    element.dir = "auto";
    element.textContent = text;
    if (className) element.className = className;
    parent.append(element);
    return element;
  };
  const picture = rowOf(stop.n).querySelector("img");
  if (picture) {
    const image = new Image();
    image.src = picture.src;
    image.alt = stop.name;
    box.append(image);
  }
  const inner = document.createElement("div");
  const when = document.createElement("div");
  when.className = "when";
  add(when, "span", dayOf.get(stop.day).name);
  if (stop.time) add(when, "span", stop.time).dir = "ltr";
  inner.append(when);
  add(inner, "h3", stop.name);
  if (stop.activity) add(inner, "p", stop.activity);
  if (stop.tip) {
    const tip = add(inner, "p", "", "tip");
    add(tip, "b", words.tip);
    tip.append(` ${stop.tip}`);
  }
  box.append(inner);
  const nav = document.createElement("nav");
  const step = (by, name, sign) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.setAttribute("aria-label", name);
    button.disabled = !stops.has(stop.n + by);
    button.addEventListener("click", () => choose(stop.n + by));
    nav.append(button);
  };
  const back = document.documentElement.dir === "rtl";
  step(-1, words.before, back ? "›" : "‹");
  const count = document.createElement("span");
  count.textContent = `${stop.n} / ${stops.size}`;
  nav.append(count);
  step(1, words.after, back ? "‹" : "›");
  box.append(nav);
  return box;
};
const rowOf = (n) => panel.querySelector(`[data-stop="${n}"]`);
// The first and the last stop and the day's highlight stand out: a larger pin with a ring, a star, a larger name.
const rankClass = (rank) => `${rank & 1 ? " end" : ""}${rank & 2 ? " star" : ""}`;
const pinSize = (rank) => Math.min(style.pin, phone.matches ? 14 : 99) + (rank ? 2 : 0);
const STAR = "M0-6 1.6-2.1 5.7-1.9 2.5.8 3.5 4.9 0 2.6-3.5 4.9-2.5.8-5.7-1.9-1.6-2.1Z";
const pins = new Map();
for (const stop of trip.stops) {
  const content = document.createElement("div");
  content.append(svg('<line stroke-width="1.5"/><circle r="2.5"/><line class="lead" stroke-width="1"/>', { width: 1, height: 1 }));
  const number = document.createElement("b");
  number.textContent = stop.n;
  content.append(number);
  if (stop.rank & 2) content.append(svg(`<path d="${STAR}"/>`, { class: "mark", viewBox: "-7 -7 14 14", width: 14, height: 14 }));
  const spoken = [`${stop.n}. ${stop.name}`, dayOf.get(stop.day).name, stop.time].filter(Boolean).join(", ");
  const marker = L.marker(stop.at, {
    icon: L.divIcon({ className: `pin day-${stop.day}${rankClass(stop.rank)}`, iconSize: null, html: content }), title: stop.name, alt: stop.name,
    keyboard: true, riseOnHover: true,
  }).addTo(map);
  marker.getElement().setAttribute("aria-label", spoken);
  marker.bindPopup(() => card(stop), { minWidth: 200, maxWidth: 280, autoPanPadding: [24, 24], className: `day-${stop.day}` });
  marker.on("popupopen", () => chosen(stop.n));
  marker.on("popupclose", () => chosen(0));
  const label = ornament("labels", stop.at, `label day-${stop.day}${rankClass(stop.rank)}`, stop.name);
  label.element.dir = "auto";
  pins.set(stop.n, { stop, marker, label, at: L.latLng(stop.at), dx: 0, dy: 0 });
}
const dayNames = trip.days.map((day) => {
  const own = trip.stops.filter((stop) => stop.day === day.n);
  if (!own.length || trip.days.length < 2) return null;
  const made = ornament("names", own[0].at, `dayname day-${day.n}`, day.name);
  made.day = day.n;
  made.outline = day.areas.length ? day.areas[0].flat() : [...own.map((stop) => stop.at), ...day.lines.flat(2)];
  return made;
}).filter(Boolean);
