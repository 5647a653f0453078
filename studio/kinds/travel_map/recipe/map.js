(() => {
  "use strict";
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
  L.control.scale({ position: `bottom${start}`, imperial: false, maxWidth: 130 }).addTo(map);

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

  overview(false);
  showLand();
  arrange();
  streets();
  document.fonts?.ready.then(arrange);
  let seen = phone.matches;
  map.on("resize", () => {
    if (seen === phone.matches) return;
    seen = phone.matches;
    if (!current) overview(false);
  });
})();
