"""A data directory, its database, and its background processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.database import Database, open_database
from studio.settings import Settings
from tests.conftest import Stores
from tests.tasks.making import House


@pytest.fixture
def settings(tmp_path: Path, stores: Stores) -> Settings:
    return Settings.model_validate(
        {"data_dir": tmp_path / "data", "lease_s": 60.0, "heartbeat_s": 1.0, "sweep_s": 0.5, **stores}
    )


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


@pytest.fixture
def hasty_house(settings: Settings, db: Database) -> Iterator[House]:
    """One whose leases run out soon: for what comes after a worker's death."""
    found = House(settings.model_copy(update={"lease_s": 8.0}))
    yield found
    found.end()
