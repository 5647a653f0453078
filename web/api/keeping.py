"""Works that hang: their tags and stars, who may see them, the filters' values; the figures; the audit log."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field
from werkzeug.wrappers import Response

from studio import audit, gallery
from studio.audit import AuditEntry
from studio.database import Page
from studio.figures import Figures, figures
from studio.gallery import ArtifactView, Facets, HideRequest, TagsRequest, VisibilityRequest
from web.api.jobs import Moment
from web.api.lists import NEXT_LINK, PageQuery, reply_page
from web.api.routing import Answer, Query, read_model, router
from web.security import principal
from web.state import studio
from web.visitors import audience

THE_ARTIFACT = Answer(200, "The artifact.", ArtifactView)


class Starred(BaseModel):
    """Whether the caller likes an artifact, and how many do."""

    starred: bool
    stars: int


class StatsQuery(Query):
    """Which jobs count."""

    since: Moment | None = Field(default=None, description="Ended at this time (RFC 3339, with its offset) or later.")


class AuditQuery(PageQuery):
    """Which entries to list."""

    subject: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="To what it was done: an id."
    )


@router.route("GET", "/facets", Answer(200, "The filters' values.", Facets), tag="artifacts")
def list_facets() -> Facets:
    """What the gallery can be filtered by

    The values with the most works of each filter, with the number of works that have them.
    """
    return gallery.facets(studio().db, audience())


@router.route(
    "POST",
    "/artifacts/{artifact_id}/tags",
    THE_ARTIFACT,
    tag="artifacts",
    body=TagsRequest,
    read=read_model(TagsRequest),
    errors=(404, 422),
)
def tag_artifact(artifact_id: str, body: TagsRequest) -> ArtifactView:
    """Give it other tags

    All tags that it shall have; those that it had are gone.
    """
    return gallery.retag(studio().db, artifact_id, body.tags, caller=principal().name)


@router.route(
    "POST", "/artifacts/{artifact_id}/star", Answer(200, "The star.", Starred), tag="artifacts", errors=(404, 422)
)
def star_artifact(artifact_id: str) -> Starred:
    """Star it

    A caller stars a work once; a second time changes nothing.
    """
    found = gallery.star(studio().db, artifact_id, caller=principal().name)
    return Starred(starred=True, stars=found.stars)


@router.route(
    "DELETE", "/artifacts/{artifact_id}/star", Answer(200, "No star.", Starred), tag="artifacts", errors=(404, 422)
)
def unstar_artifact(artifact_id: str) -> Starred:
    """Take the star back"""
    found = gallery.star(studio().db, artifact_id, caller=principal().name, liked=False)
    return Starred(starred=False, stars=found.stars)


@router.route(
    "POST",
    "/artifacts/{artifact_id}/visibility",
    THE_ARTIFACT,
    tag="artifacts",
    body=VisibilityRequest,
    read=read_model(VisibilityRequest),
    scope="admin",
    errors=(404, 422),
)
def set_visibility(artifact_id: str, body: VisibilityRequest) -> ArtifactView:
    """Say who may see it

    `unlisted` and `public` give it a link (`links.share`); `operators` ends the link and moves its files. Needs the
    scope `admin`.
    """
    return gallery.set_visibility(studio().db, artifact_id, body.visibility, caller=principal().name)


@router.route(
    "POST",
    "/artifacts/{artifact_id}/hide",
    THE_ARTIFACT,
    tag="artifacts",
    body=HideRequest,
    read=read_model(HideRequest),
    scope="admin",
    errors=(404, 409, 422),
)
def hide_artifact(artifact_id: str, body: HideRequest) -> ArtifactView:
    """Hide it

    It is in no list any more, and only operators can open it. Nothing is removed. Needs the scope `admin`.
    """
    services = studio()
    return gallery.hide(
        services.db, artifact_id, body.reason, caller=principal().name, secrets=services.settings.secrets
    )


@router.route(
    "POST", "/artifacts/{artifact_id}/unhide", THE_ARTIFACT, tag="artifacts", scope="admin", errors=(404, 409, 422)
)
def unhide_artifact(artifact_id: str) -> ArtifactView:
    """Show it again

    To those who could see it before. Needs the scope `admin`.
    """
    return gallery.unhide(studio().db, artifact_id, caller=principal().name)


@router.route("GET", "/stats", Answer(200, "The figures.", Figures), tag="stats", query=StatsQuery, errors=(422,))
def stats(query: StatsQuery) -> Figures:
    """The figures

    Of jobs that ended, by maker and kind; models and prepared programs apart.
    """
    return figures(studio().db, query.since)


@router.route(
    "GET",
    "/audit",
    Answer(200, "What was done, newest first.", Page[AuditEntry], headers=NEXT_LINK),
    tag="audit",
    query=AuditQuery,
    scope="admin",
    errors=(422,),
)
def list_audit(query: AuditQuery) -> Response:
    """The audit log

    Who did what to what, when. Needs the scope `admin`.
    """
    page = audit.entries(studio().db, subject=query.subject, cursor=query.cursor, limit=query.limit)
    return reply_page(page, page.next_cursor)
