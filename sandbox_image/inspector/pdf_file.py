"""What a PDF says of itself, by Poppler's tools: pages, the first page's size, fonts."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from sandbox_image.inspector.subject import Unfit

LIMIT_S = 20.0
MAX_OUTPUT = 1 << 20
MM_PER_POINT = 25.4 / 72  # ISO 32000-1, 8.3.2.3: the default user space unit
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
_BOX = re.compile(r"^(?:Page\s+1 )?(\w+Box):\s+([-\d.]+)\s+([-\d.]+)\s+([-\d.]+)\s+([-\d.]+)", re.MULTILINE)
_TURN = re.compile(r"^Page(?:\s+1)? rot:\s+(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Pdf:
    """Pages, the sizes in mm that the first page declares (visible page first, then the trimmed one), and fonts.

    `bleed` is how far the bleed box reaches beyond the trim box, in mm, at the edge where that is least.
    """

    pages: int
    sizes: tuple[tuple[float, float], ...]
    loose_fonts: tuple[str, ...]  # used, but not embedded
    fonts: int
    bleed: float = 0.0


def read(name: str, file: Path) -> Pdf:
    """Read a PDF. Raises Unfit when Poppler cannot open it."""
    if not file.read_bytes()[:1024].lstrip().startswith(b"%PDF-"):
        raise Unfit(f"{name} is not a PDF file; export it as PDF.", name)
    said = _tool(name, file, "pdfinfo", "-box", "-f", "1", "-l", "1")
    pages = re.search(r"^Pages:\s+(\d+)", said, re.MULTILINE)
    boxes = {found[0]: tuple(float(number) for number in found[1:]) for found in _BOX.findall(said)}
    if not pages or "MediaBox" not in boxes:
        raise Unfit(f"{name} has no page that can be read; export it anew.", name)
    turned = _TURN.search(said)
    sideways = bool(turned) and int(turned[1]) % 180 == 90 if turned else False
    sizes = []
    for box in ("CropBox", "TrimBox"):
        x0, y0, x1, y1 = boxes.get(box, boxes["MediaBox"])
        size = abs(x1 - x0) * MM_PER_POINT, abs(y1 - y0) * MM_PER_POINT
        sizes.append(size[::-1] if sideways else size)
    visible = boxes.get("CropBox", boxes["MediaBox"])
    trim, around = boxes.get("TrimBox", visible), boxes.get("BleedBox", visible)
    reach = [trim[0] - around[0], trim[1] - around[1], around[2] - trim[2], around[3] - trim[3]]
    fonts = [line.split() for line in _tool(name, file, "pdffonts").splitlines()[2:] if line.strip()]
    # The last columns: emb, sub, uni, and the object's number and generation.
    loose = tuple(font[0] for font in fonts if len(font) > 5 and font[-5] != "yes")
    return Pdf(int(pages[1]), tuple(sizes), loose, len(fonts), min(reach) * MM_PER_POINT)


def _tool(name: str, file: Path, *command: str) -> str:
    try:
        done = subprocess.run(
            [*command, str(file)], capture_output=True, timeout=LIMIT_S, check=False, env=_ENVIRONMENT
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{command[0]} did not finish with {name}") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no reason given"]
        raise Unfit(f"{name} cannot be read as PDF ({reason[0]:.120}); export it anew.", name)
    return done.stdout[:MAX_OUTPUT].decode("utf-8", "replace")
