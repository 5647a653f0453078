"""The database: migrations, transactions, types."""

from __future__ import annotations

import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import IntegrityError

from studio.database import Database, new_id
from studio.database.tables import Base, EventRow, UploadRow


@pytest.fixture
def db(tmp_path: Path) -> Database:
    database = Database(f"sqlite:///{tmp_path / 'made' / 'studio.sqlite3'}")
    database.migrate()
    return database


def upload(name: str = "a.png", created_at: datetime | None = None) -> UploadRow:
    return UploadRow(id=new_id(), name=name, size=3, sha256="0" * 64, created_at=created_at or datetime.now(UTC))


def test_migrations_make_just_the_tables_that_the_code_describes(db: Database) -> None:
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_migrating_again_keeps_everything(db: Database) -> None:
    with db.session() as session:
        session.add(upload("kept.png"))
    db.migrate()
    with db.reading() as session:
        assert session.scalars(select(UploadRow.name)).all() == ["kept.png"]


def test_processes_that_start_at_once_migrate_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'studio.sqlite3'}"
    program = "import sys; from studio.database import Database; Database(sys.argv[1]).migrate()"
    started = [
        subprocess.Popen([sys.executable, "-c", program, url], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    outcomes = [(process.communicate()[1], process.returncode) for process in started]
    assert [code for _, code in outcomes] == [0, 0, 0], outcomes
    assert "jobs" in inspect(Database(url).engine).get_table_names()


def test_many_threads_that_read_and_then_write_all_succeed(db: Database) -> None:
    with db.session() as session:
        row = upload("0")
        session.add(row)
    failures: list[Exception] = []

    def count_up() -> None:
        try:
            for _ in range(10):
                with db.session() as session:
                    found = session.get_one(UploadRow, row.id)
                    found.size += 1
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=count_up) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with db.reading() as session:
        assert session.get_one(UploadRow, row.id).size == 3 + 60


def test_a_reader_waits_for_no_writer_and_sees_nothing_uncommitted(db: Database) -> None:
    with db.session() as writing:
        writing.add(upload())
        writing.flush()
        with db.reading() as reading:
            assert reading.scalars(select(UploadRow)).all() == []
    with db.reading() as reading:
        assert len(reading.scalars(select(UploadRow)).all()) == 1


def test_a_block_that_raises_leaves_nothing(db: Database) -> None:
    def write_and_fail() -> None:
        with db.session() as session:
            session.add(upload())
            session.flush()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    with db.reading() as session:
        assert session.scalars(select(UploadRow)).all() == []


def test_foreign_keys_hold(db: Database) -> None:
    with pytest.raises(IntegrityError), db.session() as session:
        session.add(EventRow(job_id=new_id(), seq=1, type="note", body="{}"))


def test_an_sqlite_database_uses_the_write_ahead_log(db: Database) -> None:
    with db.reading() as session:
        assert session.scalar(text("PRAGMA journal_mode")) == "wal"
        assert session.scalar(text("PRAGMA busy_timeout")) >= 10_000


def test_an_sqlite_database_is_nobody_elses_to_read(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'studio.db'}")
    database.migrate()
    with database.session() as session:
        session.execute(text("SELECT 1"))
        assert {file.stat().st_mode & 0o777 for file in (tmp_path / "studio.db", tmp_path / "studio.db-wal")} == {0o600}


def test_moments_come_back_in_utc(db: Database) -> None:
    there = datetime(2026, 3, 15, 9, 0, tzinfo=timezone(timedelta(hours=8)))
    row = upload(created_at=there)
    with db.session() as session:
        session.add(row)
    with db.reading() as session:
        found = session.get_one(UploadRow, row.id).created_at
        assert found == there
        assert found.utcoffset() == timedelta(0)
        assert session.scalars(select(UploadRow).where(UploadRow.created_at < there + timedelta(seconds=1))).all()


def test_a_moment_without_a_zone_is_refused(db: Database) -> None:
    with pytest.raises(Exception, match="time zone"), db.session() as session:
        session.add(upload(created_at=datetime(2026, 3, 15)))  # noqa: DTZ001


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(ValueError, match="must be a file"):
        Database("sqlite://")


def test_ids_sort_by_time() -> None:
    ids = [new_id() for _ in range(500)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 500
