"""A database and a blob store of their own for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.blobs import Blobs, open_blobs
from studio.database import Database, open_database
from studio.settings import Settings
from tests.conftest import Stores


@pytest.fixture
def settings(tmp_path: Path, stores: Stores) -> Settings:
    return Settings.model_validate({"data_dir": tmp_path / "data", "batch_window": 4, **stores})


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def blobs(settings: Settings) -> Blobs:
    return open_blobs(settings)
