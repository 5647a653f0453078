"""The connection to the database: transactions that write, transactions that read, and the migrations' lock."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session

from studio.database.postgres import CONNECTING, DRIVER, prepare
from studio.database.types import to_json
from studio.errors import ConfigurationError
from studio.settings import Settings

BUSY_MS = 30_000
ANALYZED_ROWS = 400
MIGRATION_LOCK = 7_361_548_021  # any constant number, for pg_advisory_lock
WRITES = "studio_writes"


class Database:
    """One database by its SQLAlchemy URL; a process makes one and hands it down.

    SQLite runs in WAL mode. A transaction that may write takes the write lock at its start (`BEGIN IMMEDIATE`): one
    that reads first and writes later would fail at once where another has written in between, without waiting.
    PostgreSQL lets writers run side by side: a transaction that writes what follows from what it has read locks that
    row first (`with_for_update`), or, where it is no single row, its subject (`alone`).
    """

    def __init__(self, url: str | URL) -> None:
        self.url = make_url(url)
        self.sqlite_file = self._sqlite_file()
        options: dict[str, Any] = {"pool_size": 8, "max_overflow": 24, "json_serializer": to_json}
        if self.sqlite_file:
            _make_file(self.sqlite_file)
            options["max_overflow"] = 248  # a connection is an open file: as many as a process has threads
            options["connect_args"] = {"timeout": BUSY_MS / 1000, "check_same_thread": False}
        else:
            options |= {"pool_pre_ping": True, "connect_args": CONNECTING}
        self.engine = create_engine(self.url, **options)
        self._reading = self.engine
        if self.sqlite_file:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
        else:
            event.listen(self.engine, "connect", prepare)
            # By default each statement sees a state of its own.
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._writing = self.engine.execution_options(**{WRITES: True})

    def _sqlite_file(self) -> Path | None:
        if self.url.get_backend_name() != "sqlite":
            return None
        if not self.url.database or self.url.database == ":memory:":
            raise ValueError("an SQLite database must be a file: several processes share it")
        return Path(self.url.database)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A transaction that may write: committed at the end of the block, rolled back when it raises."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that only reads, from one consistent state; it waits for no writer."""
        with Session(self._reading, expire_on_commit=False) as session:
            yield session

    def migrate(self) -> None:
        """Bring the tables to this version. Safe when several processes start at once: they wait for each other."""
        with self._migration_lock(), self._writing.connect() as connection:
            config = Config()
            config.set_main_option("script_location", "studio.database:migrations")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()

    @contextmanager
    def _migration_lock(self) -> Iterator[None]:
        if self.sqlite_file:
            with self.sqlite_file.with_name(f"{self.sqlite_file.name}.migrating").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
            return
        with self.engine.connect() as connection:
            connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
            try:
                yield
            finally:
                connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})

    def tidy(self) -> None:
        """Let SQLite count its tables anew (milliseconds), by which it chooses indexes; PostgreSQL does it itself."""
        if self.sqlite_file:
            with self._writing.begin() as connection:
                connection.exec_driver_sql(f"PRAGMA analysis_limit = {ANALYZED_ROWS}")
                connection.exec_driver_sql("ANALYZE")

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def _prepare_sqlite(connection: Any, record: object) -> None:
    connection.isolation_level = None  # BEGIN is ours, see _begin_sqlite
    for pragma in (
        f"busy_timeout = {BUSY_MS}",
        "journal_mode = WAL",
        "synchronous = FULL",  # an event is durable when its commit returns, a power cut included
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def open_database(settings: Settings) -> Database:
    """The database of these settings; an SQLite file in the data directory by default. Does not migrate it.

    Raises ConfigurationError for an address that is neither SQLite's nor PostgreSQL's.
    """
    if not settings.database_url:
        return Database(f"sqlite:///{settings.data_dir / 'studio.sqlite3'}")
    try:
        url = make_url(settings.database_url)
    except ArgumentError:
        url = None
    if url is None or url.get_backend_name() not in ("sqlite", "postgresql", "postgres"):
        raise ConfigurationError(
            "STUDIO_DATABASE_URL: give postgresql://USER@HOST/NAME, or sqlite:////FOLDER/FILE, or nothing for a file "
            "in the data directory"
        )
    if url.get_backend_name() != "sqlite":
        url = url.set(drivername=DRIVER)
        if settings.database_password:
            url = url.set(password=settings.database_password.get_secret_value())
    return Database(url)


def _make_file(file: Path) -> None:
    """An empty database that nobody else on this machine may read; SQLite gives its log the same mode."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise ConfigurationError(f"STUDIO_DATA_DIR: {file.parent} cannot be written: {error.strerror}") from None
