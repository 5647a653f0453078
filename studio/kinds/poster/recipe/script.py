"""What a writing system asks for: clusters, scripts, where a line may break."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

# No line starts with these, and none ends with those (after JIS X 4051 and GB/T 15834, shortened).
NO_START = frozenset(
    "、。，．！？：；）」』】》〉〕］｝〗〙’”…‥・ー々ゝヽ〜～ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％℃"
    ",.!?:;)]}%»›·"
)
NO_END = frozenset("（「『【《〈〔［｛〖〘‘“([{«‹￥＄¥$€£№#")
# Words after which a reader would not break: articles, prepositions, conjunctions of the languages in words.py.
_CLINGING = """
a an the of for and or in on at to by with from der die das den dem des ein eine und oder im am zu zur zum von
für mit auf le la les un une de du et ou à au aux en sur pour el los las y o del al con por para il lo gli i e
di da della dei nel per su os as um uma do dos das em no na и в во на с со к о от до для за по из у з та й і від
het een en van voor met op och på av till för ile ve και το τα η ο του της
"""
CLINGING = frozenset(_CLINGING.split())
PARTICLES = frozenset("のはがをにへとでもや")  # of Japanese: a line may end with one, and does not begin with it
# Of Chinese: words of one character that stand behind a noun, places and kinds of houses.
BEHIND_NOUNS = frozenset("里裡上下中内外前后後馆館院厅廳楼樓店号號场場园園站")


def is_wide(char: str) -> bool:
    """Ideographs and kana: scripts that break between characters."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or "\U00020000" <= char <= "\U0003ffff"


def is_hiragana(char: str) -> bool:
    """The kana of endings and particles, which belong to what stands before them."""
    return "\u3041" <= char <= "\u309f"


def needs_dictionary(char: str) -> bool:
    """Thai, Lao, Myanmar, Khmer: words are not parted by blanks."""
    return "\u0e00" <= char <= "\u0eff" or "\u1000" <= char <= "\u109f" or "\u1780" <= char <= "\u17ff"


def ignorable(char: str) -> bool:
    """Characters that need no glyph: joiners, marks of direction, variation selectors, blanks."""
    return unicodedata.category(char) in {"Cf", "Zs"} or "\ufe00" <= char <= "\ufe0f" or char == "\u034f"


def _is_pictograph(char: str) -> bool:
    code = ord(char)
    return (
        0x1F000 <= code <= 0x1FBFF or 0x2600 <= code <= 0x27BF or 0x2B00 <= code <= 0x2BFF or code in {0x231A, 0x231B}
    )


# Pictographs below U+1F000 that are shown as colour emoji without a variation selector (Emoji_Presentation, UTS 51).
_PICTURES = frozenset(
    "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕"
)


def is_emoji(cluster: str) -> bool:
    """Whether the cluster is drawn in colour."""
    if "\ufe0e" in cluster:
        return False
    first = cluster[0]
    return (
        0x1F000 <= ord(first) <= 0x1FBFF
        or first in _PICTURES
        or ("\ufe0f" in cluster and (_is_pictograph(first) or first in "#*0123456789©®‼⁉™ℹ↔↩↪⌨〰〽㊗㊙"))
    )


def _extends(char: str) -> bool:
    code = ord(char)
    return (
        unicodedata.category(char) in {"Mn", "Mc", "Me"}
        or char in "\u200c\u200d"
        or 0xFE00 <= code <= 0xFE0F
        or 0x1F3FB <= code <= 0x1F3FF
        or 0xE0020 <= code <= 0xE007F
        or char in "\u0e33\u0eb3"
    )


def clusters(text: str) -> Iterator[str]:
    """What a reader takes for one character: a base with its marks, a joined emoji, a flag, a conjunct."""
    held = ""
    for char in text:
        joined = held and (
            _extends(char)
            or (held[-1] == "\u200d" and (_is_pictograph(char) or unicodedata.category(char)[0] == "L"))
            or (_is_virama(held[-1]) and unicodedata.category(char)[0] == "L")
            or (len(held) == 1 and _is_flag(held) and _is_flag(char))
        )
        if held and not joined:
            yield held
            held = ""
        held += char
    if held:
        yield held


def _is_virama(char: str) -> bool:
    return unicodedata.combining(char) == 9


def _is_flag(char: str) -> bool:
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


@cache
def direction(text: str) -> str:
    """`rtl` or `ltr`, by the first strong character; `` where there is none."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in {"R", "AL"}:
            return "rtl"
        if kind == "L":
            return "ltr"
    return ""


def may_track(text: str) -> bool:
    """Whether letters may be set apart or in capitals: only in scripts that do so and do not join."""
    return all(ord(char) < 0x0530 or not char.isalpha() for char in text)


@dataclass(frozen=True)
class Piece:
    """A stretch that stays on one line; `gap` stands after it unless the line ends there; `cost` of breaking there."""

    text: str
    gap: str
    cost: float


def pieces(text: str, words: Sequence[str] | None = None) -> list[Piece]:
    """`text` cut where a line may break. `words` is the same text cut by a dictionary, for scripts that need one."""
    ends = set()
    position = 0
    for word in words or ():
        position += len(word)
        ends.add(position)
    found: list[Piece] = []
    position = 0
    tokens = text.split(" ")
    for number, token in enumerate(tokens):
        if token:
            parts = _within(token, position, ends if words else None)
            for part, cost in parts[:-1]:
                found.append(Piece(part, "", cost))
            last = parts[-1][0]
            follower = next((other for other in tokens[number + 1 :] if other), "")
            found.append(Piece(last, " ", _cost_after(token, follower)))
        position += len(token) + 1
    return found


def _cost_after(token: str, follower: str) -> float:
    """How much a reader minds a break between these words: 0 not at all, below 0 welcome."""
    if token[-1] in ":;,–—·|/!?。：，":
        return -0.7
    bare = token.strip("“”\"'«»()").lower()
    if bare.isalpha() and follower[:1].isdigit() and len(follower) <= 8:
        return 1.6  # a month and its day, a hall and its number
    if token[-1] == "." and token[:-1].isdigit() and follower[:1].isalpha():
        return 1.6  # a day and its month
    return 1.5 if bare in CLINGING or (len(bare) <= 2 and bare.isalpha() and ord(bare[0]) < 0x0530) else 0.0


def _within(token: str, start: int, ends: set[int] | None) -> list[tuple[str, float]]:
    """Parts of a word with the cost of breaking after each."""
    parts: list[tuple[str, float]] = []
    held = ""
    done = start
    chars = list(clusters(token))
    address = "@" in token or "." in token[1:-1]
    for index, char in enumerate(chars):
        held += char
        done += len(char)
        after = chars[index + 1] if index + 1 < len(chars) else ""
        if after and (cost := _break_cost(char, after, done, ends, held)) is not None:
            if address and char in "-–":
                cost = 3.0
            parts.append((held, cost))
            held = ""
    parts.append((held, 0.0))
    return parts


def _break_cost(char: str, after: str, done: int, ends: set[int] | None, held: str) -> float | None:
    if after[0] in NO_START or char[-1] in NO_END:
        return None
    if needs_dictionary(char[0]) and needs_dictionary(after[0]):
        return 0.2 if ends and done in ends else None
    if is_wide(char[0]) or is_wide(after[0]) or (char[0] in NO_START and ord(char[0]) > 0x2000):
        if char in "：，。；！？、—·・":
            return -0.7
        if is_hiragana(after[0]) and (after[0] in PARTICLES or not is_hiragana(char[0])):
            return 2.5
        if after[0] in "的了们們" or (after in BEHIND_NOUNS and ends and {done, done + 1} <= ends):
            return 2.5  # of Chinese: what belongs to the word before it
        if char[-1] == "的":
            return 0.0
        if char[-1] in PARTICLES and not is_hiragana(after[0]):
            return 0.0
        return 0.6 if ends is None or done in ends else 2.0
    if char in "-–—/" and len(held) > 2 and (after.isalpha() or char == "/"):
        return 0.6
    if char in ".@?&=_" and len(held) > 3 and "/" not in held[-2:] and after.isalnum() and ends is None:
        return 3.0
    return None
