// The record: fold and unfold all, and open what a link points to.

const steps = document.getElementById("steps");
const fold = document.querySelector("[data-fold]");

fold.hidden = false;
fold.addEventListener("click", (event) => {
  const what = event.target.dataset.all;
  if (!what) return;
  for (const item of steps.querySelectorAll("details")) item.open = what === "open";
});

function openTarget() {
  const step = location.hash && document.getElementById(location.hash.slice(1));
  if (!step) return;
  for (const item of step.querySelectorAll(".call")) item.open = true;
  step.scrollIntoView({ block: "start" });
}

addEventListener("hashchange", openTarget);
openTarget();
