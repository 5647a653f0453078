"""What the job services show and take: views, endings and the claim that a worker holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from pydantic import BaseModel, Field

from studio.brief import Brief, RunOptions
from studio.contract import Report
from studio.trajectory import MadeBy, Usage

JobState: TypeAlias = Literal[
    "queued",
    "running",
    "inspecting",
    "publishing",
    "canceling",
    "published",
    "accepted",
    "rejected",
    "failed",
    "canceled",
    "expired",
]
STATES: tuple[str, ...] = get_args(JobState)
WORKED = ("running", "inspecting", "publishing")
OWNED = (*WORKED, "canceling")
ENDED = ("published", "accepted", "rejected", "failed", "canceled", "expired")

FileRole: TypeAlias = Literal["output", "preview", "script"]


Purpose: TypeAlias = Literal["make", "reproduce"]


class FileView(BaseModel):
    """A file that a job left; its bytes are the blob `sha256`. Sizes in bytes and, of pictures, in pixels."""

    path: str
    media_type: str
    bytes: int
    sha256: str
    role: FileRole = "output"
    width: int | None = None
    height: int | None = None


class InputView(BaseModel):
    """An attachment of a job, under the name that it has in the sandbox."""

    name: str
    role: Literal["input", "document"]
    size: int
    sha256: str
    upload: str


class JobView(BaseModel):
    """A job as everyone sees it (SCHEMAS.md, "Job"). `report` is only there when one job is asked for."""

    id: str
    kind: str
    title: str
    state: JobState
    reason: str | None = None
    message: str = ""
    attempt: int
    made_by: MadeBy
    brief: Brief
    run: RunOptions
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    usage: Usage | None = None
    report: Report | None = None
    artifact: str | None = Field(default=None, description="Id of the artifact in the gallery.")
    batch: str | None = Field(default=None, description="Id of the batch that it is a line of.")
    custom_id: str | None = None
    parent: str | None = None
    revises: str | None = Field(default=None, description="Id of the job whose files a revision starts from.")
    note: str | None = Field(default=None, description="A person's words, by which it revises.")
    variant: int = Field(default=1, description="Its number among the variants of one brief.")
    siblings: list[str] = Field(
        default_factory=list, description="Ids of the other variants; only there when one job is asked for."
    )
    purpose: Purpose = Field(
        default="make", description="`reproduce`: another job's calls again, compared; an accepted one is not shown."
    )
    version: int = 1
    tags: list[str] = Field(default_factory=list)
    links: dict[str, str] = Field(default_factory=dict)
    last_seq: int = Field(default=0, description="Number of the newest event.")
    content_token: str = Field(exclude=True, description="Names the job on the content origin.")

    @property
    def ended(self) -> bool:
        """No further event will come."""
        return self.state in ENDED


class LiveOutput(BaseModel):
    """The last 64 KiB of what the running command has printed."""

    call_id: str
    text: str
    updated_at: datetime


@dataclass(frozen=True)
class Pulse:
    """What has to be known of a job to tell whether there is news for those who watch it."""

    state: str
    last_seq: int
    live_at: datetime | None

    @property
    def ended(self) -> bool:
        """No further event will come."""
        return self.state in ENDED


@dataclass(frozen=True)
class Claim:
    """A worker's right to a job: every write carries `fence`, and one with an old number changes nothing."""

    job_id: str
    fence: int
    attempt: int
    worker: str
    brief: Brief
    run: RunOptions
    made_by: MadeBy
    inputs: tuple[InputView, ...]
    purpose: Purpose = "make"


@dataclass(frozen=True)
class JobEnd:
    """How a run ended, as it is stored with the job. The blobs of `files` must be there already."""

    state: Literal["published", "accepted", "rejected", "failed", "canceled"]
    reason: str | None = None
    message: str = ""
    usage: Usage | None = None
    report: Report | None = None
    files: Sequence[FileView] = ()
