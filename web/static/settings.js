// A test of a model under way: its lines as they come. Without this the page has a link to look again.

const place = document.querySelector("[data-model-test]");
let shown = "";

async function look() {
  try {
    const answer = await fetch(place.dataset.modelTest, { headers: { Accept: "text/html" } });
    const text = answer.ok ? await answer.text() : shown;
    if (text !== shown) {
      const focused = place.contains(document.activeElement);
      place.innerHTML = text;
      shown = text;
      if (focused) place.focus(); // what had the focus may be gone
    }
  } catch {
    // Asked again in a moment.
  }
  if (place.querySelector("[data-under-way]")) setTimeout(look, document.hidden ? 5000 : 1000);
}

look();
