"""Which world a film plays in: by words of the brief's style, else by the seed."""

from __future__ import annotations

import re

from .stage import Stage
from .world import World
from .world_cosmos import Cosmos
from .world_lanterns import Lanterns
from .world_paper import Paper
from .world_party import Party

WORLDS: dict[str, type[World]] = {"cosmos": Cosmos, "lanterns": Lanterns, "paper": Paper, "party": Party}
_BY_DAY, _BY_NIGHT = ("paper", "party"), ("cosmos", "lanterns", "paper")

# Words that people use for a style, in a few languages, and the world that they mean.
_WORDS = {
    "lanterns": "lantern|festiv(e|al) light|mid-?autumn|灯笼|燈籠|春节|春節|喜庆|喜慶|中秋|国风|提灯|등불|фонар"
    "|فانوس|laterne",
    "cosmos": "space|cosmos|galax|star|night|planet|rocket|firework|new year|neon|sci-?fi|星|太空|宇宙|烟花"
    "|煙火|夜|花火|우주|별"
    "|불꽃|косм|звезд|салют|فضاء|نجوم|espacio|estrella|étoile|weltraum|stern|feuerwerk",
    "paper": "paper|geometr|minimal|modern|abstract|bauhaus|flat|clean|elegant|corporate|business|bold|剪纸"
    "|剪紙|几何|幾何|简约|簡約"
    "|紙|シンプル|모던|종이|бумаг|минимал|geométr|papier|papel",
    "party": "cute|kawaii|kid|child|cartoon|playful|pastel|sweet|animal|garden|party|friendly|可爱|可愛|卡通"
    "|童|派对|かわいい|귀여"
    "|niñ|infantil|enfant|kinder|tier|дет|милы|أطفال",
}  # fmt: skip


def world_for(stage: Stage, style: str) -> World:
    """The world of a film; the word that comes first decides where the style names several."""
    low = style.lower()
    meant = []
    for name, words in _WORDS.items():
        found = re.search(words, low)
        if found:
            meant.append((found.start(), name))
    rng = stage.random("world")
    choice = min(meant)[1] if meant else rng.choice(_BY_NIGHT if stage.scheme.dark else _BY_DAY)
    return WORLDS[choice](stage)
