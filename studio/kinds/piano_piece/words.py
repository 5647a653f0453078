"""What plain rules read of a piano piece in one sentence."""

from __future__ import annotations

import re

from studio.brief import JsonObject
from studio.kinds.sentence import Sentence

CALLED = (
    "piano", "music", "melody", "waltz", "lullaby", "nocturne", "song", "钢琴", "鋼琴", "曲子", "乐曲", "曲",
)  # fmt: skip

MOODS = (
    "calm", "sad", "happy", "cheerful", "solemn", "dreamy", "wistful", "dramatic", "gentle", "tender", "festive",
    "平静", "安静", "悲伤", "欢快", "庄严", "梦幻", "温柔", "喜庆",
)  # fmt: skip
_METERS = ("2/4", "3/4", "4/4", "6/8", "9/8", "12/8")


def piano_piece_params(sentence: Sentence) -> JsonObject:
    """Mood, key, meter, tempo and length, as far as they are said."""
    found: JsonObject = {}
    if moods := sentence.has(MOODS):
        found["mood"] = ", ".join(moods)
    if key := re.search(r"\b([A-G](?:[#♯b♭]|[ -](?:sharp|flat))?)[ -](major|minor)\b", sentence.text, re.IGNORECASE):
        tonic = key[1].replace("♯", "#").replace("♭", "b").replace("-", " ")
        tonic = re.sub(r" sharp$", "#", re.sub(r" flat$", "b", tonic, flags=re.I), flags=re.I)
        found["key"] = f"{tonic[0].upper()}{tonic[1:]} {key[2].lower()}"
    elif key := re.search(r"([A-Ga-g])([#b♯♭]?)(大调|小调)", sentence.text):
        sign = key[2].replace("♯", "#").replace("♭", "b")
        found["key"] = f"{key[1].upper()}{sign} {'major' if key[3] == '大调' else 'minor'}"
    if meter := next((meter for meter in reversed(_METERS) if re.search(rf"(?<!\d){meter}", sentence.text)), None):
        found["meter"] = meter
    elif sentence.has(("waltz", "圆舞曲")):
        found["meter"] = "3/4"
    if (bpm := sentence.number("bpm", "beats a minute", "beats per minute")) is not None:
        found["bpm"] = {"min": round(bpm * 0.95, 1), "max": round(bpm * 1.05, 1)}
    seconds = sentence.number("seconds", "second", "sec", "秒")
    if seconds is None and (minutes := sentence.number("minutes", "minute", "min", "分钟")) is not None:
        seconds = 60 * minutes
    if seconds is not None:
        found["duration_s"] = {"min": round(seconds * 0.85, 1), "max": round(seconds * 1.15, 1)}
    return found
