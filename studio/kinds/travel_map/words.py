"""What plain rules read of a trip in one sentence."""

from __future__ import annotations

from studio.brief import JsonObject
from studio.kinds.sentence import Sentence

CALLED = (
    "trip", "travel", "journey", "itinerary", "map", "holiday", "tour", "旅行", "旅游", "行程", "地图",
    "地圖", "游",
)  # fmt: skip


def travel_map_params(sentence: Sentence) -> JsonObject:
    """Where to and for how many days, as far as they are said."""
    found: JsonObject = {}
    destination = (
        sentence.name_after("to", "through", "around", "across", "in", "of")
        or sentence.quoted
        or sentence.between("去|到|在", "旅|玩|游|的|[一二两三四五六七八九十0-9]|，|,|。|$", most=8)
    )
    if destination:
        found["destination"] = destination
    days = sentence.number("days", "day", "天", "日")
    if days is None and (weeks := sentence.number("weeks", "week", "周", "星期")) is not None:
        days = 7 * weeks
    if days is not None and days == int(days):
        found["days"] = int(days)
    return found
