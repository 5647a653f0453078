"""What studio/ says in words, in the language of the page.

The studio's own sentences are English and hold values: "it counts down from 3 to 9, so …". Their fixed parts stand
in the catalogue as templates with numbered places, `it counts down from {1} to {2}, so …` (context `said`, taken from
the sources by `web.catalogue`). A sentence that fits a template is said in the template's translation with its own
values; one that fits none stays English and is marked so, as do the inspector's sentences with what it measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape

from web.i18n import catalogue, in_chinese

CONTEXT = "said"
_PLACE = re.compile(r"\{(\d+)\}")
_FULL_STOPS = ".。"
_QUOTED = re.compile(r"""("[^"\n]{1,300}"|“[^”\n]{1,300}”|(?<!\w)'[^'\n]{1,300}'(?!\w))""")


@dataclass(frozen=True)
class Template:
    """One sentence with places for values; `weight` is the number of its fixed characters."""

    pattern: re.Pattern[str]
    translation: str
    weight: int


def say(text: str) -> str:
    """`text` in the page's language where the catalogue knows it, else as it is."""
    return (chinese(text) or text) if in_chinese() else text


def said(text: str) -> Markup:
    """The same for a page: what stays English in a page of another language is marked as such."""
    if not in_chinese() or isinstance(text, Markup):
        return escape(text)
    found = chinese(text)
    return escape(found) if found is not None else _english(escape(text), text)


def told(text: str) -> Markup:
    """As `said`, with quotations that keep their own direction of writing."""
    if not in_chinese():
        return isolated(text)
    found = chinese(text)
    return isolated(found) if found is not None else _english(isolated(text), text)


def isolated(text: str) -> Markup:
    """A sentence whose quotations keep their own direction of writing, so that they do not turn the words around."""
    parts = _QUOTED.split(text.replace(" : ", "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"))
    return Markup("").join(
        Markup("<bdi>{}</bdi>").format(part) if index % 2 else escape(part) for index, part in enumerate(parts)
    )


def foreign(text: str) -> Markup:
    """The attribute of an element whose words, as `say` has them, are English on a page of another language."""
    english = in_chinese() and chinese(text) is None and _reads_english(text)
    return Markup(' lang="en"') if english else Markup("")


def _reads_english(text: str) -> bool:
    return bool(re.search(r"[A-Za-z]{2}", text)) and not re.search(r"[\u3400-\u9fff]", text)


def _english(markup: Markup, text: str) -> Markup:
    if not _reads_english(text):
        return markup  # nothing to read, or Chinese already
    return Markup('<span lang="en">{}</span>').format(markup)


@lru_cache(maxsize=4096)
def chinese(text: str) -> str | None:
    """`text` in Chinese, or None where the catalogue has no words for it."""
    bare = text.strip()
    if not bare:
        return text
    exact, templates = _known()
    if (found := exact.get(_key(bare))) is not None:
        return found
    for template in templates:
        if match := template.pattern.fullmatch(bare):
            return _PLACE.sub(lambda place: _value(match[int(place[1])]), template.translation)
    if "; " in bare and all(parts := [chinese(part) for part in bare.split("; ")]):
        return "；".join(part for part in parts if part)
    for space in re.finditer(" ", bare):  # a file's name and what is said of it
        if found := exact.get(_key(bare[space.end() :])):
            name, comma, aside = bare[: space.start()].partition(", ")
            return f"{name}{'，' if comma else ' '}{_value(comma + aside) if comma else ''}{found}"
    if bare[-1] in _FULL_STOPS and (rest := chinese(bare[:-1])) is not None:
        return rest + "。"
    return None


def _value(text: str) -> str:
    """A value in a sentence; it may be a sentence of the catalogue itself."""
    return chinese(text) or text


def _key(text: str) -> str:
    """Sentences are told alike whether they begin large or small."""
    return text[:1].lower() + text[1:]


@lru_cache(maxsize=1)
def _known() -> tuple[dict[str, str], list[Template]]:
    exact: dict[str, str] = {}
    templates = []
    for message in catalogue():
        if message.context not in (CONTEXT, "field") or not isinstance(message.string, str) or not message.string:
            continue
        source = str(message.id)
        if _PLACE.search(source):
            templates.append(_template(source, message.string))
        elif message.context == CONTEXT:
            exact[_key(source)] = message.string
    return exact, sorted(templates, key=lambda template: -template.weight)


def _template(source: str, translation: str) -> Template:
    parts = _PLACE.split(source)
    fixed = [part for index, part in enumerate(parts) if index % 2 == 0]
    pieces = []
    for index, part in enumerate(parts):
        if index % 2:
            pieces.append("(.*?)")
        elif index == 0 and part[:1].isalpha():
            pieces.append(f"[{re.escape(part[0].lower())}{re.escape(part[0].upper())}]" + re.escape(part[1:]))
        else:
            pieces.append(re.escape(part))
    return Template(re.compile("".join(pieces), re.DOTALL), translation, sum(map(len, fixed)))
