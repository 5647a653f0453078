"""Keys of the studio that stand in the lines of a batch are not stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from studio import batches, jobs
from studio.batches import Plan
from studio.database import Database
from studio.secrets import MASK
from studio.settings import Settings
from tests.jobs.making import request_for

KEY = "sk-hidden-0123456789"
PLAN = Plan(template={"kind": "poster", "params": {"event": {"date": "1 May", "venue": "Hall"}}})


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"openai_api_key": SecretStr(KEY)})


def stored(settings: Settings) -> bytes:
    """All that the database's files hold."""
    return b"".join(path.read_bytes() for path in Path(settings.data_dir).rglob("*") if path.is_file())


def test_a_key_in_a_line_is_masked_in_what_waits_and_in_what_was_refused(db: Database, keyed: Settings) -> None:
    rows = [
        {"name": f"Night {KEY}", "prompt": f"the key is {KEY}", "custom_id": KEY},
        {"name": f"Other {KEY}", "custom_id": KEY},  # the same id again
        {"name": "", "venue": KEY},
        {"brief": {"kind": "poster", "params": {KEY: KEY}}, "tags": [KEY]},
    ]
    lines = [PLAN.line(number, row) for number, row in enumerate(rows, start=1)]
    batch = batches.create(db, lines, keyed, caller="test", name=f"Spring {KEY}")
    assert (batch.name, batch.counts.waiting, batch.counts.refused) == (f"Spring {MASK}", 1, 3)
    (job_id,) = batches.feed(db, keyed)
    job = jobs.get(db, job_id)
    assert (job.custom_id, job.brief.params["event"]["name"]) == (MASK, f"Night {MASK}")
    assert KEY.encode() not in stored(keyed)


def test_a_key_in_a_request_is_masked_wherever_it_stands(db: Database, keyed: Settings) -> None:
    request = request_for(f"Night {KEY}", tags=[f"t-{KEY}"], custom_id=KEY)
    job = jobs.create(db, request, keyed, caller="test")
    assert (job.tags, job.custom_id, job.title) == ([f"t-{MASK}"], MASK, f"Night {MASK}")
    assert KEY.encode() not in stored(keyed)
