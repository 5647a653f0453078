"""Whole PDF documents (ISO 32000-1), and their pages as pictures, drawn by Poppler."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.pdf_file import Pdf, read
from sandbox_image.inspector.subject import Subject, Unfit

Image: TypeAlias = Any  # PIL.Image.Image

MAX_DRAWN = 60  # pages that are drawn
LOOK_PX, SHOW_PX = 400, 1280  # the longer side of a page that is looked at; the width of the one that is shown
LIMIT_S = 45.0
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class PdfDocument:
    """A document that opens, and what it says of itself."""

    path: str
    file: Path
    told: Pdf

    @property
    def drawn(self) -> int:
        """How many of its pages are drawn."""
        return min(self.told.pages, MAX_DRAWN)


def open_pdf(subject: Subject, path: str) -> PdfDocument:
    """The document at `path`, opened once per process. Raises Unfit saying why it does not open."""
    return subject.shared(f"document {path}", lambda: _opened(path, subject.file(path)))


def _opened(path: str, file: Path) -> PdfDocument:
    with file.open("rb") as source:
        head = source.read(1024)
        source.seek(max(0, file.stat().st_size - 2048))
        tail = source.read()
    if b"%PDF-" in head and b"%%EOF" not in tail:  # ISO 32000-1, 7.5.5: the last line of the file
        raise Unfit(f"{path} has no %%EOF at its end: it was not written to its end. Export it again.", path)
    return PdfDocument(path, file, read(path, file))


def draw_pages(document: PdfDocument, first: int, last: int, *, width: int | None = None) -> list[Image]:
    """Pages as RGB pictures, LOOK_PX on the longer side or `width` px wide. Raises Unfit where one cannot be drawn."""
    import PIL.Image

    size = ["-scale-to", str(LOOK_PX)] if width is None else ["-scale-to-x", str(width), "-scale-to-y", "-1"]
    with tempfile.TemporaryDirectory(prefix="pdf-") as folder:
        words = ["-f", str(first), "-l", str(last), *size, str(document.file), f"{folder}/page"]
        try:
            done = subprocess.run(
                ["pdftoppm", *words], capture_output=True, timeout=LIMIT_S, check=False, env=_ENVIRONMENT
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"its pages were not drawn in {LIMIT_S:.0f} s") from None
        pictures = []
        for picture in sorted(Path(folder).glob("page-*.ppm")):
            with PIL.Image.open(picture, formats=["PPM"]) as image:
                pictures.append(image.convert("RGB"))
    if done.returncode or len(pictures) != last - first + 1:
        why = _plain(done.stderr.decode("utf-8", "replace"), document.file, document.path)
        number = first + len(pictures)
        raise Unfit(f"{document.path}: page {number} cannot be drawn: {why} Export it again.", document.path)
    return pictures


def _plain(said: str, file: Path, path: str) -> str:
    lines = [line for line in said.replace(str(file), path).splitlines() if line.strip()]
    return f"{lines[-1]:.160}." if lines else ""
