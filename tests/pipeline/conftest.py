"""Real sandboxes, a scripted provider, and orders for a small poster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from studio.brief import Limits, RunOptions
from studio.models import Model, ReplayModel
from studio.models.openai import OpenAIModel
from studio.models.types import Backoff
from studio.pipeline.work import Order, Outcome, work
from studio.sandboxes import engine_for
from studio.sandboxes.types import Engine
from studio.settings import Settings
from studio.trajectory import Call, MadeBy
from tests.support.openai_server import Answer, OpenAIServer, scripted
from tests.support.posters import BRIEF
from tests.support.recorders import MemoryRecorder

KEY = "sk-scripted-key-000111222"
QUICK = Backoff(attempts=3, first_s=0.01, most_s=0.01)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(data_dir=tmp_path_factory.mktemp("studio"), openai_api_key=SecretStr(KEY))


@pytest.fixture(scope="session")
def engine(settings: Settings) -> Engine:
    return engine_for(settings)


class Studio:
    """Works orders of the small poster and keeps what came of them."""

    def __init__(self, engine: Engine, settings: Settings, folder: Path) -> None:
        self.engine = engine
        self.settings = settings
        self.folder = folder
        self.recorder = MemoryRecorder()
        self.servers: list[OpenAIServer] = []
        self.models: list[OpenAIModel] = []

    def ask(self, *answers: Answer, **run: Any) -> Outcome:
        """Work the order with a model whose provider gives these answers."""
        return self.work(self.provider(*answers), **run)

    def replay(self, *calls: tuple[str, str], **run: Any) -> Outcome:
        """Work the order with these prepared calls (name and raw arguments)."""
        replies = [[Call(id=f"c{n}", name=name, arguments=raw)] for n, (name, raw) in enumerate(calls, start=1)]
        return self.work(ReplayModel(replies, MadeBy(recipe="test/1")), **run)

    def work(self, model: Model, **run: Any) -> Outcome:
        limits = Limits(**run.pop("limits", {}))
        order = Order("test", BRIEF, RunOptions(limits=limits, **run), (), model, seed=7)
        return work(order, self.engine, self.recorder, self.folder, self.settings)

    def provider(self, *answers: Answer) -> OpenAIModel:
        server = OpenAIServer(answers)
        server.__enter__()
        self.servers.append(server)
        model = OpenAIModel(scripted(server.url), api_key=KEY, backoff=QUICK)
        self.models.append(model)
        return model

    def outputs(self) -> set[str]:
        """Names of the files that were fetched."""
        output = self.folder / "output"
        return {str(path.relative_to(output)) for path in output.rglob("*") if path.is_file()}


@pytest.fixture
def studio(engine: Engine, settings: Settings, tmp_path: Path) -> Iterator[Studio]:
    one = Studio(engine, settings, tmp_path)
    yield one
    for model in one.models:
        model.close()
    for server in one.servers:
        server.__exit__()
    assert one.recorder.open == 0


Cancel = Callable[..., None]
