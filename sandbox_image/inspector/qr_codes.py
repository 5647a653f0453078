"""QR codes (ISO/IEC 18004) in a picture, read by zbar, and whether two addresses are the same one."""

from __future__ import annotations

import base64
import contextlib
import io
import re
import subprocess
from collections.abc import Iterator
from typing import Any, TypeAlias
from urllib.parse import quote, unquote_to_bytes, urlsplit
from xml.parsers import expat

Image: TypeAlias = Any  # PIL.Image.Image

LIMIT_S = 20.0  # for one reading
MAX_PIXELS = 16_000_000  # of a picture that is enlarged for reading
MAX_CODES = 40
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/tmp"}
_PORTS = {"http": 80, "https": 443}
# RFC 3986, 2.2 and 2.3: what percent-encoding leaves as it is; "%" itself has been read already.
_KEPT = "!$&'()*+,;=:@/?-._~"


def codes(image: Image) -> Iterator[str]:
    """What the codes in a picture say, each once: as it is, then enlarged, reduced and softened, for small and ornate
    ones.
    """
    seen: set[str] = set()
    for factor, softened in ((1.0, 0.0), (2.0, 0.0), (0.5, 0.0), (1.0, 2.0), (4.0, 0.0)):
        if factor > 1 and image.width * image.height * factor**2 > MAX_PIXELS:
            continue
        for text in _read(_prepared(image, factor, softened)):
            if text not in seen and len(seen) < MAX_CODES:
                seen.add(text)
                yield text


def _prepared(image: Image, factor: float, softened: float) -> bytes:
    """A PNG in greys for the reader."""
    from PIL import Image, ImageFilter

    grey = image.convert("L")
    if factor != 1:
        size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
        grey = grey.resize(size, Image.Resampling.BICUBIC if factor > 1 else Image.Resampling.BOX)
    if softened:
        grey = grey.filter(ImageFilter.GaussianBlur(softened))
    content = io.BytesIO()
    grey.save(content, "PNG", compress_level=1)
    return content.getvalue()


def _read(picture: bytes) -> list[str]:
    found: list[str] = []
    text: list[str] = []
    form = ""

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal form
        form = attributes.get("format", "")
        text.clear()

    def end(name: str) -> None:
        if name == "data":
            content = "".join(text)
            found.append(_words(base64.b64decode(content)) if form == "base64" else content)

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text.append
    if answer := _zbar(picture, "--xml"):
        parser.Parse(answer, True)
    if len(found) == 1 and not found[0].isascii():
        # UTF-8, as nearly all write it today; for other bytes the reader's guess at an older encoding stands.
        with contextlib.suppress(UnicodeDecodeError):
            found = [_zbar(picture, "-Sbinary", "--raw").decode()]
    return found


def _words(content: bytes) -> str:
    """Bytes of a code: UTF-8, as all write it today, or else the standard's own ISO/IEC 8859-1."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _zbar(picture: bytes, *more: str) -> bytes:
    """What zbarimg says of the QR codes in a PNG; nothing where it found none."""
    done = subprocess.run(
        ["zbarimg", "--quiet", "--nodbus", "-Sdisable", "-Sqrcode.enable", "-Stest-inverted", *more, "-"],
        input=picture,
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
        env=_ENVIRONMENT,
    )
    if done.returncode not in (0, 4):  # zbarimg(1): 4 says that nothing was found
        raise RuntimeError(f"zbarimg ended with status {done.returncode}: {done.stderr[-200:]!r}")
    return done.stdout if done.returncode == 0 else b""


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
