"""Tables of the gallery: the works that hang there, what they are found by, who likes them."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from studio.database.base import Base, Id
from studio.database.words import Words

SEARCH = "artifact_search"  # SQLite's index over `artifact_words.words`
# Sorted by code point on every database: a server's own order may change with its libraries, and a cursor with it.
SORTED = String(120).with_variant(String(120, collation="C"), "postgresql")


def is_of_an_index(name: str | None) -> bool:
    """Is this a table or an index that a migration makes by hand, so that no class here describes it?"""
    return bool(name) and (name == SEARCH or str(name).startswith((f"{SEARCH}_", "ix_artifact_words_words")))


class ArtifactRow(Base):
    """A job's work, as the gallery lists it. `base_language` is the tag's first part, in lower case.

    A rejected one that is shown all the same says by whom, why, and how many checks that must pass do not. One that is
    hidden says by whom and why. `share_token` is the secret of its link, while it has one; `stars` counts its rows in
    `stars`; `title_key` is what titles are sorted by.
    """

    __tablename__ = "artifacts"
    __table_args__ = (
        Index(None, "title_key", "id"),
        Index(None, "stars", "id"),
        Index(None, "share_token", unique=True),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id"), unique=True)
    kind: Mapped[str] = mapped_column(String(60))
    title: Mapped[str] = mapped_column(String(120))
    prompt: Mapped[str] = mapped_column(Text)
    language: Mapped[str] = mapped_column(String(35))
    base_language: Mapped[str] = mapped_column(String(8))
    model: Mapped[str] = mapped_column(String(200))
    entry: Mapped[str] = mapped_column(Text)
    text_equivalent: Mapped[str | None] = mapped_column(Text)
    shown_by: Mapped[str | None] = mapped_column(String(120))
    shown_because: Mapped[str | None] = mapped_column(Text)
    failed_checks: Mapped[int | None]
    tags: Mapped[list[str]] = mapped_column(JSON, server_default="[]")
    visibility: Mapped[str] = mapped_column(String(10), server_default="operators")  # operators | unlisted | public
    share_token: Mapped[str | None] = mapped_column(String(40))
    hidden_at: Mapped[datetime | None]
    hidden_by: Mapped[str | None] = mapped_column(String(120))
    hidden_because: Mapped[str | None] = mapped_column(Text)
    stars: Mapped[int] = mapped_column(default=0, server_default="0")
    title_key: Mapped[str] = mapped_column(SORTED, default="", server_default="")
    created_at: Mapped[datetime]


class ArtifactWordsRow(Base):
    """What an artifact is found by, words and filters (studio/database/words.py).

    `number` is its place in the order of the gallery, and its row in SQLite's index `artifact_search`, which triggers
    keep in step. `complete` is False until the text equivalent, which is a file, is among the words.
    """

    __tablename__ = "artifact_words"
    __table_args__ = (Index(None, "complete", "number"),)

    number: Mapped[int] = mapped_column(primary_key=True)
    artifact_id: Mapped[str] = mapped_column(ForeignKey("artifacts.id"), unique=True)
    words: Mapped[str] = mapped_column(Words, deferred=True)
    complete: Mapped[bool] = mapped_column(default=True)


class GalleryCountRow(Base):
    """How many artifacts of an audience have one value of a filter: what the gallery shows beside each choice."""

    __tablename__ = "gallery_counts"
    __table_args__ = (Index(None, "audience", "field", "number"),)

    audience: Mapped[str] = mapped_column(String(10), primary_key=True)  # operators | everyone | hidden
    field: Mapped[str] = mapped_column(String(10), primary_key=True)
    value: Mapped[str] = mapped_column(String(200), primary_key=True)
    number: Mapped[int]


class StarRow(Base):
    """That a caller likes an artifact."""

    __tablename__ = "stars"

    artifact_id: Mapped[str] = mapped_column(ForeignKey("artifacts.id"), primary_key=True)
    caller: Mapped[str] = mapped_column(String(120), primary_key=True)
    created_at: Mapped[datetime]
