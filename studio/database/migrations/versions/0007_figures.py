"""What the figures of the stats page are made of: one narrow row of each job that ended; counts on jobs under way."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

AT_ONCE = 200
ENDED = ("published", "accepted", "rejected", "failed", "canceled", "expired")
COUNTS = ("commands", "failed_commands", "submissions")
TOKENS = ("prompt_tokens", "completion_tokens", "environment_tokens", "peak_memory_bytes")
SECONDS = ("wall_s", "model_s", "tool_s", "inspect_s")
CAPABILITIES = ("calls", "outside", "files", "computation")


def upgrade() -> None:
    for name in COUNTS:
        op.add_column("jobs", sa.Column(name, sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "job_figures",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("maker", sa.String(length=200), nullable=False),
        sa.Column("prepared", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("submissions", sa.Integer(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("commands", sa.Integer(), nullable=False),
        sa.Column("failed_commands", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in TOKENS[:3]),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        *(sa.Column(name, sa.Float(), nullable=False) for name in SECONDS),
        sa.Column("peak_memory_bytes", sa.BigInteger(), nullable=True),
        *(sa.Column(name, sa.Integer(), nullable=True) for name in CAPABILITIES),
        sa.Column("finished_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_figures_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_job_figures")),
    )
    op.create_index(op.f("ix_job_figures_finished_at"), "job_figures", ["finished_at"])
    _fill()


def _fill() -> None:
    """The jobs that have ended already, from their sums and their events."""
    bind = op.get_bind()
    names = ("id", "kind", "state", "reason", "purpose")
    jobs = sa.table(
        "jobs",
        *map(sa.column, (*names, *COUNTS)),
        sa.column("finished_at", UtcDateTime()),
        sa.column("made_by", sa.JSON()),
        sa.column("usage", sa.JSON()),
    )
    columns = ("job_id", "kind", "maker", "prepared", "state", "reason", *COUNTS, "steps", *TOKENS, "cost_usd")
    figures = sa.table(
        "job_figures", *map(sa.column, (*columns, *SECONDS, *CAPABILITIES)), sa.column("finished_at", UtcDateTime())
    )
    query = sa.select(jobs).where(jobs.c.state.in_(ENDED), jobs.c.purpose == "make", jobs.c.finished_at.is_not(None))
    last = ""
    while rows := bind.execute(query.where(jobs.c.id > last).order_by(jobs.c.id).limit(AT_ONCE)).all():
        last = rows[-1].id
        found: list[dict[str, Any]] = []
        for row in rows:
            usage, by = row.usage or {}, row.made_by
            counts = _counts(bind, row.id)
            found.append(
                {
                    "job_id": row.id,
                    "kind": row.kind,
                    "maker": _maker(by)[:200],
                    "prepared": by.get("model") is None,
                    "state": row.state,
                    "reason": row.reason,
                    "steps": usage.get("steps") or 0,
                    "cost_usd": usage.get("cost_usd"),
                    "finished_at": row.finished_at,
                    **counts,
                    **{name: usage.get(name) for name in TOKENS},
                    **{name: usage.get(name) or 0.0 for name in SECONDS},
                    **{name: (usage.get("capabilities") or {}).get(name) for name in CAPABILITIES},
                }
            )
            bind.execute(jobs.update().where(jobs.c.id == row.id).values(**counts))
        bind.execute(figures.insert(), found)


def _counts(bind: sa.Connection, job_id: str) -> dict[str, int]:
    """Commands, those that failed, and submissions, on the job's newest computer."""
    events = sa.table("events", *map(sa.column, ("job_id", "seq", "type", "body")))
    query = sa.select(events.c.type, events.c.body).where(
        events.c.job_id == job_id, events.c.type.in_(("job.started", "tool.result", "report"))
    )
    found = dict.fromkeys(COUNTS, 0)
    for kind, body in bind.execute(query.order_by(events.c.seq)):
        if kind == "job.started":
            found = dict.fromkeys(COUNTS, 0)
        elif kind == "report":
            found["submissions"] += 1
        else:
            result = json.loads(body)
            status, late = result.get("exit_status"), bool(result.get("timed_out"))
            found["commands"] += status is not None or late
            found["failed_commands"] += late or status not in (None, 0)
    return found


def _maker(by: dict[str, Any]) -> str:
    recipe = str(by.get("recipe") or "replay")
    return str(by.get("model") or ("derived" if recipe.startswith("job:") else recipe))
