// Words to the model at work: sent without leaving the page, so that nothing that moves there is lost.

const form = document.querySelector("[data-say]");
const said = form?.querySelector("[data-said]");
const field = form?.querySelector("textarea");
const button = form?.querySelector("button");

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  said.hidden = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new FormData(form), redirect: "manual", headers: { Accept: "application/json" },
    });
    if (answer.type === "opaqueredirect") {
      field.value = "";
      document.dispatchEvent(new Event("studio:said"));
    } else {
      said.textContent = (await answer.json()).detail;
      said.hidden = false;
    }
  } catch {
    said.textContent = said.dataset.lost;
    said.hidden = false;
  }
  button.disabled = false;
});
