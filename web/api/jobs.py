"""Jobs: make one, list them, look at one, cancel it, try it again."""

from __future__ import annotations

import re
import time
from typing import Annotated, TypeAlias
from uuid import UUID

from flask import request
from pydantic import AwareDatetime, BaseModel, BeforeValidator, Field
from werkzeug.wrappers import Response

from studio import jobs
from studio.brief import JobRequest, JsonObject
from studio.contract import Contract, Report
from studio.database import Page
from studio.errors import BriefError, NotFound
from studio.jobs import Estimate, JobState, JobView
from studio.kinds import get_kind
from tasks.generate import enqueue_all
from web.api.bodies import as_sent, body_type, is_bare, read_request
from web.api.idempotency import HEADER, once
from web.api.lists import NEXT_LINK, PageQuery, reply_page
from web.api.routing import Answer, Query, reply, router
from web.security import principal
from web.state import studio
from web.streams import TooManyStreams

MAX_WAIT_S = 60
LOCATION = {"Location": "Path of the job."}


def _no_number(text: object) -> object:
    """Refuse seconds since 1970, which pydantic would take for a time."""
    if isinstance(text, str) and not re.match(r"[0-9]{4}-", text):
        raise ValueError("give a time as in 2026-09-12T18:00:00Z")
    return text


Moment: TypeAlias = Annotated[AwareDatetime, BeforeValidator(_no_number)]


class JobQuery(PageQuery):
    """Which jobs to list."""

    state: JobState | None = None
    kind: Annotated[str, Field(max_length=60)] | None = None
    tag: Annotated[str, Field(max_length=40)] | None = None
    batch: UUID | None = Field(default=None, description="The batch that they are lines of.")
    since: Moment | None = Field(default=None, description="Made at this time (RFC 3339, with its offset) or later.")


class CreateQuery(Query):
    """How to take the request."""

    dry_run: bool = Field(default=False, description="Validate only; nothing is made.")


class DryRun(BaseModel):
    """What a valid request would become, with all defaults; what its outputs must satisfy; what it may take."""

    request: JobRequest
    contract: Contract
    estimate: Estimate


class RequestBody(BaseModel):
    """A request as it was read, and whether it was sent as a brief alone."""

    request: JobRequest
    bare: bool


def _read(value: JsonObject) -> RequestBody:
    return RequestBody.model_construct(request=read_request(value), bare=is_bare(value))


def wait_asked() -> int:
    """How long the client would like to wait for the result, in seconds: `Prefer: wait=N` (RFC 7240)."""
    for header in request.headers.getlist("Prefer"):
        if found := re.search(r"(?:^|[,;])\s*wait\s*=\s*\"?([0-9]{1,6})", header, re.IGNORECASE):
            return min(int(found[1]), MAX_WAIT_S)
    return 0


def wait_for(job: JobView, seconds: float) -> JobView:
    """The job when it has ended, or when `seconds` are over."""
    deadline = time.monotonic() + seconds
    hub = studio().events
    try:
        with hub.place():
            for _ in hub.follow(job.id, job.last_seq, heartbeat_s=min(1.0, seconds)):
                if time.monotonic() >= deadline:
                    break
    except TooManyStreams:
        pass  # a preference, not a promise: the answer is the job as it is
    return jobs.get(studio().db, job.id)


@router.route(
    "POST",
    "/jobs",
    Answer(202, "The job, queued; or as far as it came within the wait.", JobView, headers=LOCATION),
    Answer(200, "Only with `dry_run`: the request is valid.", DryRun),
    tag="jobs",
    query=CreateQuery,
    body=body_type,
    read=_read,
    headers={
        "Prefer": {
            "description": "`wait=N` holds the answer until the job has ended, at most N ≤ 60 seconds.",
            "schema": {"type": "string"},
        },
        **HEADER,
    },
    errors=(409, 422),
)
def create_job(query: CreateQuery, body: RequestBody) -> Response:
    """Make something

    The body is a brief, or a request with a brief, run options, attachments and tags. With `run.variants` above 1 the
    answer is the first of so many jobs of the brief; its links lead to the others.
    """
    services, caller = studio(), principal().name
    try:
        if query.dry_run:
            return reply(_dry_run(jobs.check(services.db, body.request, services.settings, caller=caller)))
        return once("/jobs", lambda: accepted(jobs.create(services.db, body.request, services.settings, caller=caller)))
    except BriefError as error:
        raise as_sent(error, bare=body.bare) from None


def _dry_run(checked: JobRequest) -> DryRun:
    kind = get_kind(checked.brief.kind)
    return DryRun(
        request=checked,
        contract=kind.contract(checked.brief),
        estimate=jobs.estimate(studio().db, kind.name, checked.run.model, studio().settings),
    )


def accepted(job: JobView) -> Response:
    """Queue a job that is committed, wait as long as the client likes, and answer."""
    enqueue_all(job, studio().db, studio().settings)
    headers = {"Location": f"/api/v1/jobs/{job.id}"}
    if seconds := wait_asked():
        job = wait_for(job, seconds)
        headers["Preference-Applied"] = f"wait={seconds}"
    return reply(job, 202, headers)


@router.route(
    "GET",
    "/jobs",
    Answer(200, "Jobs, newest first, without their reports.", Page[JobView], headers=NEXT_LINK),
    tag="jobs",
    query=JobQuery,
    errors=(422,),
)
def list_jobs(query: JobQuery) -> Response:
    """List jobs"""
    page = jobs.list_jobs(
        studio().db,
        state=query.state,
        kind=query.kind,
        tag=query.tag,
        batch=str(query.batch) if query.batch else None,
        since=query.since,
        cursor=query.cursor,
        limit=query.limit,
    )
    return reply_page(page, page.next_cursor)


@router.route("GET", "/jobs/{job_id}", Answer(200, "The job.", JobView), tag="jobs", errors=(404,))
def get_job(job_id: str) -> JobView:
    """One job"""
    return jobs.get(studio().db, job_id)


@router.route("POST", "/jobs/{job_id}/cancel", Answer(200, "The job.", JobView), tag="jobs", errors=(404, 422))
def cancel_job(job_id: str) -> JobView:
    """Cancel a job

    A queued one is canceled at once; one that runs is `canceling` until its sandbox is gone. A job that has ended
    stays as it is, so that a second cancel changes nothing.
    """
    return jobs.cancel(studio().db, job_id)


@router.route(
    "POST",
    "/jobs/{job_id}/retry",
    Answer(202, "The new job.", JobView, headers=LOCATION),
    tag="jobs",
    errors=(404, 422),
)
def retry_job(job_id: str) -> Response:
    """Make it again

    The same brief, run options and attachments, as a new job.
    """
    services = studio()
    return accepted(jobs.retry(services.db, job_id, services.settings, caller=principal().name))


@router.route("GET", "/jobs/{job_id}/report", Answer(200, "The report.", Report), tag="jobs", errors=(404,))
def get_report(job_id: str) -> Report:
    """What was found of a job's outputs"""
    report = jobs.get(studio().db, job_id).report
    if report is None:
        raise NotFound("this job has no report: nothing of it was inspected yet")
    return report
