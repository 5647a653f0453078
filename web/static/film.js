// The viewer of films: a chapter's link goes to its place in the film on this page; the one that plays is marked.

function mount(viewer) {
  const film = viewer.querySelector("video");
  const links = [...viewer.querySelectorAll(".chapters [data-seek]")];

  for (const link of links) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      film.currentTime = Number(link.dataset.seek);
    });
  }

  function mark() {
    const here = links.findLast((link) => Number(link.dataset.seek) <= film.currentTime + 0.01);
    for (const link of links) link.removeAttribute("aria-current");
    here?.setAttribute("aria-current", "true");
  }

  // What was found: its frame is shown, standing still.
  document.addEventListener("studio:place", ({ detail }) => {
    if (detail.viewer !== viewer) return;
    film.pause();
    film.currentTime = Number(detail.mark.dataset.seek);
  });

  const now = viewer.querySelector("[data-now]");
  function point() {
    if (!now || !(film.duration > 0)) return;
    now.setAttribute("visibility", "visible");
    now.setAttribute("x", `${Math.min((100 * film.currentTime) / film.duration, 100)}%`);
  }

  for (const name of ["timeupdate", "seeked", "loadedmetadata"]) film.addEventListener(name, point);
  for (const name of ["timeupdate", "seeked", "loadedmetadata"]) film.addEventListener(name, mark);
}

function mountAll() {
  for (const viewer of document.querySelectorAll("[data-film]:not([data-mounted])")) {
    viewer.dataset.mounted = "yes";
    mount(viewer);
  }
}

document.addEventListener("studio:fresh", mountAll);
mountAll();
