// A batch while it runs: the server renders, this asks every two seconds while somebody looks.

const page = document.querySelector("[data-batch]");
const connection = page.querySelector("[data-connection]");
const POLL_MS = 2000;

function replace(html) {
  const made = document.createElement("div");
  made.innerHTML = html;
  for (const part of [...made.children]) {
    const old = document.getElementById(part.id);
    if (old.innerHTML === part.innerHTML || old.contains(document.activeElement)) continue;
    const scrolled = old.querySelector(".failures")?.scrollTop ?? 0;
    old.replaceWith(part);
    if (scrolled) part.querySelector(".failures").scrollTop = scrolled;
  }
}

async function refresh() {
  if (document.hidden) return false;
  try {
    const answer = await fetch(page.dataset.progress, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
    const news = await answer.json();
    replace(news.status);
    replace(news.results);
    document.title = news.title.trim();
    connection.hidden = true;
    return news.ended && document.querySelector("#batch-state").dataset.ended === "yes";
  } catch {
    connection.textContent = connection.dataset.lost;
    connection.hidden = false;
    return false;
  }
}

async function loop() {
  while (!(await refresh())) await new Promise((done) => setTimeout(done, POLL_MS));
}

document.addEventListener("visibilitychange", refresh);
loop();
