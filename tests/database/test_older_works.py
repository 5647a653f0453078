"""A database of an earlier version: its works are found, and its jobs counted, as soon as it is brought up to date."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import JSON, column, table

from studio import gallery
from studio.database import Database
from studio.database.types import UtcDateTime
from studio.figures import figures
from studio.gallery import Wanted
from tests.conftest import BOTH, EMBEDDED
from tests.support.servers import Postgres

MOMENT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
BRIEF = {
    "kind": "poster",
    "title": "港湾音乐会",
    "prompt": "Lanterns",
    "language": "zh-Hans",
    "params": {"event": {"venue": "Old Hall"}},
}
USAGE = {"steps": 7, "prompt_tokens": 100, "completion_tokens": 20, "wall_s": 9.0, "tool_s": 3.0}


@pytest.fixture(params=BOTH)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """A database as it was before works were indexed, with one job and its work."""
    if request.param == EMBEDDED:
        db = Database(f"sqlite:///{tmp_path / 'studio.sqlite3'}")
    else:
        server: Postgres = request.getfixturevalue("postgres")
        db = Database(server.empty())
    config = Config()
    config.set_main_option("script_location", "studio.database:migrations")
    with db.engine.connect() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0005")
        connection.commit()
    fill(db)
    return db


def fill(db: Database) -> None:
    job = {
        "id": "019c0000-0000-7000-8000-000000000001", "kind": "poster", "title": BRIEF["title"], "state": "published",
        "message": "", "attempt": 2, "lost": 0, "fence": 1, "last_seq": 9, "caller": "a", "made_by": {"model": "big"},
        "brief": BRIEF, "run": {}, "usage": USAGE, "tags": ["夜", "music"], "version": 1, "content_token": "t" * 40,
        "created_at": MOMENT, "queued_at": MOMENT, "finished_at": MOMENT, "sends": 1,
    }  # fmt: skip
    artifact = {
        "id": "019c0000-0000-7000-8000-000000000002", "job_id": job["id"], "kind": "poster", "title": BRIEF["title"],
        "prompt": BRIEF["prompt"], "language": "zh-Hans", "base_language": "zh", "model": "big",
        "entry": "poster.svg", "text_equivalent": "design_specs.md", "created_at": MOMENT,
    }  # fmt: skip
    events = [
        ("job.started", {}), ("tool.result", {"exit_status": 1}), ("report", {}), ("job.started", {}),
        ("tool.result", {"exit_status": 0}), ("tool.result", {"exit_status": None}),
        ("tool.result", {"exit_status": None, "timed_out": True}), ("report", {}), ("report", {}),
    ]  # fmt: skip
    types = {name: JSON() for name in ("made_by", "brief", "run", "usage", "tags")}
    types |= {name: UtcDateTime() for name in ("created_at", "queued_at", "finished_at")}  # type: ignore[dict-item]
    with db.session() as session:
        for name, row in (("jobs", job), ("artifacts", artifact)):
            session.execute(table(name, *(column(key, types.get(key)) for key in row)).insert(), [row])
        tags = table("artifact_tags", column("tag"), column("artifact_id"))
        session.execute(tags.insert(), [{"tag": tag, "artifact_id": artifact["id"]} for tag in ("夜", "music")])
        kept = table("events", *map(column, ("job_id", "seq", "type", "body")))
        rows = [{"type": kind, "body": json.dumps(body)} for kind, body in events]
        session.execute(kept.insert(), [{**row, "job_id": job["id"], "seq": seq} for seq, row in enumerate(rows, 1)])


def test_they_are_found_and_counted(old: Database) -> None:
    old.migrate()
    for wanted in (
        Wanted(), Wanted(q="音乐"), Wanted(q="hall"), Wanted(q="lanterns"), Wanted(q="夜"), Wanted(tag="music"),
        Wanted(language="zh"), Wanted(language="zh-hans", made="model", model="big"),
    ):  # fmt: skip
        assert [item.title for item in gallery.list_artifacts(old, wanted).data] == ["港湾音乐会"], wanted
    (view,) = gallery.list_artifacts(old, sort="title").data
    assert (view.tags, view.visibility, view.stars) == (["夜", "music"], "operators", 0)
    assert gallery.list_artifacts(old, Wanted(audience="everyone")).data == []
    facets = gallery.facets(old)
    assert (facets.total, {facet.value for facet in facets.tag}) == (1, {"夜", "music"})
    gallery.retag(old, view.id, ["new"], caller="op")
    assert [facet.value for facet in gallery.facets(old).tag] == ["new"]
    (big,) = figures(old).models
    assert (big.jobs, big.accepted_repaired, big.turns, big.tokens) == (1, 1, 7, 120)
    assert (big.commands, big.failed_commands) == (2, 1), "of the last computer alone"
    old.close()
