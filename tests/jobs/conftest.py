"""A data directory with its database, and requests for posters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from studio import jobs
from studio.database import Database, open_database
from studio.jobs import JobView
from studio.settings import Settings
from tests.conftest import Stores
from tests.jobs.making import request_for

Make: TypeAlias = Callable[..., JobView]


@pytest.fixture
def settings(tmp_path: Path, stores: Stores) -> Settings:
    known = {"data_dir": tmp_path / "data", "openai_api_key": "sk-not-a-real-key-1234", "max_steps": 100}
    return Settings.model_validate({**known, **stores})


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def make(db: Database, settings: Settings) -> Make:
    """Makes queued jobs."""

    def create(title: str = "A poster", **more: object) -> JobView:
        return jobs.create(db, request_for(title, **more), settings, caller="test")

    return create
