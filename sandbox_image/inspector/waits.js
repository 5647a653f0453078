// Put into every page before its own scripts and before probe.js: counts what the page waits for.
(() => {
  "use strict";
  const KEY = Symbol.for("studio.waits");
  if (globalThis[KEY]) return;
  // Timers that run once and are still to come: a page may wait a moment before it shows its map, or show it piece by
  // piece, or answer a click late. What it sets later, and chains of timers, which never end, are not waited for.
  const waiting = new Set();
  const FRESH_MS = 1000;
  const LONGEST_MS = 2500;
  const CHAIN = 2;
  const FRAMES_MS = 100;
  const later = globalThis.setTimeout;
  const cancel = globalThis.clearTimeout;
  let depth = 0;
  let stirred = 0;
  const stir = () => (stirred = performance.now());
  const fresh = () => document.readyState !== "complete" || performance.now() - stirred < FRESH_MS;
  globalThis.setTimeout = function (task, ms, ...rest) {
    if (typeof task !== "function") return later.call(globalThis, task, ms, ...rest);
    const level = depth + 1;
    const id = later.call(globalThis, (...given) => {
      const outer = depth;
      depth = level;
      try {
        task.apply(globalThis, given);
      } finally {
        depth = outer;
        waiting.delete(id);
      }
    }, ms, ...rest);
    if (level <= CHAIN && !(ms > LONGEST_MS) && fresh()) waiting.add(id);
    return id;
  };
  globalThis.clearTimeout = function (id) {
    waiting.delete(id);
    cancel.call(globalThis, id);
  };
  addEventListener("load", stir);
  document.addEventListener("pointerdown", stir, true);
  // As a person scrolls to the foot of the page and back: some pages make their map when it comes to sight.
  const wander = async () => {
    const root = document.scrollingElement || document.documentElement;
    if (!root) return;
    const pause = () => new Promise((go) => later.call(globalThis, go, 80));
    for (let y = 0; y < Math.min(root.scrollHeight, 30000); y += innerHeight / 2) {
      scrollTo({ left: 0, top: y, behavior: "instant" });
      await pause();
    }
    scrollTo({ left: 0, top: 0, behavior: "instant" });
    await pause();
  };
  // Two frames later what a click did is to be seen, and what it asked for at the next frame is done.
  const frame = globalThis.requestAnimationFrame;
  const rest = () => new Promise((go) => {
    const limit = later.call(globalThis, go, FRAMES_MS);
    frame.call(globalThis, () => frame.call(globalThis, () => {
      cancel.call(globalThis, limit);
      go();
    }));
  }).then(() => waiting.size);
  // What waits for a frame to be painted.
  let changing = 0;
  const soon = globalThis.requestIdleCallback;
  const never = globalThis.cancelIdleCallback;
  const idling = new Set();
  globalThis.requestIdleCallback = function (task, ...rest) {
    const id = soon.call(globalThis, (...given) => {
      idling.delete(id);
      task.apply(globalThis, given);
    }, ...rest);
    idling.add(id);
    return id;
  };
  globalThis.cancelIdleCallback = function (id) {
    idling.delete(id);
    never.call(globalThis, id);
  };
  const change = Document.prototype.startViewTransition;
  if (change) {
    Document.prototype.startViewTransition = function (...given) {
      const transition = change.apply(this, given);
      changing += 1;
      const done = () => (changing -= 1);
      transition.finished.then(done, done);
      return transition;
    };
  }
  const painting = () =>
    idling.size > 0 || changing > 0 || document.getAnimations().some((animation) => animation.pending);
  globalThis[KEY] = { painting, count: () => waiting.size, wander, rest };
})();
