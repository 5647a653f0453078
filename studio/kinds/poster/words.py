"""What plain rules read of a poster in one sentence."""

from __future__ import annotations

import re

from studio.brief import JsonObject
from studio.kinds.sentence import Sentence

CALLED = (
    "poster", "flyer", "placard", "event", "conference", "concert", "海报", "海報", "宣传", "活动", "音乐会",
    "讲座",
)  # fmt: skip


def poster_params(sentence: Sentence) -> JsonObject:
    """The event's name, date and venue, as far as they are said."""
    name = (
        sentence.quoted
        or sentence.name_after("for", "called", "named")
        or sentence.between("为|给", "的?(?:海报|宣传)")
    )
    event = {"name": name, "date": sentence.date, "venue": _venue(sentence), "time": _time(sentence)}
    found = {key: value for key, value in event.items() if value}
    return {"event": found} if found else {}


def _venue(sentence: Sentence) -> str | None:
    return (
        sentence.name_after("at", "in")
        or sentence.between("在", "举行|举办|開催|，|,|。|的")
        or sentence.between("地点[：:]?", "，|,|。|$", most=20)
    )


def _time(sentence: Sentence) -> str | None:
    found = re.search(r"\b\d{1,2}:\d{2}(?: ?[ap]\.?m\.?)?|\b\d{1,2} ?[ap]\.?m\b", sentence.text, re.IGNORECASE)
    return found[0] if found else None
