"""Files of jobs: listed, and given to download. They are never rendered in the studio's own origin."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain

from pydantic import BaseModel, Field
from werkzeug.wrappers import Response

from studio import archives, jobs
from studio.brief import file_slug
from studio.database import Database
from studio.jobs import FileView
from studio.jobs.views import FileRole
from studio.record.files import last_writers
from studio.record.steps import steps_of
from studio.trajectory import Event
from web import content
from web.api.routing import Answer, Query, router
from web.serving import OCTETS, Stored, disposition, passive_type, send
from web.state import studio
from web.urls import quoted

# Should a browser open one all the same: no script, no form, no request, no frame, and an origin that is nobody's.
INERT = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
FILE_ANSWERS = (
    Answer(200, "The file, as an attachment.", bytes, OCTETS, {"ETag": "The file's SHA-256."}),
    Answer(206, "The range that was asked for.", bytes, OCTETS),
    Answer(304, "It is the file that the client has (`If-None-Match`)."),
)
ZIP = "application/zip"
ARCHIVE = Answer(200, "A ZIP: output/, scripts/, brief.json, report.json, trajectory.jsonl.", bytes, ZIP)


class FileQuery(Query):
    """Which of a job's files: an output, a preview that the inspector made, or a script of the agent's."""

    role: FileRole = "output"


class ListedFile(FileView):
    """A file, with where to download it and where a browser may look at it."""

    download: str = Field(description="Path in this API.")
    view: str | None = Field(default=None, description="Address on the content origin.")
    step: int | None = Field(default=None, description="Number of the step that changed it last, where that is known.")


class FileList(BaseModel):
    """A job's files."""

    data: list[ListedFile]


@router.route(
    "GET", "/jobs/{job_id}/files", Answer(200, "The files.", FileList), tag="files", query=FileQuery, errors=(404, 422)
)
def job_files(job_id: str, query: FileQuery) -> FileList:
    """What a job left, accepted or not"""
    db = studio().db
    list_them = {"output": jobs.files, "preview": jobs.previews, "script": jobs.scripts}[query.role]
    token = jobs.get(db, job_id).content_token
    writers = writers_of(job_id, query.role)
    return FileList(data=[_listed(job_id, token, file, writers.get(file.path)) for file in list_them(db, job_id)])


def writers_of(job_id: str, role: FileRole = "output") -> dict[str, int]:
    """Path of a job's file → number of the step that changed it last, as far as the record says."""
    if role == "preview":  # the inspector made it
        return {}
    db = studio().db
    pulse = jobs.pulses(db, [job_id]).get(job_id)
    below = "output/" if role == "output" else ""
    writers = _writers(db, job_id, pulse.last_seq if pulse else 0)
    return {path.removeprefix(below): step for path, step in writers.items() if path.startswith(below)}


@lru_cache(maxsize=256)
def _writers(db: Database, job_id: str, last_seq: int) -> Mapping[str, int]:
    """Kept for as long as no event is added: a record is long, and of a job that has ended always the same."""
    return last_writers(steps_of(all_events(db, job_id)))


def all_events(db: Database, job_id: str, after: int = 0) -> list[Event]:
    """All events of a job behind `after`. Raises NotFound."""
    found: list[Event] = []
    while page := jobs.events(db, job_id, after=found[-1].seq if found else after):
        found += page
    return found


def _listed(job_id: str, token: str, file: FileView, step: int | None) -> ListedFile:
    suffix = "" if file.role == "output" else f"?role={file.role}"
    below = content.PREVIEWS if file.role == "preview" else ""
    view = None if file.role == "script" else content.url(token, below + file.path)
    download = f"/api/v1/jobs/{job_id}/files/{quoted(file.path)}{suffix}"
    return ListedFile(**file.model_dump(), download=download, view=view, step=step)


@router.route(
    "GET",
    "/jobs/{job_id}/files/{path}",
    *FILE_ANSWERS,
    tag="files",
    query=FileQuery,
    errors=(404, 416, 422),
)
def job_file(job_id: str, path: str, query: FileQuery) -> Response:
    """One file of a job

    Its name is looked up as it is. Ranges and conditional requests are answered.
    """
    return as_download(job_id, path, query.role)


def as_download(job_id: str, path: str, role: FileRole = "output") -> Response:
    """A file of a job as an attachment that runs nothing. Raises NotFound."""
    services = studio()
    file = jobs.file_blob(services.db, job_id, path, role)
    stored = Stored(services.blobs.path(file.sha256), file.path, file.sha256)
    headers = {
        "Content-Security-Policy": INERT,
        "Content-Disposition": disposition("attachment", file.path),
        "Cache-Control": "private, no-cache",
    }
    return send(stored, passive_type(file.path), headers)


@router.route("GET", "/jobs/{job_id}/archive", ARCHIVE, tag="files", errors=(404,))
def job_archive(job_id: str) -> Response:
    """Everything of a job as one ZIP

    Its names are those of the folder that `studio make` leaves. Written while it is sent.
    """
    return as_archive(job_id)


def as_archive(job_id: str) -> Response:
    """A job's archive as an attachment. Raises NotFound."""
    services = studio()
    name = f"{file_slug(jobs.get(services.db, job_id).title)}.zip"
    chunks = archives.stream(jobs.members(services.db, services.blobs, job_id))
    first = next(chunks, b"")  # what cannot be begun is an error with its status
    headers = {"Content-Disposition": disposition("attachment", name), "Cache-Control": "private, no-cache"}
    return Response(chain((first,), chunks), mimetype=ZIP, headers=headers)
