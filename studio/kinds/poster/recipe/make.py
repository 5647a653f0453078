"""Makes the poster, its PNG and PDF, the social versions and the design notes.

Reads brief.json and run.json of /testbed/input. Run as `python3 -m poster.make` in /testbed. The same brief, seed and
image give the same bytes.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from .browser import Browser
from .content import Content, read_content
from .design import Design
from .legible import mend
from .printing import printed
from .script import is_wide, needs_dictionary
from .specs import design_specs

INPUT = Path("/testbed/input")
OUTPUT = Path("/testbed/output")


def main() -> None:
    """Read the brief and the seed, make everything, say what was made."""
    brief = json.loads((INPUT / "brief.json").read_text(encoding="utf-8"))
    run = json.loads((INPUT / "run.json").read_text(encoding="utf-8"))
    content = read_content(brief)
    OUTPUT.mkdir(exist_ok=True)
    with Browser() as browser:
        design = Design(content, int(run.get("seed") or 0), _dictionary(browser, content))
        _poster(browser, design)
        for name, width, height in content.social:
            _social(browser, design, name, width, height)
    print("made:", ", ".join(str(path.relative_to(OUTPUT)) for path in sorted(OUTPUT.rglob("*")) if path.is_file()))


def _dictionary(browser: Browser, content: Content) -> dict[str, list[str]]:
    """Words of the texts whose script does not part them by blanks."""
    texts = sorted({text for text in content.texts if any(is_wide(char) or needs_dictionary(char) for char in text)})
    words = dict(zip(texts, browser.words(texts, content.language), strict=True))
    # A person's name is no text: it breaks between its parts only.
    return words | {person.name: re.findall(r"[^·・]+[·・]?", person.name) for person in content.speakers}


def _poster(browser: Browser, design: Design) -> None:
    content = design.content
    canvas, contrasts = mend(design.poster, browser.picture)
    size = f"{content.width_mm:g}mm", f"{content.height_mm:g}mm"
    svg = canvas.markup(title=content.name, language=content.language, size=size)
    (OUTPUT / "poster.svg").write_text(svg, encoding="utf-8")
    width = max(1, round(content.raster_height * content.width_mm / content.height_mm))
    (OUTPUT / "poster.png").write_bytes(browser.picture(svg, width, content.raster_height))
    (OUTPUT / "poster.pdf").write_bytes(printed(browser, canvas, content))
    notes = design_specs(design, canvas, contrasts)
    (OUTPUT / "design_specs.md").write_text(notes, encoding="utf-8")


def _social(browser: Browser, design: Design, name: str, width: int, height: int) -> None:
    canvas, _ = mend(lambda echo: design.social(width, height, echo), browser.picture)
    folder = OUTPUT / "social_media_versions"
    folder.mkdir(exist_ok=True)
    svg = canvas.markup(title=design.content.name, language=design.content.language)
    (folder / f"{name}.png").write_bytes(browser.picture(svg, width, height))


if __name__ == "__main__":
    main()
