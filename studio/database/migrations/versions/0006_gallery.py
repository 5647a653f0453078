"""Works found by their words and filters, stars, who may see a work; the operator's password; the audit log.

Existing works are indexed here by what the database has of them; their text equivalents, which are files, are added by
upkeep within seconds (studio/gallery/indexing.py).
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

from studio.database.types import UtcDateTime
from studio.database.words import Words, audience_token, facets_of, filter_token, index_words, names_in, sort_key

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

AT_ONCE = 500


def upgrade() -> None:
    _columns()
    _tables()
    _access_tables()
    if op.get_bind().dialect.name == "sqlite":
        _sqlite_index()
    else:
        op.create_index("ix_artifact_words_words", "artifact_words", ["words"], postgresql_using="gin")
    _fill()
    op.drop_table("artifact_tags")


def _columns() -> None:
    for column in (
        sa.Column("tags", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("visibility", sa.String(length=10), server_default="operators", nullable=False),
        sa.Column("share_token", sa.String(length=40), nullable=True),
        sa.Column("hidden_at", UtcDateTime(), nullable=True),
        sa.Column("hidden_by", sa.String(length=120), nullable=True),
        sa.Column("hidden_because", sa.Text(), nullable=True),
        sa.Column("stars", sa.Integer(), server_default="0", nullable=False),
        sa.Column("title_key", _sorted(), server_default="", nullable=False),
    ):
        op.add_column("artifacts", column)
    for name in ("kind", "model", "base_language"):  # the index of words has the filters too
        op.drop_index(op.f(f"ix_artifacts_{name}_id"), "artifacts")
    op.create_index(op.f("ix_artifacts_title_key_id"), "artifacts", ["title_key", "id"])
    op.create_index(op.f("ix_artifacts_stars_id"), "artifacts", ["stars", "id"])
    op.create_index(op.f("ix_artifacts_share_token"), "artifacts", ["share_token"], unique=True)


def _sorted() -> sa.String:
    return sa.String(120).with_variant(sa.String(120, collation="C"), "postgresql")


def _tables() -> None:
    op.create_table(
        "artifact_words",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("artifact_id", sa.String(length=36), nullable=False),
        sa.Column("words", Words(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["artifact_id"], ["artifacts.id"], name=op.f("fk_artifact_words_artifact_id_artifacts")
        ),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_artifact_words")),
        sa.UniqueConstraint("artifact_id", name=op.f("uq_artifact_words_artifact_id")),
    )
    op.create_index(op.f("ix_artifact_words_complete_number"), "artifact_words", ["complete", "number"])
    op.create_table(
        "gallery_counts",
        sa.Column("audience", sa.String(length=10), nullable=False),
        sa.Column("field", sa.String(length=10), nullable=False),
        sa.Column("value", sa.String(length=200), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("audience", "field", "value", name=op.f("pk_gallery_counts")),
    )
    op.create_index(op.f("ix_gallery_counts_audience_field_number"), "gallery_counts", ["audience", "field", "number"])
    op.create_table(
        "stars",
        sa.Column("artifact_id", sa.String(length=36), nullable=False),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["artifact_id"], ["artifacts.id"], name=op.f("fk_stars_artifact_id_artifacts")),
        sa.PrimaryKeyConstraint("artifact_id", "caller", name=op.f("pk_stars")),
    )


def _access_tables() -> None:
    op.create_table(
        "audit",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("caller", sa.String(length=120), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=200), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_subject_id"), "audit", ["subject", "id"])
    op.create_table(
        "passwords",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_passwords")),
    )
    op.create_table(
        "sign_in_tries",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_tries")),
    )
    op.create_index(op.f("ix_sign_in_tries_created_at"), "sign_in_tries", ["created_at"])


def _sqlite_index() -> None:
    """An index over `artifact_words` that keeps no text of its own (FTS5, "External Content Tables").

    Every character that is no ASCII letter or digit and no blank is part of a token, as the texts come apart already.
    Two to five characters of a token's beginning have an index of their own; of longer ones few tokens begin alike.
    """
    op.execute(
        "CREATE VIRTUAL TABLE artifact_search USING fts5(words, content='artifact_words', content_rowid='number', "
        "tokenize='ascii', prefix='2 3 4 5', columnsize=0)"
    )
    gone = "INSERT INTO artifact_search (artifact_search, rowid, words) VALUES ('delete', old.number, old.words);"
    come = "INSERT INTO artifact_search (rowid, words) VALUES (new.number, new.words);"
    op.execute(f"CREATE TRIGGER artifact_words_come AFTER INSERT ON artifact_words BEGIN {come} END")
    op.execute(f"CREATE TRIGGER artifact_words_gone AFTER DELETE ON artifact_words BEGIN {gone} END")
    op.execute(f"CREATE TRIGGER artifact_words_changed AFTER UPDATE OF words ON artifact_words BEGIN {gone} {come} END")


def _fill() -> None:
    """Index what hangs already: all of it for the operators alone."""
    bind = op.get_bind()
    own = sa.table("artifacts", sa.column("id"), sa.column("title_key"))
    words = sa.table(
        "artifact_words", sa.column("artifact_id"), sa.column("words", Words()), sa.column("complete", sa.Boolean())
    )
    bind.execute(sa.text("UPDATE artifacts SET tags = (SELECT jobs.tags FROM jobs WHERE jobs.id = artifacts.job_id)"))
    counts: dict[tuple[str, str], int] = {}
    for rows in _artifacts(bind):
        found = []
        for row in rows:
            facets = facets_of(row.kind, row.model, row.base_language, row.tags)
            for facet in facets:
                counts[facet] = counts.get(facet, 0) + 1
            filters = [audience_token("operators"), filter_token("region", row.language.lower())]
            filters += [filter_token(field, value) for field, value in facets]
            text = index_words(
                filters=filters,
                title=row.title,
                tags=row.tags,
                names=names_in(row.brief.get("params")),
                prompt=row.prompt,
                text="",
            )
            found.append({"artifact_id": row.id, "words": text, "complete": row.text_equivalent is None})
        bind.execute(words.insert(), found)
        keys = [{"key": sort_key(row.title), "of": row.id} for row in rows]
        bind.execute(own.update().where(own.c.id == sa.bindparam("of")).values(title_key=sa.bindparam("key")), keys)
    if counts:
        table = sa.table("gallery_counts", *map(sa.column, ("audience", "field", "value", "number")))
        bind.execute(
            table.insert(),
            [
                {"audience": "operators", "field": field, "value": value, "number": number}
                for (field, value), number in counts.items()
            ],
        )


def _artifacts(bind: sa.Connection) -> Iterator[list[sa.Row[tuple[object, ...]]]]:
    """The rows in order, some hundreds at once."""
    names = ("id", "job_id", "kind", "title", "prompt", "language", "base_language", "model", "text_equivalent")
    artifacts = sa.table("artifacts", *map(sa.column, names), sa.column("tags", sa.JSON()))
    jobs = sa.table("jobs", sa.column("id"), sa.column("brief", sa.JSON()))
    query = sa.select(artifacts, jobs.c.brief).join(jobs, jobs.c.id == artifacts.c.job_id)
    last = ""
    while rows := bind.execute(query.where(artifacts.c.id > last).order_by(artifacts.c.id).limit(AT_ONCE)).all():
        yield list(rows)
        last = rows[-1].id
