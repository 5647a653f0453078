"""What the studio's API answers, as its client reads it."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from studio.brief import Brief, JobRequest
from studio.contract import Contract, Report
from studio.trajectory import MadeBy, Usage

ENDED = frozenset({"published", "accepted", "rejected", "failed", "canceled", "expired"})


class Answered(BaseModel):
    """What the server sends may hold more than this client knows."""

    model_config = ConfigDict(extra="ignore")


class Job(Answered):
    """A job as the API shows it."""

    id: str
    kind: str
    title: str
    state: str
    reason: str | None = None
    message: str = ""
    attempt: int = 0
    made_by: MadeBy = Field(default_factory=MadeBy)
    brief: Brief
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    usage: Usage | None = None
    report: Report | None = None
    artifact: str | None = None
    custom_id: str | None = None
    tags: list[str] = Field(default_factory=list)
    siblings: list[str] = Field(default_factory=list)
    links: dict[str, str] = Field(default_factory=dict)
    last_seq: int = 0

    @property
    def ended(self) -> bool:
        return self.state in ENDED


class Estimated(Answered):
    """What past runs say that a job will take, in words."""

    runs: int = 0
    words: str = ""


class Checked(Answered):
    """What a valid request would become (`dry_run`)."""

    request: JobRequest
    contract: Contract
    estimate: Estimated = Estimated()


class RemoteFile(Answered):
    """A file that a job left; `download` is its path in the API."""

    path: str
    bytes: int
    sha256: str
    download: str


class ReproducedFile(Answered):
    """A file of a reproduction beside the recorded one: `same`, `alike` or `differs`."""

    path: str
    verdict: str
    detail: str = ""


class Reproduced(Answered):
    """What a reproduction found."""

    source: str
    verdict: str
    files: list[ReproducedFile] = Field(default_factory=list)


class Upload(Answered):
    """A file that was sent."""

    id: str
    name: str
    size: int


class Batch(Answered):
    """Many briefs as one request; `counts` says how many lines stand how."""

    id: str
    name: str = ""
    state: str
    message: str = ""
    counts: dict[str, int] = Field(default_factory=dict)
    finished_at: datetime | None = None

    @property
    def ended(self) -> bool:
        return self.state not in {"validating", "in_progress", "finalizing"}

    @property
    def done(self) -> int:
        """Lines that have come to their end."""
        return self.counts.get("total", 0) - sum(self.counts.get(name, 0) for name in ("waiting", "queued", "running"))


class Live(Answered):
    """The end of what the running command has printed; not part of the record."""

    call_id: str
    text: str
