// The gallery by keyboard: "/" to the words, j and k (or the arrows, from a work) to the next work and back.
// Keys with a modifier, and those that somebody types into a field, are left alone; so are the arrows anywhere else.

const wall = document.querySelector("[data-wall]");
const search = document.querySelector("[data-search]");
const works = wall ? [...wall.querySelectorAll(".tile > a")] : [];
document.querySelector("[data-keys]")?.toggleAttribute("hidden", !works.length);

const typing = (element) => element?.matches?.("input, select, textarea, [contenteditable]");
const rtl = () => getComputedStyle(document.documentElement).direction === "rtl";

function row(from, up) {
  const here = from.getBoundingClientRect();
  const middle = here.left + here.width / 2;
  let best = null;
  for (const work of works) {
    const box = work.getBoundingClientRect();
    const away = up ? here.top - box.top : box.top - here.top;
    if (away < 8) continue;
    const aside = Math.abs(box.left + box.width / 2 - middle);
    if (!best || away < best.away - 8 || (away < best.away + 8 && aside < best.aside)) best = { work, away, aside };
  }
  return best?.work;
}

function target(key, at) {
  const step = { j: 1, k: -1, ArrowRight: rtl() ? -1 : 1, ArrowLeft: rtl() ? 1 : -1 }[key];
  if (step) return at < 0 ? works[step > 0 ? 0 : works.length - 1] : works[at + step];
  if (at < 0) return null;
  if (key === "ArrowDown" || key === "ArrowUp") return row(works[at], key === "ArrowUp");
  return { Home: works[0], End: works[works.length - 1] }[key];
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && event.target === search) return search.blur();
  if (typing(event.target)) return;
  if (event.key === "/" && search) {
    event.preventDefault();
    search.focus();
    search.select();
    return;
  }
  const at = works.indexOf(document.activeElement);
  if (at < 0 && event.key !== "j" && event.key !== "k") return;
  const next = target(event.key, at);
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
});
