"""`/settings`: the named models, for the operator alone, each with a test of what it really can."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from studio import jobs, model_tests
from studio.errors import BriefError, ConfigurationError, NotFound
from studio.model_tests import ModelTestView
from studio.models.listing import named_models
from web.security import principal, require
from web.state import studio

settings = Blueprint("settings", __name__)


@settings.get("/settings")
def show() -> Response:
    require("admin")
    test_id = request.args.get("test", "")
    try:
        return _page(tested=model_tests.get(studio().db, test_id) if test_id else None)
    except NotFound as error:
        return _page(trouble=str(error), status=404)


@settings.post("/settings/models/test")
def test() -> Answer:
    """Ask for a test of one model, within its bounds on tokens, cost and time; a worker carries it out."""
    require("admin")
    spec = request.form.get("model", "").strip()
    services = studio()
    try:
        asked = model_tests.ask(services.db, spec, services.settings, caller=principal().name)
    except BriefError as error:
        return _page(trouble=error.problems[0].message, spec=spec, status=422)
    except (NotFound, ConfigurationError) as error:
        return _page(trouble=str(error), spec=spec, status=422)
    return redirect(url_for("settings.show", test=asked.id, _anchor="tested"), 303)


@settings.get("/settings/models/tests/<id:test_id>")
def test_so_far(test_id: str) -> Response:
    """The part of the page that shows a test, for the script that follows it."""
    require("admin")
    tested = model_tests.get(studio().db, test_id)
    answer = Response(render_template("_model_test.html", tested=tested), mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _page(*, tested: ModelTestView | None = None, trouble: str = "", spec: str = "", status: int = 200) -> Response:
    own = studio().settings
    try:
        models = named_models(own)
        file = own.config_file
        spent = jobs.daily_spent(studio().db, own)
    except ConfigurationError as error:
        models, file, spent, trouble = [], None, None, str(error)
    markup = render_template(
        "settings.html",
        models=models,
        file=file,
        place=own.data_dir / "studio.toml",
        has_openai=own.has_openai,
        tested=tested,
        trouble=trouble,
        spec=spec or (tested.model if tested else ""),
        spent=spent,
        caps=own,
    )
    return Response(markup, status, mimetype="text/html")
