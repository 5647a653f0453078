// Layout in px, anew at each zoom: pins make room for each other, then labels find free places.
// The same rules set the map on the screen and the maps on paper.
const spread = (list) => {
  for (const pin of list) {
    pin.x = pin.point.x;
    pin.y = pin.point.y;
  }
  for (let round = 0; round < 120; round++) {
    let moved = false;
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const a = list[i];
        const b = list[j];
        const gap = a.r + b.r + 3;
        let dx = b.x - a.x;
        let dy = b.y - a.y;
        let away = Math.hypot(dx, dy);
        if (away >= gap - 0.01) continue;
        if (away < 0.5) {
          dx = Math.cos(i + j * 2.4);
          dy = Math.sin(i + j * 2.4);
          away = 1;
        }
        const push = (gap - Math.min(away, gap)) / 2 / away;
        a.x -= dx * push;
        a.y -= dy * push;
        b.x += dx * push;
        b.y += dy * push;
        moved = true;
      }
    }
    if (!moved) break;
  }
};
const overlap = (a, b) => Math.max(0, Math.min(a.r, b.r) - Math.max(a.l, b.l)) * Math.max(0, Math.min(a.b, b.b) - Math.max(a.t, b.t));
const around = (x, y, r) => ({ l: x - r, t: y - r, r: x + r, b: y + r });
// Places of a label of w × h about a pin, the best first: [left, top, cost, side]; far ones want a line to the pin.
const spots = ({ x, y, r }, w, h) => {
  const d = r + 4;
  const near = [
    [x + d, y - h / 2, 0, "right"], [x - d - w, y - h / 2, 1, "left"], [x - w / 2, y + d, 1.5, "middle"], [x - w / 2, y - d - h, 1.5, "middle"],
    [x + d - 4, y + 5, 2, "right"], [x + d - 4, y - h - 5, 2, "right"], [x - d + 4 - w, y + 5, 2.5, "left"], [x - d + 4 - w, y - h - 5, 2.5, "left"],
    [x - w * 0.2, y + d, 3, "right"], [x - w * 0.8, y + d, 3, "left"], [x - w * 0.2, y - d - h, 3, "right"], [x - w * 0.8, y - d - h, 3, "left"],
  ];
  for (const more of [16, 36, 60, 90]) {
    for (let turn = 0; turn < 12; turn++) {
      const cx = Math.cos((turn * Math.PI) / 6);
      const cy = Math.sin((turn * Math.PI) / 6);
      const side = cx > 0.3 ? "right" : cx < -0.3 ? "left" : "middle";
      const left = side === "right" ? 0 : side === "left" ? -w : -w / 2;
      near.push([x + cx * (d + more) + left, y + cy * (d + more) - h / 2 + (side === "middle" ? cy * (h / 2) : 0), 7 + more / 5, `${side} away`]);
    }
  }
  return near;
};
// The best free place: none of `taken` is touched, and the lines under it are few.
const place = (choices, w, h, { taken, frame, dots, most }) => {
  let best = null;
  for (const [l, t, cost, side] of choices) {
    if (best && cost >= best.total) continue;
    const box = { l, t, r: l + w, b: t + h };
    if (box.l < frame.l || box.t < frame.t || box.r > frame.r || box.b > frame.b) continue;
    if (taken.some((other) => overlap(box, other) > 0)) continue;
    const near = style.route / 2 + 1;
    const crossed = dots.filter((p) => p.x > l - near && p.x < box.r + near && p.y > t - near && p.y < box.b + near).length;
    const total = cost + Math.min(crossed, 12) * 1.3;
    if (total < most && (!best || total < best.total)) best = { box, total, side: side || "" };
  }
  if (best) taken.push({ l: best.box.l - 3, t: best.box.t - 2, r: best.box.r + 3, b: best.box.b + 2 });
  return best;
};
// Points along lines in px, near enough to each other that no name stands between two of them.
const DOT_GAP = 11;
const along = (line) => line.flatMap((b, i) => {
  const a = line[Math.max(0, i - 1)];
  const steps = Math.min(60, Math.max(1, Math.ceil(Math.hypot(b.x - a.x, b.y - a.y) / DOT_GAP)));
  return Array.from({ length: steps }, (_, step) => ({ x: a.x + ((b.x - a.x) * (step + 1)) / steps, y: a.y + ((b.y - a.y) * (step + 1)) / steps }));
});
// The important names choose first.
const byRank = (list) => [...list].sort((a, b) => Math.sign(b.stop.rank) - Math.sign(a.stop.rank) || a.stop.n - b.stop.n);

// What stands at the edges of the map, in px of the map.
const edgeBoxes = (which) => {
  const base = map.getContainer().getBoundingClientRect();
  return [...document.querySelectorAll(which)].map((element) => element.getBoundingClientRect()).filter((box) => box.width)
    .map((box) => ({ l: box.left - base.left, t: box.top - base.top, r: box.right - base.left, b: box.bottom - base.top }));
};
// The days' key goes to another corner where stops are under it, or is put away.
const keepKeyFree = (stopBoxes) => {
  const key = document.querySelector(".legend");
  if (!key) return;
  for (const corner of ["", "high", "away"]) {
    key.className = `legend ${corner}`;
    const [box] = edgeBoxes(".legend");
    if (!box || corner === "away" || !stopBoxes.some((other) => overlap(box, other) > 0)) return;
  }
};

// Pins at their places, small where an inset shows them larger.
const setPins = (list, lens) => {
  for (const pin of list) {
    pin.point = map.latLngToLayerPoint(pin.at);
    pin.small = lens && grouped.has(pin.stop.n);
    pin.half = pin.small ? 12 : pinSize(pin.stop.rank);
    pin.r = pin.half + (pin.stop.rank && !pin.small ? 3 : 0);
  }
  spread(list);
};
const arrange = () => {
  const list = [...pins.values()];
  const size = map.getSize();
  let lens = insetShown();
  setPins(list, lens);
  const inset = lens ? showInset(list, size) : null;
  if (lens && !inset) setPins(list, (lens = false));
  for (const pin of list) {
    pin.dx = Math.round(pin.x - pin.point.x);
    pin.dy = Math.round(pin.y - pin.point.y);
    const element = pin.marker.getElement();
    element.style.setProperty("--r", `${pin.half}px`);
    element.classList.toggle("small", pin.small);
    element.style.margin = `${pin.dy - pin.half}px 0 0 ${pin.dx - pin.half}px`;
    const far = Math.hypot(pin.dx, pin.dy) > 6;
    const [line, dot] = element.querySelector("svg").children;
    const ink = dayOf.get(pin.stop.day).ink;
    line.setAttribute("x2", -pin.dx);
    line.setAttribute("y2", -pin.dy);
    dot.setAttribute("cx", -pin.dx);
    dot.setAttribute("cy", -pin.dy);
    line.setAttribute("stroke", far ? ink : "none");
    dot.setAttribute("fill", far ? ink : "none");
    pin.marker.getPopup().options.offset = L.point(pin.dx, pin.dy - pin.half + 4);
  }
  const origin = map.containerPointToLayerPoint([0, 0]);
  const inLayer = (box) => ({ l: origin.x + box.l, t: origin.y + box.t, r: origin.x + box.r, b: origin.y + box.b });
  const taken = list.map((pin) => around(pin.x, pin.y, pin.r + 1));
  if (inset) taken.push(inLayer(inset.box), inLayer(inset.group));
  keepKeyFree(list.map((pin) => around(pin.x - origin.x, pin.y - origin.y, pin.r + 8)).concat(inset ? [inset.box, inset.group] : []));
  for (const box of edgeBoxes("#map .leaflet-control,#stage #head,.legend:not(.away)")) taken.push(inLayer(box));
  const edge = look.name === "plan" ? 22 : 5;
  const sheet = phone.matches ? 20 : 0;
  const frame = inLayer({ l: edge, t: edge, r: size.x - edge, b: size.y - edge - sheet });
  const lines = [...trip.days.flatMap((each) => each.lines), ...trip.transfers.map((pass) => pass.lines)];
  const seen = ({ x, y }) => x > frame.l - 20 && x < frame.r + 20 && y > frame.t - 20 && y < frame.b + 20;
  const dots = lines.flatMap((parts) => parts.flatMap((part) => along(part.map((at) => map.latLngToLayerPoint(at))))).filter(seen);
  names(list, { taken, frame, dots, most: 60 }, lens);
  ornaments.forEach(settle);
};
const setPlace = (made, choices, room) => {
  const best = place(choices, made.element.offsetWidth, made.element.offsetHeight, room);
  made.element.style.visibility = best ? "visible" : "hidden";
  if (!best) return null;
  const at = map.latLngToLayerPoint(made.at);
  made.dx = best.box.l - at.x;
  made.dy = best.box.t - at.y;
  for (const side of ["left", "middle"]) made.element.classList.toggle(side, best.side.startsWith(side));
  return best;
};
const names = (list, room, lens) => {
  const visible = ({ x, y }) => x > room.frame.l - 30 && x < room.frame.r + 30 && y > room.frame.t - 30 && y < room.frame.b + 30;
  for (const pin of byRank(list)) {
    const { element } = pin.label;
    const lead = pin.marker.getElement().querySelector(".lead");
    lead.setAttribute("stroke", "none");
    const wanted = !(lens && grouped.has(pin.stop.n)) && visible(pin);
    const best = setPlace(pin.label, wanted ? spots(pin, element.offsetWidth, element.offsetHeight) : [], room);
    if (!best?.side.endsWith("away")) continue;
    const { box } = best;
    lead.setAttribute("x2", Math.max(box.l, Math.min(box.r, pin.x)) - pin.x);
    lead.setAttribute("y2", Math.max(box.t, Math.min(box.b, pin.y)) - pin.y);
    lead.setAttribute("stroke", look.ink);
  }
  for (const made of dayNames) {
    const box = L.bounds(made.outline.map((at) => map.latLngToLayerPoint(at)));
    const w = made.element.offsetWidth;
    const h = made.element.offsetHeight;
    const [l, r, t, b] = [box.min.x, box.max.x, box.min.y, box.max.y];
    const gap = look.name === "plan" ? 4 : style.pin + 6;
    const middle = (l + r) / 2;
    setPlace(made, Math.max(r - l, b - t) < 70 && !poster ? [] : [
      [middle - w / 2, t - h - gap, 0], [middle - w / 2, b + gap, 1], [l, t - h - gap, 2], [r - w, t - h - gap, 2],
      [l, b + gap, 3], [r - w, b + gap, 3], [l - w - gap, (t + b) / 2, 4], [r + gap, (t + b) / 2, 4],
    ], { ...room, most: 30 });
  }
  for (const made of [...ringNames, ...bearingNames]) {
    const at = map.latLngToLayerPoint(made.at);
    const w = made.element.offsetWidth;
    const h = made.element.offsetHeight;
    setPlace(made, [[at.x - w / 2, at.y - h / 2, 0]], { ...room, most: 30 });
  }
  for (const made of arrows) {
    const [a, b] = made.ends.map((at) => map.latLngToLayerPoint(at));
    const at = map.latLngToLayerPoint(made.at);
    const near = list.some((pin) => Math.hypot(pin.x - at.x, pin.y - at.y) < pin.r + 7 * style.arrow);
    made.element.style.visibility = a.distanceTo(b) > 52 && !near ? "visible" : "hidden";
  }
};
map.on("zoomstart", () => map.getContainer().classList.add("zooming"));
map.on("zoomend", () => map.getContainer().classList.remove("zooming"));
map.on("zoomend viewreset resize", () => {
  showLand();
  arrange();
});
