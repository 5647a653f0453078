"""The database: migrations, transactions, types."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from pydantic import SecretStr
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import IntegrityError

from studio.database import Database, alone, new_id, open_database
from studio.database.base import Base
from studio.database.gallery_tables import is_of_an_index
from studio.database.tables import EventRow, UploadRow
from studio.errors import ConfigurationError
from studio.settings import Settings
from tests.conftest import BOTH, EMBEDDED, Stores
from tests.support.servers import Postgres


@pytest.fixture
def db(tmp_path: Path, stores: Stores) -> Iterator[Database]:
    database = Database(stores.get("database_url") or f"sqlite:///{tmp_path / 'made' / 'studio.sqlite3'}")
    database.migrate()
    yield database
    database.close()


@pytest.fixture(params=BOTH)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    if request.param == EMBEDDED:
        return f"sqlite:///{tmp_path / 'studio.sqlite3'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.empty()


def upload(name: str = "a.png", created_at: datetime | None = None) -> UploadRow:
    return UploadRow(id=new_id(), name=name, size=3, sha256="0" * 64, created_at=created_at or datetime.now(UTC))


def test_migrations_make_just_the_tables_that_the_code_describes(db: Database) -> None:
    with db.engine.connect() as connection:
        own = {"compare_type": True, "include_name": lambda name, kind, parents: not is_of_an_index(name)}
        context = MigrationContext.configure(connection, opts=own)
        assert compare_metadata(context, Base.metadata) == []


def test_migrating_again_keeps_everything(db: Database) -> None:
    with db.session() as session:
        session.add(upload("kept.png"))
    db.migrate()
    with db.reading() as session:
        assert session.scalars(select(UploadRow.name)).all() == ["kept.png"]


def test_processes_that_start_at_once_migrate_once(empty: str) -> None:
    program = "import sys; from studio.database import Database; Database(sys.argv[1]).migrate()"
    started = [
        subprocess.Popen([sys.executable, "-c", program, empty], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    outcomes = [(process.communicate()[1], process.returncode) for process in started]
    assert [code for _, code in outcomes] == [0, 0, 0], outcomes
    made = Database(empty)
    assert "jobs" in inspect(made.engine).get_table_names()
    made.close()


def test_many_threads_that_read_and_then_write_all_succeed(db: Database) -> None:
    with db.session() as session:
        row = upload("0")
        session.add(row)
    failures: list[Exception] = []

    def count_up() -> None:
        try:
            for _ in range(10):
                with db.session() as session:
                    found = session.get_one(UploadRow, row.id, with_for_update=True)
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


def test_a_reader_sees_one_state_throughout(db: Database) -> None:
    with db.reading() as reading:
        assert reading.scalars(select(UploadRow)).all() == []
        with db.session() as writing:
            writing.add(upload())
        assert reading.scalars(select(UploadRow)).all() == []


def test_what_follows_from_many_rows_is_decided_by_one_writer_at_a_time(db: Database) -> None:
    """Twelve writers add a row only while there are fewer than three."""

    def add() -> None:
        with db.session() as session:
            alone(session, "uploads")
            if len(session.scalars(select(UploadRow.id)).all()) < 3:
                session.add(upload())

    threads = [threading.Thread(target=add) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with db.reading() as session:
        assert len(session.scalars(select(UploadRow.id)).all()) == 3


def test_a_text_with_a_zero_byte_is_stored_without_it_or_whole(db: Database) -> None:
    row = upload("a\0b.png")
    with db.session() as session:
        session.add(row)
    with db.reading() as session:
        assert session.get_one(UploadRow, row.id).name in ("a\0b.png", "a\ufffdb.png")
        assert session.get(UploadRow, "no\0id") is None


@pytest.mark.parametrize("url", ["mysql://studio@host/studio", "postgresql", "studio.sqlite3"])
def test_an_address_of_another_database_is_refused_with_the_setting_named(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="STUDIO_DATABASE_URL"):
        open_database(Settings(data_dir=tmp_path, database_url=url))


def test_the_password_may_stand_apart_from_the_address(tmp_path: Path) -> None:
    settings = Settings(
        data_dir=tmp_path, database_url="postgres://studio@db.example/studio", database_password=SecretStr("a/b@c")
    )
    database = open_database(settings)
    assert database.url.password == "a/b@c"
    assert database.url.host == "db.example"
    assert "a/b@c" not in repr(settings)
    assert "a/b@c" in settings.secrets


@pytest.mark.parametrize("stores", [EMBEDDED], indirect=True)
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
