// A map as one still drawing: the inset of what lies close together, and the maps on paper.
const flat = ([lat, lon]) => [lon, (Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, lat)) * Math.PI) / 360)) * 180) / Math.PI];
const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const measuring = document.createElement("canvas").getContext("2d");
// A name in at most two lines, each [text, width in px].
const inLines = (text, font, most) => {
  measuring.font = font;
  const wide = (part) => measuring.measureText(part).width;
  if (wide(text) <= most) return [[text, wide(text)]];
  const spaced = /\s/.test(text);
  const parts = spaced ? text.split(/\s+/) : [...text];
  const glue = spaced ? " " : "";
  let cut = 1;
  let best = Infinity;
  for (let i = 1; i < parts.length; i++) {
    const longest = Math.max(wide(parts.slice(0, i).join(glue)), wide(parts.slice(i).join(glue)));
    if (longest < best) [best, cut] = [longest, i];
  }
  return [parts.slice(0, cut), parts.slice(cut)].filter((each) => each.length).map((each) => {
    let line = [...each.join(glue)];
    while (line.length > 2 && wide(line.join("")) > most * 1.5) line = [...line.slice(0, -2), "…"];
    return [line.join(""), wide(line.join(""))];
  });
};
// A closed line in px cut to a box (Sutherland and Hodgman 1974): what is far outside would weigh on paper and PDF.
const cut = (ring, box) => {
  let kept = ring;
  for (const [axis, edge, sign] of [["x", box.l, 1], ["x", box.r, -1], ["y", box.t, 1], ["y", box.b, -1]]) {
    const inside = (p) => (p[axis] - edge) * sign >= 0;
    const result = [];
    kept.forEach((b, i) => {
      const a = kept[(i || kept.length) - 1];
      if (inside(a) !== inside(b)) {
        const share = (edge - a[axis]) / (b[axis] - a[axis]);
        result.push({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
      }
      if (inside(b)) result.push(b);
    });
    kept = result;
  }
  return kept;
};
/* list: stops to fit; w, h: px; edges: room about them; days: numbers of the days drawn in full; onPaper: white ground. */
const plot = ({ list, w, h, edges, days, onPaper = false, least = trip.far ? 0.5 : 0.006, textSize = 12, pin = 11 }) => {
  const points = list.map((stop) => flat(stop.at));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const wide = Math.max(Math.max(...xs) - Math.min(...xs), least);
  const high = Math.max(Math.max(...ys) - Math.min(...ys), least);
  const scale = Math.min((w - 2 * edges[0]) / wide, (h - 2 * edges[1]) / high);
  const [cx, cy] = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
  const at = (position) => {
    const [x, y] = flat(position);
    return { x: w / 2 + (x - cx) * scale, y: h / 2 - (y - cy) * scale };
  };
  const near = { l: -20, t: -20, r: w + 20, b: h + 20 };
  const drawn = (spots) => (spots.length > 1 ? `M${spots.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : "");
  // Of an open line the pieces that may be seen.
  const pieces = (line) => {
    const found = [];
    let open = null;
    for (let i = 1; i < line.length; i++) {
      const [a, b] = [line[i - 1], line[i]];
      const seen = Math.max(a.x, b.x) > near.l && Math.min(a.x, b.x) < near.r && Math.max(a.y, b.y) > near.t && Math.min(a.y, b.y) < near.b;
      if (!seen) open = null;
      else if (open) open.push(b);
      else found.push((open = [a, b]));
    }
    return found.map(drawn).join("");
  };
  const path = (line, closed) => {
    const spots = line.map(at);
    if (!closed) return pieces(spots);
    const kept = cut(spots, near);
    return kept.length > 2 ? `${drawn(kept)}Z` : "";
  };
  const inkOf = (each) => (onPaper ? each.printed : each.ink);
  const ink = onPaper ? "#222" : look.ink;
  const ground = onPaper ? "#FFFFFF" : trip.far ? look.water : look.paper;
  const casing = onPaper ? "#FFFFFF" : look.casing;
  const out = [`<rect width="${w}" height="${h}" fill="${onPaper && trip.far ? "#E4EDF1" : ground}"/>`];
  if (!onPaper || look.name === "poster") {
    for (const field of trip.fields) out.push(`<path d="${path(field.line, true)}" fill="${field.fill}" stroke="${field.fill}" fill-opacity="${onPaper ? 0.28 : 1}" stroke-opacity="${onPaper ? 0 : 1}"/>`);
  }
  if (trip.far) {
    const d = copies.map((polygon) => polygon.map((ring) => path(ring, true)).join("")).join("");
    out.push(`<path d="${d}" fill="${onPaper ? "#FFFFFF" : look.paper}" fill-opacity="${poster && !onPaper ? 0.6 : 1}" stroke="${ink}" stroke-opacity=".55" stroke-width=".8" fill-rule="evenodd"/>`);
  }
  if (!onPaper && !trip.far) {
    [...trip.rings].reverse().forEach((ring, index) => {
      const number = trip.rings.length - index;
      if (look.name === "metro") out.push(`<path d="${path(ring.line, true)}" fill="${number % 2 ? look.paper : look.water}"/>`);
      if (look.name === "chart") out.push(`<path d="${path(ring.line, true)}" fill="none" stroke="${ink}" stroke-opacity=".4" stroke-dasharray="1 4"/>`);
    });
    for (const ray of look.name === "chart" ? trip.rays : []) out.push(`<path d="${path(ray)}" stroke="${ink}" stroke-opacity=".15" stroke-width=".8"/>`);
    for (const line of style.grid ? trip.grid.lines : []) out.push(`<path d="${path(line)}" stroke="${ink}" stroke-opacity="${style.grid}"/>`);
  }
  if (onPaper) {
    for (const ring of trip.rings) out.push(`<path d="${path(ring.line)}" fill="none" stroke="#777" stroke-width=".6"/>`);
    for (const line of trip.grid.lines) out.push(`<path d="${path(line)}" fill="none" stroke="#E2E2E2" stroke-width=".6"/>`);
  }
  for (const line of trip.transfers.flatMap(({ lines }) => (onPaper ? lines : []))) out.push(`<path d="${path(line)}" fill="none" stroke="#555" stroke-width="1.2" stroke-dasharray="1 5" stroke-linecap="round"/>`);
  const shown = trip.days.filter((each) => days.includes(each.n));
  const weight = onPaper ? Math.min(style.route, 4.5) : style.route * 0.8;
  const dots = [];
  for (const each of trip.days) {
    const strong = days.includes(each.n);
    const d = joined(each.lines).map((line) => path(line)).join("");
    if (!d) continue;
    if (strong) dots.push(...each.lines.flatMap((parts) => parts.flatMap((part) => along(part.map(at)))));
    const stroke = `fill="none" stroke-linecap="round" stroke-linejoin="round" opacity="${strong ? 1 : 0.22}"`;
    for (const area of onPaper && strong ? each.areas.slice(0, 1) : []) out.push(`<path d="${area.map((ring) => path(ring, true)).join("")}" fill="${each.printed}" fill-opacity=".09" stroke="${each.printed}" stroke-width=".8" stroke-opacity=".5"/>`);
    out.push(`<path d="${d}" stroke="${casing}" stroke-width="${weight + 4}" ${stroke}/><path d="${d}" stroke="${inkOf(each)}" stroke-width="${weight}" stroke-dasharray="${dashed(each.dash, weight / 3.5) || "none"}" ${stroke}/>`);
  }
  const placed = trip.stops.map((stop) => ({ stop, point: at(stop.at), half: pin, r: pin + (stop.rank ? 2 : 0) }))
    .filter(({ point }) => point.x > -pin && point.x < w + pin && point.y > -pin && point.y < h + pin);
  spread(placed);
  for (const each of shown) {
    each.arrows.forEach(([lat, lon, turn], index) => {
      const [a, b] = [at(each.lines[index][0][0]), at(each.lines[index][0].at(-1))];
      const { x, y } = at([lat, lon]);
      if (Math.hypot(a.x - b.x, a.y - b.y) < 46 || placed.some((one) => Math.hypot(one.x - x, one.y - y) < one.r + 8)) return;
      out.push(`<path d="${HEAD}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})" fill="${inkOf(each)}" stroke="${casing}" stroke-width="2.5" paint-order="stroke"/>`);
    });
  }
  const top = [];
  const station = look.name === "metro" && !onPaper;
  for (const one of placed) {
    const own = dayOf.get(one.stop.day);
    const strong = days.includes(one.stop.day);
    const far = Math.hypot(one.x - one.point.x, one.y - one.point.y) > 5;
    const group = [];
    if (far) group.push(`<path d="M${one.point.x} ${one.point.y}L${one.x} ${one.y}" stroke="${inkOf(own)}"/><circle cx="${one.point.x}" cy="${one.point.y}" r="2" fill="${inkOf(own)}"/>`);
    if (one.stop.rank) group.push(`<circle cx="${one.x}" cy="${one.y}" r="${pin + 2.5}" fill="none" stroke="${inkOf(own)}" stroke-width="1.3"/>`);
    group.push(`<circle cx="${one.x}" cy="${one.y}" r="${pin - 0.5}" fill="${station ? "#FFF" : inkOf(own)}" stroke="${station ? ink : casing}" stroke-width="${station ? 2.5 : 1.5}"/><text x="${one.x}" y="${one.y}" dy=".36em" text-anchor="middle" font-size="${pin}" font-weight="650" fill="${station ? "#14141C" : onPaper ? "#FFF" : own.on}">${one.stop.n}</text>`);
    top.push(`<g data-n="${one.stop.n}" opacity="${strong ? 1 : 0.35}">${group.join("")}</g>`);
  }
  const room = { taken: placed.map((one) => around(one.x, one.y, one.r + 1)), frame: { l: 3, t: 3, r: w - 3, b: h - 3 }, dots, most: 60 };
  const face = getComputedStyle(document.body).fontFamily;
  const inTurn = byRank(placed);
  for (const one of [...inTurn.filter(({ stop }) => list.includes(stop)), ...inTurn.filter(({ stop }) => !list.includes(stop))]) {
    const strong = list.includes(one.stop);
    if (!strong && !trip.far) continue;
    const size = textSize * (!strong ? 0.85 : one.stop.rank ? 1.1 : 1);
    const lines = inLines(one.stop.name, `650 ${size}px ${face}`, 150);
    const width = Math.max(...lines.map(([, each]) => each)) + 2;
    const best = place(spots(one, width, lines.length * size * 1.2), width, lines.length * size * 1.2, room);
    if (!best) continue;
    const side = best.side.split(" ")[0];
    const x = side === "left" ? best.box.r : side === "middle" ? (best.box.l + best.box.r) / 2 : best.box.l;
    const anchor = side === "left" ? "end" : side === "middle" ? "middle" : "start";
    if (best.side.endsWith("away")) out.push(`<path d="M${one.x} ${one.y}L${Math.max(best.box.l, Math.min(best.box.r, one.x))} ${Math.max(best.box.t, Math.min(best.box.b, one.y))}" stroke="${ink}" stroke-width=".8"/>`);
    lines.forEach(([text], index) => {
      top.push(`<text class="plotname" direction="ltr" x="${x.toFixed(1)}" y="${(best.box.t + (index + 0.86) * size * 1.2).toFixed(1)}" text-anchor="${anchor}" font-size="${size}" font-weight="650" fill="${strong ? ink : "#666"}" stroke="${onPaper ? "#FFFFFF" : look.paper}" stroke-width="3" paint-order="stroke" stroke-linejoin="round">${escaped(text)}</text>`);
    });
  }
  return svg(out.join("") + top.join(""), { viewBox: `0 0 ${w} ${h}`, width: w, height: h, class: "plot" });
};

// The inset: stands in the emptiest corner, and shows which part of the map it is.
const insetBox = document.createElement("div");
insetBox.id = "inset";
insetBox.hidden = true;
insetBox.setAttribute("aria-hidden", "true");
map.getContainer().append(insetBox);
L.DomEvent.disableClickPropagation(insetBox);
insetBox.addEventListener("click", (event) => {
  const found = event.target.closest("[data-n]");
  if (found) choose(+found.dataset.n);
});
const lensLines = svg("", { class: "lens" });
map.getContainer().append(lensLines);
const hideInset = () => {
  insetBox.hidden = true;
  lensLines.innerHTML = "";
};
const showInset = (list, size) => {
  const small = phone.matches;
  const w = Math.round(Math.min(small ? 190 : 380, size.x * 0.5));
  const h = Math.round(Math.min(small ? 170 : 300, size.y * (small ? 0.4 : 0.48)));
  const edge = small ? 12 : look.name === "plan" ? 34 : 24;
  const blocked = edgeBoxes("#map .leaflet-control,#stage #head");
  const seen = list.map((pin) => ({ pin, at: map.layerPointToContainerPoint([pin.x, pin.y]) }));
  const own = seen.filter(({ pin }) => grouped.has(pin.stop.n));
  const group = {
    l: Math.min(...own.map(({ at }) => at.x)) - 17, t: Math.min(...own.map(({ at }) => at.y)) - 17,
    r: Math.max(...own.map(({ at }) => at.x)) + 17, b: Math.max(...own.map(({ at }) => at.y)) + 17,
  };
  const lines = trip.days.flatMap((each) => each.lines.flatMap((parts) => parts.flatMap((part) => along(part.map((at) => map.latLngToContainerPoint(at))))));
  let best = null;
  const sheet = small ? 20 : 0;
  for (const x of [edge, (size.x - w) / 2, size.x - w - edge]) {
    for (const y of [edge, (size.y - h) / 2, size.y - h - edge - sheet]) {
      const box = { l: x, t: y, r: x + w, b: y + h };
      const wider = { l: x - 12, t: y - 12, r: box.r + 12, b: box.b + 12 };
      if (seen.some(({ pin, at }) => overlap(wider, around(at.x, at.y, pin.r)) > 0)) continue;
      const crossed = lines.filter((p) => p.x > x && p.x < box.r && p.y > y && p.y < box.b).length;
      const cost = crossed * 150 + blocked.reduce((sum, other) => sum + overlap(box, other), 0) * 3 + Math.hypot((box.l + box.r - group.l - group.r) / 2, (box.t + box.b - group.t - group.b) / 2);
      if (!best || cost < best.cost) best = { box, cost };
    }
  }
  if (!best) {
    hideInset();
    return null;
  }
  const { box } = best;
  Object.assign(insetBox.style, { left: `${box.l}px`, top: `${box.t}px`, width: `${w}px`, height: `${h}px` });
  if (insetBox.dataset.size !== `${w}×${h}`) {
    insetBox.dataset.size = `${w}×${h}`;
    const some = [...grouped].map((n) => stops.get(n));
    insetBox.replaceChildren(plot({ list: some, w, h, edges: small ? [34, 30] : [64, 48], days: trip.days.map((each) => each.n), textSize: small ? 10.5 : 12.5, pin: small ? 10 : 13 }));
  }
  insetBox.hidden = false;
  // Lines from the frame about the group to the inset's nearest corners.
  const corners = (b) => [[b.l, b.t], [b.r, b.t], [b.r, b.b], [b.l, b.b]];
  const [from, to] = [corners(group), corners(box)];
  const away = (i) => Math.hypot(from[i][0] - to[i][0], from[i][1] - to[i][1]);
  const [, ...outer] = [0, 1, 2, 3].sort((a, b) => away(a) - away(b));
  const pair = [outer[0], outer[1]];
  const rays = pair.map((i) => `M${from[i].join(" ")}L${to[i].join(" ")}`).join("");
  lensLines.innerHTML = `<path d="${rays}" stroke-dasharray="3 4"/><rect x="${group.l}" y="${group.t}" width="${group.r - group.l}" height="${group.b - group.t}" rx="6"/>`;
  return { box, group };
};
map.on("movestart", hideInset);
map.on("moveend", () => {
  if (insetShown() && insetBox.hidden) arrange();
});
