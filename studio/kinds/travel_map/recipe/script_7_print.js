// On paper: one page with the whole trip, then a page for each day. Made when it is asked for.
const SHEET_W = 700; // px of the drawings; the style sheet gives them the paper's width
const made = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  if (text) element.dir = "auto";
  return element;
};
const sheets = () => {
  const box = made("div");
  box.id = "sheets";
  const all = made("section", "sheet whole");
  all.append(document.getElementById("head").cloneNode(true));
  all.firstChild.removeAttribute("id");
  all.append(plot({ list: trip.stops, w: SHEET_W, h: 780 - 24 * Math.ceil(trip.days.length / 2), edges: [70, 56], days: trip.days.map((each) => each.n), onPaper: true, textSize: trip.stops.length > 24 ? 9.5 : 12, pin: trip.stops.length > 24 ? 8.5 : 11 }));
  const key = made("ul", "key");
  for (const each of trip.days) {
    const row = made("li", `day-${each.n}`);
    row.append(svg(`<path d="M2 6H30" stroke="${each.printed}" stroke-width="3.5" stroke-dasharray="${dashed(each.dash, 0.8) || "none"}"/>`, { viewBox: "0 0 32 12", width: 32, height: 12, fill: "none", "stroke-linecap": "round" }));
    row.append(made("b", "", each.name));
    const names = trip.stops.filter((stop) => stop.day === each.n).map((stop) => stop.n);
    const about = panel.querySelector(`.chapter[data-day="${each.n}"] header p`)?.textContent || "";
    row.append(made("span", "", [names.length > 1 ? `${names[0]}–${names.at(-1)}` : names.join(""), about].filter(Boolean).join(" · ")));
    key.append(row);
  }
  all.append(key);
  box.append(all);
  // A day far from the others' is shown with some of the land around it.
  const xy = trip.stops.map((stop) => flat(stop.at));
  const extent = Math.max(...[0, 1].map((axis) => Math.max(...xy.map((p) => p[axis])) - Math.min(...xy.map((p) => p[axis]))));
  const context = trip.far ? Math.max(0.5, extent * 0.3) : Math.max(0.006, extent * 0.08);
  for (const each of trip.days) {
    const own = trip.stops.filter((stop) => stop.day === each.n);
    if (!own.length) continue;
    const page = made("section", `sheet day day-${each.n}`);
    page.append(panel.querySelector(`.chapter[data-day="${each.n}"] header`).cloneNode(true));
    // The map takes what the list leaves of a page.
    const columns = own.length > 3 ? 2 : 1;
    const h = Math.max(300, 850 - 78 * Math.ceil(own.length / columns));
    page.append(plot({ list: own, w: SHEET_W, h, edges: [100, 80], days: [each.n], onPaper: true, least: context, textSize: 13, pin: 12.5 }));
    const list = panel.querySelector(`.chapter[data-day="${each.n}"] ol`).cloneNode(true);
    list.style.columns = columns;
    for (const button of list.querySelectorAll("button")) {
      const plain = made("div", "row");
      plain.append(...button.childNodes);
      button.replaceWith(plain);
    }
    page.append(list);
    box.append(page);
  }
  return box;
};
addEventListener("beforeprint", () => {
  document.getElementById("sheets")?.remove();
  document.body.append(sheets());
});
addEventListener("afterprint", () => document.getElementById("sheets")?.remove());
