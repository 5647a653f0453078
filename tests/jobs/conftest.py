"""A data directory with its database, and requests for posters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from pydantic import SecretStr

from studio import jobs
from studio.database import Database, open_database
from studio.jobs import JobView
from studio.settings import Settings
from tests.jobs.making import request_for

Make: TypeAlias = Callable[..., JobView]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", openai_api_key=SecretStr("sk-not-a-real-key-1234"), max_steps=100)


@pytest.fixture
def db(settings: Settings) -> Database:
    database = open_database(settings)
    database.migrate()
    return database


@pytest.fixture
def make(db: Database, settings: Settings) -> Make:
    """Makes queued jobs."""

    def create(title: str = "A poster", **more: object) -> JobView:
        return jobs.create(db, request_for(title, **more), settings, caller="test")

    return create
