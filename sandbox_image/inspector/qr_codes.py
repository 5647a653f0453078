"""QR codes (ISO/IEC 18004) in a picture, read by zbar, and whether two addresses are the same one."""

from __future__ import annotations

import base64
import binascii
import io
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import quote, unquote_to_bytes, urlsplit
from xml.parsers import expat

from sandbox_image.inspector.subject import Box

Image: TypeAlias = Any  # PIL.Image.Image

LIMIT_S = 20.0  # for one reading
MAX_PIXELS = 24_000_000  # of a picture that is enlarged for reading
MAX_CODES = 40
_ARGUMENTS = ("--quiet", "--nodbus", "--xml", "-Sdisable", "-Sqrcode.enable", "-Sbinary", "-Stest-inverted")
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
_PORTS = {"http": 80, "https": 443}
# RFC 3986, 2.2 and 2.3: what percent-encoding leaves as it is; "%" itself has been read already.
_KEPT = "!$&'()*+,;=:@/?-._~"


@dataclass(frozen=True)
class Code:
    """One code: its text, and its box in pixels of the picture."""

    text: str
    box: Box | None


def codes(image: Image) -> Iterator[Code]:
    """The codes in a picture, each once: as it is, then enlarged, reduced and softened, for small and ornate ones."""
    seen = set()
    for factor, softened in ((1.0, 0.0), (2.0, 0.0), (0.5, 0.0), (3.0, 0.0), (1.0, 2.0), (4.0, 0.0)):
        if factor > 1 and image.width * image.height * factor**2 > MAX_PIXELS:
            continue
        for code in _read(_prepared(image, factor, softened), factor):
            if code.text not in seen and len(seen) < MAX_CODES:
                seen.add(code.text)
                yield code


def _prepared(image: Image, factor: float, softened: float) -> Image:
    from PIL import Image, ImageFilter

    grey = image.convert("L")
    if factor != 1:
        size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
        grey = grey.resize(size, Image.Resampling.BICUBIC if factor > 1 else Image.Resampling.BOX)
    return grey.filter(ImageFilter.GaussianBlur(softened)) if softened else grey


def _read(image: Image, factor: float) -> list[Code]:
    content = io.BytesIO()
    image.save(content, "PNG", compress_level=1)
    done = subprocess.run(
        ["zbarimg", *_ARGUMENTS, "-"],
        input=content.getvalue(),
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
        env=_ENVIRONMENT,
    )
    if done.returncode not in (0, 4):  # zbarimg(1): 4 says that nothing was found
        raise RuntimeError(f"zbarimg ended with status {done.returncode}: {done.stderr[-200:]!r}")
    return _symbols(done.stdout, factor) if done.returncode == 0 else []


def _symbols(answer: bytes, factor: float) -> list[Code]:
    """The symbols in zbar's XML: the bytes of each, and its corners."""
    found: list[Code] = []
    text: list[str] = []
    attributes: dict[str, dict[str, str]] = {}

    def start(name: str, values: dict[str, str]) -> None:
        attributes[name] = values
        if name == "symbol":
            attributes.pop("polygon", None)
        text.clear()

    def end(name: str) -> None:
        if name != "data":
            return
        content = "".join(text)
        raw = content.encode()
        if attributes["data"].get("format") == "base64":
            try:
                raw = base64.b64decode(content)
            except binascii.Error:
                return
        corners = attributes.get("polygon", {}).get("points", "")
        points = [(int(x) / factor, int(y) / factor) for x, y in re.findall(r"([+-]?\d+),([+-]?\d+)", corners)]
        found.append(Code(raw.decode("utf-8", "replace"), _around(points)))

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text.append
    parser.Parse(answer, True)
    return found


def _around(points: list[tuple[float, float]]) -> Box | None:
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def address(url: str) -> str:
    """A URL in one form of many that are equivalent (RFC 3986, 6.2.2 and 6.2.3; RFC 3987, 3.1).

    White space around it, the case of scheme and host, the scheme's own port, an empty path, Unicode or its encodings:
    none of them makes another address. Anything else does.
    """
    bare = url.strip().strip("\ufeff")
    try:
        parts = urlsplit(bare)
        scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
    except ValueError:
        return bare
    if scheme not in _PORTS or not host:
        return bare
    try:
        host = host.encode("idna").decode("ascii")
    except UnicodeError:
        host = host.lower()
    who = parts.netloc.rpartition("@")[0]
    where = (f"{who}@" if who else "") + host + (f":{port}" if port and port != _PORTS[scheme] else "")
    path = _encoded(parts.path) or "/"
    query = f"?{_encoded(parts.query)}" if "?" in bare.split("#")[0] else ""
    return f"{scheme}://{where}{path}{query}" + (f"#{_encoded(parts.fragment)}" if parts.fragment else "")


def _encoded(part: str) -> str:
    """Percent-encoding in its normal form: unreserved characters plain, hexadecimal digits in capitals."""
    pieces = re.split(r"(%[0-9A-Fa-f]{2})", part)
    return "".join(
        quote(unquote_to_bytes(piece), safe="-._~") if index % 2 else quote(piece, safe=_KEPT)
        for index, piece in enumerate(pieces)
    )
