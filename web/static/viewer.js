// The viewer of pictures: other versions in place, and zoom by buttons, keys and a double click.

const STEP = 1.5;
const MOST = 8;

function mount(viewer) {
  const picture = viewer.querySelector("[data-picture]");
  const frame = viewer.querySelector("[data-frame]");
  const tools = viewer.querySelector("[data-zoom]");
  let scale = 1;

  function show(link) {
    for (const other of viewer.querySelectorAll("[data-show]")) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    fit();
    picture.removeAttribute("width");
    picture.removeAttribute("height");
    picture.src = link.dataset.show;
    viewer.querySelector("[data-full]").href = link.dataset.show;
  }

  function fit() {
    scale = 1;
    frame.classList.remove("enlarged");
    picture.style.width = "";
  }

  function zoom(factor) {
    const next = Math.min(Math.max(scale * factor, 1), MOST);
    if (next === scale) return;
    const base = picture.clientWidth / scale;
    const middle = {
      x: (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth,
      y: (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight,
    };
    if (next === 1) return fit();
    scale = next;
    frame.classList.add("enlarged");
    picture.style.width = `${base * scale}px`;
    frame.scrollTo(
      middle.x * frame.scrollWidth - frame.clientWidth / 2,
      middle.y * frame.scrollHeight - frame.clientHeight / 2,
    );
  }

  const actions = { in: () => zoom(STEP), out: () => zoom(1 / STEP), fit };
  tools.hidden = false;
  tools.addEventListener("click", (event) => actions[event.target.dataset.by]?.());
  frame.addEventListener("keydown", (event) => {
    const name = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    if (!name || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[name]();
  });
  picture.addEventListener("dblclick", () => (scale > 1 ? fit() : zoom(2.25)));
  for (const link of viewer.querySelectorAll("[data-show]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      show(link);
    });
  }
}

function mountAll() {
  for (const viewer of document.querySelectorAll("[data-viewer]:not([data-mounted])")) {
    viewer.dataset.mounted = "yes";
    mount(viewer);
  }
}

document.addEventListener("studio:fresh", mountAll);
mountAll();
