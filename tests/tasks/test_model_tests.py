"""A worker carries out tests of models beside its jobs."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from studio import model_tests
from studio.database import Database
from studio.database.tables import ModelTestRow
from studio.settings import Settings
from studio.trajectory import now
from tests.support.openai_server import fails, serving
from tests.tasks.making import House, wait_for


@pytest.mark.thorough
def test_a_real_worker_takes_it_up(db: Database, house: House, settings: Settings, tmp_path: Path) -> None:
    with serving(fails(404, "no such model")) as server:
        settings.data_dir.mkdir(exist_ok=True)
        text = f'[models.local]\nbase_url = "{server.url}"\nmodel = "gone"\n'
        (settings.data_dir / "studio.toml").write_text(text, encoding="utf-8")
        asked = model_tests.ask(db, "local", settings, caller="test")
        assert (asked.state, asked.lines) == ("waiting", [])
        house.worker()
        done = wait_for(lambda: found if (found := model_tests.get(db, asked.id)).over else None, "the end of the test")
    assert (done.state, done.problem) == ("ended", "")
    assert "there is no model 'gone' there" in done.lines[0].remedy
    assert len(done.lines) == 5


def test_a_model_that_is_named_no_more_and_a_worker_that_died_are_told(db: Database, settings: Settings) -> None:
    settings.data_dir.mkdir(exist_ok=True)
    file = settings.data_dir / "studio.toml"
    file.write_text('[models.local]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n', encoding="utf-8")
    first = model_tests.ask(db, "local", settings, caller="test")
    file.unlink()
    assert model_tests.work_next(db, Settings(data_dir=settings.data_dir))
    assert "there is no model 'local'" in model_tests.get(db, first.id).problem
    with db.session() as session:
        long_ago = now() - timedelta(hours=1)
        session.execute(update(ModelTestRow).values(state="running", touched_at=long_ago))
    assert model_tests.get(db, first.id).state == "lost"
    assert not model_tests.work_next(db, settings)
