"""Lists of works: by filters and words, in four orders, page by page; and single works.

All filters and words are one question to the index of words (studio/database/words.py), which gives the newest first
and is read no further than a page. So a page of 100,000 works costs about what one of 100 does.

Where words are asked for, the best come first, in tiers, each of them newest first: all words in the title; in title,
tags and names; anywhere; anywhere as the beginnings of words. A measure such as BM25 would have to weigh every work
that has the words before the first could be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sqlalchemy import ColumnElement, Select, cast, column, exists, func, select, table, tuple_
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.orm import Session

from studio.database import Database, Page
from studio.database.gallery_tables import SEARCH, ArtifactRow, ArtifactWordsRow, GalleryCountRow
from studio.database.paging import checked_limit, decode_keys, encode_keys
from studio.database.tables import JobRow
from studio.database.words import (
    ALL,
    NAMES,
    TITLE,
    Part,
    as_fts5,
    as_tsquery,
    asked,
    audience_token,
    filter_token,
)
from studio.errors import BriefError, Problem
from studio.gallery.rows import UNKNOWN, one, views_of, with_jobs
from studio.gallery.views import ArtifactView, Audience, Facet, Facets, Sort

RARE = 2000  # works; so many are sorted in memory, more are looked for in their order
FACETS = 12
_search = table(SEARCH, column("rowid"), column(SEARCH))
_Key = tuple[int, int, str]  # tier, number, id


@dataclass(frozen=True)
class Wanted:
    """What a list shall hold. `model` is a model's name, `recipe` or `replay`; `made` is `model`, `recipe` or `replay`.

    `language` takes its regions too (`zh` finds `zh-Hans`); `q` are words, in any order.
    """

    kind: str | None = None
    model: str | None = None
    made: str | None = None
    language: str | None = None
    tag: str | None = None
    q: str | None = None
    audience: Audience = "operators"

    @property
    def facets(self) -> list[tuple[str, str]]:
        """The filters that are counted, as field and value."""
        base = base_language(self.language) if self.language else None
        named = (("kind", self.kind), ("model", self.model), ("made", self.made), ("language", base), ("tag", self.tag))
        return [(name, value) for name, value in named if value]

    @property
    def filters(self) -> list[Part]:
        """The filters as parts of a question."""
        tokens = [audience_token(self.audience), *(filter_token(*facet) for facet in self.facets)]
        if self.language and "-" in self.language:
            tokens.append(filter_token("region", self.language.lower()))
        return [Part((token,)) for token in tokens]

    def tiers(self, sort: Sort) -> list[list[Part]]:
        """The words as parts of questions, from the strictest to the loosest; one that asks for nothing without words.

        Each finds what the one before does, and more.
        """
        if not (self.q or "").strip():
            return [[]]
        loosest = asked(self.q or "", ALL, loose=True)
        if sort != "match":
            return [loosest]
        found = [*(asked(self.q or "", letter) for letter in (TITLE, NAMES, ALL)), loosest]
        return [found[0], *(looser for stricter, looser in pairwise(found) if looser != stricter)]


@dataclass(frozen=True)
class _Question:
    """What is asked of the index, in the database's own words."""

    session: Session
    wanted: Sequence[Part]
    unwanted: Sequence[Part] = field(default=())

    def numbers(self) -> Select[int, str]:
        """Number and id of what it finds."""
        query = select(ArtifactWordsRow.number, ArtifactWordsRow.artifact_id)
        if self._on_postgres:
            return query.where(self._condition)
        return query.join(_search, _search.c.rowid == ArtifactWordsRow.number).where(self._condition)

    def order(self) -> ColumnElement[int]:
        """The column that both the index and the order of the gallery go by."""
        return ArtifactWordsRow.number.expression if self._on_postgres else _search.c.rowid

    def holds_for(self, artifact_id: ColumnElement[str]) -> ColumnElement[bool]:
        """Is this work one that it finds? For those that are walked in another order."""
        if self._on_postgres:
            return exists(self.numbers().where(ArtifactWordsRow.artifact_id == artifact_id))
        # One row of the index is looked at; a join would read all that the question finds, for each work anew.
        number = select(ArtifactWordsRow.number).where(ArtifactWordsRow.artifact_id == artifact_id).scalar_subquery()
        return exists(select(_search.c.rowid).where(_search.c.rowid == number, self._condition))

    @property
    def _on_postgres(self) -> bool:
        return self.session.get_bind().dialect.name == "postgresql"

    @property
    def _condition(self) -> ColumnElement[bool]:
        if self._on_postgres:
            query = cast(as_tsquery(self.wanted, self.unwanted), TSQUERY)
            return ArtifactWordsRow.words.op("@@", is_comparison=True)(query)
        return _search.c[SEARCH].op("MATCH", is_comparison=True)(as_fts5(self.wanted, self.unwanted))


def base_language(tag: str) -> str:
    """The language of a BCP 47 tag without script, region and so on."""
    return tag.partition("-")[0].lower()


def list_artifacts(
    db: Database,
    wanted: Wanted | None = None,
    *,
    sort: Sort | None = None,
    cursor: str | None = None,
    limit: int = 24,
) -> Page[ArtifactView]:
    """Works with their previews; by default the newest first, of those that were asked for by words the best.

    Raises BriefError for a bad cursor or limit, and for an order that does not go with words.
    """
    wanted = wanted or Wanted()
    chosen = sort or ("match" if wanted.q else "newest")
    _check_sort(chosen, wanted)
    checked_limit(limit)
    with db.reading() as session:
        if chosen in ("title", "stars"):
            rows = _sorted(session, wanted, chosen, cursor, limit + 1)
            keys = [encode_keys(chosen, stars, artifact_id) for artifact_id, stars in rows]
            ids = [artifact_id for artifact_id, _ in rows]
        else:
            found = _found(session, wanted, chosen, cursor, limit + 1)
            keys = [encode_keys(chosen, tier, number) for tier, number, _ in found]
            ids = [artifact_id for _, _, artifact_id in found]
        views = views_of(session, ids[:limit])
    return Page(data=views, next_cursor=keys[limit - 1] if len(ids) > limit else None)


def _check_sort(sort: Sort, wanted: Wanted) -> None:
    if wanted.q and sort in ("title", "stars"):
        raise BriefError([Problem("/sort", "what is found by words comes by `match` or `newest`")])
    if not wanted.q and sort == "match":
        raise BriefError([Problem("/sort", "`match` goes with words in `q`; use `newest`, `title` or `stars`")])


def _found(session: Session, wanted: Wanted, sort: Sort, cursor: str | None, limit: int) -> list[_Key]:
    """The next works by tier and number."""
    start, below = _position(sort, cursor)
    tiers = wanted.tiers(sort)
    if wanted.q and not tiers[-1]:  # signs alone
        return []
    found: list[_Key] = []
    for tier in range(start, len(tiers)):
        question = _Question(session, [*wanted.filters, *tiers[tier]], tiers[tier - 1] if tier else ())
        query = question.numbers().order_by(question.order().desc()).limit(limit - len(found))
        if tier == start and below is not None:
            query = query.where(question.order() < below)
        found += [(tier, number, artifact_id) for number, artifact_id in session.execute(query)]
        if len(found) >= limit:
            break
    return found


def _position(sort: Sort, cursor: str | None) -> tuple[int, int | None]:
    """Tier and number of the last work seen."""
    if cursor is None:
        return 0, None
    tier, number = decode_keys(cursor, sort, int, int)
    return tier, number


def _sorted(session: Session, wanted: Wanted, sort: Sort, cursor: str | None, limit: int) -> list[tuple[str, int]]:
    """The next works, id and stars, by title or by stars."""
    query = select(ArtifactRow.id, ArtifactRow.stars).limit(limit)
    if sort == "title":
        query = query.order_by(ArtifactRow.title_key, ArtifactRow.id)
    else:
        query = query.order_by(ArtifactRow.stars.desc(), ArtifactRow.id.desc())
    if cursor is not None:
        stars, last = decode_keys(cursor, sort, int, str)
        if sort == "title":
            title = select(ArtifactRow.title_key).where(ArtifactRow.id == last).scalar_subquery()
            query = query.where(tuple_(ArtifactRow.title_key, ArtifactRow.id) > tuple_(title, last))
        else:
            query = query.where(tuple_(ArtifactRow.stars, ArtifactRow.id) < tuple_(stars, last))
    question = _Question(session, wanted.filters)
    if wanted.audience == "operators" and not wanted.facets:
        query = query.where(ArtifactRow.hidden_at.is_(None))
    elif _number(session, wanted) <= RARE:
        chosen = question.numbers().subquery()
        query = query.where(ArtifactRow.id.in_(select(chosen.c.artifact_id)))
    else:
        query = query.where(question.holds_for(ArtifactRow.id.expression))
    return [(artifact_id, stars) for artifact_id, stars in session.execute(query)]  # noqa: C416  # rows are no tuples


def _number(session: Session, wanted: Wanted) -> int:
    """How many works there are at most: as many as have the rarest of the filters' values."""
    own = GalleryCountRow.audience == wanted.audience
    pairs = tuple_(GalleryCountRow.field, GalleryCountRow.value)
    if not wanted.facets:
        return _total(session, wanted.audience)
    query = select(GalleryCountRow.number).where(own, pairs.in_(wanted.facets))
    numbers = session.scalars(query).all()
    return min(numbers) if len(numbers) == len(wanted.facets) else 0


def _total(session: Session, audience: Audience) -> int:
    query = select(func.sum(GalleryCountRow.number))
    return session.scalar(query.where(GalleryCountRow.audience == audience, GalleryCountRow.field == "kind")) or 0


def facets(db: Database, audience: Audience = "operators") -> Facets:
    """What can be filtered by, with numbers that are kept with each change of a work: nothing is counted here."""
    found = Facets()
    with db.reading() as session:
        found.total = _total(session, audience)
        for name in ("kind", "made", "model", "language", "tag"):
            query = select(GalleryCountRow.value, GalleryCountRow.number).where(
                GalleryCountRow.audience == audience, GalleryCountRow.field == name, GalleryCountRow.number > 0
            )
            rows = session.execute(query.order_by(GalleryCountRow.number.desc(), GalleryCountRow.value).limit(FACETS))
            setattr(found, name, [Facet(value=value, number=number) for value, number in rows])
    return found


def get(db: Database, artifact_id: str, audience: Audience = "operators") -> ArtifactView:
    """One work with its report and files; a hidden one too, but not to everyone. Raises NotFound."""
    query = with_jobs().where(ArtifactRow.id == artifact_id)
    if audience == "everyone":
        query = query.where(ArtifactRow.visibility == "public", ArtifactRow.hidden_at.is_(None))
    with db.reading() as session:
        return one(session, query, UNKNOWN.format(id=artifact_id))


def by_share(db: Database, share_token: str) -> ArtifactView:
    """The work that a link leads to. Raises NotFound."""
    query = with_jobs().where(
        ArtifactRow.share_token == share_token,
        ArtifactRow.visibility.in_(("unlisted", "public")),
        ArtifactRow.hidden_at.is_(None),
    )
    with db.reading() as session:
        return one(session, query, "there is nothing behind this link, or no more")


def by_token(db: Database, token: str) -> ArtifactView:
    """The work that `token` names on the content origin. Raises NotFound."""
    with db.reading() as session:
        return one(session, with_jobs().where(JobRow.content_token == token), "there is nothing here")
