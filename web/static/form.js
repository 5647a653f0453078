// The brief's form: rows at once, colours that paint, the implied contract as one types, one sending only.

const form = document.querySelector("form.brief");

function openAround(element) {
  for (let at = element?.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
}

// --- Colours: the picker and the text say the same.

function paint(root) {
  for (const picker of root.querySelectorAll("input[data-paints]")) {
    const text = root.ownerDocument.getElementById(picker.dataset.paints);
    if (!text || !picker.hidden) continue;
    picker.hidden = false;
    picker.addEventListener("input", () => {
      text.value = picker.value.toUpperCase();
      text.dispatchEvent(new Event("input", { bubbles: true }));
    });
    text.addEventListener("input", () => {
      if (/^#[0-9a-f]{6}$/i.test(text.value.trim())) picker.value = text.value.trim().toLowerCase();
    });
  }
}

// --- Dates: a calendar writes the day in words, in the language of the brief.

function calendars(root) {
  for (const picker of root.querySelectorAll("input[data-writes]")) {
    if (!picker.hidden) continue;
    picker.hidden = false;
    picker.addEventListener("input", () => {
      const text = document.getElementById(picker.dataset.writes);
      if (!picker.value || !text) return;
      const options = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" };
      const language = form.elements["/brief/language"]?.value || document.documentElement.lang;
      let words;
      try {
        words = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, options);
      } catch {
        words = new Intl.DateTimeFormat("en-GB", options);
      }
      text.value = words.format(new Date(`${picker.value}T00:00:00Z`));
      text.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}

// --- Rows: a list's template stands for the row number "-".

const LIST = "[data-rows]";

function nextNumber(list, pointer) {
  let next = 0;
  for (const control of list.querySelectorAll("[name]")) {
    if (!control.name.startsWith(pointer + "/")) continue;
    const number = Number.parseInt(control.name.slice(pointer.length + 1), 10);
    if (number >= next) next = number + 1;
  }
  return next;
}

function renumber(root, from, to) {
  for (const element of root.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (value.includes(from)) element.setAttribute(name, value.replaceAll(from, to));
    }
    if (element instanceof HTMLTemplateElement) renumber(element.content, from, to);
  }
}

function limit(list) {
  const most = Number(list.dataset.most || Infinity);
  list.querySelector(":scope > [data-add]").disabled = list.querySelector(":scope > ol").children.length >= most;
}

function addRow(list) {
  const pointer = list.dataset.rows;
  const row = list.querySelector(":scope > template").content.cloneNode(true);
  renumber(row, `${pointer}/-`, `${pointer}/${nextNumber(list, pointer)}`);
  const rows = list.querySelector(":scope > ol");
  rows.append(row);
  paint(rows.lastElementChild);
  calendars(rows.lastElementChild);
  limit(list);
  rows.lastElementChild.querySelector("input:not([type=hidden]), textarea, select")?.focus();
}

function removeRow(button) {
  const list = button.closest(LIST);
  const row = button.closest("li");
  const near = row.nextElementSibling ?? row.previousElementSibling;
  row.remove();
  limit(list);
  (near?.querySelector("[data-remove]") ?? list.querySelector(":scope > [data-add]")).focus();
  contractSoon();
}

// --- The contract that the brief implies, as one types.

let pending = 0;
let asked = 0;

function contractSoon() {
  clearTimeout(pending);
  pending = setTimeout(showContract, 600);
}

async function showContract() {
  const mine = ++asked;
  const fields = new FormData(form);
  for (const name of ["files", "documents", "places_file"]) fields.delete(name);
  try {
    const answer = await fetch(form.dataset.contract, { method: "POST", body: fields });
    if (answer.ok && mine === asked) form.querySelector("[data-contract-here]").innerHTML = await answer.text();
  } catch {
    // The panel keeps what it shows; sending the form tells what is wrong.
  }
}

// --- What was typed survives a reload of the page, in this tab: it is kept as it would be posted, and the server makes the
// form of it again. Files are not kept, but those that were sent before are.

const KEPT = `studio-form ${location.pathname}${location.search}`;
const SENT = `${KEPT} sent`;
let keeping = 0;

function keepSoon() {
  clearTimeout(keeping);
  keeping = setTimeout(keep, 300);
}

function keep() {
  const fields = [...new FormData(form)].filter(([name, value]) => typeof value === "string" && name !== "csrf_token");
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(fields));
  } catch {
    // Full or forbidden: then nothing is kept.
  }
}

function forget() {
  clearTimeout(keeping);
  sessionStorage.removeItem(KEPT);
  sessionStorage.removeItem(SENT);
}

async function bringBack() {
  const kept = sessionStorage.getItem(KEPT);
  if (form.dataset.started === "typed") return sessionStorage.removeItem(SENT);
  if (!kept || sessionStorage.getItem(SENT)) return forget();
  const fields = new FormData();
  for (const [name, value] of JSON.parse(kept)) fields.append(name, value);
  fields.set("csrf_token", form.elements.csrf_token.value);
  fields.set("do", "keep");
  const answer = await fetch(form.action, { method: "POST", body: fields, headers: { Accept: "text/html" } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("form.brief");
  if (!answer.ok || !fresh) return;
  form.querySelector(".columns").replaceWith(fresh.querySelector(".columns"));
  paint(form);
  calendars(form);
  const note = document.querySelector("[data-kept]");
  note.hidden = false;
  note.querySelector("[data-forget]").addEventListener("click", () => {
    forget();
    location.reload();
  });
  document.dispatchEvent(new Event("studio:form"));
}

// ---

if (form) {
  paint(form);
  calendars(form);
  form.addEventListener("input", keepSoon);
  bringBack();
  form.addEventListener("input", contractSoon);
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.matches("[data-add]")) {
      event.preventDefault();
      addRow(button.closest(LIST));
      keepSoon();
    } else if (button.matches("[data-remove]")) {
      event.preventDefault();
      removeRow(button);
      keepSoon();
    }
  });
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    if (event.submitter?.value === "make" && event.submitter.name === "do") sessionStorage.setItem(SENT, "yes");
    sent = true;
  });
  addEventListener("pageshow", () => { sent = false; });
  const focus = form.querySelector("[autofocus]");
  openAround(focus);
  focus?.focus();
  for (const link of form.querySelectorAll(".troubles a")) {
    link.addEventListener("click", (event) => {
      const field = document.getElementById(decodeURIComponent(link.hash.slice(1)));
      const control = field?.matches("fieldset") ? field.querySelector("input:not([type=hidden]), button") : field;
      if (!control) return;
      event.preventDefault();
      openAround(control);
      control.focus();
      control.scrollIntoView({ block: "center" });
    });
  }
}
