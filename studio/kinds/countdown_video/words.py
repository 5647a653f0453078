"""What plain rules read of a countdown in one sentence."""

from __future__ import annotations

from studio.brief import JsonObject
from studio.kinds.sentence import Sentence

CALLED = (
    "countdown", "count down", "video", "film", "birthday", "new year", "倒计时", "倒數", "视频", "影片",
    "生日", "新年",
)  # fmt: skip


def countdown_video_params(sentence: Sentence) -> JsonObject:
    """For whom it counts, from which number, and how long it lasts, as far as they are said."""
    found: JsonObject = {}
    name = sentence.possessor or sentence.name_after("for") or sentence.between("给|為|为|祝", "的|做|生日|倒|，|,")
    name = name or sentence.quoted
    if name:
        found["name"] = name
    start = sentence.number_after("from", "从", "從")
    if start is not None:
        found["start"] = int(start)
    seconds = sentence.number("seconds", "second", "sec", "s ", "秒")
    if seconds is not None:
        found["duration_s"] = seconds
    if sentence.has(("birthday", "生日")):
        found["finale"] = "生日快乐，{name}！" if sentence.language.startswith("zh") else "Happy Birthday, {name}!"
    if sentence.has(("upright", "vertical", "portrait", "phone", "竖", "手机")):
        found |= {"width": 720, "height": 1280}
    if sentence.has(("silent", "no music", "without music", "无声", "静音")):
        found["music"] = False
    return found
