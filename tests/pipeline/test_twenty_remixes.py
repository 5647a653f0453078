"""One countdown that a model made, and twenty for other people by its recipe: the provider hears of none of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import jobs
from studio.blobs import open_blobs
from studio.brief import JobRequest
from studio.database import Database, open_database
from studio.jobs import JobView, RemixRequest
from studio.kinds import get_kind
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.kinds.video_making import short
from tests.support.openai_server import Answer, OpenAIServer, bash, says, serving

pytestmark = pytest.mark.thorough

NAMES = "Mia Noah Zoë Ömer Łukasz Björk Siân Renée Ines Søren Teo Ada Max Eva Leo Nia Kai Uma Ivo Amélie"
PEOPLE = NAMES.split(" ")


def as_a_model_would() -> list[Answer]:
    """The countdown's programs, written by a model in two replies, with a look around in between."""
    recipe = get_kind("countdown_video").recipe(short())
    assert recipe is not None
    calls = [(call.name, json.loads(call.arguments)) for call in recipe.calls]
    return [says("The programs.", *calls[:-2]), says("A look.", bash("ls countdown")), says("Now.", *calls[-2:])]


class House:
    def __init__(self, db: Database, settings: Settings) -> None:
        self.db, self.settings = db, settings

    def worked(self, job: JobView) -> JobView:
        run_job(job.id, self.db, open_blobs(self.settings), engine_for(self.settings), self.settings, "test")
        return jobs.get(self.db, job.id)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[tuple[House, JobView, OpenAIServer]]:
    """A studio with one countdown of a model's, and its provider, which has heard of nothing else."""
    with serving(*as_a_model_would()) as server:
        settings = Settings(data_dir=tmp_path / "data", openai_base_url=server.url, lease_s=60.0)
        db = open_database(settings)
        db.migrate()
        value = {"brief": short(duration_s=2.5, width=96, height=96).model_dump(), "run": {"model": "openai:scripted"}}
        one = House(db, settings)
        made = one.worked(jobs.create(db, JobRequest.model_validate(value), settings, caller="test"))
        assert (made.state, len(server.requests)) == ("published", 3), made.message
        server.requests.clear()
        yield one, made, server
        db.close()


def remixed(house: House, made: JobView, name: str) -> JobView:
    asked = RemixRequest(patch={"params": {"name": name}, "title": f"For {name}"})
    found = house.worked(jobs.remix(house.db, made.id, asked, house.settings, caller="test"))
    assert found.state == "published", found.message
    assert (found.made_by.model, found.made_by.derived_from) == (None, made.id)
    sha256 = jobs.file_blob(house.db, found.id, "description.md").sha256
    assert name in open_blobs(house.settings).path(sha256).read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("count", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_remixes_of_one_countdown_ask_no_model(house: tuple[House, JobView, OpenAIServer], count: int) -> None:
    studio, made, server = house
    jobs_made = [remixed(studio, made, name) for name in PEOPLE[:count]]
    films = {jobs.file_blob(studio.db, job.id, "countdown.mp4").sha256 for job in jobs_made}
    assert len(films) == count, "each is for another person"
    assert server.requests == []
    assert jobs.recipe(studio.db, made.id).reduced
