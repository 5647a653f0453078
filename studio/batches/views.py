"""What the batch services show: a batch with its counts, its lines' results and errors."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias

from pydantic import BaseModel, Field

from studio.jobs import JobState

BatchState: TypeAlias = Literal["validating", "in_progress", "finalizing", "completed", "canceled", "expired", "failed"]
OPEN = ("validating", "in_progress", "finalizing")
Strategy: TypeAlias = Literal["each", "model_then_recipe"]
Otherwise: TypeAlias = Literal["reject", "model"]
LED = "model_then_recipe"
LineState: TypeAlias = Literal["refused"] | JobState


class Counts(BaseModel):
    """How many lines stand how. `waiting` ones are no jobs yet, `refused` ones never will be."""

    total: int = 0
    waiting: int = 0
    queued: int = 0
    running: int = 0
    published: int = 0
    rejected: int = 0
    failed: int = 0
    canceled: int = 0
    expired: int = 0
    refused: int = 0

    @property
    def done(self) -> int:
        """Lines that have come to their end."""
        return self.total - self.waiting - self.queued - self.running


class BatchView(BaseModel):
    """Many briefs as one request."""

    id: str
    name: str
    state: BatchState
    message: str = ""
    strategy: Strategy = Field(
        default="each",
        description="`model_then_recipe`: the first line by its model; once one is accepted, the others by its recipe.",
    )
    otherwise: Otherwise = Field(default="reject", description="Who tries a line that this recipe cannot make.")
    lead: str | None = Field(default=None, description="The job whose recipe the other lines are made by.")
    counts: Counts
    created_at: datetime
    expires_at: datetime
    finished_at: datetime | None = None
    links: dict[str, str] = Field(default_factory=dict)

    @property
    def ended(self) -> bool:
        """Nothing of it will change."""
        return self.state not in OPEN


class LineProblem(BaseModel):
    """One thing that is wrong with a line."""

    pointer: str = Field(description="JSON Pointer from the line's root.")
    detail: str


class LineResult(BaseModel):
    """A line whose work was accepted."""

    custom_id: str
    line: int
    job: str
    artifact: str | None
    state: LineState
    kind: str
    title: str
    seed: int | None = None
    finished_at: datetime | None = None
    links: dict[str, str] = Field(default_factory=dict)


class LineError(BaseModel):
    """A line that gave nothing that was accepted, and why."""

    custom_id: str
    line: int
    state: LineState
    job: str | None = None
    reason: str | None = None
    message: str = ""
    errors: list[LineProblem] = Field(default_factory=list)
    links: dict[str, str] = Field(default_factory=dict)


class PreviewLine(BaseModel):
    """A line that can be run, with the brief that it makes."""

    custom_id: str
    line: int
    kind: str
    title: str
    language: str
    params: dict[str, object]
    given: dict[str, str] = Field(default_factory=dict, description="What the table's columns said, by their names.")


class Preview(BaseModel):
    """What a file would become: how many lines can be run, the first of them, and what is wrong with the others."""

    total: int = 0
    good: int = 0
    lines: list[PreviewLine] = Field(default_factory=list)
    errors: list[LineError] = Field(default_factory=list)
