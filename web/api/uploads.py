"""Attachments: sent first, then named by id in a request."""

from __future__ import annotations

from flask import request
from pydantic import BaseModel, ConfigDict
from werkzeug.wrappers import Response

from studio import uploads
from studio.brief import MAX_ATTACHMENTS
from studio.errors import BriefError, Problem
from studio.uploads import UploadView
from web.api.routing import MULTIPART, UPLOAD_HEADER, Answer, reply, router
from web.state import studio


class UploadForm(BaseModel):
    """The parts of the upload: one or more files, each a part called `file`."""

    model_config = ConfigDict(
        json_schema_extra={
            "properties": {
                "file": {
                    "type": "array",
                    "items": {"type": "string", "contentMediaType": "application/octet-stream"},
                    "minItems": 1,
                    "maxItems": MAX_ATTACHMENTS,
                }
            },
            "required": ["file"],
        }
    )


class UploadList(BaseModel):
    """The files that were stored, in the order in which they were sent."""

    data: list[UploadView]


@router.route(
    "POST",
    "/uploads",
    Answer(201, "The files' ids.", UploadList),
    tag="uploads",
    body=UploadForm,
    body_type=MULTIPART,
    headers={
        UPLOAD_HEADER: {
            "description": "Tells the request from a form of a foreign page, which cannot send it.",
            "required": True,
            "schema": {"const": "1"},
        }
    },
    errors=(400, 422),
)
def create_uploads() -> Response:
    """Send attachments"""
    files = request.files.getlist("file")
    if not 1 <= len(files) <= MAX_ATTACHMENTS:
        raise BriefError([Problem("/file", f"send 1 to {MAX_ATTACHMENTS} files, each a part called `file`")])
    services = studio()
    stored = []
    for index, file in enumerate(files):
        try:
            stored.append(uploads.create(services.db, services.blobs, file.filename or "", file.stream))
        except BriefError as error:
            problems = [
                Problem(f"/file/{index}" + item.pointer.removeprefix("/file"), item.message) for item in error.problems
            ]
            raise BriefError(problems) from None
    return reply(UploadList(data=stored), 201)
