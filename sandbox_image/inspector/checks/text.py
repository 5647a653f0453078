"""Checks of a text deliverable: that it names what the artifact shows."""

from __future__ import annotations

import re
import unicodedata

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject, Unfit

MAX_BYTES = 2 << 20
# C, F♯m, B♭maj7, Gsus4, D/F♯, E7, Bm7b5 …; not a key's name, and not the A that begins a sentence.
_CHORD = re.compile(
    r"(?<![\w#♯♭])[A-G](?:#|♯|b|♭)?(?:maj|min|mi|m|M|dim|aug|°|ø|\+|Δ)?(?:2|4|5|6|7|9|11|13)?(?:sus[24]?|add\d+|[b#♭♯]5)?"
    r"(?:/[A-G](?:#|♯|b|♭)?)?(?![\w#♯♭])"
    r"(?!\s*-?\s*(?i:minor|major|min\b|maj\b|moll|dur\b))"
)
_ARTICLE = re.compile(r"(?<!\w)A(?=\s+[a-z])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@check("text.present")
def present(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The text names what the artifact shows.

    Each of `needs` is `{what, any}`: one of these strings; `{what, all}`: each of them; `{what, number: [min, max]}`: a
    number in the range; `{what, chords: n}`: n different chord symbols. Case, accents' form and blanks are ignored.
    """
    path = args["file"]
    try:
        text = subject.bytes_of(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unfit(f"{path} is not UTF-8 text; save it as UTF-8.", path) from None
    plain = _fold(text)
    lacking = [need["what"] for need in args["needs"] if not _met(need, text, plain)]
    there = len(args["needs"]) - len(lacking)
    words = f"{path} does not tell {', '.join(lacking)}; write it down." if lacking else ""
    return Evidence(not lacking, f"{there} of {len(args['needs'])}", words, path if lacking else None)


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().replace("♯", "#").replace("♭", "b")
    return "".join(folded.split())


def _met(need: dict[str, Json], text: str, plain: str) -> bool:
    if "any" in need:
        return any(_fold(each) in plain for each in need["any"])
    if "all" in need:
        return all(_fold(each) in plain for each in need["all"])
    if "number" in need:
        low, high = need["number"]
        return any(low <= float(each.replace(",", ".")) <= high for each in _NUMBER.findall(text))
    return bool(len(set(_CHORD.findall(_ARTICLE.sub("", text)))) >= need["chords"])
