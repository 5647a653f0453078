"""PDF files (ISO 32000-1), read and drawn by Poppler's tools in processes of their own."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.subject import Subject, Unfit

Image: TypeAlias = Any  # PIL.Image.Image

MAX_DRAWN = 60  # pages that are drawn
LOOK_PX, SHOW_PX = 400, 1280  # the longer side of a page that is looked at; the width of the one that is shown
LIMIT_S = 45.0
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
_KEY = re.compile(r"^([A-Za-z][A-Za-z ]*?):\s+(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class PdfDocument:
    """A document that opens: how many pages, and the first one's size in points (1/72 inch)."""

    path: str
    file: Path
    pages: int
    width: float
    height: float

    @property
    def drawn(self) -> int:
        """How many of its pages are drawn."""
        return min(self.pages, MAX_DRAWN)


@dataclass(frozen=True)
class Font:
    """A font that a document names."""

    name: str
    embedded: bool


def open_pdf(subject: Subject, path: str) -> PdfDocument:
    """The document at `path`, opened once per process. Raises Unfit saying why it does not open."""
    return subject.shared(f"document {path}", lambda: _opened(path, subject.file(path)))


def _opened(path: str, file: Path) -> PdfDocument:
    with file.open("rb") as source:
        head = source.read(1024)
        source.seek(max(0, file.stat().st_size - 2048))
        tail = source.read()
    if b"%PDF-" not in head:
        raise Unfit(f"{path} is not a PDF file: it does not begin with %PDF-. Export it as PDF.", path)
    if b"%%EOF" not in tail:  # ISO 32000-1, 7.5.5: the last line of the file
        raise Unfit(f"{path} has no %%EOF at its end: it was not written to its end. Export it again.", path)
    status, told, said = _run("pdfinfo", str(file))
    if "Incorrect password" in said:
        raise Unfit(f"{path} asks for a password; export it without one.", path)
    facts = dict(_KEY.findall(told))
    size = re.match(r"([\d.]+) x ([\d.]+) pts", facts.get("Page size", ""))
    if status or not facts.get("Pages", "").isdecimal() or not int(facts["Pages"]) or not size:
        raise Unfit(f"{path} does not open: {_plain(said, file, path) or 'it has no page'} Export it again.", path)
    return PdfDocument(path, file, int(facts["Pages"]), float(size[1]), float(size[2]))


def fonts_of(document: PdfDocument) -> list[Font]:
    """The fonts of the pages that are drawn (`pdffonts`: a line each, whose last columns are emb, sub, uni, object)."""
    _, told, _ = _run("pdffonts", "-l", str(document.drawn), str(document.file))
    found = []
    for line in told.splitlines()[2:]:
        if row := re.match(r"(.*?)\s{1,}\S.*?\s+(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+\s*$", line):
            found.append(Font(row[1].strip() or "a font without a name", row[2] == "yes"))
    return found


def draw_pages(document: PdfDocument, first: int, last: int, *, width: int | None = None) -> list[Image]:
    """Pages as RGB pictures, LOOK_PX on the longer side or `width` px wide. Raises Unfit where one cannot be drawn."""
    import PIL.Image

    size = ["-scale-to", str(LOOK_PX)] if width is None else ["-scale-to-x", str(width), "-scale-to-y", "-1"]
    with tempfile.TemporaryDirectory(prefix="pdf-") as folder:
        words = ["-f", str(first), "-l", str(last), *size, str(document.file), f"{folder}/page"]
        status, _, said = _run("pdftoppm", *words)
        pictures = []
        for picture in sorted(Path(folder).glob("page-*.ppm")):
            with PIL.Image.open(picture, formats=["PPM"]) as image:
                pictures.append(image.convert("RGB"))
    if status or len(pictures) != last - first + 1:
        why = _plain(said, document.file, document.path)
        number = first + len(pictures)
        raise Unfit(f"{document.path}: page {number} cannot be drawn: {why} Export it again.", document.path)
    return pictures


def _run(program: str, *words: str) -> tuple[int, str, str]:
    try:
        done = subprocess.run([program, *words], capture_output=True, timeout=LIMIT_S, check=False, env=_ENVIRONMENT)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{program} did not end in {LIMIT_S:.0f} s") from None
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def _plain(said: str, file: Path, path: str) -> str:
    lines = [line for line in said.replace(str(file), path).splitlines() if line.strip()]
    return f"{lines[-1]:.160}." if lines else ""
