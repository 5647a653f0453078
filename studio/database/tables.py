"""The tables of jobs, batches and what belongs to them; those of the gallery and of access stand beside this module."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Float, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from studio.brief import JsonObject
from studio.database import access_tables, gallery_tables  # noqa: F401  # their tables are of the same registry
from studio.database.base import Base, Id


class JobRow(Base):
    """One brief being worked.

    `fence` grows whenever the job changes hands: a write that carries an older number changes nothing. `lost` counts
    the attempts that ended without an end; `attempt` counts all. `sent_at` is when the id was last put on the queue,
    `sends` how often since it was queued; `queued_at` when it was last queued. Jobs that were made as variants of one
    brief carry the first one's id in `variant_of`, the first one too. `purpose` is what it was made for: `make`, or
    `reproduce`, whose work is compared and not shown in the gallery. A revision starts from the files of `revises`, by
    a person's words in `note`; `line_id` is the first job of its versions. `commands`, `failed_commands` and
    `submissions` count what its newest computer was asked for.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        Index(None, "state", "id"),
        Index(None, "kind", "id"),
        Index(None, "state", "lease_until"),
        Index(None, "parent_id"),
        Index(None, "batch_id", "state"),
        Index(None, "variant_of"),
        Index(None, "line_id"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    kind: Mapped[str] = mapped_column(String(60))
    title: Mapped[str] = mapped_column(String(120))
    state: Mapped[str] = mapped_column(String(20))
    reason: Mapped[str | None] = mapped_column(String(40))
    message: Mapped[str] = mapped_column(Text, default="")
    attempt: Mapped[int] = mapped_column(default=0)
    lost: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(BigInteger, default=0)
    last_seq: Mapped[int] = mapped_column(default=0)
    worker: Mapped[str | None] = mapped_column(String(120))
    lease_until: Mapped[datetime | None]
    caller: Mapped[str] = mapped_column(String(120))
    made_by: Mapped[JsonObject] = mapped_column(JSON)
    brief: Mapped[JsonObject] = mapped_column(JSON)
    run: Mapped[JsonObject] = mapped_column(JSON)
    header: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    usage: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    report: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True), deferred=True)
    tags: Mapped[list[str]] = mapped_column(JSON)
    custom_id: Mapped[str | None] = mapped_column(String(200))
    parent_id: Mapped[str | None] = mapped_column(ForeignKey("jobs.id"))
    batch_id: Mapped[str | None] = mapped_column(Id)  # no key to `batches`, whose lines have one to here
    variant: Mapped[int] = mapped_column(default=1, server_default="1")
    variant_of: Mapped[str | None] = mapped_column(Id)
    purpose: Mapped[str] = mapped_column(String(20), default="make", server_default="make")
    version: Mapped[int] = mapped_column(default=1)
    revises: Mapped[str | None] = mapped_column(Id)
    line_id: Mapped[str | None] = mapped_column(Id)
    note: Mapped[str | None] = mapped_column(Text)
    commands: Mapped[int] = mapped_column(default=0, server_default="0")
    failed_commands: Mapped[int] = mapped_column(default=0, server_default="0")
    submissions: Mapped[int] = mapped_column(default=0, server_default="0")
    content_token: Mapped[str] = mapped_column(String(40), unique=True)
    created_at: Mapped[datetime]
    queued_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    sends: Mapped[int] = mapped_column(default=0)
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]


class JobTagRow(Base):
    """A tag of a job, for the filter."""

    __tablename__ = "job_tags"

    tag: Mapped[str] = mapped_column(String(40), primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)


class EventRow(Base):
    """One durable event; `body` is its JSON, just as it stands in the trajectory."""

    __tablename__ = "events"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True)
    type: Mapped[str] = mapped_column(String(30))
    body: Mapped[str] = mapped_column(Text)


class LiveRow(Base):
    """The last 64 KiB of what the running command printed; gone when its durable result is there."""

    __tablename__ = "live"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    call_id: Mapped[str] = mapped_column(String(200))
    text: Mapped[str] = mapped_column(Text)
    updated_at: Mapped[datetime]


class JobNoteRow(Base):
    """Words that a person gave to the model of a running job; `seq` is the event by which it was told them."""

    __tablename__ = "job_notes"
    __table_args__ = (Index(None, "job_id", "id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"))
    caller: Mapped[str] = mapped_column(String(120))
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    seq: Mapped[int | None]


class UploadRow(Base):
    """A file that a person sent; its bytes are a blob."""

    __tablename__ = "uploads"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[datetime]


class JobInputRow(Base):
    """An attachment of a job, under the name that it has in the sandbox."""

    __tablename__ = "job_inputs"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    upload_id: Mapped[str] = mapped_column(ForeignKey("uploads.id"))
    role: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))


class JobFileRow(Base):
    """A file that a job left: an output, a preview of one, or a script of the agent's; its bytes are a blob."""

    __tablename__ = "job_files"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    role: Mapped[str] = mapped_column(String(10), primary_key=True)
    path: Mapped[str] = mapped_column(Text, primary_key=True)
    media_type: Mapped[str] = mapped_column(String(120))
    bytes: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(String(64))
    width: Mapped[int | None]
    height: Mapped[int | None]


class DraftRow(Base):
    """A brief that was filled in from one sentence, for a person to correct. Token counts and cost are a model's.

    `by` is the model's spec, or `rule`; `asked` whether a model was asked, also in vain; `missing` names the fields
    that were left empty; `problem` says why no model filled it where one should have.
    """

    __tablename__ = "drafts"
    __table_args__ = (Index(None, "created_at"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    sentence: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(60))
    brief: Mapped[JsonObject] = mapped_column(JSON)
    missing: Mapped[list[str]] = mapped_column(JSON)
    by: Mapped[str] = mapped_column(String(200))
    problem: Mapped[str] = mapped_column(Text, default="")
    asked: Mapped[bool]
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[float | None] = mapped_column(Float)
    caller: Mapped[str] = mapped_column(String(120))
    created_at: Mapped[datetime]


class AnswerRow(Base):
    """The first answer to a request with an Idempotency-Key; `status` is None while it is worked on."""

    __tablename__ = "answers"
    __table_args__ = (UniqueConstraint("caller", "route", "key"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    caller: Mapped[str] = mapped_column(String(120))
    route: Mapped[str] = mapped_column(String(120))
    key: Mapped[str] = mapped_column(String(255))
    body_sha256: Mapped[str] = mapped_column(String(64))
    status: Mapped[int | None]
    headers: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True))
    body: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime]


class BatchRow(Base):
    """Many briefs as one request. `touched_at` is when a line was last stored, while the batch is `validating`."""

    __tablename__ = "batches"
    __table_args__ = (Index(None, "state", "id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(20))
    ending: Mapped[str | None] = mapped_column(String(20))  # canceled | expired, once that was decided
    message: Mapped[str] = mapped_column(Text, default="")
    caller: Mapped[str] = mapped_column(String(120))
    total: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime]
    touched_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
    strategy: Mapped[str] = mapped_column(String(20), default="each", server_default="each")
    otherwise: Mapped[str] = mapped_column(String(10), default="reject", server_default="reject")
    lead_id: Mapped[str | None] = mapped_column(Id)  # the job whose recipe the other lines are to be made by


class BatchLineRow(Base):
    """One line of a batch. `problems` is there where the line was refused, `request` until its job is.

    A line that its batch's recipe makes keeps its request, for the model where the recipe cannot.
    """

    __tablename__ = "batch_lines"
    __table_args__ = (Index(None, "batch_id", "state", "number"),)

    batch_id: Mapped[str] = mapped_column(ForeignKey("batches.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    custom_id: Mapped[str] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(20))
    job_id: Mapped[str | None] = mapped_column(ForeignKey("jobs.id"))
    request: Mapped[JsonObject | None] = mapped_column(JSON(none_as_null=True), deferred=True)
    problems: Mapped[list[JsonObject] | None] = mapped_column(JSON(none_as_null=True))


class RecipeRow(Base):
    """A recipe from a job's record: the calls that made its result, verified by a run of their own.

    `reduced` False: the calls without the dead ends did not make it again, so all of them are kept. `dropped` says
    which went and why, `outcome` what the verifying run came to.
    """

    __tablename__ = "recipes"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    calls: Mapped[list[JsonObject]] = mapped_column(JSON, deferred=True)
    kept: Mapped[int]
    total: Mapped[int]
    reduced: Mapped[bool]
    dropped: Mapped[list[JsonObject]] = mapped_column(JSON)
    outcome: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]


class ReproductionRow(Base):
    """What a job that did another one's calls again found: its files beside the recorded ones."""

    __tablename__ = "reproductions"
    __table_args__ = (Index(None, "source_id", "job_id"),)

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    source_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"))
    verdict: Mapped[str] = mapped_column(String(10))  # same | alike | differs
    files: Mapped[list[JsonObject]] = mapped_column(JSON)
    created_at: Mapped[datetime]


class JobFiguresRow(Base):
    """A job that ended, as the figures count it: few narrow columns, so that a sum over all of them is quick.

    Written once, with the end, of a job that was to make something. Times in seconds; None where unknown.
    """

    __tablename__ = "job_figures"
    __table_args__ = (Index(None, "finished_at"),)

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(60))
    maker: Mapped[str] = mapped_column(String(200))  # a model's name, else that of the prepared programs
    prepared: Mapped[bool]
    state: Mapped[str] = mapped_column(String(20))
    reason: Mapped[str | None] = mapped_column(String(40))
    submissions: Mapped[int]
    steps: Mapped[int]
    commands: Mapped[int]
    failed_commands: Mapped[int]
    prompt_tokens: Mapped[int | None] = mapped_column(BigInteger)
    completion_tokens: Mapped[int | None] = mapped_column(BigInteger)
    environment_tokens: Mapped[int | None] = mapped_column(BigInteger)
    cost_usd: Mapped[float | None] = mapped_column(Float)
    wall_s: Mapped[float] = mapped_column(Float)
    model_s: Mapped[float] = mapped_column(Float)
    tool_s: Mapped[float] = mapped_column(Float)
    inspect_s: Mapped[float] = mapped_column(Float)
    peak_memory_bytes: Mapped[int | None] = mapped_column(BigInteger)
    calls: Mapped[int | None]
    outside: Mapped[int | None]
    files: Mapped[int | None]
    computation: Mapped[int | None]
    finished_at: Mapped[datetime]


class ModelTestRow(Base):
    """A test of what a named model really can, asked for on the settings page and carried out by a worker."""

    __tablename__ = "model_tests"
    __table_args__ = (Index(None, "state", "id"), Index(None, "created_at"))

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    model: Mapped[str] = mapped_column(String(200))
    caller: Mapped[str] = mapped_column(String(120))
    state: Mapped[str] = mapped_column(String(10))  # waiting | running | ended
    lines: Mapped[list[JsonObject]] = mapped_column(JSON)
    problem: Mapped[str] = mapped_column(Text, default="")
    took: Mapped[str] = mapped_column(Text, default="")  # in words
    tokens: Mapped[int] = mapped_column(default=0)
    cost_usd: Mapped[float | None] = mapped_column(Float)
    created_at: Mapped[datetime]
    touched_at: Mapped[datetime]
