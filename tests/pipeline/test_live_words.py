"""What a model says while it says it: in the live row of its job, masked, and gone with the reply."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from pydantic import SecretStr

from studio import jobs
from studio.blobs import open_blobs
from studio.database import open_database
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.jobs.making import request_for
from tests.support.openai_server import delta, serving, streams

SECRET = "sk-a-secret-of-the-operator"


def test_words_are_seen_while_they_come_and_a_cancel_ends_the_stream(tmp_path: Path) -> None:
    spoken = streams(
        delta(content="I look at the brief. "), delta(content=SECRET[:9]), delta(content=SECRET[9:] + " was told."),
        done=False, usage=None, hold=True,
    )  # fmt: skip
    with serving(spoken) as server:
        settings = Settings(
            data_dir=tmp_path,
            openai_base_url=server.url,
            openai_api_key=SecretStr(SECRET),
            lease_s=60.0,
            heartbeat_s=0.5,
        )
        db = open_database(settings)
        db.migrate()
        job = jobs.create(db, request_for("Fair", run={"model": "openai:scripted"}), settings, caller="test")
        worker = threading.Thread(
            target=run_job, args=(job.id, db, open_blobs(settings), engine_for(settings), settings, "test")
        )
        worker.start()
        try:
            assert server.held.wait(60)
            seen = ""
            for _ in range(200):
                live = jobs.live(db, job.id)
                seen = live.text if live else ""
                if live and "was told." in seen:
                    break
                time.sleep(0.05)
            assert live is not None
            assert live.call_id == "reply"
            assert seen == "I look at the brief. ••• was told."
        finally:
            jobs.cancel(db, job.id)
            worker.join(60)
        assert jobs.get(db, job.id).state == "canceled"
        assert jobs.live(db, job.id) is None
        db.close()
