"""New jobs from old ones: another brief by its recipe, its calls again, and what is known of both."""

from __future__ import annotations

from pydantic import BaseModel
from werkzeug.wrappers import Response

from studio import jobs
from studio.errors import NotFound
from studio.jobs import JobView, RecipeView, RemixRequest, Reproduction
from web.api.idempotency import HEADER, once
from web.api.jobs import LOCATION, accepted
from web.api.routing import Answer, read_model, router
from web.security import principal
from web.state import studio


class Reproductions(BaseModel):
    """The newest reproductions of a job, newest first."""

    data: list[Reproduction]


@router.route(
    "POST",
    "/jobs/{job_id}/remix",
    Answer(202, "The new job.", JobView, headers=LOCATION),
    tag="jobs",
    body=RemixRequest,
    read=read_model(RemixRequest),
    headers=HEADER,
    errors=(404, 409, 422),
)
def remix_job(job_id: str, body: RemixRequest) -> Response:
    """Make another one like it

    A changed brief by the recipe of an accepted job: the kind's own, or the calls of its record without the dead ends,
    verified by a run when they are first used. No model is asked. Give a whole `brief`, or a `patch` of the old one
    (JSON Merge Patch, RFC 7396).
    """
    services = studio()

    def made() -> Response:
        return accepted(jobs.remix(services.db, job_id, body, services.settings, caller=principal().name))

    return once(f"/jobs/{job_id}/remix", made)


@router.route(
    "POST",
    "/jobs/{job_id}/reproduce",
    Answer(202, "The job that does its calls again.", JobView, headers=LOCATION),
    tag="jobs",
    errors=(404, 409, 422),
)
def reproduce_job(job_id: str) -> Response:
    """Reproduce it

    Its recorded calls in a fresh sandbox; what they make is compared with what is recorded, by SHA-256, and where bytes
    differ by how it looks, sounds or plays. An accepted result has the state `accepted` and is not shown as a work.
    """
    services = studio()
    return accepted(jobs.reproduce(services.db, job_id, services.settings, caller=principal().name))


@router.route(
    "GET",
    "/jobs/{job_id}/reproductions",
    Answer(200, "What reproductions of it found.", Reproductions),
    tag="jobs",
    errors=(404,),
)
def list_reproductions(job_id: str) -> Reproductions:
    """What reproductions found"""
    jobs.get(studio().db, job_id)
    return Reproductions(data=jobs.reproductions(studio().db, job_id))


@router.route(
    "GET",
    "/jobs/{job_id}/reproduction",
    Answer(200, "What this reproduction found.", Reproduction),
    tag="jobs",
    errors=(404,),
)
def get_reproduction(job_id: str) -> Reproduction:
    """What a reproducing job found"""
    jobs.get(studio().db, job_id)
    found = jobs.reproduction(studio().db, job_id)
    if found is None:
        raise NotFound("this job has reproduced nothing, or has not ended yet")
    return found


@router.route("GET", "/jobs/{job_id}/recipe", Answer(200, "The recipe.", RecipeView), tag="jobs", errors=(404,))
def get_recipe(job_id: str) -> RecipeView:
    """The recipe from its record

    The calls that are kept, those that are left out, each with why, and what the verifying run came to.
    """
    return jobs.recipe(studio().db, job_id)
