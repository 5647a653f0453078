"""`/artifacts/{id}/trajectory`: every step of a record, chosen, searched, and each one on a page of its own."""

from __future__ import annotations

from functools import lru_cache

from flask import render_template, request

from studio import jobs as service_of_jobs
from studio.database import Database
from studio.errors import NotFound
from studio.gallery import ArtifactView
from studio.record.files import MOST_OF_A_CALL, file_histories
from studio.record.finding import Choice, places_in
from studio.record.steps import Step, capability_use, steps_of
from web import visitors
from web.api.files import all_events
from web.i18n import gettext
from web.pages.gallery import gallery
from web.state import studio

__all__ = ["gallery"]  # with the routes that are added here

OPEN_STEPS = 12  # a record of no more steps is shown unfolded, with every text
WORDS_CHARS = 200
WHOLE_CHARS = 200_000  # of one text on the page of one step


@gallery.get("/artifacts/<id:artifact_id>/trajectory")
def trajectory(artifact_id: str) -> str:
    """The steps. What is filtered is hidden, so that a script can show it again without asking."""
    found = visitors.artifact(artifact_id)
    steps = _steps(found)
    choice = Choice(
        tools=frozenset(request.args.getlist("tool")),
        uses=frozenset(request.args.getlist("uses")),
        failed="failed" in request.args,
    )
    last = max((step.number for step in steps), default=0)
    first_step, last_step = request.args.get("from", 1, type=int), request.args.get("to", last, type=int)
    return render_template(
        "trajectory.html",
        artifact=found,
        steps=steps,
        unfolded=len(steps) <= OPEN_STEPS,
        tools=sorted({call.name for step in steps for call in step.calls}),
        choice=choice,
        hidden={step.number for step in steps if not (step.empty or choice.admits(step))},
        words=_words(),
        places=places_in(steps, _words()),
        files=file_histories(steps),
        between=(first_step, last_step),
        some_left_out=any(
            call.result and len(call.result.files_changed) >= MOST_OF_A_CALL for step in steps for call in step.calls
        ),
        header=service_of_jobs.header(studio().db, found.job_id),
        capability_use=capability_use(steps),
        trajectory_url=f"/api/v1/artifacts/{found.id}/trajectory",
    )


@gallery.get("/artifacts/<id:artifact_id>/trajectory/found")
def found_steps(artifact_id: str) -> str:
    """The part of the page that lists where the words stand, for a script."""
    found = visitors.artifact(artifact_id)
    return render_template("_found.html", words=_words(), places=places_in(_steps(found), _words()), base="")


@gallery.get("/artifacts/<id:artifact_id>/trajectory/steps/<int:number>")
def step(artifact_id: str, number: int) -> str:
    """One step with its long texts."""
    found = visitors.artifact(artifact_id)
    steps = [known for known in _steps(found) if not known.empty]
    place = next((place for place, known in enumerate(steps) if known.number == number), None)
    if place is None:
        raise NotFound(gettext("The record has no step %(number)s.", number=number))
    return render_template(
        "step.html",
        artifact=found,
        step=steps[place],
        before=steps[place - 1] if place else None,
        after=steps[place + 1] if place + 1 < len(steps) else None,
        limit=WHOLE_CHARS,
    )


def _steps(found: ArtifactView) -> list[Step]:
    db = studio().db
    return _kept(db, found.job_id, service_of_jobs.get(db, found.job_id).last_seq)


@lru_cache(maxsize=4)
def _kept(db: Database, job_id: str, last_seq: int) -> list[Step]:
    """The steps, as long as no event is added: a page of a long record is followed by questions about its steps."""
    return steps_of(all_events(db, job_id))


def _words() -> str:
    return request.args.get("find", "").strip()[:WORDS_CHARS]
