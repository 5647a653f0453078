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
const ringNames = trip.rings.map((ring) => ornament("names", ring.at, "ringname", ring.label));
const arrows = trip.days.flatMap((day) => day.arrows.map(([lat, lon, turn], index) => {
  const head = svg(`<path d="M-4-5.5 5.5 0-4 5.5-2 0Z" transform="rotate(${turn})" fill="${day.ink}" stroke="${colour("--panel")}" stroke-width="2.5" paint-order="stroke" stroke-linejoin="round"/>`, { viewBox: "-7 -7 14 14" });
  const made = ornament("arrows", [lat, lon], "arrow", head);
  made.ends = [day.lines[index][0][0], day.lines[index][0].at(-1)];
  made.day = day.n;
  return made;
}));

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
const pins = new Map();
for (const stop of trip.stops) {
  const content = document.createElement("div");
  content.append(svg('<line stroke-width="1.5"/><circle r="2.5"/>', { width: 1, height: 1 }));
  const number = document.createElement("b");
  number.textContent = stop.n;
  content.append(number);
  const spoken = [`${stop.n}. ${stop.name}`, dayOf.get(stop.day).name, stop.time].filter(Boolean).join(", ");
  const marker = L.marker(stop.at, {
    icon: L.divIcon({ className: `pin day-${stop.day}`, iconSize: null, html: content }), title: stop.name, alt: stop.name,
    keyboard: true, riseOnHover: true,
  }).addTo(map);
  marker.getElement().setAttribute("aria-label", spoken);
  marker.bindPopup(() => card(stop), { minWidth: 200, maxWidth: 280, autoPanPadding: [24, 24], className: `day-${stop.day}` });
  marker.on("popupopen", () => chosen(stop.n));
  marker.on("popupclose", () => chosen(0));
  const label = ornament("labels", stop.at, `label day-${stop.day}`, stop.name);
  label.element.dir = "auto";
  pins.set(stop.n, { stop, marker, label, dx: 0, dy: 0 });
}
const dayNames = trip.days.filter((day) => day.areas.length).map((day) => {
  const own = trip.stops.filter((stop) => stop.day === day.n);
  const made = ornament("names", own[0].at, `dayname day-${day.n}`, day.name);
  made.day = day.n;
  made.area = L.latLngBounds(own.map((stop) => stop.at));
  made.outline = day.areas[0].flat();
  return made;
});
