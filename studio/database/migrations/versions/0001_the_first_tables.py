"""The first tables: jobs and their records, uploads, artifacts, keys."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "access_keys",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("last_used_at", UtcDateTime(), nullable=True),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_access_keys")),
        sa.UniqueConstraint("sha256", name=op.f("uq_access_keys_sha256")),
    )
    op.create_table(
        "answers",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("route", sa.String(length=120), nullable=False),
        sa.Column("key", sa.String(length=255), nullable=False),
        sa.Column("body_sha256", sa.String(length=64), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answers")),
        sa.UniqueConstraint("caller", "route", "key", name=op.f("uq_answers_caller_route_key")),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("last_seq", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=120), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("made_by", sa.JSON(), nullable=False),
        sa.Column("brief", sa.JSON(), nullable=False),
        sa.Column("run", sa.JSON(), nullable=False),
        sa.Column("header", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("usage", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("report", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("tags", sa.JSON(), nullable=False),
        sa.Column("custom_id", sa.String(length=200), nullable=True),
        sa.Column("parent_id", sa.String(length=36), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("content_token", sa.String(length=40), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("queued_at", UtcDateTime(), nullable=False),
        sa.Column("sent_at", UtcDateTime(), nullable=True),
        sa.Column("sends", sa.Integer(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["parent_id"], ["jobs.id"], name=op.f("fk_jobs_parent_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        sa.UniqueConstraint("content_token", name=op.f("uq_jobs_content_token")),
    )
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_jobs_kind_id"), ["kind", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_jobs_parent_id"), ["parent_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_jobs_state_id"), ["state", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_jobs_state_lease_until"), ["state", "lease_until"], unique=False)

    op.create_table(
        "sign_ins",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_sign_ins")),
    )
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
    )
    op.create_table(
        "artifacts",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("title", sa.String(length=120), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("base_language", sa.String(length=8), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("text_equivalent", sa.Text(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_artifacts_job_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifacts")),
        sa.UniqueConstraint("job_id", name=op.f("uq_artifacts_job_id")),
    )
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_artifacts_base_language_id"), ["base_language", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_artifacts_kind_id"), ["kind", "id"], unique=False)
        batch_op.create_index(batch_op.f("ix_artifacts_model_id"), ["model", "id"], unique=False)

    op.create_table(
        "events",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(length=30), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_events_job_id")),
        sa.PrimaryKeyConstraint("job_id", "seq", name=op.f("pk_events")),
    )
    op.create_table(
        "job_files",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("media_type", sa.String(length=120), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_files_job_id")),
        sa.PrimaryKeyConstraint("job_id", "role", "path", name=op.f("pk_job_files")),
    )
    op.create_table(
        "job_inputs",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("upload_id", sa.String(length=36), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_inputs_job_id")),
        sa.ForeignKeyConstraint(["upload_id"], ["uploads.id"], name=op.f("fk_job_inputs_upload_id")),
        sa.PrimaryKeyConstraint("job_id", "position", name=op.f("pk_job_inputs")),
    )
    op.create_table(
        "job_tags",
        sa.Column("tag", sa.String(length=40), nullable=False),
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_tags_job_id")),
        sa.PrimaryKeyConstraint("tag", "job_id", name=op.f("pk_job_tags")),
    )
    op.create_table(
        "live",
        sa.Column("job_id", sa.String(length=36), nullable=False),
        sa.Column("call_id", sa.String(length=200), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_live_job_id")),
        sa.PrimaryKeyConstraint("job_id", name=op.f("pk_live")),
    )
    op.create_table(
        "artifact_tags",
        sa.Column("tag", sa.String(length=40), nullable=False),
        sa.Column("artifact_id", sa.String(length=36), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifacts.id"], name=op.f("fk_artifact_tags_artifact_id")),
        sa.PrimaryKeyConstraint("tag", "artifact_id", name=op.f("pk_artifact_tags")),
    )


def downgrade() -> None:
    op.drop_table("artifact_tags")
    op.drop_table("live")
    op.drop_table("job_tags")
    op.drop_table("job_inputs")
    op.drop_table("job_files")
    op.drop_table("events")
    with op.batch_alter_table("artifacts", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_artifacts_model_id"))
        batch_op.drop_index(batch_op.f("ix_artifacts_kind_id"))
        batch_op.drop_index(batch_op.f("ix_artifacts_base_language_id"))

    op.drop_table("artifacts")
    op.drop_table("uploads")
    op.drop_table("sign_ins")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_jobs_state_lease_until"))
        batch_op.drop_index(batch_op.f("ix_jobs_state_id"))
        batch_op.drop_index(batch_op.f("ix_jobs_parent_id"))
        batch_op.drop_index(batch_op.f("ix_jobs_kind_id"))

    op.drop_table("jobs")
    op.drop_table("answers")
    op.drop_table("access_keys")
