"""A person in it: words on a work, words to its model, a rejected work shown all the same, a form from a sentence."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from werkzeug.wrappers import Response

from studio import drafting, gallery, jobs
from studio.brief import Strict
from studio.drafting import DraftView
from studio.gallery import ArtifactView, PublishRequest
from studio.jobs import JobView, NoteRequest, NoteView, RevisionRequest, Version
from web.api.idempotency import HEADER, once
from web.api.jobs import LOCATION, accepted
from web.api.routing import Answer, read_model, reply, router
from web.security import principal
from web.state import studio


class NoteList(BaseModel):
    """A job's notes, in their order."""

    data: list[NoteView]


class VersionList(BaseModel):
    """The versions of a work, the first one first."""

    data: list[Version]


class SentenceRequest(Strict):
    """One sentence that says what shall be made."""

    sentence: Annotated[str, Field(min_length=1, max_length=2000)]


@router.route(
    "POST",
    "/jobs/{job_id}/revise",
    Answer(202, "The new job, the next version.", JobView, headers=LOCATION),
    tag="jobs",
    body=RevisionRequest,
    read=read_model(RevisionRequest),
    headers=HEADER,
    errors=(404, 409, 422),
)
def revise_job(job_id: str, body: RevisionRequest) -> Response:
    """Revise it

    A person's words on what a job made, accepted or not. The new job starts from its files and programs, and its model
    is told the words, how the files were made, and how they were judged. Prepared programs read no words: they cannot.
    """
    services = studio()

    def made() -> Response:
        return accepted(jobs.revise(services.db, job_id, body, services.settings, caller=principal().name))

    return once(f"/jobs/{job_id}/revise", made)


@router.route("GET", "/jobs/{job_id}/versions", Answer(200, "The versions.", VersionList), tag="jobs", errors=(404,))
def job_versions(job_id: str) -> VersionList:
    """The versions of a work

    The job alone where it was never revised.
    """
    return VersionList(data=jobs.versions(studio().db, job_id))


@router.route(
    "POST",
    "/jobs/{job_id}/notes",
    Answer(202, "The note; the model is told before its next step.", NoteView),
    tag="jobs",
    body=NoteRequest,
    read=read_model(NoteRequest),
    errors=(404, 409, 422),
)
def give_note(job_id: str, body: NoteRequest) -> Response:
    """Say something to its model

    The model of a job under way sees the words at its next step. After the end, and of prepared programs, 409.
    """
    services = studio()
    note = jobs.give_note(services.db, job_id, body.text, caller=principal().name, secrets=services.settings.secrets)
    return reply(note, 202)


@router.route("GET", "/jobs/{job_id}/notes", Answer(200, "The notes.", NoteList), tag="jobs", errors=(404,))
def list_notes(job_id: str) -> NoteList:
    """What was said to its model"""
    return NoteList(data=jobs.notes(studio().db, job_id))


@router.route(
    "POST",
    "/jobs/{job_id}/publish",
    Answer(200, "The artifact.", ArtifactView),
    tag="jobs",
    body=PublishRequest,
    read=read_model(PublishRequest),
    scope="admin",
    errors=(404, 409, 422),
)
def publish_job(job_id: str, body: PublishRequest) -> ArtifactView:
    """Show a rejected work all the same

    Who and why stand in its record; its tile and page say how many checks do not hold. Needs the scope `admin`.
    """
    services = studio()
    return gallery.publish_anyway(
        services.db, job_id, body.reason, caller=principal().name, secrets=services.settings.secrets
    )


@router.route(
    "POST",
    "/drafts",
    Answer(201, "The draft.", DraftView),
    tag="kinds",
    body=SentenceRequest,
    read=read_model(SentenceRequest),
    errors=(422,),
)
def draft_brief(body: SentenceRequest) -> Response:
    """A brief from one sentence

    Filled by a model where one is set up, else by plain rules; what could not be filled is empty. Nothing is queued.
    """
    services = studio()
    found = drafting.start(services.db, body.sentence, services.settings, caller=principal().name)
    return reply(found, 201)
