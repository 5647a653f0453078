// Put into every page after probe.js: the pictures that can be seen.
(() => {
  "use strict";
  const probe = globalThis[Symbol.for("studio.probe")];
  if (probe.pictures) return;
  const { visible, inView, guarded } = probe;
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
  probe.pictures = pictures;
})();
