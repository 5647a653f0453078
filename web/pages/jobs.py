"""`/jobs` and `/jobs/{id}`: what waits, runs and ended; one job while it runs and after."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, redirect, render_template, request, url_for
from pydantic import BaseModel
from werkzeug.wrappers import Response as BaseResponse

from studio import gallery
from studio import jobs as service
from studio.brief import JsonObject
from studio.jobs import ENDED, STATES, JobView
from studio.kinds import all_kinds
from studio.record.steps import Step, steps_of
from studio.trajectory import now
from tasks.generate import enqueue
from web.api.files import all_events, writers_of
from web.i18n import gettext
from web.pages.person import words_for
from web.pages.versions import line_of
from web.pages.viewing import scripts_for, text_equivalent, viewer_of, work_of_job
from web.pages.words import grouped, span
from web.security import principal
from web.state import studio

jobs = Blueprint("jobs", __name__)

PAGE = 30
FILTERS = ("state", "kind", "tag")


@dataclass(frozen=True)
class Budget:
    """How much of one limit is used; `shown` says it in words."""

    name: str
    used: float
    most: float
    shown: str


class Progress(BaseModel):
    """What is new on a job's page: its state as HTML, and its steps from one on, each as HTML."""

    ended: bool
    title: str
    status: str
    left: str
    steps: str
    notes: str
    count: int


@jobs.get("/jobs")
def overview() -> str:
    chosen = {name: request.args.get(name) or None for name in FILTERS}
    cursor = request.args.get("cursor") or None
    page = service.list_jobs(
        studio().db, state=chosen["state"], kind=chosen["kind"], tag=chosen["tag"], cursor=cursor, limit=PAGE
    )
    queued = [job.id for job in page.data if job.state == "queued"]
    return render_template(
        "jobs.html",
        page=page,
        positions={job_id: service.position(studio().db, job_id) for job_id in queued},
        chosen=chosen,
        chosen_set={name: value for name, value in chosen.items() if value},
        states=STATES,
        open_states=[state for state in STATES if state not in ENDED],
        kinds=list(all_kinds().values()),
    )


@jobs.get("/jobs/<id:job_id>")
def one(job_id: str) -> str:
    job = service.get(studio().db, job_id)
    steps = steps_of(all_events(studio().db, job_id))
    return render_template(
        "job.html",
        **_context(job, steps, sum(step.tokens or 0 for step in steps)),
        steps=steps,
        scripts=scripts_for(kind.entry_of(job.brief)) if (kind := all_kinds().get(job.kind)) else (),
        events_url=f"/api/v1/jobs/{job.id}/events",
    )


@jobs.get("/jobs/<id:job_id>/progress")
def progress(job_id: str) -> Response:
    """The state, and the steps from number `step` on, whose first event is `seq`.

    `tokens` is the sum over the steps before, which the page knows already.
    """
    number, seq, tokens = (request.args.get(name, 0, type=int) for name in ("step", "seq", "tokens"))
    job = service.get(studio().db, job_id)  # read before the events: an ended job has no later ones
    steps = steps_of(all_events(studio().db, job_id, after=max(seq - 1, 0)), first=max(number, 0))
    context = _context(job, steps, tokens + sum(step.tokens or 0 for step in steps))
    answer = Progress(
        ended=job.ended,
        title=render_template("_job_title.html", job=job),
        status=render_template("_job.html", **context),
        left=render_template("_left.html", **context),
        steps=render_template("_job_steps.html", steps=steps, attempt=request.args.get("attempt", 1, type=int)),
        notes=render_template("_notes.html", **context),
        count=len(steps),
    )
    return Response(answer.model_dump_json(), mimetype="application/json")


def _context(job: JobView, steps: list[Step], tokens: int) -> JsonObject:
    """What `_job.html` needs."""
    db = studio().db
    artifact = gallery.get(db, job.artifact) if job.artifact else None
    left = job.ended and not artifact
    work = work_of_job(job, service.files(db, job.id), service.previews(db, job.id)) if left else None
    return {
        "job": job,
        "ended": job.ended,
        "position": service.position(db, job.id) if job.state == "queued" else None,
        "step": steps[-1].number if steps else 0,
        "budgets": _budgets(job, steps[-1].number if steps else 0, tokens),
        "report": job.report,
        "reproduction": service.reproduction(db, job.id) if job.ended and job.purpose == "reproduce" else None,
        "artifact": artifact,
        "files": work.files if work else [],
        "writers": writers_of(job.id) if work else {},
        "header": service.header(db, job.id) if left and job.usage else None,
        "work": work,
        "viewer": viewer_of(work, request.args.get("file")) if work and work.files else None,
        "equivalent": text_equivalent(work) if work else None,
        "token": job.content_token,
        "last_seq": job.last_seq,
        "notes": [note for note in service.notes(db, job.id) if note.seq is None],
        "words": words_for(job, studio().settings),
        "revisable": job.ended and bool(service.files(db, job.id) or service.scripts(db, job.id)),
        "line": line_of(job.id) if job.revises else None,
    }


def _budgets(job: JobView, steps: int, tokens: int) -> list[Budget]:
    limits = job.run.limits
    used_s = (now() - job.started_at).total_seconds() if job.started_at else 0.0
    found = [
        Budget("steps", steps, limits.steps, _of(steps, limits.steps)),
        Budget("time", round(used_s), limits.time_s, _of(span(used_s), span(limits.time_s))),
    ]
    if not job.made_by.prepared:
        found.append(Budget("tokens", tokens, limits.tokens, _of(grouped(tokens), grouped(limits.tokens))))
    return found


def _of(used: object, most: object) -> str:
    return gettext("%(done)s of %(total)s", done=used, total=most)


@jobs.post("/jobs/<id:job_id>/cancel")
def cancel(job_id: str) -> BaseResponse:
    service.cancel(studio().db, job_id)
    return redirect(url_for("jobs.overview" if request.form.get("back") == "list" else "jobs.one", job_id=job_id), 303)


@jobs.post("/jobs/<id:job_id>/retry")
def retry(job_id: str) -> BaseResponse:
    services = studio()
    job = service.retry(services.db, job_id, services.settings, caller=principal().name)
    enqueue(job.id, services.db, services.settings)
    return redirect(url_for("jobs.one", job_id=job.id), 303)
