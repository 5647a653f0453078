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
    picture.parentElement.className = `canvas ${link.dataset.shape}`;
    for (const boxes of viewer.querySelectorAll("[data-drawn]")) {
      boxes.toggleAttribute("hidden", boxes.dataset.drawn !== link.dataset.path);
    }
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

  // A place that was found: its picture is taken, and enlarged until the place fills a good part of the frame.
  const SHARE = 0.6;

  async function showPlace(mark) {
    await showPath(mark.closest("[data-drawn]").dataset.drawn);
    fit();
    const box = mark.querySelector(".line").getBoundingClientRect();
    const room = { width: viewer.clientWidth - 40, height: Math.max(frame.clientHeight, innerHeight * 0.6) };
    const wanted = Math.min((SHARE * room.width) / Math.max(box.width, 1), (SHARE * room.height) / Math.max(box.height, 1));
    zoom(Math.min(wanted, 4));
    toMiddle(mark);
  }

  function toMiddle(mark) {
    const around = frame.getBoundingClientRect();
    const box = mark.querySelector(".line").getBoundingClientRect();
    frame.scrollBy(
      box.left + box.width / 2 - around.left - frame.clientWidth / 2,
      box.top + box.height / 2 - around.top - frame.clientHeight / 2,
    );
  }

  async function showPath(path) {
    const link = [...viewer.querySelectorAll("[data-show]")].find((each) => each.dataset.path === path);
    if (!link || link.hasAttribute("aria-current")) return;
    show(link);
    await picture.decode().catch(() => {});
  }

  document.addEventListener("studio:place", ({ detail }) => { if (detail.viewer === viewer) showPlace(detail.mark); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-picture-of]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    showPath(link.dataset.pictureOf);
    frame.scrollIntoView({ block: "center" });
    frame.focus({ preventScroll: true });
  });

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
