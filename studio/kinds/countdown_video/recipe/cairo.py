"""Drawing with cairo, whose library is in the image; its few calls that a film needs, by ctypes.

Pixels are NumPy arrays of premultiplied BGRA, height × width × 4. Lengths are in the pen's current units, angles in
radians, colours are (red, green, blue) in 0..1.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Colour = tuple[float, float, float]
Stop = tuple[float, Colour, float]  # where (0..1), colour, opacity

_cairo = ctypes.CDLL("libcairo.so.2")
_P, _D, _I = ctypes.c_void_p, ctypes.c_double, ctypes.c_int

# Name → types of the arguments after the first, which is always a pointer; "=" marks calls that return a pointer.
_CALLS: dict[str, str] = {
    "create=": "", "destroy": "", "save": "", "restore": "", "translate": "dd", "scale": "dd", "rotate": "d",
    "move_to": "dd", "line_to": "dd", "curve_to": "dddddd", "close_path": "", "new_path": "", "new_sub_path": "",
    "arc": "ddddd", "arc_negative": "ddddd", "rectangle": "dddd", "fill": "", "fill_preserve": "", "stroke": "",
    "stroke_preserve": "", "clip": "", "paint": "", "paint_with_alpha": "d", "set_source_rgba": "dddd",
    "set_source_surface": "pdd", "set_source": "p", "set_line_width": "d", "set_line_join": "i", "set_line_cap": "i",
    "set_operator": "i", "set_fill_rule": "i", "get_source=": "", "append_path": "p", "copy_path=": "",
    "path_destroy": "", "pattern_destroy": "", "pattern_add_color_stop_rgba": "ddddd", "pattern_set_filter": "i",
    "surface_flush": "", "surface_mark_dirty": "", "surface_destroy": "", "mask": "p",
}  # fmt: skip
_TYPES = {"d": _D, "i": _I, "p": _P}


def _bind() -> dict[str, Any]:
    calls = {}
    for name, letters in _CALLS.items():
        call = getattr(_cairo, "cairo_" + name.rstrip("="))
        call.argtypes = [_P, *(_TYPES[letter] for letter in letters)]
        call.restype = _P if name.endswith("=") else None
        calls[name.rstrip("=")] = call
    for name, letters in {"pattern_create_linear": "dddd", "pattern_create_radial": "dddddd"}.items():
        call = getattr(_cairo, "cairo_" + name)
        call.argtypes, call.restype = [_TYPES[letter] for letter in letters], _P
        calls[name] = call
    create = _cairo.cairo_image_surface_create_for_data
    create.argtypes, create.restype = [_P, _I, _I, _I, _I], _P
    calls["surface"] = create
    return calls


_c = _bind()
_ROUND = 1  # CAIRO_LINE_JOIN_ROUND, CAIRO_LINE_CAP_ROUND
_BILINEAR = 4  # CAIRO_FILTER_BILINEAR: its default is far slower for small copies
_ADD = 12  # CAIRO_OPERATOR_ADD


class Picture:
    """Pixels and a pen for them. `scale`: pixels per unit of the pen."""

    def __init__(self, width: int, height: int, scale: float = 1.0) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.pixels = np.zeros((height, width, 4), np.uint8)
        self.surface = _c["surface"](self.pixels.ctypes.data, 0, width, height, width * 4)
        self.pen = Pen(self.surface)
        self.pen.scale(scale)

    @classmethod
    def of_units(cls, width: float, height: float, scale: float) -> Picture:
        """An empty picture of width × height units."""
        return cls(max(1, math.ceil(width * scale)), max(1, math.ceil(height * scale)), scale)

    @classmethod
    def of_rgba(cls, rgba: Any, scale: float) -> Picture:
        """From straight RGBA pixels, height × width × 4."""
        picture = cls(rgba.shape[1], rgba.shape[0], scale)
        alpha = rgba[..., 3:].astype(np.uint16)
        picture.pixels[..., :3] = (rgba[..., 2::-1] * alpha + 127) // 255
        picture.pixels[..., 3] = rgba[..., 3]
        _c["surface_mark_dirty"](picture.surface)
        return picture

    def fade(self, x: float, y: float, radius: float) -> None:
        """Make it transparent around x, y (units), and opaque again from `radius` on."""
        self.flush()
        rows, columns = np.ogrid[: self.height, : self.width]
        far = np.hypot(columns - x * self.scale, rows - y * self.scale) / (radius * self.scale)
        share = np.clip(far, 0, 1)[..., None]
        self.pixels[:] = np.round(self.pixels * share).astype(np.uint8)
        _c["surface_mark_dirty"](self.surface)

    def flush(self) -> None:
        """Make sure that `pixels` shows all that was drawn."""
        _c["surface_flush"](self.surface)


class Pen:
    """A drawing context. Every method that paints forgets the path."""

    def __init__(self, surface: int) -> None:
        self._to = _c["create"](surface)
        _c["set_line_join"](self._to, _ROUND)
        _c["set_line_cap"](self._to, _ROUND)

    # Where and how large

    def save(self) -> None:
        """Remember position, scale, clip."""
        _c["save"](self._to)

    def restore(self) -> None:
        """Back to what was remembered last."""
        _c["restore"](self._to)

    def move(self, x: float, y: float) -> None:
        """Shift the origin."""
        _c["translate"](self._to, x, y)

    def scale(self, sx: float, sy: float | None = None) -> None:
        """Scale what comes next; never to nothing, which cairo takes for an error."""
        sy = sx if sy is None else sy
        _c["scale"](self._to, sx if abs(sx) > 1e-4 else 1e-4, sy if abs(sy) > 1e-4 else 1e-4)

    def rotate(self, angle: float) -> None:
        """Turn clockwise."""
        _c["rotate"](self._to, angle)

    # Paths

    def to(self, x: float, y: float) -> None:
        """Begin a part of the path."""
        _c["move_to"](self._to, x, y)

    def line(self, x: float, y: float) -> None:
        """A straight line."""
        _c["line_to"](self._to, x, y)

    def curve(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> None:
        """A cubic Bézier curve."""
        _c["curve_to"](self._to, x1, y1, x2, y2, x, y)

    def close(self) -> None:
        """Close the part."""
        _c["close_path"](self._to)

    def circle(self, x: float, y: float, radius: float) -> None:
        """A whole circle."""
        _c["new_sub_path"](self._to)
        _c["arc"](self._to, x, y, max(radius, 0.0), 0.0, math.tau)
        _c["close_path"](self._to)

    def arc(self, x: float, y: float, radius: float, start: float, end: float) -> None:
        """A part of a circle, clockwise; joined to the path so far."""
        _c["arc"](self._to, x, y, max(radius, 0.0), start, end)

    def ellipse(self, x: float, y: float, rx: float, ry: float) -> None:
        """A whole ellipse."""
        _c["save"](self._to)
        _c["translate"](self._to, x, y)
        _c["scale"](self._to, max(rx, 1e-3), max(ry, 1e-3))
        _c["new_sub_path"](self._to)
        _c["arc"](self._to, 0.0, 0.0, 1.0, 0.0, math.tau)
        _c["close_path"](self._to)
        _c["restore"](self._to)

    def box(self, x: float, y: float, width: float, height: float, radius: float = 0.0) -> None:
        """A rectangle, its corners round."""
        r = min(radius, width / 2, height / 2)
        if r <= 0:
            _c["rectangle"](self._to, x, y, width, height)
            return
        _c["new_sub_path"](self._to)
        for cx, cy, turn in ((x + width - r, y + r, 3), (x + width - r, y + height - r, 0), (x + r, y + height - r, 1),
                             (x + r, y + r, 2)):  # fmt: skip
            _c["arc"](self._to, cx, cy, r, turn * math.pi / 2, (turn + 1) * math.pi / 2)
        _c["close_path"](self._to)

    def polygon(self, points: Iterable[Sequence[float]]) -> None:
        """A closed polygon."""
        started = False
        for x, y in points:
            _c["line_to" if started else "move_to"](self._to, x, y)
            started = True
        _c["close_path"](self._to)

    # Paint

    def fill(self, colour: Colour, alpha: float = 1.0) -> None:
        """Fill the path."""
        _c["set_source_rgba"](self._to, *colour, alpha)
        _c["fill"](self._to)

    def stroke(self, colour: Colour, width: float, alpha: float = 1.0, keep: bool = False) -> None:
        """Draw along the path, ends and joins round."""
        _c["set_source_rgba"](self._to, *colour, alpha)
        _c["set_line_width"](self._to, width)
        _c["stroke_preserve" if keep else "stroke"](self._to)

    def clip(self) -> None:
        """Only within the path from here on, until `restore`."""
        _c["clip"](self._to)

    def fill_linear(self, x0: float, y0: float, x1: float, y1: float, stops: Iterable[Stop]) -> None:
        """Fill the path with a gradient along a line."""
        self._fill_gradient(_c["pattern_create_linear"](x0, y0, x1, y1), stops)

    def fill_radial(self, x: float, y: float, radius: float, stops: Iterable[Stop]) -> None:
        """Fill the path with a gradient from a centre outwards."""
        self._fill_gradient(_c["pattern_create_radial"](x, y, 0.0, x, y, max(radius, 1e-3)), stops)

    def _fill_gradient(self, pattern: int, stops: Iterable[Stop]) -> None:
        for where, (red, green, blue), alpha in stops:
            _c["pattern_add_color_stop_rgba"](pattern, where, red, green, blue, alpha)
        _c["set_source"](self._to, pattern)
        _c["fill"](self._to)
        _c["pattern_destroy"](pattern)

    def picture(self, picture: Picture, x: float, y: float, alpha: float = 1.0) -> None:
        """Another picture with its corner at x, y, in its own units."""
        _c["save"](self._to)
        _c["translate"](self._to, x, y)
        _c["scale"](self._to, 1 / picture.scale, 1 / picture.scale)
        _c["set_source_surface"](self._to, picture.surface, 0.0, 0.0)
        _c["pattern_set_filter"](_c["get_source"](self._to), _BILINEAR)
        if alpha >= 0.999:
            _c["paint"](self._to)
        else:
            _c["paint_with_alpha"](self._to, max(0.0, alpha))
        _c["restore"](self._to)

    def glow(self, on: bool) -> None:
        """Whether light adds up (CAIRO_OPERATOR_ADD) or covers."""
        _c["set_operator"](self._to, _ADD if on else 2)
