// The start page while something is in the making: the picture and the tiles fill in; what one types stays.

const WAIT_MS = 3000;

function replace(fresh) {
  for (const part of fresh.querySelectorAll("[data-fresh]")) {
    const old = document.getElementById(part.id);
    if (old && old.innerHTML !== part.innerHTML && !old.contains(document.activeElement)) old.replaceWith(part);
  }
}

async function look() {
  if (!document.hidden) {
    try {
      const answer = await fetch("/", { headers: { Accept: "text/html" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const more = fresh.querySelector("[data-making], [data-setup]");
      replace(fresh);
      if (!more) return;
    } catch {
      // Asked again in a moment.
    }
  }
  setTimeout(look, WAIT_MS);
}

setTimeout(look, WAIT_MS);
