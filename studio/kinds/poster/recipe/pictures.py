"""Pictures inside the poster: attached photos and logos, QR codes, monograms in their frames."""

from __future__ import annotations

import base64
import io
import math
import subprocess
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import segno
from PIL import Image, ImageOps, UnidentifiedImageError

from .canvas import num, tag
from .curves import polygon

INPUT = Path("/testbed/input")
MAX_SIDE = 700  # px of an embedded picture


def attached(name: str) -> Image.Image | None:
    """An attached picture, upright and in sRGB's channels; None when it is absent or no picture. SVG is drawn."""
    if not name or "/" in name:
        return None
    try:
        with Image.open(_raster(INPUT / name)) as opened:
            picture = ImageOps.exif_transpose(opened)
            return picture.convert("RGBA" if picture.mode in {"RGBA", "LA", "P", "PA"} else "RGB")
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return None


def _raster(file: Path) -> Path | io.BytesIO:
    """The file itself, or what librsvg draws of it where it is an SVG."""
    with file.open("rb") as source:
        if b"<svg" not in source.read(4096):
            return file
    argv = ["rsvg-convert", "--width", str(2 * MAX_SIDE), "--keep-aspect-ratio", str(file)]
    return io.BytesIO(subprocess.run(argv, capture_output=True, timeout=30, check=False).stdout)


def data_uri(picture: Image.Image) -> str:
    """The picture as a data: URI: PNG where it has transparency, else JPEG."""
    target = io.BytesIO()
    if picture.mode == "RGBA" and picture.getextrema()[3][0] < 255:
        picture.save(target, "PNG", optimize=True)
        kind = "png"
    else:
        picture.convert("RGB").save(target, "JPEG", quality=88)
        kind = "jpeg"
    return f"data:image/{kind};base64,{base64.b64encode(target.getvalue()).decode()}"


def portrait(picture: Image.Image, width: float, height: float) -> str:
    """An `<image>` that covers `width` × `height`, cut towards the upper middle where faces are."""
    ratio = width / height
    size = (round(MAX_SIDE * min(1.0, ratio)), round(MAX_SIDE * min(1.0, 1 / ratio)))
    cut = ImageOps.fit(picture, size, Image.Resampling.LANCZOS, centering=(0.5, 0.35))
    return tag("image", href=data_uri(cut), width=width, height=height, preserveAspectRatio="xMidYMid slice")


def logo(picture: Image.Image, height: float, widest: float) -> tuple[str, float, float]:
    """An `<image>` of a logo within `widest` × `height`, and its size."""
    picture.thumbnail((MAX_SIDE, MAX_SIDE), Image.Resampling.LANCZOS)
    wide = min(widest, height * picture.width / picture.height)
    high = wide * picture.height / picture.width
    return tag("image", href=data_uri(picture), width=wide, height=high), wide, high


def _in_ascii(url: str) -> str:
    """The same address in ASCII (RFC 3987, 3.1): scanners guess differently at the encoding of anything else."""
    parts = urlsplit(url)
    try:
        host = parts.netloc.encode("idna").decode("ascii")
    except UnicodeError:
        host = parts.netloc
    rest = (quote(part, safe="!$%&'()*+,;=:@/?-._~") for part in parts[2:])
    return url if url.isascii() else urlunsplit((parts.scheme, host, *rest))


def qr_code(url: str, side: float, ground: str = "#FFFFFF", dark: str = "#000000") -> str:
    """A QR code with its quiet zone of four modules, as one path on a light square from 0,0."""
    rows = [list(row) for row in segno.make(_in_ascii(url), error="m", micro=False).matrix]
    cell = side / (len(rows) + 8)
    data = []
    for number, row in enumerate(rows):
        column = 0
        while column < len(row):
            length = 0
            while column + length < len(row) and row[column + length]:
                length += 1
            if length:
                x, y = (column + 4) * cell, (number + 4) * cell
                data.append(f"M{x:.3f} {y:.3f}h{length * cell:.3f}v{cell:.3f}h{-length * cell:.3f}z")
            column += length or 1
    square = tag("rect", width=side, height=side, fill=ground, rx=cell)
    return square + tag("path", d="".join(data), fill=dark, shape_rendering="crispEdges")


FRAMES = ("circle", "arch", "square", "hexagon", "leaf", "squircle")


def frame(shape: str, width: float, height: float) -> str:
    """Path data of a frame from 0,0."""
    w, h, r = width, height, min(width, height) / 2
    if shape == "circle":
        cx, cy = w / 2, h / 2
        return (
            f"M{num(cx - r)} {num(cy)}a{num(r)} {num(r)} 0 1 0 {num(2 * r)} 0a{num(r)} {num(r)} 0 1 0 {num(-2 * r)} 0z"
        )
    if shape == "arch":
        return f"M0 {num(h)}V{num(w / 2)}a{num(w / 2)} {num(w / 2)} 0 0 1 {num(w)} 0V{num(h)}z"
    if shape == "hexagon":
        cx, cy = w / 2, h / 2
        turns = (math.pi * (2 * side + 1) / 6 for side in range(6))
        return polygon([(cx + r * 1.06 * math.cos(turn), cy + r * 1.06 * math.sin(turn)) for turn in turns])
    if shape == "leaf":
        q = r * 0.9
        return (
            f"M0 {num(q)}a{num(q)} {num(q)} 0 0 1 {num(q)} {num(-q)}H{num(w)}V{num(h - q)}"
            f"a{num(q)} {num(q)} 0 0 1 {num(-q)} {num(q)}H0z"
        )
    corner = r * (0.45 if shape == "squircle" else 0.0)
    c = num(corner)
    return (
        f"M{c} 0H{num(w - corner)}a{c} {c} 0 0 1 {c} {c}V{num(h - corner)}a{c} {c} 0 0 1 -{c} {c}"
        f"H{c}a{c} {c} 0 0 1 -{c} -{c}V{c}a{c} {c} 0 0 1 {c} -{c}z"
    )
