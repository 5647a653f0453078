"""The words by which works are found: one inverted index, the same on SQLite (FTS5) and PostgreSQL (tsvector).

Texts are taken apart here, not by the databases, so that both find the same. A token begins with a letter that says
where it is from: `a` title, `b` title, tags and names, `c` everything; other letters stand for filters, so that words
and filters are one question to one index, which walks along the rarest of them.

Chinese, Japanese, Korean and Thai have no blanks between words, or none that separate what people look for. Their runs
become overlapping pairs of characters (音乐会: 音乐, 乐会, 会), and a question's run a phrase of pairs. FTS5's own
trigrams would not find 音乐, as most Chinese words have two characters; a dictionary would have to be of the same
version on both databases, and finds no names. The last character stands alone too, so that one character is a prefix.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Dialect, Text
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.types import TypeDecorator, TypeEngine

TITLE, NAMES, ALL = "a", "b", "c"
LETTERS = {"kind": "k", "model": "m", "made": "y", "language": "l", "region": "r", "tag": "t"}  # of filters
MAX_WORD = 40  # characters of a word that count
MAX_TOKENS = 12_000  # of one work; PostgreSQL tells 16,383 positions apart
MAX_PARTS = 12  # of a question
MAX_NAME = 300  # characters of one parameter's text

# Han, kana, bopomofo, Hangul; Thai, Lao, Khmer, Myanmar.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u3130-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS = re.compile(f"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_OF_UNSPACED = re.compile(f"[{_UNSPACED}]")
_PLAIN = re.compile("[a-z0-9]+")


@dataclass(frozen=True)
class Part:
    """What must stand in the index: tokens side by side; of a `prefix`, only the beginning of the last one."""

    tokens: tuple[str, ...]
    prefix: bool = False


class Words(TypeDecorator[str]):
    """Tokens with blanks between; a tsvector with their positions on PostgreSQL. Written, never read."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(TSVECTOR() if dialect.name == "postgresql" else Text())

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return as_tsvector(value) if value is not None and dialect.name == "postgresql" else value


def folded(text: str) -> str:
    """`text` without what a search overlooks: case, width, accents, Hebrew and Arabic points."""
    apart = unicodedata.normalize("NFKD", text).casefold()
    kept = (char for char in apart if not _is_overlooked(unicodedata.combining(char)))
    return unicodedata.normalize("NFC", "".join(kept))


def _is_overlooked(combining: int) -> bool:
    """By canonical combining class: accents above and below, points. Not the voicing marks of kana, not viramas."""
    return combining >= 200 or 10 <= combining <= 35


def _is_of_a_word(char: str) -> bool:
    """Letters, digits, and marks on them; not the selectors that make a sign colourful."""
    return unicodedata.category(char)[0] in "LNM" and not "\ufe00" <= char <= "\ufe0f"


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text, and whether each is of a script without blanks."""
    if text.isascii():  # most texts, and quicker
        for word in _PLAIN.findall(text.lower()):
            yield word, False
        return
    plain = "".join(char if _is_of_a_word(char) else " " for char in folded(text))
    for word in plain.split():
        for run in _RUNS.findall(word):
            yield run, _OF_UNSPACED.match(run) is not None


def tokens_of(text: str) -> Iterator[str]:
    """The tokens by which `text` is found, in order."""
    for run, unspaced in _runs(text):
        if unspaced:
            yield from (run[at : at + 2] for at in range(len(run)))
        else:
            yield run[:MAX_WORD]


def facets_of(kind: str, model: str, base_language: str, tags: Iterable[str]) -> list[tuple[str, str]]:
    """Field and value of every filter that finds a work, and that is counted. `model` is a name, `recipe`, `replay`."""
    made = model if model in ("recipe", "replay") else "model"
    own = [("kind", kind), ("model", model), ("made", made), ("language", base_language)]
    return own + [("tag", tag) for tag in dict.fromkeys(tags)]


def audience_token(audience: str) -> str:
    """The token of those who may see it."""
    return f"o{audience}"


def filter_token(field: str, value: str) -> str:
    """The token of a filter's value, whatever characters that has."""
    return LETTERS[field] + hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()[:16]


def index_words(
    *, filters: Iterable[str], title: str, tags: Iterable[str], names: Iterable[str], prompt: str, text: str
) -> str:
    """All tokens of a work, as a `Words` column takes them; more than MAX_TOKENS are cut at the end."""
    found = list(filters)
    titled = list(tokens_of(title))
    near = [token for part in (*tags, *names) for token in tokens_of(part)]
    far = [token for part in (prompt, text) for token in tokens_of(part[: 4 * MAX_TOKENS])]
    found += [TITLE + token for token in titled]
    found += [NAMES + token for token in (*titled, *near)]
    found += [ALL + token for token in (*titled, *near, *far)]
    return " ".join(found[:MAX_TOKENS])


def names_in(value: object) -> Iterator[str]:
    """The texts in a brief's parameters: names, places, dates, words to be shown."""
    if isinstance(value, str):
        if any(char.isalpha() for char in value) and not value.startswith("#"):  # no colours
            yield value[:MAX_NAME]
    elif isinstance(value, dict):
        for item in value.values():
            yield from names_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from names_in(item)


def asked(text: str, letter: str, *, loose: bool = False) -> list[Part]:
    """What a question's words must be found as; `loose`: a word may be the beginning of a longer one."""
    parts: list[Part] = []
    for run, unspaced in _runs(text):
        if not unspaced:
            parts.append(Part((letter + run[:MAX_WORD],), prefix=loose and len(run) > 1))
        elif len(run) == 1:
            parts.append(Part((letter + run,), prefix=True))
        else:
            parts.append(Part(tuple(letter + run[at : at + 2] for at in range(len(run) - 1))))
    return list(dict.fromkeys(parts))[:MAX_PARTS]


def sort_key(title: str) -> str:
    """By which titles are sorted: without accents, case, and what stands before the first letter or digit."""
    return re.sub(r"^[\W_]+", "", folded(title))[:120]


def as_tsvector(words: str) -> str:
    """A tsvector's text (https://www.postgresql.org/docs/current/datatype-textsearch.html)."""
    places: dict[str, list[str]] = {}
    for position, token in enumerate(words.split(" "), start=1):
        places.setdefault(token, []).append(str(position))
    return " ".join(f"'{token}':{','.join(found[:255])}" for token, found in places.items() if token)


def as_tsquery(wanted: Sequence[Part], unwanted: Sequence[Part] = ()) -> str:
    """A tsquery: all of `wanted`, and not all of `unwanted`."""
    query = " & ".join(map(_in_tsquery, wanted))
    return f"{query} & !({' & '.join(map(_in_tsquery, unwanted))})" if unwanted else query


def _in_tsquery(part: Part) -> str:
    phrase = " <-> ".join(f"'{token}'" for token in part.tokens)
    return f"({phrase})" if len(part.tokens) > 1 else f"{phrase}:*" if part.prefix else phrase


def as_fts5(wanted: Sequence[Part], unwanted: Sequence[Part] = ()) -> str:
    """The same as an expression of FTS5 (https://www.sqlite.org/fts5.html#full_text_query_syntax)."""
    query = " AND ".join(map(_in_fts5, wanted))
    return f"({query}) NOT ({' AND '.join(map(_in_fts5, unwanted))})" if unwanted else query


def _in_fts5(part: Part) -> str:
    return f'"{" ".join(part.tokens)}"{" *" if part.prefix else ""}'
