"""`/settings`: the named models, for the operator alone, each with a test of what it really can."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from studio import jobs
from studio.errors import ConfigurationError, NotFound
from studio.models.listing import Cost, Line, Named, find_model, named_models, run_test
from web.security import require
from web.state import studio

settings = Blueprint("settings", __name__)


@settings.get("/settings")
def show() -> Response:
    require("admin")
    return _page()


@settings.post("/settings/models/test")
def test() -> Response:
    """Test one model, within the bounds of a test on tokens and cost; the page comes when it is through."""
    require("admin")
    spec = request.form.get("model", "").strip()
    try:
        model = find_model(spec, studio().settings)
    except (NotFound, ConfigurationError) as error:
        return _page(trouble=str(error), spec=spec, status=422)
    results = list(run_test(model, studio().settings))
    lines = [item for item in results if isinstance(item, Line)]
    cost = next((item for item in results if isinstance(item, Cost)), None)
    return _page(tested=model, lines=lines, cost=cost, spec=spec)


def _page(
    *,
    tested: Named | None = None,
    lines: list[Line] | None = None,
    cost: Cost | None = None,
    trouble: str = "",
    spec: str = "",
    status: int = 200,
) -> Response:
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
        lines=lines or [],
        cost=cost,
        trouble=trouble,
        spec=spec,
        spent=spent,
        caps=own,
    )
    return Response(markup, status, mimetype="text/html")
