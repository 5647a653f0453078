// Put into every page after probe.js: what is drawn on it, and what of it is too wide.
(() => {
  "use strict";
  const probe = globalThis[Symbol.for("studio.probe")];
  if (probe.pictures) return;
  const { visible, inView, guarded, tell } = probe;
  // Pictures that can be seen, as 32 × 32 px each.
  const pictures = async () => {
    const SIDE = 32;
    const pen = new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
    const grab = (source, width, height) => guarded(() => {
      pen.clearRect(0, 0, SIDE, SIDE);
      pen.drawImage(source, 0, 0, SIDE, SIDE);
      return [{ width, height, pixels: [...pen.getImageData(0, 0, SIDE, SIDE).data] }];
    }, []);
    const seen = [...document.querySelectorAll("body *")].slice(0, 8000).filter((e) => {
      if (!e.matches("img, image") && !e.style.backgroundImage && !e.className) return false;
      return visible(e) && inView(e) && e.getBoundingClientRect().width >= 16 && !e.closest(".leaflet-tile-pane");
    });
    const found = [];
    const grounds = new Set();
    for (const e of seen) {
      if (e.localName === "img") found.push(...grab(e, e.naturalWidth, e.naturalHeight));
      else if (e.localName === "image") found.push(...grab(e, e.width.baseVal.value, e.height.baseVal.value));
      const match = /url\("(data:image[^"]{500,})"\)/.exec(getComputedStyle(e).backgroundImage);
      if (match) grounds.add(match[1]);
      if (found.length > 60) break;
    }
    for (const url of [...grounds].slice(0, 20)) {
      const image = new Image();
      image.src = url;
      await image.decode().then(() => found.push(...grab(image, image.naturalWidth, image.naturalHeight)), () => {});
    }
    return found;
  };

  // Lines of a page without Leaflet, in px of the page, for comparison with where its markers are seen.
  const strokes = () =>
    [...document.querySelectorAll("svg path, svg polyline, svg line")].slice(0, 600).flatMap((shape) => {
      const style = getComputedStyle(shape);
      if (style.stroke === "none" || !visible(shape)) return [];
      return guarded(() => {
        const length = shape.getTotalLength();
        const matrix = shape.getScreenCTM();
        const count = Math.min(200, Math.max(2, Math.ceil(length / 4)));
        return [Array.from({ length: count + 1 }, (_, i) => {
          const p = shape.getPointAtLength((length * i) / count).matrixTransform(matrix);
          return [p.x + scrollX, p.y + scrollY];
        })];
      }, []);
    });

  const overflow = () => {
    const root = document.scrollingElement || document.documentElement;
    if (!root) return { beyond: 0, by: "", box: null };  // a page that took itself away whole
    const clipped = [document.documentElement, document.body].some(
      (e) => e && /hidden|clip/.test(getComputedStyle(e).overflowX));
    const beyond = Math.max(root.scrollWidth, clipped ? 0 : document.documentElement.scrollWidth) - innerWidth;
    const rtl = getComputedStyle(document.documentElement).direction === "rtl";
    const wide = [...document.querySelectorAll("body *")].map((e) => [e, e.getBoundingClientRect()])
      .filter(([e, b]) => b.width && (rtl ? b.x < -1 : b.right > innerWidth + 1) && !e.closest(".leaflet-container") && visible(e))
      .sort((p, q) => q[1].right - q[1].x - (p[1].right - p[1].x))[0];
    return { beyond: clipped ? 0 : Math.round(beyond), by: wide ? tell(wide[0]) : "",
      box: wide ? [wide[1].x, wide[1].y, wide[1].width, wide[1].height] : null };
  };

  Object.assign(probe, { pictures, strokes, overflow });
})();
