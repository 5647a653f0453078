"""Tests of named models, asked for on a page and carried out by a worker."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_tests",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("took", sa.Text(), nullable=False),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("touched_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_tests")),
    )
    op.create_index(op.f("ix_model_tests_state_id"), "model_tests", ["state", "id"])
    op.create_index(op.f("ix_model_tests_created_at"), "model_tests", ["created_at"])
