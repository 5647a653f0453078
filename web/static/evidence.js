// From the words of a check to where it was found: a place's link shows it in the viewer on this page, the places of
// one check stand out while its row is pointed at or has the focus. What holds is drawn only then.

const BOXES = ".drawn [data-mark], [data-timeline] [data-mark]";

function chosen(check) {
  for (const mark of document.querySelectorAll(BOXES)) {
    const of = check && mark.dataset.of.split(" ").includes(check);
    if (mark.classList.contains("chosen") !== Boolean(of)) mark.classList.toggle("chosen", Boolean(of));
  }
  document.dispatchEvent(new Event("studio:chosen"));
}

// The row (or the failure) that somebody is at.
let kept = "";
function at(event) {
  const row = event.target.closest?.("[data-check]");
  if (row) kept = row.dataset.check;
  if (row || event.type === "focusin") chosen(kept);
}

export function markOf(number) {
  return document.querySelector(`.drawn [data-mark="${number}"], [data-timeline] [data-mark="${number}"]`);
}

function show(number) {
  const mark = markOf(number);
  if (!mark) return false;
  mark.closest("details")?.setAttribute("open", "");
  const check = kept && mark.dataset.of.split(" ").includes(kept) ? kept : mark.dataset.of.split(" ")[0];
  chosen(check);
  for (const other of document.querySelectorAll(".drawn .here, [data-timeline] .here")) other.classList.remove("here");
  mark.classList.add("here");
  const viewer = mark.closest(".viewer");
  document.dispatchEvent(new CustomEvent("studio:place", { detail: { mark, viewer } }));
  const ground = mark.closest(".canvas") ?? viewer.querySelector("video, .roll") ?? viewer;
  (viewer.querySelector("[data-frame]") ?? ground).scrollIntoView({ block: "center" });
  mark.focus({ preventScroll: true });
  return true;
}

function plain(event) {
  return !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-place], [data-timeline] [data-mark]");
  if (link && plain(event) && show(link.dataset.place ?? link.dataset.mark)) event.preventDefault();
});
for (const name of ["pointerover", "focusin"]) document.addEventListener(name, at);

const asked = /^#at-(\d{1,3})$/.exec(location.hash);
if (asked) addEventListener("load", () => show(asked[1]));
