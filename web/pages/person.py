"""What a person does to a job: words on what it made, words to its model, and showing a rejected work all the same."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from pydantic import ValidationError
from werkzeug.wrappers import Response as BaseResponse

from studio import gallery, jobs
from studio.brief import problems_of
from studio.errors import BriefError, Conflict, Problem
from studio.gallery import PublishRequest
from studio.jobs import JobView, NoteRequest, RevisionRequest
from studio.settings import Settings
from tasks.generate import enqueue
from web.i18n import gettext
from web.pages.form_page import plain
from web.said import say
from web.security import principal, require
from web.state import studio

person = Blueprint("person", __name__)


@dataclass(frozen=True)
class Words:
    """What is on the form of a revision; `problems` say why it was not taken."""

    note: str = ""
    model: str = ""
    possible: bool = True  # False: the studio has no model that could read words
    problems: tuple[str, ...] = ()


def words_for(job: JobView, settings: Settings) -> Words:
    """An empty form, with the model that made the work, else the one that the studio would use."""
    if not settings.has_openai and not settings.profiles:
        return Words(possible=False)
    if not job.made_by.prepared:
        return Words(model=job.run.model)
    usual = (settings.default_model, *settings.profiles)
    return Words(model=next((spec for spec in usual if settings.profile(spec) is not None), ""))


@person.get("/jobs/<id:job_id>/revise")
def form(job_id: str) -> Response:
    job = jobs.get(studio().db, job_id)
    return _page(job, words_for(job, studio().settings))


@person.post("/jobs/<id:job_id>/revise")
def revise(job_id: str) -> BaseResponse:
    services = studio()
    words = Words(request.form.get("note", ""), request.form.get("model", "").strip())
    try:
        given: dict[str, object] = {"note": words.note}
        if words.model:
            given["run"] = {"model": words.model}
        wanted = RevisionRequest.model_validate(given)
        job = jobs.revise(services.db, job_id, wanted, services.settings, caller=principal().name)
    except ValidationError as error:
        return _refused(job_id, words, [_said(problem) for problem in problems_of(error)])
    except BriefError as error:
        return _refused(job_id, words, [_said(problem) for problem in error.problems])
    except Conflict as error:
        return _refused(job_id, words, [_sentence(str(error))], status=409)
    enqueue(job.id, services.db, services.settings)
    return redirect(url_for("jobs.one", job_id=job.id), 303)


def _said(problem: Problem) -> str:
    if problem.pointer == "/note":
        return gettext("Say in a few words what shall be different (at most 4000 characters).")
    where = (
        gettext("Model:") + " "
        if problem.pointer == "/run/model"
        else f"{problem.pointer}: "
        if problem.pointer
        else ""
    )
    return where + plain(problem.message)


def _sentence(text: str) -> str:
    return say(f"{text[:1].upper()}{text[1:]}.")


def _refused(job_id: str, words: Words, problems: list[str], status: int = 422) -> Response:
    job = jobs.get(studio().db, job_id)
    return _page(job, Words(words.note, words.model, problems=tuple(problems)), status)


def _page(job: JobView, words: Words, status: int = 200) -> Response:
    page = render_template("revise.html", job=job, words=words)
    return Response(page, status, mimetype="text/html")


@person.post("/jobs/<id:job_id>/notes")
def note(job_id: str) -> BaseResponse:
    services = studio()
    try:
        wanted = NoteRequest.model_validate({"text": request.form.get("text", "")})
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None
    jobs.give_note(services.db, job_id, wanted.text, caller=principal().name, secrets=services.settings.secrets)
    return redirect(url_for("jobs.one", job_id=job_id, _anchor="say"), 303)


@person.post("/jobs/<id:job_id>/publish")
def publish(job_id: str) -> BaseResponse:
    require("admin")
    services = studio()
    try:
        wanted = PublishRequest.model_validate({"reason": request.form.get("reason", "")})
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None
    found = gallery.publish_anyway(
        services.db, job_id, wanted.reason, caller=principal().name, secrets=services.settings.secrets
    )
    return redirect(url_for("gallery.artifact", artifact_id=found.id), 303)
