// The piano roll that follows the sound: time from left to right, one lane a key, the hands in two colours. The
// recording is the clock; the roll is drawn anew for each frame while it plays, and once for whatever else happens.

const GUTTER = 40; // pixels: the keys at the left
const HEAD = 20; // pixels: the bars' numbers above
const SPEED = 72; // pixels a second
const AT = 0.33; // where in the frame the playhead stays while the roll moves
const BLACK = new Set([1, 3, 6, 8, 10]);
const NEAR = 0.04; // seconds

const still = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

function mount(viewer) {
  const { notes, bars, end } = JSON.parse(viewer.dataset.roll);
  const told = JSON.parse(viewer.dataset.words);
  const sound = viewer.querySelector("audio");
  const frame = viewer.querySelector("[data-roll-frame]");
  const where = viewer.querySelector("[data-where]");
  const wave = viewer.querySelector("[data-wave]");
  const played = viewer.querySelector("[data-played]");
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const low = Math.min(...notes.map((note) => note[2])) - 3;
  const high = Math.max(...notes.map((note) => note[2])) + 3;
  let ink = {};
  let size = { width: 0, height: 0 };
  let from = 0; // seconds at the left edge
  let ticking = 0;
  let dragging = false;

  // What was found in the piece: a line or a stretch on the roll, its number above.
  const marks = [...viewer.querySelectorAll("[data-timeline] [data-mark]")].map((source) => {
    const line = document.createElement("span");
    line.className = "roll-mark";
    line.dataset.number = source.dataset.mark;
    line.setAttribute("aria-hidden", "true");
    const flag = document.createElement("b");
    flag.textContent = source.dataset.mark;
    line.append(flag);
    return { source, line, at: Number(source.dataset.at), until: Number(source.dataset.until ?? source.dataset.at) };
  });

  function placeMarks() {
    for (const { source, line, at, until } of marks) {
      const left = Math.max(x(at), GUTTER);
      const right = Math.min(Math.max(x(until), x(at) + 2), size.width);
      line.hidden = x(Math.max(until, at)) < GUTTER || left > size.width || (source.classList.contains("pass") && !source.classList.contains("chosen"));
      line.className = `roll-mark ${source.getAttribute("class")}`;
      line.style.left = `${left}px`;
      line.style.width = `${Math.max(right - left, 2)}px`;
    }
  }

  const total = () => (Number.isFinite(sound.duration) && sound.duration > 0 ? sound.duration : end);
  const speed = () => Math.max(SPEED, (size.width - GUTTER) / total());
  const span = () => (size.width - GUTTER) / speed();
  const x = (second) => GUTTER + (second - from) * speed();
  const lane = () => (size.height - HEAD) / (high - low + 1);
  const y = (pitch) => HEAD + (high - pitch) * lane();
  const barAt = (second) => bars.findLastIndex((line) => line <= second + NEAR) + 1;

  function colours() {
    const style = getComputedStyle(viewer);
    const names = ["right", "left", "roll-paper", "roll-black", "roll-line", "ink", "soft", "mark"];
    ink = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    ink.font = `12px ${style.fontFamily}`;
  }

  function resize() {
    const box = frame.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio || 1, 3);
    size = { width: box.width, height: box.height };
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw();
  }

  // The frame moves along with the sound; for those who want no motion it turns over like a page.
  function follow(now) {
    if (dragging) return;
    const last = Math.max(0, total() - span());
    if (still.matches) {
      if (now < from || now > from + span() * 0.94) from = Math.min(Math.max(now - span() * 0.06, 0), last);
    } else {
      from = Math.min(Math.max(now - span() * AT, 0), last);
    }
  }

  function draw() {
    const now = sound.currentTime;
    follow(now);
    pen.clearRect(0, 0, size.width, size.height);
    pen.font = ink.font;
    ground();
    const held = melody(now);
    pen.fillStyle = ink.mark;
    pen.fillRect(x(now) - 1, 0, 2, size.height);
    keys(held);
    placeMarks();
    say(now);
  }

  function ground() {
    pen.fillStyle = ink["roll-paper"];
    pen.fillRect(0, 0, size.width, size.height);
    pen.fillStyle = ink["roll-black"];
    for (let pitch = low; pitch <= high; pitch += 1) {
      if (BLACK.has(pitch % 12)) pen.fillRect(GUTTER, y(pitch), size.width, lane());
    }
    pen.textBaseline = "middle";
    bars.forEach((line, index) => {
      const at = x(line);
      if (at < GUTTER - 1 || at > size.width) return;
      pen.fillStyle = ink["roll-line"];
      pen.fillRect(Math.round(at), 0, 1, size.height);
      pen.fillStyle = ink.soft;
      pen.fillText(String(index + 1), at + 5, HEAD / 2 + 1);
    });
  }

  function melody(now) {
    const held = new Map();
    const until = from + span();
    for (const [start, length, pitch, velocity, hand] of notes) {
      if (start > until || start + length < from) continue;
      const sounds = start <= now + 0.005 && now < start + length;
      if (sounds) held.set(pitch, hand);
      pen.fillStyle = hand ? ink.left : ink.right;
      pen.globalAlpha = sounds ? 1 : (start + length <= now ? 0.42 : 0.5 + 0.4 * (velocity / 127));
      const left = x(start);
      pen.beginPath();
      pen.roundRect(left, y(pitch) + 0.5, Math.max(3, length * speed() - 1), Math.max(2, lane() - 1), 2);
      pen.fill();
      if (sounds) {
        pen.globalAlpha = 1;
        pen.strokeStyle = ink.ink;
        pen.lineWidth = 1.5;
        pen.stroke();
      }
    }
    pen.globalAlpha = 1;
    return held;
  }

  function keys(held) {
    pen.fillStyle = ink["roll-paper"];
    pen.fillRect(0, 0, GUTTER, size.height);
    for (let pitch = low; pitch <= high; pitch += 1) {
      const black = BLACK.has(pitch % 12);
      if (held.has(pitch)) pen.fillStyle = held.get(pitch) ? ink.left : ink.right;
      else if (black) pen.fillStyle = ink.ink;
      else continue;
      pen.fillRect(0, y(pitch), black ? GUTTER * 0.55 : GUTTER, lane());
    }
    pen.fillStyle = ink["roll-line"];
    pen.fillRect(GUTTER, 0, 1, size.height);
    for (let pitch = low; pitch <= high; pitch += 1) {
      if (pitch % 12 !== 0) continue;
      pen.fillStyle = ink["roll-line"];
      pen.fillRect(0, y(pitch - 1), size.width, 1);
      pen.fillStyle = ink.soft;
      pen.fillText(`C${pitch / 12 - 1}`, 24, y(pitch) + lane() / 2);
    }
  }

  const clock = (second) => `${Math.floor(second / 60)}:${String(Math.floor(second % 60)).padStart(2, "0")}`;

  function say(now) {
    const bar = barAt(now);
    const form = bar ? told.bar : told.plain;
    const words = form.replace("{bar}", bar).replace("{at}", clock(now)).replace("{end}", clock(total()));
    if (where && where.textContent !== words) where.textContent = words;
    canvas.setAttribute("aria-valuenow", now.toFixed(1));
    canvas.setAttribute("aria-valuemax", total().toFixed(1));
    canvas.setAttribute("aria-valuetext", words);
    if (played) {
      played.hidden = false;
      played.style.transform = `scaleX(${Math.min(now / total(), 1)})`;
    }
  }

  function tick() {
    draw();
    ticking = sound.paused ? 0 : requestAnimationFrame(tick);
  }

  function seek(second) {
    sound.currentTime = Math.min(Math.max(second, 0), Math.max(total() - 0.05, 0));
  }

  function toBar(step) {
    const index = barAt(sound.currentTime) - 1 + step;
    seek(bars[Math.min(Math.max(index, 0), bars.length - 1)] ?? 0);
  }

  const onKey = {
    ArrowRight: () => seek(sound.currentTime + 1),
    ArrowLeft: () => seek(sound.currentTime - 1),
    ArrowUp: () => seek(sound.currentTime + 1),
    ArrowDown: () => seek(sound.currentTime - 1),
    PageUp: () => toBar(1),
    PageDown: () => toBar(-1),
    Home: () => seek(0),
    End: () => seek(total()),
    " ": () => (sound.paused ? sound.play() : sound.pause()),
  };

  function pointed(event) {
    const box = canvas.getBoundingClientRect();
    seek(from + Math.max(0, event.clientX - box.left - GUTTER) / speed());
  }

  canvas.tabIndex = 0;
  canvas.setAttribute("role", "slider");
  canvas.setAttribute("aria-label", told.label);
  canvas.setAttribute("aria-valuemin", "0");
  frame.replaceChildren(canvas, ...marks.map(({ line }) => line));
  frame.classList.add("ready");
  canvas.addEventListener("keydown", (event) => {
    const act = onKey[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    dragging = true;
    canvas.setPointerCapture(event.pointerId);
    pointed(event);
  });
  canvas.addEventListener("pointermove", (event) => { if (dragging) pointed(event); });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, () => {
      dragging = false;
      draw();
    });
  }
  wave?.addEventListener("click", (event) => {
    const box = wave.getBoundingClientRect();
    seek(((event.clientX - box.left) / box.width) * total());
  });
  document.addEventListener("studio:place", ({ detail }) => {
    if (detail.viewer === viewer) seek(Number(detail.mark.dataset.at));
  });
  document.addEventListener("studio:chosen", placeMarks);
  sound.addEventListener("play", () => { if (!ticking) ticking = requestAnimationFrame(tick); });
  for (const name of ["pause", "seeking", "seeked", "loadedmetadata", "durationchange", "ended"]) {
    sound.addEventListener(name, draw);
  }
  dark.addEventListener("change", () => { colours(); draw(); });
  colours();
  new ResizeObserver(resize).observe(frame);
}

function mountAll() {
  for (const viewer of document.querySelectorAll("[data-music]:not([data-mounted])")) {
    viewer.dataset.mounted = "yes";
    mount(viewer);
  }
}

document.addEventListener("studio:fresh", mountAll);
mountAll();
