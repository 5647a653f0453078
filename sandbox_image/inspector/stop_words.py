"""Does a text show a stop: its name, its time, what to do there?

Times are compared by what they say: 13:30, 1:30 PM, 13h30, 13.30, 下午1:30 and ١٣:٣٠ are the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from sandbox_image.inspector.subject import Json
from sandbox_image.inspector.words import fold

_COLON = r"\s*[:.：．٫h時时点點시]\s*"
_MINUTES = r"\s*[分분]?"
_BEFORE_NOON = r"(?:上午|早上|凌晨|清晨|午前|오전|ص)"
_AFTER_NOON = r"(?:下午|晚上|傍晚|中午|夜晚|午後|오후|م)"
_ANY_TIME = re.compile(
    r"\d{1,2}\s*[:：．h時时点點시]\s*\d{2}|\d{1,2}\.\d{2}(?!\d)|\d{1,2}\s*(?:a\.?m|p\.?m)\b|\d{1,2}\s*(?:uhr|h|時|时|点|點|시)(?![a-z])"
    r"|上午|下午|早上|晚上|傍晚|清晨|中午|午前|午後|오전|오후"
    r"|\b(?:morning|noon|midday|afternoon|evening|night|sunset|sunrise|dawn|dusk|all day"
    r"|morgens|vormittag|mittag|nachmittag|abend|matin|midi|soir|mañana|mediodía|tarde|noche|mattina|pomeriggio|sera)",
    re.I,
)


def plain(text: str) -> str:
    """The text with ordinary digits, in compatibility form."""
    digits = (str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char for char in text)
    return unicodedata.normalize("NFKC", "".join(digits))


def tells_time(text: str, time: str) -> bool:
    """Is the time of day `time` (HH:MM) in the text, in one of the usual notations?"""
    hour, minute = int(time[:2]), int(time[3:])
    text = plain(text)
    whole = f"(?:{_COLON}{minute:02}{_MINUTES}" + (r"|\s*[h時时点點시](?!\s*\d)|\s*uhr)" if minute == 0 else ")")
    if minute == 30:
        whole = whole[:-1] + "|[点點]半|時半)"
    short = whole if minute else whole[:-1] + "|(?=\\s*[ap]\\.?m|\\s*[-–—~〜至到]))"
    clock = rf"(?<![\d.:])0?{hour}{whole}(?!\d)"
    if hour == 24:
        clock += rf"|(?<![\d.:])0?0{whole}(?!\d)"
    twelve = hour % 12 or 12
    late = 12 <= hour < 24
    half = r"(?:\s*-\s*|\s*[–—~〜]\s*|\s*to\s*)"
    end = r"\s*(?:p\.?\s?m\b|PM)" if late else r"\s*(?:a\.?\s?m\b|AM)"
    # "1:30–3 pm" says pm once for both.
    spread = rf"{half}\d{{1,2}}(?:[:.]\d\d)?{end}"
    english = rf"(?<![\d.:])0?{twelve}{short}(?:{end}|{spread})"
    eastern = rf"{_AFTER_NOON if late else _BEFORE_NOON}\s*(?:{twelve}|{hour}){whole}"
    words = {0: "midnight", 12: "noon|midday"}.get(hour % 24) if minute == 0 else None
    pattern = "|".join([clock, english, eastern, *([rf"\b(?:{words})\b"] if words else [])])
    return bool(re.search(pattern, text, re.I))


def tells_some_time(text: str) -> bool:
    """Is there any time of day in the text?"""
    return bool(_ANY_TIME.search(plain(text)))


def lacking(text: str, stop: Json) -> list[str]:
    """What the text does not say of a stop of the brief: names of its fields."""
    folded = fold(text)
    missing = [field for field in ("name", "activity", "tip") if stop.get(field) and fold(stop[field]) not in folded]
    missing += [field for field in ("start", "end") if stop.get(field) and not tells_time(text, stop[field])]
    return missing


def lacking_of_any(text: str) -> list[str]:
    """What a stop that a model chose does not say: a name and a time."""
    words = re.sub(r"[\d\W_]+", "", plain(_ANY_TIME.sub(" ", plain(text))))
    missing = [] if len(words) >= 2 else ["name"]
    return missing if tells_some_time(text) else [*missing, "time"]


def tells_all(text: str, stops: Sequence[Json]) -> bool:
    """Does the text name so many different stops that it shows none of them?"""
    names = {fold(stop["name"]) for stop in stops}
    if len(names) < 4:
        return False
    folded = fold(text)
    named = sorted((name for name in names if name in folded), key=len)
    # "Pier" within "Pier 39" is no second name.
    alone = [name for i, name in enumerate(named) if not any(name in other for other in named[i + 1 :])]
    return len(alone) > max(2, len(names) // 2)
