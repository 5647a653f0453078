"""PNG and JPEG files: told by their first bytes, sized by their header, decoded to the last row."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.pictures import BROKEN, MAX_PIXELS, on_white
from sandbox_image.inspector.png_file import refuse_disorder
from sandbox_image.inspector.subject import Subject, Unfit

Image: TypeAlias = Any  # PIL.Image.Image

# First bytes: ISO/IEC 15948, 5.2; ITU-T T.81, B.1.1.3 (SOI, then another marker).
SIGNATURES = {"PNG": b"\x89PNG\r\n\x1a\n", "JPEG": b"\xff\xd8\xff"}
_OTHERS = {b"GIF8": "GIF", b"%PDF": "PDF", b"RIFF": "WebP or sound", b"<svg": "SVG", b"<!DO": "HTML", b"<?xm": "XML"}


def format_of(path: str) -> str:
    """What a file of this name must hold."""
    return "PNG" if path.lower().endswith(".png") else "JPEG"


def picture_of(subject: Subject, path: str) -> Image:
    """The picture as its file holds it, decoded once per process. Raises Unfit where it is another, broken or huge."""
    return subject.shared(f"picture {path}", lambda: _decoded(path, subject.file(path)))


def seen(subject: Subject, path: str) -> Image:
    """The picture in RGB, as it looks on white."""
    return subject.shared(f"picture {path} on white", lambda: on_white(picture_of(subject, path)))


def _decoded(path: str, file: Path) -> Image:
    import PIL.Image

    wanted = format_of(path)
    with file.open("rb") as source:
        head = source.read(8)
    if not head.startswith(SIGNATURES[wanted]):
        found = next((name for name, start in SIGNATURES.items() if head.startswith(start)), _OTHERS.get(head[:4]))
        holds = f"; it holds {found}" if found else ""
        raise Unfit(f"{path} is not a {wanted} file{holds}. Export it as {wanted}, or name it after what it is.", path)
    PIL.Image.MAX_IMAGE_PIXELS = None  # the limit below holds
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd metadata, which says nothing of the picture
            if wanted == "PNG":
                refuse_disorder(path, file)
                with PIL.Image.open(file, formats=["PNG"]) as whole:
                    _bounded(path, whole)
                    whole.verify()  # every chunk's CRC, up to IEND
            image = PIL.Image.open(file, formats=[wanted])
            _bounded(path, image)
            image.load()
    except BROKEN as error:
        raise Unfit(f"{path} cannot be decoded wholly: {error!s:.150}. Export it anew.", path) from None
    return image


def _bounded(path: str, image: Image) -> None:
    if image.width * image.height > MAX_PIXELS:
        raise Unfit(f"{path} claims {image.width} × {image.height} px, more than is decoded; make it smaller.", path)
