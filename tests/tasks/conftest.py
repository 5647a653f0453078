"""A data directory with short leases, its database, and its background processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.database import Database, open_database
from studio.settings import Settings
from tests.tasks.making import House


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", lease_s=3.0, heartbeat_s=0.5, sweep_s=0.5)


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def house(settings: Settings, db: Database) -> Iterator[House]:
    found = House(settings)
    yield found
    found.end()
