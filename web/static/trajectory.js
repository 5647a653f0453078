// The record: fold and unfold all, show only what uses something, and open what a link points to.

const steps = document.getElementById("steps");
const fold = document.querySelector("[data-fold]");

fold.hidden = false;
fold.addEventListener("click", (event) => {
  const what = event.target.dataset.all;
  if (!what) return;
  for (const item of steps.querySelectorAll("details")) item.open = what === "open";
});

const filter = document.querySelector("[data-uses-filter]");
const listed = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash, link.parentElement]));

function choose() {
  const wanted = new FormData(filter).getAll("uses");
  let shown = 0;
  const all = steps.querySelectorAll(".step");
  for (const step of all) {
    const uses = step.dataset.uses.split(" ");
    step.hidden = !wanted.every((name) => uses.includes(name));
    const entry = listed.get(`#${step.id}`);
    if (entry) entry.hidden = step.hidden;
    if (!step.hidden) shown += 1;
  }
  const count = filter.querySelector("[data-uses-count]");
  count.textContent = wanted.length
    ? count.dataset.words.replace("{shown}", shown).replace("{all}", all.length)
    : "";
}

filter.hidden = false;
filter.addEventListener("change", choose);

function openTarget() {
  const step = location.hash && document.getElementById(location.hash.slice(1));
  if (!step) return;
  if (step.hidden) {
    filter.reset();
    choose();
  }
  for (const item of step.querySelectorAll(".call")) item.open = true;
  step.scrollIntoView({ block: "start" });
}

addEventListener("hashchange", openTarget);
openTarget();
