"""The gallery: accepted works, one of them, its files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from werkzeug.wrappers import Response

from studio import gallery
from studio.database import Page
from studio.errors import NotFound
from studio.gallery import ArtifactView, Sort, Wanted
from web import visitors
from web.api.events import TRAJECTORY_ANSWERS, TrajectoryQuery, as_trajectory
from web.api.files import ARCHIVE, FILE_ANSWERS, FileQuery, as_archive, as_download
from web.api.lists import NEXT_LINK, PageQuery, reply_page
from web.api.routing import Answer, router
from web.security import principal, require
from web.state import studio

Word = Annotated[str, Field(max_length=200)]


class ArtifactQuery(PageQuery):
    """Which artifacts to list."""

    kind: Word | None = None
    model: Word | None = Field(default=None, description="A model's name, `recipe` or `replay`.")
    made: Literal["model", "recipe", "replay"] | None = Field(default=None, description="By whom, in a word.")
    language: Word | None = Field(default=None, description="A language tag; finds its regions too.")
    tag: Word | None = None
    q: Word | None = Field(default=None, description="Words in title, tags, names, prompt or text equivalent.")
    sort: Sort | None = Field(
        default=None, description="`match` (the default with `q`), `newest` (without), `title`, `stars`."
    )
    hidden: bool = Field(default=False, description="Those that are hidden; needs the scope `admin`.")


@router.route(
    "GET",
    "/artifacts",
    Answer(200, "Artifacts, in the order that was asked for.", Page[ArtifactView], headers=NEXT_LINK),
    tag="artifacts",
    query=ArtifactQuery,
    errors=(422,),
)
def list_artifacts(query: ArtifactQuery) -> Response:
    """The gallery"""
    if query.hidden:
        require("admin")
    own = query.model_dump(exclude={"hidden", "sort", "cursor", "limit"})
    wanted = Wanted(**own, audience="hidden" if query.hidden else visitors.audience())
    page = gallery.list_artifacts(studio().db, wanted, sort=query.sort, cursor=query.cursor, limit=query.limit)
    if principal().anonymous:
        page.data = [visitors.for_visitors(found, studio().settings) for found in page.data]
    return reply_page(page, page.next_cursor)


@router.route(
    "GET", "/artifacts/{artifact_id}", Answer(200, "The artifact.", ArtifactView), tag="artifacts", errors=(404,)
)
def get_artifact(artifact_id: str) -> ArtifactView:
    """One accepted work, with its report and files"""
    return visitors.artifact(artifact_id)


@router.route(
    "GET",
    "/artifacts/{artifact_id}/files/{path}",
    *FILE_ANSWERS,
    tag="artifacts",
    query=FileQuery,
    errors=(404, 416, 422),
)
def artifact_file(artifact_id: str, path: str, query: FileQuery) -> Response:
    """One file of an artifact"""
    found = visitors.artifact(artifact_id)
    if principal().anonymous and query.role == "script":
        raise NotFound("visitors get what was made, not the programs that made it")
    return as_download(found.job_id, path, query.role)


@router.route("GET", "/artifacts/{artifact_id}/archive", ARCHIVE, tag="artifacts", errors=(404,))
def artifact_archive(artifact_id: str) -> Response:
    """Everything of an artifact as one ZIP"""
    return as_archive(visitors.artifact(artifact_id).job_id)


@router.route(
    "GET",
    "/artifacts/{artifact_id}/trajectory",
    *TRAJECTORY_ANSWERS,
    tag="artifacts",
    query=TrajectoryQuery,
    errors=(404, 422),
)
def artifact_trajectory(artifact_id: str, query: TrajectoryQuery) -> Response:
    """How an artifact was made"""
    return as_trajectory(visitors.artifact(artifact_id).job_id, query)
