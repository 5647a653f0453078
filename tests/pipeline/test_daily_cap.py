"""A paid job that meets the studio's daily cap on its way, through the database and a scripted provider."""

from __future__ import annotations

from pathlib import Path

from pydantic import SecretStr

from studio import jobs
from studio.blobs import open_blobs
from studio.database import open_database
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.jobs.making import request_for
from tests.support.openai_server import bash, says, serving

USAGE = {"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1000}


def test_the_cap_ends_a_running_job_and_what_it_made_is_still_judged(tmp_path: Path) -> None:
    with serving(says(None, bash("echo half > /testbed/output/poster.svg"), usage=USAGE)) as server:
        settings = Settings(
            data_dir=tmp_path / "data",
            openai_api_key=SecretStr("sk-not-a-real-key-1234"),
            openai_base_url=server.url,
            daily_tokens=2500,
        )
        db = open_database(settings)
        db.migrate()
        request = request_for(run={"model": "openai:scripted"})
        first, second = (jobs.create(db, request, settings, caller="test") for _ in range(2))
        for job in (first, second):
            run_job(job.id, db, open_blobs(settings), engine_for(settings), settings, "test")
        made, later = jobs.get(db, first.id), jobs.get(db, second.id)
        assert (made.state, made.reason) == ("rejected", "limit_tokens")
        assert "daily cap of 2,500 tokens (STUDIO_DAILY_TOKENS)" in made.message
        assert "00:00 UTC" in made.message
        assert made.report is not None
        assert made.usage is not None
        assert made.usage.steps == len(server.requests) == 3
        assert (later.state, later.reason) == ("failed", "limit_tokens"), "nobody asked the provider again"
        db.close()
