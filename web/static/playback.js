// Plays a record back: its steps appear one after the other, with the pauses that they had, shortened by the pace.

const LONGEST = 6000, SHORTEST = 150; // ms between two steps
const bar = document.querySelector("[data-play]");
const steps = [...document.querySelectorAll("#steps .step")];
const [button, now, pace, place] = ["run", "now", "pace", "place"].map((name) => bar.querySelector(`[data-${name}]`));
const still = matchMedia("(prefers-reduced-motion: reduce)");
const start = button.textContent;
let timer = null;

function show(number) {
  now.value = number;
  steps.forEach((step, index) => step.classList.toggle("later", index >= number));
  place.textContent = number < steps.length ? place.dataset.words.replace("{shown}", number).replace("{all}", steps.length) : "";
}

function stop() {
  clearTimeout(timer);
  timer = null;
  button.textContent = start;
}

function wait() {
  const shown = now.valueAsNumber;
  if (shown >= steps.length) return stop();
  const gap = (Number(steps[shown].dataset.at) - Number(steps[shown - 1].dataset.at)) / Number(pace.value);
  timer = setTimeout(() => {
    show(shown + 1);
    const step = steps[shown];
    step.scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
    wait();
  }, Math.min(LONGEST, Math.max(SHORTEST, gap)));
}

if (steps.length > 1) {
  bar.hidden = false;
  now.max = steps.length;
  now.value = steps.length;
  button.addEventListener("click", () => {
    if (timer) return stop();
    button.textContent = button.dataset.stop;
    if (now.valueAsNumber >= steps.length) show(1);
    wait();
  });
  now.addEventListener("input", () => {
    stop();
    show(now.valueAsNumber);
  });
  pace.addEventListener("change", () => {
    if (!timer) return;
    clearTimeout(timer);
    wait();
  });
  addEventListener("hashchange", () => { // a link to a step that is not there yet
    const target = steps.findIndex((step) => `#${step.id}` === location.hash);
    if (target < now.valueAsNumber) return;
    stop();
    show(target + 1);
    steps[target].scrollIntoView({ block: "start" });
  });
}
