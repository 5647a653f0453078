"""The operator's sign-in: by a password, or by an address with a token that works once.

Opening the address shows a button and uses up nothing: programs that look at links before people do would otherwise
take the one use away.
"""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, session
from werkzeug.wrappers import Response

from studio import keys, passwords
from web.i18n import gettext
from web.problems import Refused
from web.security import OPERATOR, PASSWORD
from web.state import studio

blueprint = Blueprint("signin", __name__)


@blueprint.get("/sign-in")
def ask() -> Response:
    return _form()


@blueprint.post("/sign-in")
def by_password() -> Response:
    entered = passwords.enter(studio().db, request.form.get("password", ""), request.remote_addr or "")
    if entered.stamp is not None:
        return _signed_in({PASSWORD: entered.stamp})
    response = _form(wait_s=entered.wait_s, wrong=not entered.wait_s)
    response.status_code = 429 if entered.wait_s else 403
    if entered.wait_s:
        response.headers["Retry-After"] = str(entered.wait_s)
    return response


def _form(*, wait_s: int = 0, wrong: bool = False) -> Response:
    page = render_template("sign_in_password.html", wait_s=wait_s, wrong=wrong, is_set=passwords.is_set(studio().db))
    response = Response(page, mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.get("/sign-in/<token>")
def show(token: str) -> Response:
    response = Response(render_template("sign_in.html", token=token), mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    return response


@blueprint.post("/sign-in/<token>")
def enter(token: str) -> Response:
    if not keys.use_sign_in(studio().db, token):
        raise Refused(
            403,
            gettext(
                "This sign-in address was used before or is older than an hour. `studio keys sign-in` makes another."
            ),
        )
    return _signed_in({})


def _signed_in(more: dict[str, str]) -> Response:
    session.clear()  # nothing that was in the visitor's cookie goes on into the operator's
    session[OPERATOR] = True
    session.update(more)
    session.permanent = True
    return redirect("/", 303)


@blueprint.post("/sign-out")
def leave() -> Response:
    session.clear()
    return redirect("/", 303)
