// The banner of the first set-up: follows its progress, and goes when the studio is ready.

const banner = document.querySelector("[data-setup]");

function size(bytes) {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(0)} MB`;
}

async function look() {
  try {
    const answer = await fetch(banner.dataset.setup);
    const setup = await answer.json();
    if (setup.ready) return banner.remove();
    const bar = banner.querySelector("[data-setup-bar]");
    const known = setup.total_bytes && setup.done_bytes !== null;
    banner.querySelector("[data-setup-message]").textContent = setup.message || setup.stage;
    const bytes = banner.querySelector("[data-setup-bytes]");
    bytes.textContent = known
      ? bytes.dataset.words.replace("{done}", size(setup.done_bytes)).replace("{total}", size(setup.total_bytes))
      : "";
    if (known) {
      bar.max = setup.total_bytes;
      bar.value = setup.done_bytes;
    } else {
      bar.removeAttribute("value");
    }
  } catch {
    // Asked again in a moment.
  }
  setTimeout(look, document.hidden ? 5000 : 1000);
}

if (banner) look();
