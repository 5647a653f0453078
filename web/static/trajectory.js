// The record of a run: fold, choose and find steps, bring their long texts when they come into view, copy commands.

const steps = document.getElementById("steps");
const form = document.querySelector("[data-choose]");
const said = document.querySelector("[data-said]");
const all = [...steps.querySelectorAll(".step")];
const listed = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash, link.parentElement]));
const still = matchMedia("(prefers-reduced-motion: reduce)");

function tell(words) {
  said.textContent = "";
  requestAnimationFrame(() => { said.textContent = words; });
}

// Long texts stand on the page of their step, from where they are taken once, when the link to them is seen.

const asked = new Map();

function whole(step) {
  const link = step.querySelector("[data-rest]");
  if (!link) return Promise.resolve();
  if (!asked.has(step)) asked.set(step, bring(step, link.href).catch(() => {
    asked.delete(step);
    tell(said.dataset.failed);
  }));
  return asked.get(step);
}

async function bring(step, url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const link of step.querySelectorAll("[data-rest]")) {
    const text = page.querySelector(`[data-text="${CSS.escape(link.dataset.rest)}"]`);
    if (!text) continue;
    const focused = document.activeElement === link;
    link.parentElement.replaceWith(text);
    if (focused) text.querySelector("pre").focus({ preventScroll: true });
  }
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    whole(target.closest(".step"));
  }
}, { rootMargin: "400px" });

for (const link of steps.querySelectorAll("[data-rest]")) seen.observe(link);

// Fold, and copy. A call that is open has a button; only then, since most are never opened.

const fold = document.querySelector("[data-fold]");
fold.hidden = false;
fold.addEventListener("click", ({ target }) => {
  if (!target.dataset.all) return;
  for (const item of steps.querySelectorAll("details")) item.open = target.dataset.all === "open";
});

function equip(call) {
  if (!call.open || call.dataset.tool !== "execute_bash" || call.querySelector("[data-copy]")) return;
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet-button copy", textContent: said.dataset.copy });
  button.dataset.copy = "";
  call.querySelector("summary").after(button);
}

async function copy(call) {
  await whole(call.closest(".step"));
  const text = call.querySelector(".asked");
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text.textContent);
    tell(said.dataset.copied);
    const button = call.querySelector("[data-copy]");
    if (button) button.textContent = said.dataset.copied;
    setTimeout(() => { if (button) button.textContent = said.dataset.copy; }, 2000);
  } catch { // no secure origin, or not allowed
    call.open = true;
    getSelection().selectAllChildren(text);
    tell(said.dataset.selected);
  }
}

steps.addEventListener("toggle", ({ target }) => { if (target.matches(".call")) equip(target); }, true);
steps.addEventListener("click", (event) => {
  if (event.target.matches("[data-copy]")) copy(event.target.closest(".call"));
  if (event.target.matches("[data-rest]") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    whole(event.target.closest(".step"));
  }
});
for (const call of steps.querySelectorAll(".call[open]")) equip(call);

// Choose. What is chosen stands in the address.

const count = form.querySelector("[data-count]");
form.querySelector("[data-plain]").hidden = true;

function choose() {
  const wanted = new FormData(form), tools = wanted.getAll("tool"), uses = wanted.getAll("uses");
  let shown = 0;
  for (const step of all) {
    const has = step.dataset.tools.split(" "), used = step.dataset.uses.split(" ");
    step.hidden = (tools.length > 0 && !tools.some((name) => has.includes(name)))
      || (wanted.has("failed") && !("failed" in step.dataset)) || !uses.every((name) => used.includes(name));
    const entry = listed.get(`#${step.id}`);
    if (entry) entry.hidden = step.hidden;
    if (!step.hidden) shown += 1;
  }
  const chosen = tools.length || uses.length || wanted.has("failed");
  count.textContent = chosen ? count.dataset.words.replace("{shown}", shown).replace("{all}", all.length) : "";
}

function keep() {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()));
  history.replaceState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
}

form.addEventListener("change", ({ target }) => {
  if (target.name === "find") return;
  choose();
  keep();
});

// Find. The server counts, as it has every text; a place is marked without touching the page's elements.

const box = form.elements.find, list = form.querySelector("[data-found]"), walk = form.querySelector("[data-walk]");
let words = box.value.trim(), at = null, place = -1;

const visible = () => [...list.querySelectorAll("[data-step]")]
  .map((link) => document.getElementById(`step-${link.dataset.step}`)).filter((step) => step && !step.hidden);

function rangesIn(step) {
  const found = [], wanted = words.toLowerCase();
  for (const text of step.querySelectorAll("pre, .changed")) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode, plain = node.data.toLowerCase();
      for (let from = plain.indexOf(wanted); from >= 0 && from + wanted.length <= node.length; from = plain.indexOf(wanted, from + wanted.length)) {
        const range = new Range();
        range.setStart(node, from);
        range.setEnd(node, from + wanted.length);
        found.push(range);
      }
    }
  }
  return found;
}

function mark(name, ranges) {
  if (CSS.highlights) CSS.highlights.set(name, new Highlight(...ranges));
}

async function search() {
  words = box.value.trim();
  [at, place] = [null, -1];
  mark("found", []);
  mark("found-here", []);
  keep();
  const wanted = words;
  const answer = wanted && await fetch(`${form.dataset.foundUrl}?${new URLSearchParams({ find: wanted })}`).catch(() => null);
  if (wanted !== words) return;
  if (wanted && !answer?.ok) return tell(said.dataset.failed);
  const part = new DOMParser().parseFromString(wanted ? await answer.text() : "", "text/html");
  list.replaceChildren(...part.body.childNodes);
  walk.hidden = !list.querySelector("a");
  tell(list.querySelector("[data-found-sum]")?.textContent ?? "");
}

async function go(by) {
  const order = visible();
  if (!words || !order.length) return;
  let ranges = at ? rangesIn(at) : [];
  place += by;
  if (!at || place < 0 || place >= ranges.length) {
    const from = at ? order.indexOf(at) : by > 0 ? -1 : order.length;
    at = order.at((from + by) % order.length);
    await open(at);
    ranges = rangesIn(at);
    place = by > 0 ? 0 : ranges.length - 1;
  }
  for (const link of list.querySelectorAll("[data-step]")) {
    if (`step-${link.dataset.step}` === at.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  mark("found", ranges);
  const here = ranges[place];
  mark("found-here", here ? [here] : []);
  if (!here) return at.scrollIntoView({ block: "start" });
  for (let up = here.startContainer.parentElement; up !== at; up = up.parentElement) if (up.matches("details")) up.open = true;
  const text = here.startContainer.parentElement.closest("pre");
  text?.scrollTo(0, text.scrollTop + here.getBoundingClientRect().top - text.getBoundingClientRect().top - text.clientHeight / 2);
  scrollBy({ top: here.getBoundingClientRect().top - innerHeight / 3, behavior: still.matches ? "instant" : "auto" });
}

walk.hidden = !list.querySelector("a");
walk.addEventListener("click", ({ target }) => { if (target.dataset.to) go(Number(target.dataset.to)); });
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (box.value.trim() !== words) await search();
  else await go(1);
});
box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.shiftKey) return;
  event.preventDefault();
  go(-1);
});
box.addEventListener("search", () => { if (!box.value) search(); });

// Links to a step open it.

async function open(step) {
  if (step.hidden) {
    for (const item of form.querySelectorAll(":checked")) item.checked = false;
    choose();
    keep();
  }
  step.classList.remove("later");
  for (const item of step.querySelectorAll(".call")) item.open = true;
  await whole(step);
}

async function openTarget() {
  const step = /^#step-\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (!step) return;
  await open(step);
  step.scrollIntoView({ block: "start" });
}

addEventListener("hashchange", openTarget);
addEventListener("click", ({ target }) => { // the same link again
  const link = target.closest?.("a[href^='#step-']");
  if (link && link.hash === location.hash) openTarget();
});
if (!location.hash) choose();
else openTarget().then(choose);

// Keys act only while the focus lies in a step, so that nothing is set off by dictation.

const keys = {
  j: (step) => beside(step, 1),
  k: (step) => beside(step, -1),
  o: (step) => {
    const calls = [...step.querySelectorAll(".call")], closed = calls.some((call) => !call.open);
    for (const call of calls) call.open = closed;
    step.querySelector("h3 a").focus({ preventScroll: true });
  },
  c: (step) => { const call = step.querySelector(".call[data-tool=execute_bash]"); if (call) copy(call); },
  n: () => go(1),
  p: () => go(-1),
  "/": () => box.focus(),
};

function beside(step, by) {
  const shown = all.filter((known) => !known.hidden && !known.classList.contains("later"));
  const next = shown[shown.indexOf(step) + by];
  if (!next) return;
  next.querySelector("h3 a").focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

document.querySelector("[data-keys]").hidden = false;
steps.addEventListener("keydown", (event) => {
  const step = event.target.closest(".step");
  if (!step || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key](step);
});

// What changed between two steps.

const between = document.querySelector("[data-between]");

function changed() {
  const [from, to] = [between.elements.from, between.elements.to].map((field) => field.valueAsNumber);
  for (const file of between.parentElement.querySelectorAll("[data-file]")) {
    const numbers = file.querySelector("[data-steps]").dataset.steps.split(" ").map(Number);
    file.hidden = !numbers.some((number) => !(number < from) && !(number > to));
  }
}

if (between) {
  between.querySelector("button").hidden = true;
  between.addEventListener("input", changed);
  between.addEventListener("submit", (event) => event.preventDefault());
}
