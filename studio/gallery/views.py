"""What the gallery shows and takes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BaseModel, Field, StringConstraints

from studio.brief import Brief, Strict, Tag
from studio.contract import Report
from studio.jobs import FileView
from studio.trajectory import MadeBy, Usage

Visibility: TypeAlias = Literal["operators", "unlisted", "public"]
VISIBILITIES: tuple[Visibility, ...] = get_args(Visibility)

# Who looks: whoever the studio lets in; anybody; the operator, at what is hidden.
Audience: TypeAlias = Literal["operators", "everyone", "hidden"]

Sort: TypeAlias = Literal["newest", "match", "title", "stars"]
SORTS: tuple[Sort, ...] = get_args(Sort)

Reason: TypeAlias = Annotated[str, StringConstraints(min_length=3, max_length=1000, pattern=r"^[^\x00]*$")]


class PublishRequest(Strict):
    """The body of `POST /jobs/{id}/publish`: why a rejected work is shown all the same."""

    reason: Reason


class HideRequest(Strict):
    """The body of `POST /artifacts/{id}/hide`: why nobody shall find it any more."""

    reason: Reason


class VisibilityRequest(Strict):
    """The body of `POST /artifacts/{id}/visibility`."""

    visibility: Visibility


class TagsRequest(Strict):
    """The body of `POST /artifacts/{id}/tags`: all tags that it shall have."""

    tags: list[Tag] = Field(max_length=20)


class ShownAnyway(BaseModel):
    """A person's decision to show what was rejected: who, why, and how many checks that must pass do not."""

    by: str
    reason: str
    failed: int


class Hidden(BaseModel):
    """A person's decision that a work is shown no more."""

    by: str
    reason: str
    at: datetime


class ArtifactView(BaseModel):
    """An accepted work, or one that a person shows all the same.

    `report` and `files` are only there when one artifact is asked for.
    """

    id: str
    job_id: str
    kind: str
    title: str
    language: str
    made_by: MadeBy
    tags: list[str] = Field(default_factory=list)
    created_at: datetime
    version: int = 1
    parent: str | None = None
    shown_anyway: ShownAnyway | None = Field(default=None, description="Set where it was rejected.")
    visibility: Visibility = Field(
        default="operators", description="`unlisted`: whoever has its link; `public`: anybody, in the open gallery too."
    )
    hidden: Hidden | None = Field(default=None, description="Set where it is shown no more.")
    stars: int = Field(default=0, description="How many like it.")
    entry: str = Field(description="Path of the deliverable that is shown.")
    text_equivalent: str | None = Field(default=None, description="Path of the Markdown deliverable.")
    report: Report | None = None
    files: list[FileView] = Field(default_factory=list)
    previews: list[FileView] = Field(default_factory=list)
    brief: Brief
    usage: Usage | None = None
    links: dict[str, str] = Field(default_factory=dict)
    content_token: str = Field(exclude=True, description="Names the artifact on the content origin.")
    share_token: str | None = Field(default=None, exclude=True, description="The secret of its link.")


class Facet(BaseModel):
    """One value of a filter, and how many works of the gallery have it."""

    value: str
    number: int


class Facets(BaseModel):
    """The filters' values with the most works, most first. Numbers are of the whole gallery, whatever is filtered."""

    total: int = 0
    kind: list[Facet] = Field(default_factory=list)
    made: list[Facet] = Field(default_factory=list, description="By a `model`, a `recipe` or a `replay`.")
    model: list[Facet] = Field(default_factory=list)
    language: list[Facet] = Field(default_factory=list)
    tag: list[Facet] = Field(default_factory=list)
