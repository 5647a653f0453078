"""Files of jobs: listed, and given to download. They are never rendered in the studio's own origin."""

from __future__ import annotations

from pydantic import BaseModel, Field
from werkzeug.wrappers import Response

from studio import jobs
from studio.jobs import FileView
from studio.jobs.views import FileRole
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


class FileQuery(Query):
    """Which of a job's files: an output, a preview that the inspector made, or a script of the agent's."""

    role: FileRole = "output"


class ListedFile(FileView):
    """A file, with where to download it and where a browser may look at it."""

    download: str = Field(description="Path in this API.")
    view: str | None = Field(default=None, description="Address on the content origin.")


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
    return FileList(data=[_listed(job_id, token, file) for file in list_them(db, job_id)])


def _listed(job_id: str, token: str, file: FileView) -> ListedFile:
    suffix = "" if file.role == "output" else f"?role={file.role}"
    below = content.PREVIEWS if file.role == "preview" else ""
    view = None if file.role == "script" else content.url(token, below + file.path)
    download = f"/api/v1/jobs/{job_id}/files/{quoted(file.path)}{suffix}"
    return ListedFile(**file.model_dump(), download=download, view=view)


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
