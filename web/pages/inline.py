"""Small markup for words inside sentences, and what studio/ says: filters of templates."""

from __future__ import annotations

import json

from babel import Locale, UnknownLocaleError
from flask import Blueprint
from flask_babel import get_locale
from markupsafe import Markup

from web.i18n import gettext, percent
from web.said import foreign, said, say, told

inline = Blueprint("inline", __name__)

inline.add_app_template_filter(said, "said")
inline.add_app_template_filter(say, "say")
inline.add_app_template_filter(told, "told")
inline.add_app_template_filter(foreign, "foreign")
inline.add_app_template_filter(percent, "share")


@inline.app_template_filter()
def bdi(text: object) -> Markup:
    """Words of somebody else's, which keep their own direction of writing."""
    return Markup("<bdi>{}</bdi>").format(text)


@inline.app_template_filter()
def code(text: object) -> Markup:
    """A name out of a program."""
    return Markup('<code dir="ltr">{}</code>').format(text)


@inline.app_template_filter()
def strong(text: object) -> Markup:
    return Markup('<b dir="auto">{}</b>').format(text)


@inline.app_template_filter()
def linked(text: object, url: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(url, text)


@inline.app_template_filter()
def titled(title: str, language: str) -> Markup:
    """A work's title in the middle of a sentence."""
    return Markup('<span dir="auto" lang="{}">{}</span>').format(language, title)


@inline.app_template_filter()
def language_name(tag: str) -> str:
    """A language's name in the page's language; of one that is unknown, its tag."""
    try:
        name = Locale.parse(tag, sep="-").get_display_name(get_locale())
    except (ValueError, UnknownLocaleError):
        return tag
    return name or tag


@inline.app_template_global()
def roll_words() -> str:
    """What the piano roll's script says, as JSON; it puts values into the braces."""
    told_at = {"bar": "{bar}", "at": "{at}", "end": "{end}"}
    return json.dumps(
        {
            "bar": gettext("Bar %(bar)s, %(at)s of %(end)s", **told_at),
            "plain": gettext("%(at)s of %(end)s", at="{at}", end="{end}"),
            "label": gettext("Place in the piece; space plays and pauses, page keys go by bars"),
        },
        ensure_ascii=False,
    )
