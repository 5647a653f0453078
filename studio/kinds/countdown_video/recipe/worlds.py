"""Which world a film plays in: by words of the brief's style, else by the seed."""

from __future__ import annotations

import re

from .stage import Stage
from .world import World
from .world_party import Party

WORLDS: dict[str, type[World]] = {"party": Party}

# Words that people use for a style, in a few languages, and the world that they mean.
_WORDS = {
    "party": "cute|kawaii|kid|child|cartoon|playful|pastel|sweet|animal|garden|可爱|卡通|童|かわいい|귀여|niñ|kinder|дет",
}


def world_for(stage: Stage, style: str) -> World:
    """The world of a film."""
    low = style.lower()
    meant = [name for name, words in _WORDS.items() if name in WORLDS and re.search(words, low)]
    choice = meant[0] if meant else stage.random("world").choice(sorted(WORLDS))
    return WORLDS[choice](stage)
