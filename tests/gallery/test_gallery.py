"""The gallery: publishing, lists and filters, and what a page costs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import event

from studio import gallery, jobs
from studio.database import Database, open_database
from studio.errors import BriefError, NotFound
from studio.gallery import Wanted
from studio.jobs import JobEnd
from studio.settings import Settings
from tests.conftest import EMBEDDED
from tests.gallery.conftest import FILES, REPORT, Publish
from tests.jobs.making import claimed, request_for


def test_publishing_shows_artifact_report_files_and_state_together(db: Database, publish: Publish) -> None:
    artifact = gallery.get(db, publish("Spring fair", prompt="Please!", tags=["fair"]))
    job = jobs.get(db, artifact.job_id)
    assert (job.state, job.artifact, job.reason) == ("published", artifact.id, None)
    assert (artifact.title, artifact.kind, artifact.tags) == ("Spring fair", "poster", ["fair"])
    assert artifact.report == REPORT
    assert artifact.entry == "poster.svg"
    assert [file.path for file in artifact.files] == ["poster.svg"]
    assert artifact.previews == [FILES[2]]
    assert [file.path for file in jobs.scripts(db, job.id)] == ["make.py"]
    assert artifact.made_by.prepared
    assert artifact.usage is not None
    assert artifact.content_token == job.content_token
    assert gallery.by_token(db, job.content_token).id == artifact.id


def test_what_is_not_published_is_not_shown(db: Database, settings: Settings) -> None:
    job = jobs.create(db, request_for(), settings, caller="test")
    with pytest.raises(NotFound):
        gallery.by_token(db, job.content_token)
    jobs.finish(db, claimed(db, job), JobEnd("rejected", "checks_failed", files=FILES))
    with pytest.raises(NotFound):
        gallery.by_token(db, job.content_token)
    assert gallery.list_artifacts(db).data == []
    assert jobs.by_token(db, job.content_token).state == "rejected"
    with pytest.raises(NotFound):
        gallery.get(db, "nothing")


def test_filters(db: Database, publish: Publish) -> None:
    fair = publish("Spring Fair", prompt="Flowers, 100% paper", tags=["a"])
    talk = publish("会议", prompt="人工智能", language="zh-Hans", tags=["a", "b"])
    paid = publish("Concert", language="EN-gb", run={"model": "openai:some-model"})

    def ids(**wanted: str) -> list[str]:
        return [item.id for item in gallery.list_artifacts(db, Wanted(**wanted)).data]  # type: ignore[arg-type]

    assert ids() == [paid, talk, fair]
    assert ids(kind="poster") == [paid, talk, fair]
    assert ids(kind="sculpture") == []
    assert ids(model="recipe") == [talk, fair]
    assert ids(model="openai:some-model") == [paid]
    assert ids(language="zh") == ids(language="ZH-hans") == [talk]
    assert ids(language="zh-Hant") == []
    assert ids(language="en") == [paid, fair]
    assert ids(tag="a") == [talk, fair]
    assert ids(tag="b", language="zh", model="recipe", kind="poster") == [talk]
    assert ids(q="fair flowers") == [fair]
    assert ids(q="FAIR") == [fair]
    assert ids(q="智能") == [talk]
    assert ids(q="100%") == [fair]
    assert ids(q="1%0") == ids(q="_pring") == []


def test_pages_show_each_work_once_with_its_preview(db: Database, publish: Publish) -> None:
    made = [publish(f"Poster {number}", tags=["t"]) for number in range(5)]
    for tag in (None, "t"):
        first = gallery.list_artifacts(db, Wanted(tag=tag), limit=3)
        second = gallery.list_artifacts(db, Wanted(tag=tag), limit=3, cursor=first.next_cursor)
        assert [item.id for item in first.data + second.data] == made[::-1]
        assert second.next_cursor is None
        assert all(item.previews == [FILES[2]] for item in first.data)
    with pytest.raises(BriefError, match="next_cursor"):
        gallery.list_artifacts(db, cursor="../../etc")


def cost(db: Database, ask: Callable[[], Any]) -> int:
    """How many hundred steps SQLite's virtual machine takes for `ask`: a cost that no load of the machine changes."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    def watch(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(count, 100)

    event.listen(db.engine, "checkout", watch)
    ask()
    event.remove(db.engine, "checkout", watch)
    return steps


@pytest.mark.parametrize("stores", [EMBEDDED], indirect=True)  # the cost is counted in SQLite's steps
def test_a_page_costs_the_same_when_there_is_much_more(db: Database, settings: Settings, publish: Publish) -> None:
    questions: list[Callable[[], Any]] = [
        lambda: gallery.list_artifacts(db),
        lambda: gallery.list_artifacts(db, Wanted(kind="poster", model="recipe", language="en", tag="t")),
        lambda: gallery.list_artifacts(db, Wanted(tag="t")),
        lambda: gallery.list_artifacts(db, Wanted(q="poster")),
        lambda: gallery.list_artifacts(db, sort="title"),
        lambda: gallery.list_artifacts(db, Wanted(kind="poster"), sort="stars"),
        lambda: gallery.list_artifacts(db, Wanted(model="openai:none")),
        lambda: gallery.list_artifacts(db, Wanted(language="fr")),
        lambda: jobs.list_jobs(db, state="published", tag="t"),
        lambda: jobs.list_jobs(db, state=["published", "rejected"]),
        lambda: jobs.list_jobs(db, state="queued"),
    ]
    for number in range(60):
        publish(f"Poster {number}", tags=["t"])
    db.tidy()
    before = [cost(db, question) for question in questions]
    multiply(settings, 40)
    db.tidy()
    after = [cost(db, question) for question in questions]
    assert len(gallery.list_artifacts(db).data) == 24
    assert all(late <= 2 * early + 5 for early, late in zip(before, after, strict=True)), (before, after)


def multiply(settings: Settings, times: int) -> None:
    """Copy every job and artifact `times` times, under older ids."""
    db = open_database(settings)
    tables = {
        "jobs": ("id", "content_token"),
        "artifacts": ("id", "job_id"),
        "job_tags": ("job_id",),
        "artifact_words": ("artifact_id",),
        "job_files": ("job_id",),
    }
    with db.session() as session:
        connection = session.connection()
        rows = {name: connection.exec_driver_sql(f"SELECT * FROM {name}").mappings().all() for name in tables}
        for turn in range(times):
            for name, changed in tables.items():
                copies = [{**row, **{key: f"00{turn:04x}{row[key][6:]}" for key in changed}} for row in rows[name]]
                for copy in copies:
                    copy.pop("number", None)
                columns = ", ".join(copies[0])
                marks = ", ".join(f":{key}" for key in copies[0])
                connection.exec_driver_sql(f"INSERT INTO {name} ({columns}) VALUES ({marks})", copies)
        connection.exec_driver_sql(f"UPDATE gallery_counts SET number = number * {times + 1}")
    db.close()
