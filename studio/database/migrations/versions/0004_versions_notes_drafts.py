"""Versions of a work, notes to a running job, works shown all the same, and briefs drafted from a sentence."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("revises", sa.String(length=36), nullable=True))
    op.add_column("jobs", sa.Column("line_id", sa.String(length=36), nullable=True))
    op.add_column("jobs", sa.Column("note", sa.Text(), nullable=True))
    op.create_index(op.f("ix_jobs_line_id"), "jobs", ["line_id"])
    op.add_column("artifacts", sa.Column("shown_by", sa.String(length=120), nullable=True))
    op.add_column("artifacts", sa.Column("shown_because", sa.Text(), nullable=True))
    op.add_column("artifacts", sa.Column("failed_checks", sa.Integer(), nullable=True))
    op.create_table(
        "job_notes",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_notes_job_id_jobs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_notes")),
    )
    op.create_index(op.f("ix_job_notes_job_id_id"), "job_notes", ["job_id", "id"])
    op.create_table(
        "drafts",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("brief", sa.JSON(), nullable=False),
        sa.Column("missing", sa.JSON(), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_drafts")),
    )
    op.create_index(op.f("ix_drafts_created_at"), "drafts", ["created_at"])
