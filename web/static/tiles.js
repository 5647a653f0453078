// Tiles of films: the film plays, silent, while somebody points at it or has it in the focus. Not for those who want no
// motion or save data; what a tile shows otherwise is the still.

const DELAY_MS = 180;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let waiting = 0;
let playing = null;

function stop() {
  clearTimeout(waiting);
  playing?.remove();
  playing = null;
}

function play(link) {
  const picture = link.querySelector("img");
  if (!picture) return;
  const film = document.createElement("video");
  film.className = "preview";
  film.muted = true;
  film.loop = true;
  film.playsInline = true;
  film.setAttribute("aria-hidden", "true");
  film.tabIndex = -1;
  film.src = link.dataset.film;
  film.addEventListener("playing", () => film.classList.add("seen"), { once: true });
  picture.after(film);
  film.play().catch(stop);
  playing = film;
}

function begin(event) {
  const link = event.target.closest?.("a[data-film]");
  if (!link || link.contains(playing)) return;
  stop();
  if (still.matches || navigator.connection?.saveData) return;
  waiting = setTimeout(play, DELAY_MS, link);
}

function end(event) {
  const link = event.target.closest?.("a[data-film]");
  if (link && !link.contains(event.relatedTarget) && !link.matches(":focus-visible")) stop();
}

document.addEventListener("pointerover", begin);
document.addEventListener("pointerout", end);
document.addEventListener("focusin", begin);
document.addEventListener("focusout", (event) => { if (event.target.matches?.("a[data-film]")) stop(); });
