"""Keeping the index and the filters' numbers in step with the works, in the transaction that changes a work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from studio.blobs import Blobs
from studio.brief import JsonObject
from studio.database import Database
from studio.database.gallery_tables import ArtifactRow, ArtifactWordsRow, GalleryCountRow
from studio.database.tables import JobFileRow, JobRow
from studio.database.words import audience_token, facets_of, filter_token, index_words, names_in, sort_key
from studio.errors import NotFound
from studio.gallery.views import Audience

TEXT_BYTES = 64 * 1024  # of a text equivalent that count
AT_ONCE = 50
_Place = tuple[str, str, str]  # audience, field, value


def audiences_of(row: ArtifactRow) -> tuple[Audience, ...]:
    """Whose lists have this work."""
    if row.hidden_at is not None:
        return ("hidden",)
    return ("operators", "everyone") if row.visibility == "public" else ("operators",)


def hang(session: Session, row: ArtifactRow, brief: JsonObject) -> None:
    """Put a new work into the index; its text equivalent follows (`index_texts`)."""
    row.title_key = sort_key(row.title)
    words = words_of(row, brief)
    session.flush()
    session.add(ArtifactWordsRow(artifact_id=row.id, words=words, complete=row.text_equivalent is None))
    _count(session, Counter(_places(row)))


@contextmanager
def changing(session: Session, row: ArtifactRow) -> Iterator[None]:
    """What the block changes of a work, locked in this transaction, goes into the index too."""
    before = Counter(_places(row))
    yield
    job_brief = session.scalars(select(JobRow.brief).where(JobRow.id == row.job_id)).one()
    entry = session.scalars(select(ArtifactWordsRow).where(ArtifactWordsRow.artifact_id == row.id)).one()
    entry.words, entry.complete = words_of(row, job_brief), row.text_equivalent is None
    after = Counter(_places(row))
    after.subtract(before)
    _count(session, after)


def words_of(row: ArtifactRow, brief: JsonObject, text: str = "") -> str:
    """All that a work is found by."""
    facets = facets_of(row.kind, row.model, row.base_language, row.tags)
    return index_words(
        filters=[
            *(audience_token(audience) for audience in audiences_of(row)),
            *(filter_token(field, value) for field, value in facets),
            filter_token("region", row.language.lower()),
        ],
        title=row.title,
        tags=row.tags,
        names=names_in(brief.get("params")),
        prompt=row.prompt,
        text=text,
    )


def _places(row: ArtifactRow) -> Iterator[_Place]:
    for audience in audiences_of(row):
        for field, value in facets_of(row.kind, row.model, row.base_language, row.tags):
            yield audience, field, value


def _count(session: Session, changes: Counter[_Place]) -> None:
    """Add to the numbers, in one order everywhere, so that no two transactions wait for each other."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    for (audience, field, value), number in sorted(changes.items()):
        if number:
            statement = insert(GalleryCountRow).values(audience=audience, field=field, value=value, number=number)
            key = [GalleryCountRow.audience, GalleryCountRow.field, GalleryCountRow.value]
            added = {"number": GalleryCountRow.number + number}
            session.execute(statement.on_conflict_do_update(index_elements=key, set_=added))


def index_texts(db: Database, blobs: Blobs) -> int:
    """Add the text equivalents of works that are in the index without; how many. For upkeep.

    Read as text and no more: bytes that are no UTF-8 are no words.
    """
    query = select(ArtifactWordsRow.artifact_id).where(ArtifactWordsRow.complete.is_(False))
    with db.reading() as session:
        waiting = session.scalars(query.order_by(ArtifactWordsRow.number.desc()).limit(AT_ONCE)).all()
        texts = {artifact_id: _text(session, blobs, artifact_id) for artifact_id in waiting}
    for artifact_id, text in texts.items():
        with db.session() as session:
            row = session.get(ArtifactRow, artifact_id, with_for_update=True)
            entry = session.scalar(select(ArtifactWordsRow).where(ArtifactWordsRow.artifact_id == artifact_id))
            if row is not None and entry is not None:
                brief = session.scalars(select(JobRow.brief).where(JobRow.id == row.job_id)).one()
                entry.words, entry.complete = words_of(row, brief, text), True
    return len(waiting)


def _text(session: Session, blobs: Blobs, artifact_id: str) -> str:
    found = session.execute(
        select(JobFileRow.sha256)
        .join(ArtifactRow, ArtifactRow.job_id == JobFileRow.job_id)
        .where(
            ArtifactRow.id == artifact_id,
            JobFileRow.role == "output",
            JobFileRow.path == ArtifactRow.text_equivalent,
        )
    ).scalar_one_or_none()
    if found is None:
        return ""
    try:
        with blobs.open(found) as stream:
            return stream.read(TEXT_BYTES).decode("utf-8", "ignore")
    except NotFound:
        return ""
