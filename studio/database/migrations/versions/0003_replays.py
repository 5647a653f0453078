"""Recipes from records, reproductions, and batches that a model begins and its recipe goes on with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("jobs", sa.Column("purpose", sa.String(length=20), server_default="make", nullable=False))
    op.add_column("batches", sa.Column("strategy", sa.String(length=20), server_default="each", nullable=False))
    op.add_column("batches", sa.Column("otherwise", sa.String(length=10), server_default="reject", nullable=False))
    op.add_column("batches", sa.Column("lead_id", sa.String(length=36), nullable=True))
    op.create_table(
        "recipes",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("calls", sa.JSON(), nullable=False),
        sa.Column("kept", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("reduced", sa.Boolean(), nullable=False),
        sa.Column("dropped", sa.JSON(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_recipes_job_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_recipes")),
    )
    op.create_table(
        "reproductions",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("source_id", sa.String(length=36), nullable=False),
        sa.Column("verdict", sa.String(length=10), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_reproductions_job_id_jobs")),
        sa.ForeignKeyConstraint(["source_id"], ["jobs.id"], name=op.f("fk_reproductions_source_id_jobs")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_reproductions")),
    )
    op.create_index(op.f("ix_reproductions_source_id_job_id"), "reproductions", ["source_id", "job_id"])
