"""Checks of the text equivalents in Markdown: that they name what the artifact shows."""

from __future__ import annotations

import re
import unicodedata

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject, Unfit

MAX_BYTES = 4 << 20
SHOWN = 4
_MARKS = str.maketrans("", "", "*_`\\")
# C, F♯m, B♭maj7, Gsus4, D/F♯, E7, Bm7b5 …; not a key's name, and not the A that begins a sentence.
_CHORD = re.compile(
    r"(?<![\w#♯♭])[A-G](?:#|♯|b|♭)?(?:maj|min|mi|m|M|dim|aug|°|ø|\+|Δ)?(?:2|4|5|6|7|9|11|13)?(?:sus[24]?|add\d+|[b#♭♯]5)?"
    r"(?:/[A-G](?:#|♯|b|♭)?)?(?![\w#♯♭])"
    r"(?!\s*-?\s*(?i:minor|major|min\b|maj\b|moll|dur\b))"
)
# CSS Color 4: hexadecimal notations, and the functions that most people write.
_COLOUR = re.compile(
    r"#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![0-9a-z])|(?:rgb|hsl|oklch)a?\([^()\n]{3,60}\)", re.I
)
_ARTICLE = re.compile(r"(?<!\w)A(?=\s+[a-z])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@check("text.present")
def present(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The file is UTF-8 text (RFC 3629), says something, and names what the artifact shows.

    Compared without case and white space, in Unicode's compatibility form (UAX 15, NFKC).

    `strings`: each a text, or `{text, pointer}` with the brief's field. Each of `needs` is `{what, any}`: one of these
    strings; `{what, all}`: each of them; `{what, number: [min, max]}`: a number in the range; `{what, chords: n}`: n
    different chord symbols; `{what, colours: n}`: n different colour values (CSS Color 4). `minimum_chars`: how much
    it says at least.
    """
    from sandbox_image.inspector.words import Haystack, fold

    path = args["file"]
    try:
        text = subject.bytes_of(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unfit(f"{path} is not UTF-8 text; save it as UTF-8.", path) from None
    said = fold(text.translate(_MARKS))
    if len(said) < (least := args.get("minimum_chars", 1)):
        words = f"{path} has {len(said)} characters but for blanks, at least {least} are expected; write what is shown."
        return Evidence(False, len(said), words, file=path)
    hay = Haystack.of([re.sub(r"[*_`|#>]+", " ", text), text, text.translate(_MARKS)])
    plain = _fold(text)
    strings, needs = args.get("strings", []), args.get("needs", [])
    missing = [_named(item) for item in strings if not any(map(hay.holds, _spellings(item)))]
    missing += [need["what"] for need in needs if not _met(need, text, plain)]
    asked = len(strings) + len(needs)
    measured = f"{asked - len(missing)} of {asked}"
    if not missing:
        return Evidence(True, measured)
    more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
    words = f"{path} does not tell {', '.join(missing[:SHOWN])}{more}; write it there as well."
    return Evidence(False, measured, words, file=path)


def _text(item: Json) -> str:
    return str(item["text"]) if isinstance(item, dict) else str(item)


def _spellings(item: Json) -> tuple[str, str]:
    """A text as it is, and as it stands where Markdown's marks are left out."""
    return _text(item), _text(item).translate(_MARKS)


def _named(item: Json) -> str:
    return f'"{_text(item)[:60]}"' + (f" ({item['pointer']})" if isinstance(item, dict) else "")


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
    if "colours" in need:
        return len({each.casefold() for each in _COLOUR.findall(text)}) >= int(need["colours"])
    return bool(len(set(_CHORD.findall(_ARTICLE.sub("", text)))) >= need["chords"])
