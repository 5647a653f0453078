// Runs in the inspector's page: takes an SVG in, measures its texts, and shows or hides them for screenshots.
// Evaluated through the DevTools protocol; the page's own content policy lets nothing in the SVG run.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const XLINK = "http://www.w3.org/1999/xlink";
  const NEVER_DRAWN = "defs,clipPath,mask,pattern,symbol,marker,filter,title,desc,metadata,style,script";
  const MAX_CHARS = 20000;
  const studio = (window.studio = { leaves: [], saved: [] });

  // A drawn copy in place of each <use> that shows text, so that its texts can be found; SVG 2, 5.6.
  function expandUses(root) {
    for (let round = 0; round < 3; round++) {
      let changed = 0;
      for (const use of [...root.querySelectorAll("use")].slice(0, 500)) {
        const href = use.getAttribute("href") || use.getAttributeNS(XLINK, "href") || "";
        const target = href.startsWith("#") && root.querySelector("#" + CSS.escape(href.slice(1)));
        if (!target || target.contains(use) || use.closest(NEVER_DRAWN)) continue;
        if (target.localName !== "text" && !target.querySelector("text")) continue;
        const group = document.createElementNS(SVG, "g");
        for (const { name, value } of use.attributes)
          if (!["x", "y", "width", "height", "href", "xlink:href", "id"].includes(name)) group.setAttribute(name, value);
        const [x, y] = [use.getAttribute("x") || 0, use.getAttribute("y") || 0];
        group.setAttribute("transform", `${use.getAttribute("transform") || ""} translate(${parseFloat(x)} ${parseFloat(y)})`);
        let copy = target.cloneNode(true);
        copy.removeAttribute("id");
        if (copy.localName === "symbol") {
          const inner = document.createElementNS(SVG, "svg");
          for (const { name, value } of copy.attributes) inner.setAttribute(name, value);
          inner.setAttribute("width", use.getAttribute("width") || "100%");
          inner.setAttribute("height", use.getAttribute("height") || "100%");
          inner.append(...copy.childNodes);
          copy = inner;
        }
        group.append(copy);
        use.replaceWith(group);
        changed++;
      }
      if (!changed) return;
    }
  }

  // Lays the drawing out at an exact size in px, for a picture that is compared pixel by pixel. A width rounded to whole
  // pixels is a hair off the page's ratio: the drawing is stretched by that hair.
  studio.fit = (width, height) => {
    const { root } = studio;
    const box = root.viewBox.baseVal;
    if (studio.ratio === undefined) studio.ratio = root.getAttribute("preserveAspectRatio");
    const near = box && box.width && Math.abs((box.width * height) / (box.height * width) - 1) < 0.01;
    if (near) root.setAttribute("preserveAspectRatio", "none");
    else if (studio.ratio === null) root.removeAttribute("preserveAspectRatio");
    else root.setAttribute("preserveAspectRatio", studio.ratio);
    for (const [name, value] of [["width", width], ["height", height]]) {
      root.setAttribute(name, value);
      root.style.setProperty(name, value + "px", "important");
    }
    root.getBoundingClientRect();
  };

  // As it was placed.
  studio.unfit = (width, height) => {
    studio.fit(width, height);
    if (studio.ratio === null) studio.root.removeAttribute("preserveAspectRatio");
    else studio.root.setAttribute("preserveAspectRatio", studio.ratio);
  };

  const within = (promise, ms) => Promise.race([promise, new Promise((done) => setTimeout(done, ms))]);

  studio.place = async (source, width, height, viewBox) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    const root = document.importNode(parsed.documentElement, true);
    if (parsed.querySelector("parsererror")) return { error: parsed.querySelector("parsererror").textContent.slice(0, 200) };
    root.querySelectorAll("script").forEach((script) => script.remove());
    for (const style of root.querySelectorAll("style"))
      if (style.textContent.includes(":root"))
        style.textContent = style.textContent.replaceAll(":root", ":is(:root,#page>svg)");
    if (viewBox) root.setAttribute("viewBox", viewBox);
    root.setAttribute("width", width);
    root.setAttribute("height", height);
    for (const [name, value] of [["width", width + "px"], ["height", height + "px"], ["display", "block"],
                                 ["position", "static"], ["margin", "0"], ["max-width", "none"], ["max-height", "none"],
                                 ["min-width", "0"], ["min-height", "0"]])
      root.style.setProperty(name, value, "important");
    document.getElementById("page").append(root);
    expandUses(root);
    root.getBoundingClientRect();
    await within(document.fonts.ready, 3000);
    const pictures = [...root.querySelectorAll("image, img")].filter((picture) => picture.decode).slice(0, 300);
    await within(Promise.allSettled(pictures.map((picture) => picture.decode())), 3000);
    // Motion is judged where it ends: what fades in is there by then.
    for (const animation of document.getAnimations())
      try { animation.finish(); } catch { animation.pause(); }
    if (root.pauseAnimations) { root.pauseAnimations(); root.setCurrentTime(30); }
    studio.root = root;
    return { elements: root.querySelectorAll("*").length, paths: root.querySelectorAll("path,image,use,:is(clipPath,mask,pattern) text").length };
  };

  // Each text node becomes the only child of its element, so that the SVG text interface counts its characters alone.
  function leafOf(node) {
    const parent = node.parentElement;
    if (parent.childNodes.length === 1) return parent;
    const leaf = parent.namespaceURI === SVG ? document.createElementNS(SVG, "tspan") : document.createElement("span");
    node.replaceWith(leaf);
    leaf.append(node);
    return leaf;
  }

  function opacityOf(element) {
    let value = 1;
    for (let each = element; each && each !== studio.root.parentElement; each = each.parentElement)
      value *= parseFloat(getComputedStyle(each).opacity);
    return value;
  }

  const context = document.createElement("canvas").getContext("2d");
  const inks = new Map();
  // The ink of one glyph around its origin, in em: left, right, ascent, descent.
  function inkOf(char, style) {
    const key = [char, style.fontStyle, style.fontWeight, style.fontFamily].join("\n");
    if (!inks.has(key)) {
      context.font = `${style.fontStyle} ${style.fontWeight} 100px ${style.fontFamily}`;
      const m = context.measureText(char);
      inks.set(key, [-m.actualBoundingBoxLeft / 100, m.actualBoundingBoxRight / 100, m.actualBoundingBoxAscent / 100,
                     m.actualBoundingBoxDescent / 100, m.width / 100]);
    }
    return inks.get(key);
  }

  const collapse = (text) => text.replace(/[\t\n\r ]+/g, " ");
  // The characters that the SVG text interface counts: white space may be collapsed or gone at the ends.
  function addressable(text, count) {
    const flat = collapse(text);
    const tries = [text, flat, flat.trimStart(), flat.trimEnd(), flat.trim(), text.trim()];
    return tries.find((each) => each.length === count) ?? null;
  }

  const SIMPLE = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{N}\p{P}\p{S}]/u;

  // Blanks, and what joins or varies other characters (as in emoji) without ink of its own.
  const UNDRAWN = /^[\s\p{Default_Ignorable_Code_Point}]$/u;

  function svgGlyphs(leaf, text, style, glyphs) {
    const count = leaf.getNumberOfChars();
    const chars = addressable(text, count) ?? "?".repeat(count);
    const matrix = leaf.getScreenCTM();
    if (!matrix) return 1;
    const size = parseFloat(style.fontSize);
    const upright = !style.writingMode || style.writingMode.startsWith("horizontal") || /^(lr|rl)/.test(style.writingMode);
    for (let i = 0; i < count; i++) {
      const code = chars.codePointAt(i), char = String.fromCodePoint(code);
      const last = i;
      if (code > 0xffff) i++;
      if (UNDRAWN.test(char) || (code >= 0xdc00 && code <= 0xdfff)) continue;
      const extent = leaf.getExtentOfChar(last);
      if (!extent.width && !extent.height) continue;
      const angle = (leaf.getRotationOfChar(last) * Math.PI) / 180;
      const start = leaf.getStartPositionOfChar(last), end = leaf.getEndPositionOfChar(last);
      let corners;
      if (!upright) {
        const [x, y, r, b] = [extent.x, extent.y, extent.x + extent.width, extent.y + extent.height];
        corners = [[x, y], [r, y], [r, b], [x, b]];
      } else {
        const [left, right, up, down] = inkOf(char, style).map((value) => value * size);
        const advance = Math.hypot(end.x - start.x, end.y - start.y);
        const forward = Math.cos(angle) * (end.x - start.x) + Math.sin(angle) * (end.y - start.y) >= 0;
        let from = forward ? 0 : -advance, to = forward ? advance : 0;
        if (SIMPLE.test(char) && forward && right > left) [from, to] = [Math.max(left, -0.5 * size), Math.min(to, right)];
        if (to <= from) to = from + advance;
        corners = [[from, -up], [to, -up], [to, down], [from, down]].map(([x, y]) => [
          start.x + x * Math.cos(angle) - y * Math.sin(angle), start.y + x * Math.sin(angle) + y * Math.cos(angle)]);
      }
      const quad = corners.flatMap(([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]);
      const baseline = [start, end].flatMap(({ x, y }) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]);
      glyphs.push([char, last && /\s/u.test(chars[last - 1]) ? 1 : 0, ...quad.map(round), ...baseline.map(round)]);
    }
    return Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
  }

  const round = (value) => Math.round(value * 100) / 100;

  function htmlGlyphs(node, style, glyphs) {
    const text = node.data, range = document.createRange();
    const size = parseFloat(style.fontSize);
    let scale = 1;
    for (let i = 0; i < text.length; i++) {
      const char = String.fromCodePoint(text.codePointAt(i)), first = i;
      if (char.length > 1) i++;
      if (UNDRAWN.test(char)) continue;
      range.setStart(node, first);
      range.setEnd(node, first + char.length);
      const box = range.getBoundingClientRect();
      if (!box.width) continue;
      context.font = `${style.fontStyle} ${style.fontWeight} 100px ${style.fontFamily}`;
      const metrics = context.measureText(char);
      const full = metrics.fontBoundingBoxAscent + metrics.fontBoundingBoxDescent;
      scale = (box.height / full) * (100 / size) || 1;
      const base = box.top + (metrics.fontBoundingBoxAscent / full) * box.height;
      const up = (metrics.actualBoundingBoxAscent / full) * box.height, down = (metrics.actualBoundingBoxDescent / full) * box.height;
      const quad = [box.left, base - up, box.right, base - up, box.right, base + down, box.left, base + down];
      glyphs.push([char, first && /\s/u.test(text[first - 1]) ? 1 : 0, ...quad.map(round), ...[box.left, base, box.right, base].map(round)]);
    }
    return scale;
  }

  studio.measure = () => {
    const runs = [], owners = new Map();
    const walker = document.createTreeWalker(studio.root, NodeFilter.SHOW_TEXT);
    const nodes = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (/\S/.test(node.data) && !node.parentElement.closest(NEVER_DRAWN)) nodes.push(node);
    let total = 0;
    for (const node of nodes) {
      const owner = node.parentElement.closest("text") || node.parentElement;
      const html = owner.namespaceURI !== SVG;
      if (!html && owner.localName !== "text") continue;
      total += node.data.length;
      if (total > MAX_CHARS) return { error: `more than ${MAX_CHARS} characters of text` };
      const leaf = leafOf(node), style = getComputedStyle(leaf);
      const glyphs = [];
      const scale = html ? htmlGlyphs(node, style, glyphs) : svgGlyphs(leaf, node.data, style, glyphs);
      if (!owners.has(owner)) owners.set(owner, owners.size);
      const paint = html ? { fill: style.webkitTextFillColor || style.color, stroke: "none" } : { fill: style.fill, stroke: style.stroke };
      runs.push({
        text: node.data, owner: owners.get(owner), html, glyphs, size: parseFloat(style.fontSize) * scale,
        fill: paint.fill, fillOpacity: html ? 1 : parseFloat(style.fillOpacity),
        stroke: paint.stroke, strokeOpacity: html ? 0 : parseFloat(style.strokeOpacity),
        strokeWidth: html ? 0 : parseFloat(style.strokeWidth) * scale,
        opacity: opacityOf(leaf), shown: style.visibility === "visible" && glyphs.length > 0,
        family: style.fontFamily, // Some tools mark the root of every file so; a whole poster is no ornament.
        ornament: !!leaf.closest('#page>svg [aria-hidden="true"]'),
      });
      studio.leaves.push({ leaf, html, paint });
    }
    return { runs };
  };

  const FALLBACK = "studio-everything";
  const UNSEEN = /[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

  // Characters (with their marks) of the chosen texts that no family of their own lists has: what takes the last font of
  // the list, given in base64, is a hundred times too wide. Blink shapes a canvas as it shapes the page.
  studio.missing = async (font, chosen) => {
    const face = new FontFace(FALLBACK, `url(data:font/ttf;base64,${font})`);
    document.fonts.add(await face.load());
    const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });
    const known = new Map(), found = {};
    for (const index of chosen) {
      const { leaf } = studio.leaves[index], style = getComputedStyle(leaf);
      const { fontStyle, fontWeight, fontFamily, textTransform } = style;
      const upper = textTransform === "uppercase";
      const text = upper ? leaf.textContent.toUpperCase() : leaf.textContent;
      context.font = `${fontStyle} ${fontWeight} 100px ${fontFamily}, ${FALLBACK}`;
      for (const { segment } of segmenter.segment(text)) {
        if (!segment.replace(UNSEEN, "")) continue;
        const key = context.font + "\n" + segment;
        if (!known.has(key)) known.set(key, context.measureText(segment).width > 5000);
        if (known.get(key)) (found[index] ??= new Set()).add(segment);
      }
    }
    document.fonts.delete(face);
    return Object.fromEntries(Object.entries(found).map(([index, each]) => [index, [...each].slice(0, 2000)]));
  };

  const BASE = "*{transition:none!important;caret-color:transparent}";
  const UNPICTURED = "#page :is(image,img,feImage){visibility:hidden!important}";
  const KEPT = ":is(clipPath,mask,pattern,marker,filter)";
  const sheet = document.createElement("style");
  sheet.textContent = BASE;
  document.head.append(sheet);

  // Hides everything by inheritance, which is quick on large drawings; what sets its own visibility is hidden by name.
  function hidingRules() {
    const named = [...studio.root.querySelectorAll("style")].some((style) => /visibility/i.test(style.textContent));
    const own = named ? "*" : '[visibility],#page [style*="visibility"]';
    return `#page>svg{background:none!important;visibility:hidden!important} #page ${KEPT}{visibility:visible!important}` +
      `#page :is(${own.replace("#page ", "")}):not(svg,${KEPT},${KEPT} *){visibility:hidden!important}`;
  }

  function change(element, properties) {
    studio.saved.push([element, element.getAttribute("style")]);
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, "important");
  }

  // "all": as it is. "ground": the texts of `chosen` are not painted. "mask": only they are, in opaque black.
  // "bare": as "mask", and nothing in the drawing's own masks fades them. "unpictured": without embedded pictures.
  studio.show = async (mode, chosen) => {
    for (const [element, style] of studio.saved.reverse())
      if (style === null) element.removeAttribute("style"); else element.setAttribute("style", style);
    studio.saved = [];
    const alone = mode === "mask" || mode === "bare";
    sheet.textContent = BASE + (alone ? hidingRules() : mode === "unpictured" ? UNPICTURED : "");
    if (alone) {
      const above = new Set();
      for (const index of chosen)
        for (let each = studio.leaves[index].leaf; each && each !== studio.root.parentElement; each = each.parentElement)
          above.add(each);
      for (const each of above)
        change(each, { opacity: "1", filter: "none", "mix-blend-mode": "normal", "text-shadow": "none",
                       ...(mode === "bare" && { mask: "none" }) });
    }
    for (const index of chosen) {
      const { leaf, html, paint } = studio.leaves[index];
      if (mode === "ground" && html)
        change(leaf, { color: "transparent", "-webkit-text-fill-color": "transparent", "text-shadow": "none" });
      else if (mode === "ground") change(leaf, { visibility: "hidden" });
      else if (alone && html)
        change(leaf, { visibility: "visible", color: "#000", "-webkit-text-fill-color": "#000", background: "none" });
      else if (alone)
        change(leaf, { visibility: "visible", fill: paint.fill === "none" ? "none" : "#000", "fill-opacity": "1",
                       stroke: paint.fill === "none" ? "#000" : "none", "stroke-opacity": "1" });
    }
    studio.root.getBoundingClientRect();
  };
})();
