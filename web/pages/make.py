"""`/new/{kind}`: the form of a brief. Nothing typed is lost; a brief that holds becomes a job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from studio import drafting, jobs
from studio.errors import BriefError, NotFound, Problem
from studio.kinds import ArtifactKind, all_kinds
from tasks.generate import enqueue_all
from web.forms import MAX_CHARS, read_places, without_row
from web.i18n import gettext
from web.pages.draft import PARAMS, Draft, of_form, of_job, of_sample, of_sentence, remix_of, save_files
from web.pages.draft_json import as_json, lost_in_form, of_json
from web.pages.form_page import contract_context, empty_fields, form_context
from web.security import principal
from web.state import studio

make = Blueprint("make", __name__)


def _kind(name: str) -> ArtifactKind:
    try:
        return all_kinds()[name]
    except KeyError:
        made = gettext(
            "the studio does not make %(kind)s; it makes: %(kinds)s", kind=repr(name[:60]), kinds=", ".join(all_kinds())
        )
        raise NotFound(made) from None


@make.get("/new/<kind_name>")
def form(kind_name: str) -> Response:
    kind = _kind(kind_name)
    sample, job_id, remix = (request.args.get(name) for name in ("sample", "job", "remix"))
    settings = studio().settings
    drafted = drafting.get(studio().db, request.args["draft"]) if "draft" in request.args else None
    if drafted:
        draft = of_sentence(drafted, kind, settings)
    elif remix:
        draft = remix_of(studio().db, remix, kind)
    else:
        draft = of_job(studio().db, job_id, kind) if job_id else of_sample(kind, sample, settings)
    if prompt := request.args.get("prompt"):
        draft = draft.with_prompt(prompt)
    context = form_context(draft, studio().db, settings)
    page = render_template(
        "new.html",
        started_from="job" if job_id or remix else "sentence" if drafted else sample or "empty",
        drafted=drafted,
        empty=empty_fields(context, drafted.missing) if drafted else (),
        remix=remix,
        **context,
    )
    # Kept by the browser, so that what was typed is still there when one comes back to it.
    return Response(page, mimetype="text/html", headers={"Cache-Control": "private, no-cache"})


@make.post("/new/<kind_name>")
def send(kind_name: str) -> BaseResponse:
    kind = _kind(kind_name)
    services = studio()
    posted = dict(request.form.lists())
    row, rows = request.form.get("remove"), request.form.get("add")
    if "json" in request.form:
        return _send_json(kind, request.form["json"], request.form.get("do") or "check")
    draft = of_form(kind, without_row(posted, row) if row else posted)
    sent = {"input": request.files.getlist("files"), "document": request.files.getlist("documents")}
    draft = save_files(services.db, services.blobs, draft, sent)
    if row or rows:
        return _again(draft, status=200, extra_row=rows)
    if request.form.get("do") == "keep":  # what a browser kept of a form, to be shown again
        return _again(draft, status=200)
    if request.form.get("do") == "json":
        return _as_json(draft)
    if request.form.get("do") == "places":
        return _with_places(draft)
    checked = draft.checked(services.db, services.settings, principal().name)
    if checked.request is None or request.form.get("do") != "make":
        return _again(checked, status=422 if checked.problems else 200)
    return _make(checked)


def _make(checked: Draft) -> BaseResponse:
    """The job of a brief that holds. Raises BriefError where something changed since it was checked."""
    services, kind = studio(), checked.kind
    assert checked.request is not None
    try:
        job = jobs.create(
            services.db, checked.request, services.settings, caller=principal().name, parent=_remixed(kind)
        )
    except BriefError as error:  # something changed since it was checked
        return _again(checked.with_problems(error.problems), status=422)
    enqueue_all(job, services.db, services.settings)
    return redirect(url_for("jobs.one", job_id=job.id), 303)


def _remixed(kind: ArtifactKind) -> str | None:
    """The job that this form makes another work like, where there is one. Raises NotFound."""
    source = request.args.get("remix")
    if source:
        remix_of(studio().db, source, kind)
    return source or None


def _with_places(draft: Draft) -> Response:
    """The form with the places that were pasted or sent as further stops; the text stays where it cannot be read."""
    text, sent = request.form.get("places", ""), request.files.get("places_file")
    if sent is not None and sent.filename:
        text = sent.stream.read(MAX_CHARS * 4).decode("utf-8", "replace")
    params = draft.params if isinstance(draft.params, dict) else {}
    stops = params.get("stops")
    try:
        found = read_places(text, f"{PARAMS}/stops")
    except BriefError as error:
        return _again(draft.with_problems(error.problems), status=422, places=text[:MAX_CHARS])
    together = [*(stops if isinstance(stops, list) else []), *found]
    return _again(replace(draft, params={**params, "stops": together}), status=200)


def _send_json(kind: ArtifactKind, text: str, do: str) -> BaseResponse:
    """What was written as JSON: shown as a form, checked, or made; refused with every word kept."""
    services = studio()
    try:
        draft = of_json(kind, text)
    except BriefError as error:
        return _json_page(kind, text, error.problems)
    if do == "form":
        lost = (*draft.problems, *lost_in_form(draft))
        return _json_page(draft.kind, text, lost) if lost else _again(draft, status=200)
    checked = save_files(services.db, services.blobs, draft, {}).checked(
        services.db, services.settings, principal().name
    )
    if checked.request is None or do != "make":
        return _json_page(draft.kind, text, checked.problems, draft)
    return _make(checked)


def _as_json(draft: Draft) -> Response:
    return _json_page(draft.kind, as_json(draft), (), draft)


def _json_page(kind: ArtifactKind, text: str, problems: Sequence[Problem], draft: Draft | None = None) -> Response:
    services = studio()
    context = contract_context(draft or of_sample(kind, None, services.settings), services.db, services.settings)
    page = render_template(
        "new_json.html", kind=kind, text=text, problems=problems, remix=request.args.get("remix"), **context
    )
    return Response(page, 422 if problems else 200, mimetype="text/html")


def _again(draft: Draft, *, status: int, extra_row: str | None = None, places: str = "") -> Response:
    g.pasted = places
    context = form_context(draft, studio().db, studio().settings, extra_row=extra_row)
    page = render_template("new.html", started_from="typed", remix=request.args.get("remix"), **context)
    return Response(page, status, mimetype="text/html")


@make.post("/new/<kind_name>/contract")
def contract(kind_name: str) -> str:
    """The contract of what is on the form now, as a piece of the page."""
    kind = _kind(kind_name)
    try:
        text = request.form.get("json")
        draft = of_form(kind, dict(request.form.lists())) if text is None else of_json(kind, text)
    except BriefError:
        draft = of_sample(kind, None, studio().settings)
    return render_template("_contract.html", **contract_context(draft, studio().db, studio().settings))
