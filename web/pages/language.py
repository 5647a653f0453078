"""The language of the pages, chosen by a form in their footer and kept in a cookie."""

from __future__ import annotations

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from web import i18n
from web.state import studio

language = Blueprint("language", __name__)

_YEAR_S = 365 * 24 * 3600


@language.post("/language")
def choose() -> Response:
    """Keep the choice and go back to the page; an unknown language changes nothing."""
    response = redirect(_own_path(request.form.get("back", "")), 303)
    wanted = request.form.get("language", "")
    if wanted in i18n.LANGUAGES:
        secure = studio().site.secure
        name = i18n.cookie_name()
        response.set_cookie(name, wanted, max_age=_YEAR_S, path="/", secure=secure, httponly=True, samesite="Lax")
    return response


def _own_path(path: str) -> str:
    """`path` where it is one of this studio's, else the start page: no form sends people to another site."""
    if not path.startswith("/") or path.startswith("//") or any(char in path for char in "\\\r\n\t"):
        return "/"
    return path
