"""`/new/{kind}`: the form of a brief. Nothing typed is lost; a brief that holds becomes a job."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from studio import drafting, jobs
from studio.errors import BriefError, NotFound
from studio.kinds import ArtifactKind, all_kinds
from tasks.generate import enqueue_all
from web.forms import without_row
from web.i18n import gettext
from web.pages.draft import Draft, of_form, of_job, of_sample, of_sentence, remix_of, save_files
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
    draft = of_form(kind, without_row(posted, row) if row else posted)
    sent = {"input": request.files.getlist("files"), "document": request.files.getlist("documents")}
    draft = save_files(services.db, services.blobs, draft, sent)
    if row or rows:
        return _again(draft, status=200, extra_row=rows)
    checked = draft.checked(services.db, services.settings, principal().name)
    if checked.request is None or request.form.get("do") != "make":
        return _again(checked, status=422 if checked.problems else 200)
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


def _again(draft: Draft, *, status: int, extra_row: str | None = None) -> Response:
    context = form_context(draft, studio().db, studio().settings, extra_row=extra_row)
    page = render_template("new.html", started_from="typed", remix=request.args.get("remix"), **context)
    return Response(page, status, mimetype="text/html")


@make.post("/new/<kind_name>/contract")
def contract(kind_name: str) -> str:
    """The contract of what is on the form now, as a piece of the page."""
    draft = of_form(_kind(kind_name), dict(request.form.lists()))
    return render_template("_contract.html", **contract_context(draft, studio().db, studio().settings))
