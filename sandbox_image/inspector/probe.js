// Put into every page before its own scripts: finds maps, markers, lines and tile layers, whatever variable holds them,
// and tells what can be clicked and what a click has shown. It changes nothing that the page could notice.
(() => {
  "use strict";
  const KEY = Symbol.for("studio.probe");
  const WAITS = globalThis[Symbol.for("studio.waits")];
  const STYLED = globalThis[Symbol.for("studio.styled")];
  if (globalThis[KEY]) return;
  const made = []; // every object of a Leaflet class, in the order of its making
  const pinned = []; // every MapLibre or Mapbox marker
  const listening = new Set(); // elements with a click handler of their own
  const violations = [];

  // Leaflet's classes set this field on each instance once (Class.callInitHooks); it survives minifying and closures.
  const spy = (field, list) =>
    Object.defineProperty(Object.prototype, field, {
      configurable: true,
      get: () => undefined,
      set(value) {
        Object.defineProperty(this, field, { value, writable: true, configurable: true, enumerable: true });
        list.push(this);
      },
    });
  spy("_initHooksCalled", made);
  spy("_lngLat", pinned);
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if ((type === "click" || type === "mousedown" || type === "pointerdown") && this instanceof Element) {
      listening.add(this);
    }
    return listen.call(this, type, ...rest);
  };
  listen.call(document, "securitypolicyviolation", (event) => {
    violations.push({ url: event.blockedURI, directive: event.effectiveDirective });
  });

  const icons = () => [...document.querySelectorAll('link[rel~="icon" i]')].map((link) => link.href);

  const is = (value, name) => typeof value?.[name] === "function";
  const isMap = (o) => o._container instanceof Element && is(o, "latLngToContainerPoint") && is(o, "setView");
  const isOverlay = (o) => is(o, "setContent") && is(o, "openOn");
  const isCluster = (o) => is(o, "getAllChildMarkers");
  const isMarker = (o) =>
    is(o, "getLatLng") && !isOverlay(o) && !isCluster(o) && (is(o, "setIcon") || is(o, "getRadius"));
  const isLine = (o) => is(o, "getLatLngs") && o.options && !o.options.fill;
  const isTiles = (o) => is(o, "getTileUrl");
  const guarded = (make, otherwise) => {
    try {
      return make();
    } catch {
      return otherwise;
    }
  };
  const maps = () => made.filter((o) => guarded(() => isMap(o) && o._loaded !== undefined, false));

  const visible = (element) => {
    if (!element?.isConnected) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };
  const words = (value) => {
    if (is(value, "call")) value = guarded(() => value(), "");
    if (value instanceof Element) return value.innerText || value.textContent || "";
    if (typeof value !== "string") return "";
    return new DOMParser().parseFromString(value, "text/html").body.textContent || "";
  };
  const elementOf = (o) => o._icon || o._path || o._element || (o instanceof Element ? o : null);

  const NAMED = "[role=button],[role=link],[role=img][tabindex],a,[tabindex],[onclick]";
  const others = () => {
    const placed = [...document.querySelectorAll("[data-lat],[data-latitude]")].filter((e) => longitude(e) !== null);
    if (placed.length) return placed;
    return [...document.querySelectorAll("svg *")].filter((e) => e.matches(NAMED) && nameOf(e));
  };
  const number = (text) => (text === undefined || text.trim() === "" || isNaN(+text) ? null : +text);
  const latitude = (e) => number(e.dataset.lat ?? e.dataset.latitude);
  const longitude = (e) => number(e.dataset.lon ?? e.dataset.lng ?? e.dataset.long ?? e.dataset.longitude);
  const nameOf = (e) =>
    [e.getAttribute?.("aria-label"), e.title, e.alt, e.querySelector?.("title")?.textContent, e.textContent]
      .find((text) => typeof text === "string" && text.trim()) || "";

  const targets = () => {
    const leaflet = made.filter((o) => guarded(() => isMarker(o), false));
    if (leaflet.length) return leaflet;
    const maplibre = pinned.filter((o) => o._element instanceof Element && is(o, "getLngLat"));
    return maplibre.length ? maplibre : others();
  };
  const place = (o) => {
    if (o instanceof Element) return [latitude(o), longitude(o)];
    const at = is(o, "getLatLng") ? o.getLatLng() : o.getLngLat();
    return at ? [at.lat, at.lng] : [null, null];
  };
  const clusterOf = (o) => {
    for (let up = o.__parent; up; up = up.__parent) if (up._icon && visible(up._icon)) return up;
    return null;
  };
  const onCanvas = (o) => !elementOf(o) && o._renderer?._container && o._map;
  const shownNow = (o) => (onCanvas(o) ? visible(o._renderer._container) : visible(elementOf(o)));
  const markers = () =>
    targets().map((o, id) => {
      const [lat, lon] = guarded(() => place(o), [null, null]);
      const element = elementOf(o);
      const label = [
        o.options?.title, o.options?.alt, element && nameOf(element),
        guarded(() => words(o._tooltip?._content), ""), guarded(() => words(o._popup?._content), ""),
      ].filter((text) => typeof text === "string" && text.trim()).join("\n").slice(0, 2000);
      const answers =
        o instanceof Element || !is(o, "listens") ||
        guarded(() => !!o._popup || o.listens("click", true) || (element && listening.has(element)), true);
      const active = o.options?.interactive !== false || !!(element && listening.has(element));
      return { id, lat, lon, label, answers: answers && active, shown: shownNow(o), clustered: !!clusterOf(o) };
    });

  // A line of several parts is several lines.
  const parts = (points) =>
    points.some((each) => Array.isArray(each)) ? points.filter(Array.isArray).flatMap(parts) : [points];
  const leafletLines = () =>
    made.flatMap((o, id) => {
      if (!guarded(() => isLine(o) && !!o._map, false)) return [];
      const { stroke, opacity, weight } = o.options;
      if (stroke === false || opacity === 0 || weight === 0) return [];
      return guarded(() => parts(o.getLatLngs()), []).slice(0, 100).flatMap((part, number) => {
        const points = guarded(() => part.map((p) => [p.lat, p.lng]), []);
        const step = Math.max(1, Math.ceil(points.length / 4000));
        if (points.length < 2) return [];
        return [{ id: `${id}.${number}`, points: points.filter((_, i) => i % step === 0 || i === points.length - 1) }];
      });
    });

  const lines = () => [...leafletLines(), ...guarded(() => STYLED.lines(pinned), [])];

  const spots = () =>
    targets().map((o) => {
      if (!visible(elementOf(o))) return null;
      const box = elementOf(o).getBoundingClientRect();
      const y = box.y + scrollY;
      return [box.x + box.width / 2 + scrollX, y + box.height / 2, y + box.height];
    });

  // Where each marker is in the window now, and where positions would be: boxes in px, null for what is not in sight.
  const boxes = (positions) => {
    const around = (x, y, half) => [x - half, y - half, 2 * half, 2 * half];
    const at = (map, place, half) => guarded(() => {
      const frame = map._container.getBoundingClientRect();
      const point = map.latLngToContainerPoint(place);
      if (point.x < 0 || point.y < 0 || point.x > frame.width || point.y > frame.height) return null;
      return around(frame.x + point.x, frame.y + point.y, half);
    }, null);
    const markers = targets().map((o) => {
      if (onCanvas(o)) return at(o._map, o.getLatLng(), (o._radius || 6) + 2);
      const element = elementOf(o);
      if (!visible(element) || !inView(element)) return null;
      const box = element.getBoundingClientRect();
      return [box.x, box.y, box.width, box.height];
    });
    return { markers, positions: positions.map((place) => (maps()[0] ? at(maps()[0], place, 14) : null)) };
  };

  const tiles = () =>
    made.filter((o) => guarded(() => isTiles(o) && !!o._url, false)).map((o) => ({
      url: String(o._url).slice(0, 300),
      on: !!o._map,
      attribution: words(guarded(() => o.getAttribution?.() ?? o.options.attribution, "") || ""),
    }));

  const sights = () => ({ lines: lines(), tiles: [...tiles(), ...guarded(() => STYLED.tiles(pinned, words), [])], markers: markers() });

  const tell = (element) => {
    const name = nameOf(element).replace(/\s+/g, " ").trim().slice(0, 40);
    return `<${element.tagName.toLowerCase()}${element.id ? " id=" + element.id : ""}>${name ? " " + name : ""}`;
  };
  const hits = (x, y, own) => {
    const found = document.elementFromPoint(x, y);
    return found && own.some((element) => element === found || element.contains(found)) ? null : found || document.body;
  };

  // A point of the element that is really on top, nearest to its middle.
  const openPoint = (own, box) => {
    const offsets = [0.5, 0.35, 0.65, 0.2, 0.8, 0.06, 0.94];
    const grid = offsets.flatMap((a) => offsets.map((b) => [a, b]));
    grid.sort((p, q) => Math.hypot(p[0] - 0.5, p[1] - 0.5) - Math.hypot(q[0] - 0.5, q[1] - 0.5));
    let cover = null;
    let inside = false;
    for (const [a, b] of grid) {
      const x = box.x + box.width * a;
      const y = box.y + box.height * b;
      if (x < 1 || y < 1 || x >= innerWidth - 1 || y >= innerHeight - 1) continue;
      inside = true;
      const other = hits(x, y, own);
      if (!other) return { x, y };
      cover ??= other;
    }
    return inside ? { why: "covered", by: cover ? tell(cover) : "" } : { why: "outside" };
  };
  const point = (id, cluster = false) => {
    let o = targets()[id];
    if (cluster) o = o && clusterOf(o);
    if (!o) return { why: "gone" };
    if (onCanvas(o)) {
      const canvas = o._renderer._container;
      const frame = o._map._container.getBoundingClientRect();
      const at = o._map.latLngToContainerPoint(o.getLatLng());
      const box = { x: frame.x + at.x - 3, y: frame.y + at.y - 3, width: 6, height: 6 };
      if (at.x < 0 || at.y < 0 || at.x > frame.width || at.y > frame.height) return { why: "outside" };
      return openPoint([canvas], box);
    }
    const element = elementOf(o);
    if (!visible(element)) return { why: "hidden" };
    const container = o._map?._container;
    let found = openPoint([element], element.getBoundingClientRect());
    if (found.why === "outside" && (!container || within(element, container))) {
      (container || element).scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      found = openPoint([element], element.getBoundingClientRect());
      if (found.why === "outside") {
        element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
        found = openPoint([element], element.getBoundingClientRect());
      }
    }
    return found;
  };
  const within = (element, container) => {
    const a = element.getBoundingClientRect();
    const b = container.getBoundingClientRect();
    return a.x < b.right && a.right > b.x && a.y < b.bottom && a.bottom > b.y;
  };
  // As a person drags the map and turns the wheel.
  const bring = (id, closer) => {
    const o = targets()[id];
    const map = o?._map || o?.__parent?._group?._map || maps()[0];
    if (!map || !is(o, "getLatLng")) return false;
    const zoom = Math.min(map.getZoom() + closer, isFinite(map.getMaxZoom()) ? map.getMaxZoom() : 19);
    map.setView(o.getLatLng(), zoom, { animate: false });
    return true;
  };

  let views = [];
  const mark = () => {
    views = maps().map((map) => guarded(() => [map, map.getCenter(), map.getZoom(), scrollX, scrollY], null));
  };
  const reset = () => {
    for (const view of views.filter(Boolean)) {
      guarded(() => {
        view[0].stop(); // which may end a flight and show what waited for its end
        view[0].setView(view[1], view[2], { animate: false });
        view[0].closePopup();
        scrollTo({ left: view[3], top: view[4], behavior: "instant" });
      });
    }
  };
  // All that comes before a click on a marker, at once.
  const again = (id) => (reset(), { markers: markers(), point: point(id), watched: watch() });
  const state = () => ({
    complete: document.readyState === "complete",
    waits: WAITS.count(),
    look: JSON.stringify([
      maps().map((map) => guarded(() => [map.getCenter(), map.getZoom(), map._animatingZoom], 0)),
      document.querySelectorAll("*").length, document.querySelectorAll(".leaflet-popup").length,
    ]),
  });

  // Are there markers in the window, and none of them can be hit, as something lies over the map?
  const veiled = () => {
    const frames = maps().map((map) => map._container);
    const own = targets().some(onCanvas) ? frames : targets().map(elementOf);
    const seen = own.filter((element) => visible(element) && inView(element)).slice(0, 40);
    const found = seen.map((element) => openPoint([element], element.getBoundingClientRect()));
    return found.length > 0 && found.every((point) => point.why === "covered");
  };

  // What a click shows: open popups and dialogs, and whatever changes on the page from here on.
  const changed = new Set();
  const observer = new MutationObserver((records) => {
    for (const record of records) {
      const element = record.target instanceof Element ? record.target : record.target.parentElement;
      if (element) changed.add(element);
      record.addedNodes.forEach((node) => node instanceof Element && changed.add(node));
    }
  });
  const watch = () => {
    changed.clear();
    observer.disconnect();
    observer.observe(document, {
      subtree: true, childList: true, characterData: true, attributes: true,
      attributeFilter: ["class", "style", "hidden", "open", "aria-hidden", "aria-expanded", "aria-current", "aria-selected"],
    });
  };
  const POPUPS = ".leaflet-popup,.leaflet-tooltip,.maplibregl-popup,.mapboxgl-popup,dialog[open],[role=dialog],[popover]";
  const shown = () => {
    // A popup that was closed fades away for a moment: what it says belongs to the click before.
    const closed = (element) => element.closest(".leaflet-popup,.leaflet-tooltip")?.style.opacity === "0";
    const found = new Set(document.querySelectorAll(POPUPS));
    changed.forEach((element) => {
      const frame = element.matches("html,body,script,style,head *,.leaflet-pane,.leaflet-container");
      if (!frame && !element.closest(".leaflet-marker-pane,.leaflet-tile-pane,.leaflet-control-container")) {
        found.add(element);
      }
    });
    return [...found].filter((e) => visible(e) && inView(e) && !closed(e)).slice(0, 60)
      .map((e) => (e.innerText ?? e.textContent ?? "").trim().slice(0, 6000)).filter(Boolean);
  };
  const inView = (element) => {
    const box = element.getBoundingClientRect();
    return box.right > 0 && box.bottom > 0 && box.x < innerWidth && box.y < innerHeight;
  };

  const CONTROLS =
    "button,[role=button],[role=tab],[role=radio],[role=checkbox],[role=switch],[role=option],[role=menuitem]," +
    "input[type=checkbox],input[type=radio],input[type=button],input[type=range],select,summary,a[href^='#'],[onclick]";
  // What stands for a choice that is not to be seen itself, as tabs of style sheets alone are made.
  const choosing = (element) =>
    element.localName === "label" && /^(radio|checkbox)$/.test(element.control?.type) && !visible(element.control);
  const pathOf = (element) => {
    const steps = [];
    for (let e = element; e && e !== document.documentElement; e = e.parentElement) {
      steps.unshift(`${e.localName}:nth-child(${[...e.parentElement.children].indexOf(e) + 1})`);
    }
    return "html>" + steps.join(">").replaceAll("\\", "");
  };
  const controls = () => {
    const labels = [...document.querySelectorAll("label")].filter(choosing);
    const own = new Set([...document.querySelectorAll(CONTROLS), ...labels, ...listening]);
    const counts = {};
    return [...own].filter((element) => {
      if (!element.isConnected || element.matches(":disabled,html,body,a[href]:not([href^='#'])")) return false;
      if (element.closest(".leaflet-marker-pane,.leaflet-overlay-pane,.leaflet-popup-pane,.leaflet-control-attribution")) {
        return false;
      }
      if (element.matches(".leaflet-container,.leaflet-pane,.leaflet-control") || !visible(element)) return false;
      if (choosing(element)) return true;
      if (element.querySelector(CONTROLS) && !element.matches("button,summary,[role=tab]")) return false;
      if (!element.matches(CONTROLS) && getComputedStyle(element).cursor !== "pointer") return false;
      const kind = `${element.localName}.${element.className}|${element.parentElement?.className}`;
      counts[kind] = (counts[kind] || 0) + 1;
      return counts[kind] <= 16;
    }).slice(0, 60).map((element) => ({
      path: pathOf(element),
      words: (nameOf(element) || element.labels?.[0]?.textContent || "").replace(/\s+/g, " ").trim().slice(0, 60) ||
        element.localName,
      choices: element.matches("select") ? element.options.length
        : element.matches("input[type=range]") ? Math.min(15, (+element.max || 100) - (+element.min || 0) + 1) : 0,
    }));
  };
  const controlPoint = (path) => {
    const element = guarded(() => document.querySelector(path), null);
    if (!visible(element)) return { why: "hidden" };
    if (!inView(element)) element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    const label = element.id ? document.querySelector(`label[for="${CSS.escape(element.id)}"]`) : null;
    const own = [element, label, element.closest("label")].filter(Boolean);
    const found = own.map((each) => openPoint(own, each.getBoundingClientRect()));
    return found.find((each) => "x" in each) || found[0];
  };
  const choose = (path, index) => {
    const element = document.querySelector(path);
    if (!element) return;
    if (element.localName === "select") element.selectedIndex = index;
    else element.value = String((+element.min || 0) + index);
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const text = () => (document.body?.innerText || "").slice(0, 200000);

  // An answer, and whether the page waits for a frame to be painted.
  const answer = async (name, ...given) => [await globalThis[KEY][name](...given), guarded(WAITS.painting, false)];

  globalThis[KEY] = {
    answer, again, markers, lines, sights, spots, boxes, tiles, point, bring, mark, reset, state, veiled, watch,
    shown, controls, controlPoint, choose, text, visible, inView, guarded, tell, violations: () => violations,
    icons, wander: WAITS.wander, rest: WAITS.rest, maps: () => maps().length,
  };
})();
