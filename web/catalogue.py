"""The catalogue of words, brought up to date with the sources: `python -m web.catalogue`.

Words of the pages are taken from `gettext` and its like in templates and Python. Words that studio/ has and the pages
show come in by two contexts of their own: `field`, which are names and descriptions of kinds and of their parameters,
from the models; and `said`, which are sentences, from the sources (`web.said`). Translations that are there are kept,
entries that no source has any more are dropped. What lacks a translation is printed, and then the exit code is 1.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from studio.kinds import all_kinds
from studio.kinds.countdown_video.params import DEFAULT_FINALE
from web.forms import Shape
from web.i18n import CATALOGUE
from web.pages.draft import shapes
from web.said import CONTEXT
from web.said_elsewhere import PIECES, PYDANTIC, WERKZEUG

ROOT = Path(__file__).parent.parent
_METHODS = [("templates/**.html", "jinja2"), ("**.py", "python")]
_KEYWORDS = {"_": None, "_n": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
_OPTIONS = {"templates/**.html": {"trimmed": "true", "silent": "false"}}
# Where the sentences stand that pages may show. The inspector's are not among them: they stay English.
_SENTENCES = (
    "studio/kinds/*/contract.py",
    "studio/kinds/*/params.py",
    "studio/kinds/*/keys.py",
    "studio/kinds/open/media.py",
    "studio/kinds/attached.py",
    "studio/printable.py",
)
_SENTENCE_MARKS = ("ValueError", "Problem", "NotFound", "Conflict")
# Also these, of modules that hold other strings besides: what is handed to an error.
_ERRORS = (
    "studio/brief.py",
    "studio/gallery/*.py",
    "studio/passwords.py",
    "studio/uploads.py",
    "studio/model_tests.py",
    "studio/kinds/*.py",
    "studio/kinds/*/kind.py",
    "studio/jobs/*.py",
    "studio/drafting/*.py",
)


def fresh() -> Catalog:
    """Every word that the sources have, in the order of the catalogue; nothing of it is translated."""
    words = Catalog(locale="zh", domain="messages", project="Sandbox Studio", fuzzy=False)
    found = extract_from_dir(
        ROOT / "web", _METHODS, _OPTIONS, _KEYWORDS, comment_tags=(), strip_comment_tags=True, directory_filter=_ours
    )
    for _file, _line, message, _comments, context in found:
        words.add(message, context=context)
    fields = {*_field_words()}
    for word in fields:
        words.add(word, context="field")
    for sentence in {*_sentences()} - fields:
        words.add(sentence, context=CONTEXT)
    return words


def _ours(folder: str) -> bool:
    return Path(folder).name not in ("static", "translations", "__pycache__")


def _field_words() -> Iterator[str]:
    """Names and descriptions of the kinds and of all fields of their forms; choices that are words."""
    for kind in all_kinds().values():
        yield kind.label
        yield kind.summary
        for shape in shapes(kind):
            for child in shape.children or (shape,):
                yield from _of_shape(child)


def _of_shape(shape: Shape) -> Iterator[str]:
    yield from (text for text in (shape.label, shape.hint) if text)
    yield from (str(choice) for choice in shape.choices if str(choice).isalpha())
    yield from (str(choice) for choice in shape.choices if str(choice).endswith((" major", " minor")))
    for child in shape.children:
        yield from _of_shape(child)
    if shape.item:
        yield from _of_shape(shape.item)


def _sentences() -> Iterator[str]:
    yield from (*PYDANTIC, *PIECES, *WERKZEUG)
    for pattern in _SENTENCES:
        for path in sorted(ROOT.glob(pattern)):
            yield from _templates(_strings(ast.parse(path.read_text(encoding="utf-8"))))
    for pattern in _ERRORS:
        for path in sorted(ROOT.glob(pattern)):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for call in ast.walk(tree):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _SENTENCE_MARKS:
                    yield from _templates(_strings(ast.Module([ast.Expr(arg) for arg in call.args], [])))


_SILENT = ("title", "description", "examples", "pattern", "args", "name")


def _strings(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Strings of a piece of source, without docstrings and what is no sentence to a person."""
    body = getattr(node, "body", None)
    docstring = body[0] if isinstance(body, list) and body and isinstance(node, _WITH_DOCSTRING) else None
    for child in ast.iter_child_nodes(node):
        if child is docstring and isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.keyword) and child.arg in _SILENT:
            continue
        if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child
            if isinstance(child, ast.JoinedStr):
                for part in child.values:
                    if isinstance(part, ast.FormattedValue):
                        yield from _strings(part)
            continue
        yield from _strings(child)


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef)


def _templates(strings: Iterable[ast.Constant | ast.JoinedStr]) -> Iterator[str]:
    """The sentences among strings, their values as numbered places."""
    for string in strings:
        parts = string.values if isinstance(string, ast.JoinedStr) else [string]
        text, places = "", 0
        for part in parts:
            if isinstance(part, ast.Constant):
                text += str(part.value)
            else:
                places += 1
                text += f"{{{places}}}"
        if _is_sentence(text):
            yield text.strip(" ;")


def _is_sentence(text: str) -> bool:
    words = [word for word in text.split() if word.strip("().,;:'").isalpha()]
    return len(words) >= 2 and text != text.upper() and text != DEFAULT_FINALE


def updated() -> Catalog:
    """The fresh words with the translations that the catalogue has."""
    words = fresh()
    with CATALOGUE.open("rb") as stream:
        known = read_po(stream, locale="zh", domain="messages", ignore_obsolete=True)
    for message in words:
        if message.id and (old := known.get(message.id, message.context)):
            message.string = old.string
    return words


def untranslated(words: Catalog) -> list[str]:
    """What lacks a translation."""
    return [str(message.id) for message in words if message.id and not _whole(message.string)]


def _whole(translation: str | Iterable[str] | None) -> bool:
    return bool(translation) and (isinstance(translation, str) or all(translation or ()))


def text_of(words: Catalog) -> bytes:
    """The catalogue as its file holds it: sorted, without places and times, so that changes seldom meet."""
    out = BytesIO()
    write_po(out, words, width=120, no_location=True, omit_header=True, sort_output=True)
    return _HEADER.encode() + b"\n" + out.getvalue().strip() + b"\n"


_HEADER = """# Simplified Chinese. Brought up to date with the sources by `python -m web.catalogue`.
msgid ""
msgstr ""
"Language: zh\\n"
"Plural-Forms: nplurals=1; plural=0;\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"""


def main() -> None:
    words = updated()
    CATALOGUE.write_bytes(text_of(words))
    lacking = untranslated(words)
    for text in lacking:
        sys.stdout.write(f"no translation: {text}\n")
    sys.exit(1 if lacking else 0)


if __name__ == "__main__":
    main()
