// A job while it runs. The stream only says that there is news; the server renders it, so that a page opened late,
// twice or again shows the same. Output of the running command is written as it comes.

const page = document.querySelector("[data-job]");
const steps = document.getElementById("steps");
const status = document.getElementById("status");
const connection = page.querySelector("[data-connection]");
const EVENTS = [
  "job.started", "model.request", "model.reply", "model.error", "tool.call", "tool.result", "report", "network", "note", "state",
];
const POLL_MS = 3000;

let stream = null;
let ended = false;
let live = null;
let busy = false;
let again = false;
let timer = 0;

function say(text) {
  connection.hidden = !text;
  connection.textContent = text;
}

function stepElements() {
  return [...steps.querySelectorAll(":scope > .step")];
}

function nearEnd() {
  return document.documentElement.scrollHeight - (scrollY + innerHeight) < 160;
}

async function refresh() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  again = false;
  try {
    await show();
    say("");
  } catch {
    say(connection.dataset.lost);
    soon(POLL_MS);
  }
  busy = false;
  if (again) soon();
}

async function show() {
  const known = stepElements();
  const last = known.at(-1);
  const tokens = known.slice(0, -1).reduce((sum, step) => sum + Number(step.dataset.tokens), 0);
  const query = new URLSearchParams({
    step: last?.dataset.step ?? 0, seq: last?.dataset.seq ?? 0, attempt: last?.dataset.attempt ?? 1, tokens,
  });
  const answer = await fetch(`${page.dataset.progress}?${query}`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.statusText);
  const news = await answer.json();
  const follow = nearEnd();
  replaceSteps(last, news.steps);
  replaceStatus(news.status);
  replaceLeft(news.left);
  document.getElementById("notes-waiting").innerHTML = news.notes;
  document.title = news.title.trim();
  page.querySelector("[data-empty]")?.toggleAttribute("hidden", stepElements().length > 0 || news.ended);
  writeLive();
  if (follow) scrollTo({ top: document.documentElement.scrollHeight });
  if (news.ended) end();
}

// What a person folded or scrolled stays so.
function replaceSteps(last, html) {
  const made = document.createElement("ol");
  made.innerHTML = html;
  if (last && !made.querySelector(`[data-step="${last.dataset.step}"]`)) return;
  const folded = new Map([...steps.querySelectorAll("details")].map((item) => [keyOf(item), item.open]));
  const at = document.activeElement;
  const focus = last?.contains(at) ? [...last.querySelectorAll("a, summary, pre")].indexOf(at) : -1;
  for (const item of made.querySelectorAll("details")) {
    if (folded.has(keyOf(item))) item.open = folded.get(keyOf(item));
  }
  if (last && last.outerHTML === made.firstElementChild?.outerHTML && made.children.length === 1) return;
  last?.remove();
  const first = made.firstElementChild;
  steps.append(...made.children);
  if (focus >= 0) [...first.querySelectorAll("a, summary, pre")][focus]?.focus({ preventScroll: true });
}

function keyOf(details) {
  return `${details.closest(".step")?.id}/${details.dataset.call ?? "reasoning"}`;
}

function replaceStatus(html) {
  const made = document.createElement("div");
  made.innerHTML = html;
  for (const part of [...made.children]) {
    const old = document.getElementById(part.id);
    if (old.innerHTML === part.innerHTML) continue;
    const focused = old.contains(document.activeElement);
    old.replaceWith(part);
    if (focused) (part.querySelector("button, a") ?? part).focus?.();
  }
}

// What the job left is put there once; the viewers' scripts take it from there.
function replaceLeft(html) {
  const place = document.getElementById("left-behind");
  if (!html.trim() || place.childElementCount) return;
  place.innerHTML = html;
  document.dispatchEvent(new Event("studio:fresh"));
}

function writeLive() {
  if (!live) return;
  const place = steps.querySelector(`[data-live="${CSS.escape(live.call_id)}"]`);
  if (!place) return;
  const atEnd = place.scrollHeight - place.scrollTop - place.clientHeight < 40;
  place.hidden = false;
  place.textContent = live.text;
  if (atEnd) place.scrollTop = place.scrollHeight;
}

function soon(delay = 120) {
  clearTimeout(timer);
  timer = setTimeout(refresh, delay);
}

function end() {
  ended = true;
  live = null;
  document.querySelector("[data-say]")?.remove();
  close();
  say("");
}

function close() {
  stream?.close();
  stream = null;
}

function open() {
  if (ended || stream) return;
  stream = new EventSource(`${page.dataset.events}?after=${page.dataset.last}`);
  for (const name of EVENTS) {
    stream.addEventListener(name, (event) => {
      if (event.lastEventId) page.dataset.last = event.lastEventId;
      soon();
    });
  }
  stream.addEventListener("live", (event) => {
    live = JSON.parse(event.data);
    if (!steps.querySelector(`[data-live="${CSS.escape(live.call_id)}"]`)) soon();
    writeLive();
  });
  stream.addEventListener("error", () => {
    // Either the stream is over (the job has ended, or the server is full), or the line is down: ask plainly.
    if (stream?.readyState === EventSource.CLOSED) close();
    soon(POLL_MS);
  });
}

document.addEventListener("studio:said", () => soon(0));

// While nobody looks, no stream is held; what came meanwhile is fetched when the page is seen again.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return close();
  refresh();
  open();
});
setInterval(() => { if (!ended && !document.hidden) { soon(0); open(); } }, 5000);

if (!document.hidden) {
  refresh();
  open();
}
