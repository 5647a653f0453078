"""Many works put into a database at once, for measurements: rows as publishing leaves them, without the jobs' work.

It goes into the database that it is given, which has to be one of the measurement's own.
"""

from __future__ import annotations

import io
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

from sqlalchemy import insert
from sqlalchemy.orm import Session

from studio.blobs import Blobs
from studio.brief import Brief
from studio.contract import Report
from studio.database import Database, new_id
from studio.database.gallery_tables import ArtifactRow, ArtifactWordsRow, GalleryCountRow
from studio.database.tables import JobFiguresRow, JobFileRow, JobRow, JobTagRow
from studio.database.words import facets_of, sort_key
from studio.gallery import base_language
from studio.gallery.indexing import words_of
from studio.jobs.figures import figures_of
from studio.kinds import ArtifactKind, all_kinds
from studio.trajectory import CapabilityUse, MadeBy, Usage, now

AT_ONCE = 1000
DISTINCT = 2000
MODELS = ("openai/large-1", "openai/small-1", "local/open-7b", None, None)
LANGUAGES = ("en", "en-GB", "zh-Hans", "fr", "ar", "de")
TAGS = ("harbour", "school", "concert", "family", "science", "travel", "market", "rare")
SUBJECTS = {
    "en": ("Harbour", "Concert", "Spring", "Night", "Market", "River", "Lantern", "Orchard", "Winter", "Festival"),
    "zh": ("港湾", "音乐会", "春天", "夜晚", "市集", "河流", "灯笼", "果园", "冬天", "节日"),
}
_PICTURE = b"<svg xmlns='http://www.w3.org/2000/svg' width='420' height='594'><path d='M0 0h420v594H0z'/></svg>"

Row = TypeVar("Row")


@dataclass(frozen=True)
class _Work:
    """The rows of a work without what is its own alone."""

    job: dict[str, Any]
    artifact: dict[str, Any]
    words: str
    usage: Usage
    sha256: str


def seed(db: Database, blobs: Blobs, count: int, say: Callable[[str], None], random_seed: int = 7) -> None:
    """Add `count` works, all public, the same ones for the same `random_seed`; then count the tables anew.

    Of more than DISTINCT works, those after the first are these again, as works of their own.
    """
    chance = random.Random(random_seed)  # noqa: S311  # no secret
    sha256 = _stored(blobs)
    samples = {kind: kind.samples()[0].brief for kind in all_kinds().values() if kind.samples()}
    pool = [_work(chance, samples, sha256) for _ in range(min(count, DISTINCT))]
    done = 0
    while done < count:
        some = [pool[number % len(pool)] for number in range(done, min(done + AT_ONCE, count))]
        with db.session() as session:
            _add(session, some)
        done += len(some)
        if done % 20_000 == 0:
            say(f"{done:,} works")
    db.tidy()


def _stored(blobs: Blobs) -> str:
    return blobs.put_stream(io.BytesIO(_PICTURE))[0]


def _work(chance: random.Random, samples: Mapping[ArtifactKind, Brief], sha256: str) -> _Work:
    """What one work's rows are made of."""
    kind = chance.choice(list(samples))
    language = chance.choice(LANGUAGES)
    words = SUBJECTS.get(base_language(language), SUBJECTS["en"])
    joined = "" if language.startswith("zh") else " "
    title = joined.join(chance.sample(words, 3)) + f"{joined}{chance.randrange(10_000)}"
    brief = samples[kind].model_copy(update={"title": title, "language": language, "prompt": _prompt(chance, words)})
    tags = chance.sample(TAGS[:-1], chance.randrange(3)) + (["rare"] if chance.random() < 0.001 else [])
    by = MadeBy(model=chance.choice(MODELS))
    by = by if by.model else MadeBy(recipe=f"{kind.name}/1")
    usage = _usage(chance, by)
    job = _job(brief, by, usage, tags)
    artifact = _artifact(brief, by, job)
    return _Work(job, artifact, words_of(_with(ArtifactRow(), artifact), job["brief"]), usage, sha256)


def _prompt(chance: random.Random, words: Sequence[str]) -> str:
    return " ".join(chance.choice(words) for _ in range(24)) + " with a calm ground and one strong motif"


def _usage(chance: random.Random, by: MadeBy) -> Usage:
    wall = chance.uniform(20, 900)
    if by.prepared:
        return Usage(steps=4, wall_s=wall, tool_s=wall * 0.7, inspect_s=wall * 0.2)
    prompt = chance.randrange(20_000, 400_000)
    calls = CapabilityUse(calls=20, outside=chance.randrange(4), files=12, computation=chance.randrange(12))
    return Usage(
        steps=chance.randrange(5, 60),
        prompt_tokens=prompt,
        completion_tokens=prompt // 12,
        environment_tokens=prompt // 3,
        wall_s=wall,
        model_s=wall * 0.6,
        tool_s=wall * 0.3,
        inspect_s=wall * 0.05,
        peak_memory_bytes=chance.randrange(80, 900) << 20,
        capabilities=calls,
    )


def _add(session: Session, works: Sequence[_Work]) -> None:
    rows: dict[type[Any], list[dict[str, Any]]] = {
        table: [] for table in (JobRow, JobTagRow, JobFileRow, ArtifactRow, ArtifactWordsRow, JobFiguresRow)
    }
    counts: Counter[tuple[str, str, str]] = Counter()
    for work in works:
        own = {"id": new_id(), "content_token": secrets.token_hex(20)}
        job = {**work.job, **own}
        artifact = {**work.artifact, "id": new_id(), "job_id": job["id"], "share_token": secrets.token_urlsafe(24)}
        rows[JobRow].append(job)
        rows[ArtifactRow].append(artifact)
        rows[JobTagRow] += [{"tag": tag, "job_id": job["id"]} for tag in job["tags"]]
        rows[JobFileRow] += _files(job["id"], artifact["entry"], work.sha256)
        rows[ArtifactWordsRow].append({"artifact_id": artifact["id"], "words": work.words, "complete": True})
        rows[JobFiguresRow].append(figures_of(_with(JobRow(), job), work.usage))
        facets = facets_of(artifact["kind"], artifact["model"], artifact["base_language"], artifact["tags"])
        counts.update((audience, *facet) for facet in facets for audience in ("operators", "everyone"))
    for table, values in rows.items():
        if values:
            session.execute(insert(table), values)
    for (audience, field, value), number in counts.items():
        known = session.get(GalleryCountRow, (audience, field, value))
        if known is None:
            session.add(GalleryCountRow(audience=audience, field=field, value=value, number=number))
        else:
            known.number += number


def _with(row: Row, values: Mapping[str, Any]) -> Row:
    """The row with these values."""
    for name, value in values.items():
        setattr(row, name, value)
    return row


def _job(brief: Brief, by: MadeBy, usage: Usage, tags: list[str]) -> dict[str, Any]:
    moment = now()
    return {
        "kind": brief.kind,
        "title": brief.title,
        "state": "published",
        "reason": None,
        "message": "",
        "attempt": 1,
        "lost": 0,
        "fence": 1,
        "last_seq": 9,
        "caller": "bench",
        "made_by": by.model_dump(mode="json"),
        "brief": brief.model_dump(mode="json"),
        "run": {},
        "usage": usage.model_dump(mode="json"),
        "report": Report(kind=brief.kind, verdict="accept", checks=[]).model_dump(mode="json", by_alias=True),
        "tags": tags,
        "variant": 1,
        "purpose": "make",
        "version": 1,
        "commands": 5,
        "failed_commands": 1,
        "submissions": 1 + usage.steps % 3 // 2,
        "created_at": moment - timedelta(seconds=60),
        "queued_at": moment - timedelta(seconds=60),
        "sends": 1,
        "started_at": moment - timedelta(seconds=50),
        "finished_at": moment,
    }


def _artifact(brief: Brief, by: MadeBy, job: Mapping[str, Any]) -> dict[str, Any]:
    kind = all_kinds()[brief.kind]
    return {
        "kind": brief.kind,
        "title": brief.title,
        "prompt": brief.prompt,
        "language": brief.language,
        "base_language": base_language(brief.language),
        "model": by.model or "recipe",
        "entry": kind.entry_of(brief),
        "text_equivalent": kind.text_equivalent_of(brief),
        "tags": job["tags"],
        "visibility": "public",
        "stars": 0,
        "title_key": sort_key(brief.title),
        "created_at": job["finished_at"],
        "hidden_at": None,
    }


def _files(job_id: str, entry: str, sha256: str) -> Iterator[dict[str, Any]]:
    for role, path in (("output", entry), ("preview", "thumbnail.svg")):
        yield {
            "job_id": job_id,
            "role": role,
            "path": path,
            "media_type": "image/svg+xml",
            "bytes": len(_PICTURE),
            "sha256": sha256,
            "width": 420,
            "height": 594,
        }
