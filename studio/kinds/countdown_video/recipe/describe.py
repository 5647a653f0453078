"""description.md: what the film shows and says, for those who do not see or hear it."""

from __future__ import annotations

from typing import Any

from .colour import contrast, hexadecimal
from .stage import Stage
from .words import own_words
from .world import World


def description(brief: dict[str, Any], stage: Stage, world: World, words: str, photo: bool) -> str:
    """The text equivalent in Markdown."""
    params, beats = brief["params"], stage.beats
    own = own_words(brief.get("language", "en"))
    lines = [f"# {brief['title']}", "", f"**{words}**", ""]
    lines += [own["what"].format(start=params["start"], end=params["end"], name=params["name"]), ""]
    lines += [f"## {own['course']}", ""]
    for place, number in enumerate(beats.numbers):
        lines.append(f"- {_span(place * beats.slot, (place + 1) * beats.slot)}: {number}")
    lines.append(f"- {_span(beats.finale, beats.duration)}: {words}")
    lines += ["", f"## {own['picture']}", "", world.told()]
    if photo:
        lines.append(f"The photo `{params['photo']}` appears in a round frame above the last words.")
    lines += ["", f"- {own['size']}: {params['width']} × {params['height']} px, {params['fps']:g} fps, "
              f"{params['duration_s']:g} s"]  # fmt: skip
    lines.append("- " + (own["music"] if params["music"] else own["silent"]))
    lines += ["", f"## {own['colours']}", ""]
    lines += [f"- {role}: {params['colors'][role]}" for role in ("background", "primary", "secondary", "accent")]
    for ink in dict.fromkeys(world.inks):
        lines.append(f"- {hexadecimal(ink)} / {hexadecimal(world.card)}: {contrast(ink, world.card):.1f} : 1")
    return "\n".join(lines) + "\n"


def _span(start: float, end: float) -> str:
    return f"{start:.1f}–{end:.1f} s"
