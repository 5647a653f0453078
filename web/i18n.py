"""The languages of the pages: English as it stands in the sources, Simplified Chinese from the catalogue.

A person's choice is kept in a cookie; without one the browser's Accept-Language decides. What programs read (the API)
is English always. The catalogue is the text file `translations/zh/LC_MESSAGES/messages.po`, read once a process: there
is nothing to compile. `python -m web.catalogue` brings it up to date with the sources.

New words: `_("…")` and `ngettext("…", "…", n)` in templates, `gettext` and `ngettext` from here in Python. `%` is
written `%%` in templates. Values go in by name, `_("Line %(number)s", number=3)`; markup among them is made by the
filters `bdi`, `code`, `strong`, `linked` and `titled`. What comes from studio/ in words goes through the filter
`said` (`web.said`).
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from io import BytesIO
from pathlib import Path

import flask_babel
from babel import Locale, numbers
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, Request, Response, current_app, has_request_context, request

CATALOGUE = Path(__file__).parent / "translations" / "zh" / "LC_MESSAGES" / "messages.po"
# The tag of the pages' `lang`, the locale of dates and numbers, the name in its own language.
LANGUAGES = {"en": ("en_GB", "English"), "zh-Hans": ("zh", "简体中文")}
COOKIE = "studio-language"
_PROGRAM_PATHS = ("/api/", "/healthz", "/readyz", "/setup.json")


class PoDomain(flask_babel.Domain):  # type: ignore[misc]  # untyped
    """The catalogue as it is kept, as text."""

    def get_translations(self) -> Translations | NullTranslations:
        return translations() if in_chinese() else NullTranslations()


class PoBabel(flask_babel.Babel):  # type: ignore[misc]  # untyped
    domain_instance = PoDomain()


@cache
def catalogue() -> Catalog:
    """The Chinese catalogue."""
    with CATALOGUE.open("rb") as stream:
        return read_po(stream, locale="zh", domain="messages", ignore_obsolete=True)


@cache
def translations() -> Translations:
    """The Chinese catalogue, ready to be looked into."""
    compiled = BytesIO()
    write_mo(compiled, catalogue())
    compiled.seek(0)
    return Translations(compiled)


def install(app: Flask) -> None:
    """Choose the language of each request of `app`, and give its templates what they need for words."""
    PoBabel(app, default_locale="en_GB", locale_selector=lambda: LANGUAGES[wanted(request)][0])
    app.after_request(_say_so)
    app.jinja_env.globals.update(
        page_language=page_language,
        page_languages=lambda: [(tag, name) for tag, (_, name) in LANGUAGES.items()],
        here_again=here_again,
        gap=lambda: "" if in_chinese() else " ",
    )


def _say_so(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.setdefault("Content-Language", page_language())
        response.vary.update(("Accept-Language", "Cookie"))
    return response


def wanted(asked: Request) -> str:
    """The tag of the language that a request wants its page in."""
    if for_programs(asked.path):
        return "en"
    chosen = asked.cookies.get(cookie_name())
    if chosen in LANGUAGES:
        return chosen
    for tag, _quality in asked.accept_languages:
        language = tag.lower().replace("_", "-").split("-")[0]
        if language in ("en", "zh"):
            return "en" if language == "en" else "zh-Hans"
    return "en"


def for_programs(path: str) -> bool:
    """Is this an address that programs read, and people do not?"""
    return path.startswith(_PROGRAM_PATHS)


def cookie_name() -> str:
    """The cookie's name; behind TLS one that no other host can set."""
    return f"__Host-{COOKIE}" if current_app.config.get("SESSION_COOKIE_SECURE") else COOKIE


def page_language() -> str:
    """The tag of the present page's language."""
    return "zh-Hans" if in_chinese() else "en"


def in_chinese() -> bool:
    """Is the present page in Chinese?"""
    if not has_request_context():
        return False
    locale: Locale | None = flask_babel.get_locale()
    return locale is not None and locale.language == "zh"


def here_again() -> str:
    """The address of the present page for coming back to it: of a refused form, where the form was."""
    if request.method == "GET":
        return request.full_path.rstrip("?")
    referrer = request.referrer or ""
    return referrer.removeprefix(request.host_url.rstrip("/")) if referrer.startswith(request.host_url) else "/"


def gettext(text: str, **values: object) -> str:
    """`text` in the page's language, with its values."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, several: str, num: float, **values: object) -> str:
    """The form for `num` things in the page's language; `%(num)s` is the number."""
    return str(flask_babel.ngettext(one, several, num, **values))


def pgettext(context: str, text: str) -> str:
    """`text` as it is meant in `context`."""
    return str(flask_babel.pgettext(context, text))


def whole(number: float) -> str:
    """A whole number with its thousands apart."""
    return str(numbers.format_decimal(round(number), locale=flask_babel.get_locale() or "en_GB"))


def decimal(number: float, digits: int) -> str:
    """A number with so many digits behind the point."""
    return str(flask_babel.format_decimal(number, format="#,##0" + ("." + "0" * digits if digits else "")))


def percent(share: float) -> str:
    """A share of 1 in whole per cent."""
    return str(flask_babel.format_percent(share))


def dollars(amount: float) -> str:
    """US dollars, small ones with the digits that tell something."""
    small = 0 < amount < 0.995
    return str(flask_babel.format_currency(amount, "USD", format="¤@@" if small else None, currency_digits=not small))


def date(moment: datetime) -> str:
    return str(flask_babel.format_date(moment, "long"))


def minute(moment: datetime) -> str:
    return str(flask_babel.format_time(moment, "HH:mm"))
