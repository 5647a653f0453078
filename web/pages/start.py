"""The start page: what the studio makes, by example; and the box for a sentence, which becomes a filled form."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from studio import drafting, gallery, jobs
from studio.errors import BriefError
from studio.jobs import ENDED, STATES
from studio.kinds import all_kinds
from web.security import principal
from web.state import studio

start = Blueprint("start", __name__)

NEWEST = 9
MAKING = 6


@start.get("/")
def home() -> BaseResponse | str:
    return redirect(url_for("gallery.wall")) if principal().anonymous else _home()


def _home(sentence: str = "", problem: str = "") -> str:
    newest = gallery.list_artifacts(studio().db, limit=NEWEST).data
    making = jobs.list_jobs(studio().db, state=[state for state in STATES if state not in ENDED], limit=MAKING).data
    return render_template(
        "start.html",
        newest=newest,
        making=making,
        kinds=list(all_kinds().values()),
        sentence=sentence,
        problem=problem,
        filled_by=drafting.drafting_model(studio().settings),
    )


@start.post("/start")
def find() -> BaseResponse:
    """The form of the kind that a sentence asks for, filled from it. Nothing is queued."""
    sentence = request.form.get("sentence", "")
    services = studio()
    try:
        draft = drafting.start(services.db, sentence, services.settings, caller=principal().name)
    except BriefError as error:
        message = error.problems[0].message
        return Response(_home(sentence, f"{message[:1].upper()}{message[1:]}."), 422, mimetype="text/html")
    return redirect(url_for("make.form", kind_name=draft.kind, draft=draft.id), 303)


@start.get("/setup.json")
def setup_progress() -> Response:
    """How far the first set-up is, for the banner."""
    return Response(studio().setup.read().model_dump_json(), mimetype="application/json")
