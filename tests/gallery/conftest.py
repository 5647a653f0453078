"""A gallery with a way to hang works into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from studio import gallery, jobs
from studio.contract import Report
from studio.database import Database, open_database
from studio.jobs import FileView, JobEnd
from studio.settings import Settings
from studio.trajectory import Usage
from tests.conftest import Stores
from tests.jobs.making import claimed, request_for

Publish: TypeAlias = Callable[..., str]

FILES = (
    FileView(path="poster.svg", media_type="image/svg+xml", bytes=3, sha256="a" * 64),
    FileView(path="make.py", media_type="text/x-python", bytes=4, sha256="b" * 64, role="script"),
    FileView(
        path="thumbnail.webp", media_type="image/webp", bytes=5, sha256="c" * 64, role="preview", width=6, height=7
    ),
)
REPORT = Report(kind="poster", verdict="accept", checks=[], facts={"poster": {"words": 12}})


@pytest.fixture
def settings(tmp_path: Path, stores: Stores) -> Settings:
    return Settings.model_validate(
        {"data_dir": tmp_path / "data", "openai_api_key": "sk-not-a-real-key-1234", **stores}
    )


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def publish(db: Database, settings: Settings) -> Publish:
    """Publishes a work made of nothing; its artifact's id."""

    def create(title: str = "A poster", *, prompt: str = "", language: str = "en", **more: object) -> str:
        request = request_for(title, **more)
        request.brief.prompt, request.brief.language = prompt, language
        job = jobs.create(db, request, settings, caller="test")
        end = JobEnd("published", None, "fine", Usage(steps=3), REPORT, FILES)
        artifact = gallery.publish(db, claimed(db, job), end)
        assert artifact is not None
        return artifact

    return create
