"""Batches and their lines; a job knows its batch, and whose variant it is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("batch_id", sa.String(length=36), nullable=True))
    op.add_column("jobs", sa.Column("variant", sa.Integer(), server_default="1", nullable=False))
    op.add_column("jobs", sa.Column("variant_of", sa.String(length=36), nullable=True))
    op.create_index(op.f("ix_jobs_batch_id_state"), "jobs", ["batch_id", "state"])
    op.create_index(op.f("ix_jobs_variant_of"), "jobs", ["variant_of"])
    op.create_table(
        "batches",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("ending", sa.String(length=20), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("touched_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_batches")),
    )
    op.create_index(op.f("ix_batches_state_id"), "batches", ["state", "id"])
    op.create_table(
        "batch_lines",
        sa.Column("batch_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("custom_id", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=True),
        sa.Column("request", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("problems", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["batch_id"], ["batches.id"], name=op.f("fk_batch_lines_batch_id_batches")),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_batch_lines_job_id_jobs")),
        sa.PrimaryKeyConstraint("batch_id", "number", name=op.f("pk_batch_lines")),
    )
    op.create_index(op.f("ix_batch_lines_batch_id_state_number"), "batch_lines", ["batch_id", "state", "number"])
