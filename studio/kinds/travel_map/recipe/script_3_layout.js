// Layout in px, anew at each zoom: pins make room for each other, then labels find free places.
const RADIUS = 15;
const arrange = () => {
  const list = [...pins.values()];
  for (const pin of list) {
    pin.point = map.latLngToLayerPoint(pin.marker.getLatLng());
    pin.x = pin.point.x;
    pin.y = pin.point.y;
  }
  const gap = 2 * RADIUS + 3;
  for (let round = 0; round < 120; round++) {
    let moved = false;
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const a = list[i];
        const b = list[j];
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
  for (const pin of list) {
    pin.dx = Math.round(pin.x - pin.point.x);
    pin.dy = Math.round(pin.y - pin.point.y);
    const element = pin.marker.getElement();
    element.style.margin = `${pin.dy - RADIUS}px 0 0 ${pin.dx - RADIUS}px`;
    const far = Math.hypot(pin.dx, pin.dy) > 6;
    const [line, dot] = element.querySelector("svg").children;
    const ink = dayOf.get(pin.stop.day).ink;
    line.setAttribute("x2", -pin.dx);
    line.setAttribute("y2", -pin.dy);
    dot.setAttribute("cx", -pin.dx);
    dot.setAttribute("cy", -pin.dy);
    line.setAttribute("stroke", far ? ink : "none");
    dot.setAttribute("fill", far ? ink : "none");
    pin.marker.getPopup().options.offset = L.point(pin.dx, pin.dy - RADIUS + 4);
  }
  labels(list);
  ornaments.forEach(settle);
};

const overlap = (a, b) => Math.max(0, Math.min(a.r, b.r) - Math.max(a.l, b.l)) * Math.max(0, Math.min(a.b, b.b) - Math.max(a.t, b.t));
const labels = (list) => {
  const size = map.getSize();
  const origin = map.containerPointToLayerPoint([0, 0]);
  const frame = { l: origin.x + 4, t: origin.y + 4, r: origin.x + size.x - 4, b: origin.y + size.y - 4 };
  const taken = list.map((pin) => ({ l: pin.x - RADIUS, t: pin.y - RADIUS, r: pin.x + RADIUS, b: pin.y + RADIUS }));
  // What stands at the edges of the map.
  for (const element of document.querySelectorAll("#map .leaflet-control")) {
    const box = element.getBoundingClientRect();
    const base = map.getContainer().getBoundingClientRect();
    if (box.width) {
      taken.push({ l: origin.x + box.x - base.x, t: origin.y + box.y - base.y, r: origin.x + box.right - base.x, b: origin.y + box.bottom - base.y });
    }
  }
  const dots = trip.days.flatMap((day) => day.lines.flatMap((parts) => parts[0].filter((_, i) => i % 2 === 0).map((at) => map.latLngToLayerPoint(at))));
  const place = (made, spots, must) => {
    const w = made.element.offsetWidth;
    const h = made.element.offsetHeight;
    let best = null;
    for (const [x, y, cost, name] of spots(w, h)) {
      const box = { l: x, t: y, r: x + w, b: y + h };
      if (taken.some((other) => overlap(box, other) > 1)) continue;
      const outside = w * h - overlap(box, frame);
      if (outside > 1 && overlap(box, frame) > 0) continue;
      const crossed = dots.filter((p) => p.x > box.l && p.x < box.r && p.y > box.t && p.y < box.b).length;
      const total = cost + crossed * 1.6;
      if (!best || total < best.total) best = { box, total, name };
    }
    made.element.style.visibility = best && best.total < must ? "visible" : "hidden";
    if (!best || best.total >= must) return;
    const at = map.latLngToLayerPoint(made.at);
    made.dx = best.box.l - at.x;
    made.dy = best.box.t - at.y;
    made.element.classList.toggle("left", best.name === "left");
    made.element.classList.toggle("middle", best.name === "middle");
    taken.push({ l: best.box.l - 2, t: best.box.t - 1, r: best.box.r + 2, b: best.box.b + 1 });
  };
  for (const pin of list) {
    const { x, y } = pin;
    const d = RADIUS + 4;
    place(pin.label, (w, h) => [
      [x + d, y - h / 2, 0, "right"], [x - d - w, y - h / 2, 1, "left"], [x - w / 2, y + d, 1.5, "middle"], [x - w / 2, y - d - h, 1.5, "middle"],
      [x + d - 4, y + 5, 2, "right"], [x + d - 4, y - h - 5, 2, "right"], [x - d + 4 - w, y + 5, 2.5, "left"], [x - d + 4 - w, y - h - 5, 2.5, "left"],
      [x - w * 0.2, y + d, 3, "right"], [x - w * 0.8, y + d, 3, "left"], [x - w * 0.2, y - d - h, 3, "right"], [x - w * 0.8, y - d - h, 3, "left"],
    ], 40);
  }
  for (const made of dayNames) {
    const points = made.outline.map((at) => map.latLngToLayerPoint(at));
    const box = L.bounds(points);
    const wide = box.max.x - box.min.x;
    const middle = (box.min.x + box.max.x) / 2;
    made.hidden = wide < 70;
    place(made, (w, h) => made.hidden ? [] : [
      [middle - w / 2, box.min.y - h - 4, 0], [middle - w / 2, box.max.y + 4, 1], [box.min.x, box.min.y - h, 2], [box.max.x - w, box.min.y - h, 2],
      [box.min.x, box.max.y, 3], [box.max.x - w, box.max.y, 3], [box.min.x - w - 4, (box.min.y + box.max.y) / 2, 4], [box.max.x + 4, (box.min.y + box.max.y) / 2, 4],
    ], 30);
  }
  for (const made of ringNames) {
    const at = map.latLngToLayerPoint(made.at);
    place(made, (w, h) => [[at.x - w / 2, at.y - h / 2, 0, "middle"]], 30);
    made.dx = 0;
    made.dy = 0;
  }
  for (const made of arrows) {
    const [a, b] = made.ends.map((at) => map.latLngToLayerPoint(at));
    const at = map.latLngToLayerPoint(made.at);
    const near = list.some((pin) => Math.hypot(pin.x - at.x, pin.y - at.y) < RADIUS + 7);
    made.element.style.visibility = a.distanceTo(b) > 52 && !near ? "visible" : "hidden";
  }
};
map.on("zoomstart", () => map.getContainer().classList.add("zooming"));
map.on("zoomend", () => map.getContainer().classList.remove("zooming"));
map.on("zoomend viewreset resize", () => {
  showLand();
  arrange();
});
