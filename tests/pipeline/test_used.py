"""What a job's computer has used stands in its record and on its page, whatever the engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studio import jobs
from studio.blobs import open_blobs
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import SandboxUsed
from tests.sandboxes.conftest import ENGINES
from tests.tasks.making import bash, replaying
from tests.web.served import served

MB = 1_000_000
HELD, GIVEN, BURNT_S = 60 * MB, 5 * MB, 0.5
BUSY = f"""
import time
held = bytearray({HELD})
held[::1024] = b"x" * len(held[::1024])
open("/tmp/x", "wb").write(bytes({GIVEN}))
while time.process_time() < {BURNT_S}: pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ENGINES)
def test_memory_time_and_bytes_are_told(name: str, tmp_path: Path) -> None:
    with served(tmp_path, engine=name, image_dir=Settings().image_dir) as site:
        settings = site.settings
        job = replaying([bash(f"python3 - <<'X'{BUSY}X")], site.db, settings)
        run_job(job.id, site.db, open_blobs(settings), engine_for(settings), settings, "test")
        told = site.http.get(f"/api/v1/jobs/{job.id}").json()
        used = told["usage"]
        assert HELD < used["peak_memory_bytes"] < 10 * HELD
        assert BURNT_S <= used["cpu_s"] < 60
        assert GIVEN <= used["bytes_written"] < 10 * GIVEN
        [event] = [event for event in jobs.events(site.db, job.id) if isinstance(event, SandboxUsed)]
        figures = (event.peak_memory_bytes, event.cpu_s, event.bytes_written)
        assert figures == (used["peak_memory_bytes"], used["cpu_s"], used["bytes_written"])
        page = site.http.get(f"/jobs/{job.id}").text
        for words in ("Peak memory", "Processor time", "Written"):
            assert re.search(rf"<dt>{words}</dt><dd>\d", page), words
