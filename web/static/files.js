// Files by drop: whatever is dropped on a [data-drop] goes into its file input; pictures are shown small.

const SHOWN_BYTES = 8 << 20;

function names(zone) {
  const list = document.getElementById("attached-names");
  if (!list || zone.dataset.drop !== "input") return;
  for (const old of list.querySelectorAll("[data-new]")) old.remove();
  for (const file of zone.querySelector("input[type=file]").files) {
    const option = document.createElement("option");
    option.value = file.name;
    option.dataset.new = "";
    list.append(option);
  }
}

function show(zone) {
  const input = zone.querySelector("input[type=file]");
  names(zone);
  const place = zone.querySelector("[data-chosen]");
  if (!place) return;
  place.replaceChildren();
  for (const file of input.files) {
    const item = document.createElement("li");
    if (/^image\/(png|jpeg|webp|gif|avif)$/.test(file.type) && file.size <= SHOWN_BYTES) {
      const picture = document.createElement("img");
      picture.alt = "";
      const reader = new FileReader();
      reader.addEventListener("load", () => { picture.src = reader.result; });
      reader.readAsDataURL(file);
      item.append(picture);
    }
    const name = document.createElement("bdi");
    name.textContent = file.name;
    item.append(name);
    place.append(item);
  }
}

function mount(zone) {
  const input = zone.querySelector("input[type=file]");
  input.addEventListener("change", () => show(zone));
  zone.addEventListener("dragover", (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", (event) => {
    if (!zone.contains(event.relatedTarget)) zone.classList.remove("over");
  });
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const all = new DataTransfer();
    for (const file of input.multiple ? [...input.files, ...event.dataTransfer.files] : [event.dataTransfer.files[0]]) {
      if (file) all.items.add(file);
    }
    input.files = all.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
  if (input.files.length) show(zone);
}

function mountAll() {
  for (const zone of document.querySelectorAll("[data-drop]")) mount(zone);
}

document.addEventListener("studio:form", mountAll); // the form was made again
mountAll();

// A file that misses its place must not open in the place of a form that is half filled in.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
