"""design_specs.md: colours with their contrast, sizes, grid, and the poster's words as text."""

from __future__ import annotations

from collections.abc import Sequence

from .canvas import Canvas
from .colour import contrast
from .content import Content
from .design import Design
from .page import COLUMNS
from .parts import LARGE, MEDIUM, SMALL
from .scheme import Scheme


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _colours(content: Content, scheme: Scheme) -> list[str]:
    rows = ["| colour | value | contrast on the ground |", "| --- | --- | --- |"]
    uses = [(f"palette: {name}", value) for name, value in content.palette.items()]
    uses += [("words", scheme.ink), ("lesser words", scheme.quiet), ("coloured words", scheme.vivid)]
    rows += [f"| {name} | `{value.upper()}` | {contrast(value, scheme.ground):.2f} : 1 |" for name, value in uses]
    return rows


def _sizes(canvas: Canvas, contrasts: Sequence[float], millimetres: float) -> list[str]:
    rows = ["| what | size | typeface | colour | contrast as measured |", "| --- | --- | --- | --- | --- |"]
    seen: dict[tuple[str, ...], float] = {}
    for text, measured in zip(canvas.texts, contrasts, strict=True):
        if not text.hidden:
            face = canvas.type.runs(text.lines[0].text, text.style.role)[0].face.family
            key = (text.label or "text", f"{max(text.sizes) * millimetres:.1f} mm", face, text.fill)
            seen[key] = min(measured, seen.get(key, measured))
    rows += [f"| {' | '.join(key)} | {lowest:.2f} : 1 |" for key, lowest in seen.items()]
    return rows


def _words(content: Content, own: dict[str, str]) -> list[str]:
    lines = [f"# {content.name}", ""]
    if content.slogan:
        lines += [f"*{content.slogan}*", ""]
    lines += [f"- {content.date}" + (f", {content.time}" if content.time else "")]
    lines += ["- " + ", ".join(part for part in (content.venue, content.hall, content.address) if part), ""]
    if content.speakers:
        lines += [f"## {own.get('speakers', 'Speakers')}", ""]
        for person in content.speakers:
            about = f" ({person.role})" if person.role else ""
            lines.append(f"- {person.name}{about}" + (f": {person.topic}" if person.topic else ""))
        lines.append("")
    if content.highlights:
        lines += [f"## {own.get('highlights', 'Highlights')}", "", *(f"- {text}" for text in content.highlights), ""]
    entry = [part for part in (content.url, content.early, content.regular, content.deadline) if part]
    behind = [", ".join(group) for group in (content.hosts, content.sponsors, content.contact) if group]
    for group in (entry, behind):
        if group:
            lines += [*(f"- {part}" for part in group), ""]
    return lines


def _print(content: Content) -> list[str]:
    if not content.bleed_mm:
        return ["- `poster.pdf` is the same page in vectors."]
    wide, high = content.width_mm + 2 * content.bleed_mm, content.height_mm + 2 * content.bleed_mm
    return [
        f"- `poster.pdf` is the same page in vectors on a sheet of {wide:g} × {high:g} mm: its trim box is the page, "
        f"its bleed box {content.bleed_mm:g} mm larger on every side."
    ]


def design_specs(design: Design, canvas: Canvas, contrasts: Sequence[float]) -> str:
    """The design notes in Markdown."""
    content, own, scheme, sheet, unit = design.content, design.own, design.look.sheet, design.sheet, design.unit
    millimetres = content.width_mm / sheet.width
    column = (sheet.measure - (COLUMNS - 1) * unit * 1.6) / COLUMNS
    gutter = unit * 1.6 * millimetres
    grid = [
        f"- Page {content.width_mm:g} × {content.height_mm:g} mm; margins {sheet.side * millimetres:.1f} mm at the "
        f"sides, {sheet.above * millimetres:.1f} mm above and below.",
        *_print(content),
        f"- {COLUMNS} columns of {max(column, 0.0) * millimetres:.1f} mm, gutters of {gutter:.1f} mm.",
        f"- Baseline step {unit * 0.66 * millimetres:.2f} mm, half the pitch of running text; gaps follow it.",
        f"- Type scale: {SMALL:g}, {MEDIUM:g} and {LARGE:g} times {unit * millimetres:.2f} mm; the title above them.",
    ]
    lowest = min((value for value, text in zip(contrasts, canvas.texts, strict=True) if not text.hidden), default=0.0)
    return "\n".join(
        [
            *_words(content, own),
            "---",
            "",
            "## Design",
            "",
            *(f"- {name}: {value}" for name, value in design.choices()),
            "",
            "### Grid",
            "",
            *grid,
            "",
            "### Colours",
            "",
            *_colours(content, scheme),
            "",
            "### Type",
            "",
            f"Contrast is measured on what is painted behind the glyphs; the lowest is {lowest:.2f} : 1.",
            "",
            *_sizes(canvas, contrasts, millimetres),
            "",
            "### Social versions",
            "",
            *(f"- `social_media_versions/{name}.png`, {wide} × {high} px" for name, wide, high in content.social),
            "",
        ]
    )
