"""The operator's sign-in: an address with a token that works once.

Opening the address shows a button and uses up nothing: programs that look at links before people do would otherwise
take the one use away.
"""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, session
from werkzeug.wrappers import Response

from studio import keys
from web.i18n import gettext
from web.problems import Refused
from web.security import OPERATOR
from web.state import studio

blueprint = Blueprint("signin", __name__)


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
    session.clear()  # nothing that was in the visitor's cookie goes on into the operator's
    session[OPERATOR] = True
    session.permanent = True
    return redirect("/", 303)


@blueprint.post("/sign-out")
def leave() -> Response:
    session.clear()
    return redirect("/", 303)
