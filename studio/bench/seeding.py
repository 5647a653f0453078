"""Many works put into a database at once, for measurements: rows as publishing leaves them, without the jobs' work.

It goes into the database that it is given, which has to be one of the measurement's own.
"""

from __future__ import annotations

import io
import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any

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
from studio.kinds import all_kinds
from studio.trajectory import CapabilityUse, MadeBy, Usage, now

AT_ONCE = 1000
MODELS = ("openai/large-1", "openai/small-1", "local/open-7b", None, None)
LANGUAGES = ("en", "en-GB", "zh-Hans", "fr", "ar", "de")
TAGS = ("harbour", "school", "concert", "family", "science", "travel", "market", "rare")
SUBJECTS = {
    "en": ("Harbour", "Concert", "Spring", "Night", "Market", "River", "Lantern", "Orchard", "Winter", "Festival"),
    "zh": ("港湾", "音乐会", "春天", "夜晚", "市集", "河流", "灯笼", "果园", "冬天", "节日"),
}
_PICTURE = b"<svg xmlns='http://www.w3.org/2000/svg' width='420' height='594'><path d='M0 0h420v594H0z'/></svg>"


def seed(db: Database, blobs: Blobs, count: int, say: Callable[[str], None], random_seed: int = 7) -> None:
    """Add `count` works, all public, the same ones for the same `random_seed`; then count the tables anew."""
    chance = random.Random(random_seed)  # noqa: S311  # no secret
    sha256 = _stored(blobs)
    done = 0
    while done < count:
        some = min(AT_ONCE, count - done)
        with db.session() as session:
            _add(session, [_work(chance, sha256) for _ in range(some)])
        done += some
        if done % 20_000 == 0:
            say(f"{done:,} works")
    db.tidy()


def _stored(blobs: Blobs) -> str:
    return blobs.put_stream(io.BytesIO(_PICTURE))[0]


def _work(chance: random.Random, sha256: str) -> dict[str, Any]:
    """One work's rows by their tables."""
    kind = chance.choice([kind for kind in all_kinds().values() if kind.samples()])
    language = chance.choice(LANGUAGES)
    words = SUBJECTS.get(base_language(language), SUBJECTS["en"])
    joined = "" if language.startswith("zh") else " "
    title = joined.join(chance.sample(words, 3)) + f"{joined}{chance.randrange(10_000)}"
    sample = kind.samples()[0].brief
    brief = sample.model_copy(update={"title": title, "language": language, "prompt": _prompt(chance, words)})
    tags = chance.sample(TAGS[:-1], chance.randrange(3)) + (["rare"] if chance.random() < 0.001 else [])
    by = MadeBy(model=chance.choice(MODELS))
    by = by if by.model else MadeBy(recipe=f"{kind.name}/1")
    return {"brief": brief, "tags": tags, "by": by, "usage": _usage(chance, by), "sha256": sha256}


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


def _add(session: Session, works: Sequence[dict[str, Any]]) -> None:
    rows: dict[type[Any], list[dict[str, Any]]] = {
        table: [] for table in (JobRow, JobTagRow, JobFileRow, ArtifactRow, ArtifactWordsRow, JobFiguresRow)
    }
    counts: Counter[tuple[str, str, str]] = Counter()
    for work in works:
        job, artifact = _job(work), ArtifactRow()
        for name, value in _artifact(work, job).items():
            setattr(artifact, name, value)
        rows[JobRow].append(_columns(job))
        rows[ArtifactRow].append(_columns(artifact))
        rows[JobTagRow] += [{"tag": tag, "job_id": job.id} for tag in work["tags"]]
        rows[JobFileRow] += list(_files(job.id, artifact.entry, work["sha256"]))
        words = words_of(artifact, job.brief)
        rows[ArtifactWordsRow].append({"artifact_id": artifact.id, "words": words, "complete": True})
        rows[JobFiguresRow].append(figures_of(job, work["usage"]))
        for field, value in facets_of(artifact.kind, artifact.model, artifact.base_language, artifact.tags):
            counts.update({("operators", field, value): 1, ("everyone", field, value): 1})
    for table, values in rows.items():
        if values:
            session.execute(insert(table), values)
    for (audience, field, value), number in counts.items():
        known = session.get(GalleryCountRow, (audience, field, value))
        if known is None:
            session.add(GalleryCountRow(audience=audience, field=field, value=value, number=number))
        else:
            known.number += number


def _columns(row: Any) -> dict[str, Any]:
    """What is set of a row's columns."""
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


def _job(work: dict[str, Any]) -> JobRow:
    brief: Brief = work["brief"]
    moment = now()
    return JobRow(
        id=new_id(),
        kind=brief.kind,
        title=brief.title,
        state="published",
        reason=None,
        message="",
        attempt=1,
        lost=0,
        fence=1,
        last_seq=9,
        caller="bench",
        made_by=work["by"].model_dump(mode="json"),
        brief=brief.model_dump(mode="json"),
        run={},
        usage=work["usage"].model_dump(mode="json"),
        report=Report(kind=brief.kind, verdict="accept", checks=[]).model_dump(mode="json", by_alias=True),
        tags=work["tags"],
        variant=1,
        purpose="make",
        version=1,
        commands=5,
        failed_commands=1,
        submissions=1 + work["usage"].steps % 3 // 2,
        content_token=secrets.token_hex(20),
        created_at=moment - timedelta(seconds=60),
        queued_at=moment - timedelta(seconds=60),
        sends=1,
        started_at=moment - timedelta(seconds=50),
        finished_at=moment,
    )


def _artifact(work: dict[str, Any], job: JobRow) -> dict[str, Any]:
    brief: Brief = work["brief"]
    kind = all_kinds()[brief.kind]
    return {
        "id": new_id(),
        "job_id": job.id,
        "kind": brief.kind,
        "title": brief.title,
        "prompt": brief.prompt,
        "language": brief.language,
        "base_language": base_language(brief.language),
        "model": work["by"].model or "recipe",
        "entry": kind.entry_of(brief),
        "text_equivalent": kind.text_equivalent_of(brief),
        "tags": work["tags"],
        "visibility": "public",
        "share_token": secrets.token_urlsafe(24),
        "stars": 0,
        "title_key": sort_key(brief.title),
        "created_at": job.finished_at,
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
