// Put into every page before its own scripts and before probe.js: what the styles of MapLibre and Mapbox draw on their
// canvas (MapLibre Style Specification, sources and layers).
(() => {
  "use strict";
  const KEY = Symbol.for("studio.styled");
  if (globalThis[KEY]) return;
  // The styles of the maps that have markers.
  const stylesOf = (markers) =>
    [...new Set(markers.map((marker) => marker._map))].filter((map) => typeof map?.getStyle === "function")
      .map((map) => map.getStyle()).filter(Boolean);
  const shapesOf = (data) =>
    !data || typeof data !== "object" ? []
      : data.features ? data.features.flatMap(shapesOf)
      : data.geometries ? data.geometries.flatMap(shapesOf)
      : data.geometry ? shapesOf(data.geometry)
      : data.type === "LineString" ? [data.coordinates]
      : data.type === "MultiLineString" ? data.coordinates : [];
  const seen = ({ type, layout, paint }) =>
    type === "line" && layout?.visibility !== "none" && paint?.["line-opacity"] !== 0 && paint?.["line-width"] !== 0;
  const lines = (markers) =>
    stylesOf(markers).flatMap((style, number) => style.layers.filter(seen).flatMap((layer) => {
      const source = style.sources[layer.source];
      return shapesOf(source?.type === "geojson" ? source.data : null).slice(0, 100).flatMap((line, part) => {
        const points = line.slice(0, 4000).map(([lon, lat]) => [lat, lon]);
        return points.length < 2 ? [] : [{ id: `style ${number}.${layer.source}.${part}`, points }];
      });
    }));
  const tiles = (markers, words) =>
    stylesOf(markers).flatMap((style) => Object.values(style.sources).filter((source) => /^(raster|vector)/.test(source.type))
      .map((source) => ({
        url: String(source.tiles?.[0] || source.url).slice(0, 300), on: true, attribution: words(source.attribution || ""),
      })));
  globalThis[KEY] = { lines, tiles };
})();
