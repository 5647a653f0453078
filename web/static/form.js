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
  fields.delete("files");
  try {
    const answer = await fetch(form.dataset.contract, { method: "POST", body: fields });
    if (answer.ok && mine === asked) form.querySelector("[data-contract-here]").innerHTML = await answer.text();
  } catch {
    // The panel keeps what it shows; sending the form tells what is wrong.
  }
}

// ---

if (form) {
  paint(form);
  form.addEventListener("input", contractSoon);
  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.matches("[data-add]")) {
      event.preventDefault();
      addRow(button.closest(LIST));
    } else if (button.matches("[data-remove]")) {
      event.preventDefault();
      removeRow(button);
    }
  });
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
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
