"""The keys that a brief may name, and the ways in which people write them."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias, get_args

KeyName: TypeAlias = Literal[
    "C major", "C# major", "Db major", "D major", "D# major", "Eb major", "E major", "F major", "F# major",
    "Gb major", "G major", "G# major", "Ab major", "A major", "A# major", "Bb major", "B major", "Cb major",
    "C minor", "C# minor", "Db minor", "D minor", "D# minor", "Eb minor", "E minor", "F minor", "F# minor",
    "Gb minor", "G minor", "G# minor", "Ab minor", "A minor", "A# minor", "Bb minor", "B minor",
]  # fmt: skip

NAMES: tuple[str, ...] = get_args(KeyName)
_LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_RARE = {"E#": "F", "B#": "C", "Fb": "E"}  # nobody writes in these; their pitch has a plainer name

_MODES = {
    "major": ("major", "maj", "dur", "majeur", "maggiore", "mayor", "大调", "大調", "長調", "мажор"),
    "minor": ("minor", "min", "m", "moll", "mineur", "minore", "menor", "小调", "小調", "短調", "минор"),
}
_SIGNS = {
    "#": ("#", "♯", "sharp", "dièse", "升", "嬰"),
    "b": ("b", "♭", "flat", "bémol", "降", "変"),
}
_SIGN_WORDS = {word: sign for sign, words in _SIGNS.items() for word in words}
_MODE_WORDS = {word: mode for mode, words in _MODES.items() for word in words}


def _any_of(words: dict[str, str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_WRITTEN = re.compile(
    rf"(?P<before>升|降|嬰|変)?\s*(?P<letter>[a-g])\s*[- ]?(?P<sign>{_any_of(_SIGN_WORDS)})?\s*[- ]?\s*"
    rf"(?P<mode>{_any_of(_MODE_WORDS)})",
    re.IGNORECASE,
)


def read_key(value: Any) -> Any:
    """The key as the list names it, from "f♯ MINOR", "Bbm", "d-Moll" or "降E大调"; anything else as it is."""
    if not isinstance(value, str) or not (found := _WRITTEN.fullmatch(value.strip())):
        return value
    sign = _SIGN_WORDS.get((found["before"] or found["sign"] or "").lower(), "")
    tonic = found["letter"].upper() + sign
    # In "Bm" a small m is minor; a capital one ("CM") is what jazz musicians write for major.
    mode = "major" if found["mode"] == "M" else _MODE_WORDS[found["mode"].lower()]
    tonic = _RARE.get(tonic, "B" if (tonic, mode) == ("Cb", "minor") else tonic)
    return f"{tonic} {mode}"


def tonic_of(key: str) -> int:
    """The tonic's pitch class, 0 for C."""
    return (_LETTERS[key[0]] + key.split()[0].count("#") - key.split()[0][1:].count("b")) % 12


def is_minor(key: str) -> bool:
    """Whether the key is a minor one."""
    return key.endswith("minor")


def written_forms(key: str) -> list[str]:
    """How a sheet may name the key: in English, German, French and Chinese words, and as a chord symbol."""
    tonic, mode = key.split()
    letter, sign = tonic[0], tonic[1:]
    chinese = {"": "", "#": "升", "b": "降"}[sign] + letter + ("小调" if mode == "minor" else "大调")
    forms = [f"{letter}{sign} {mode}", f"{letter} {({'': '', '#': 'sharp', 'b': 'flat'})[sign]} {mode}", chinese]
    forms += [f"{letter}{sign}{word}" for word in _MODES[mode] if len(word) > 1]
    forms += [f"{letter}{sign}-{word}" for word in _MODES[mode] if len(word) > 1]
    forms += [chinese.replace("调", "調"), f"{'嬰' if sign == '#' else '変' if sign else ''}{letter}"
              f"{'短調' if mode == 'minor' else '長調'}"]  # fmt: skip
    return forms + ([f"{letter}{sign}m"] if mode == "minor" else [])
