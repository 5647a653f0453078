"""run_job with a real sandbox: what is stored of each ending."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import update

from studio import gallery, jobs, uploads
from studio.blobs import Blobs, open_blobs
from studio.database import Database, open_database
from studio.database.tables import EventRow, JobRow
from studio.jobs import JobView, sweeping
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import Header, ToolResult, decode_lines, now
from tests.jobs.making import request_for
from tests.tasks.making import bash, marker, replaying, running, submit, wait_for

SECRET = "sk-a-secret-of-the-operator"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", openai_api_key=SecretStr(SECRET), lease_s=60.0, heartbeat_s=0.5)


@pytest.fixture
def db(settings: Settings) -> Iterator[Database]:
    database = open_database(settings)
    database.migrate()
    yield database
    database.close()


@pytest.fixture
def blobs(settings: Settings) -> Blobs:
    return open_blobs(settings)


def run(job: JobView, db: Database, settings: Settings, stopping: threading.Event | None = None) -> JobView:
    run_job(job.id, db, open_blobs(settings), engine_for(settings), settings, "test", stopping=stopping)
    assert not (settings.data_dir / "work").exists() or not list((settings.data_dir / "work").iterdir())
    return jobs.get(db, job.id)


def test_the_recipe_makes_a_published_artifact_with_its_whole_record(
    db: Database, settings: Settings, blobs: Blobs
) -> None:
    made = run(jobs.create(db, request_for("Fair", tags=["t"]), settings, caller="test"), db, settings)
    assert (made.state, made.reason) == ("published", None), made.message
    assert made.artifact is not None
    artifact = gallery.get(db, made.artifact)
    assert artifact.report is not None
    assert artifact.report.verdict == "accept"
    assert {"poster.svg", "poster.png", "design_specs.md"} <= {file.path for file in artifact.files}
    assert [file for file in artifact.previews if file.width and file.height]
    for file in [*artifact.files, *artifact.previews, *jobs.scripts(db, made.id)]:
        assert blobs.path(file.sha256).stat().st_size == file.bytes
    assert jobs.scripts(db, made.id), "the programs that made it are kept"
    header, *events = decode_lines(jobs.trajectory_lines(db, made.id))
    assert isinstance(header, Header)
    assert header.image_digest
    assert header.made_by.recipe
    assert [event.seq for event in events if not isinstance(event, Header)] == list(range(1, made.last_seq + 1))
    assert made.usage is not None
    assert made.usage.prompt_tokens is None
    assert made.usage.wall_s > 0
    again = run(made, db, settings)
    assert again == made, "a doubled message changes nothing"


def test_a_rejected_jobs_files_are_kept_and_shown_with_it_alone(db: Database, settings: Settings, blobs: Blobs) -> None:
    calls = [bash("echo '<svg' > output/poster.svg; echo 'print(1)' > own.py; ln -s /etc/passwd output/link"), submit()]
    made = run(replaying(calls, db, settings), db, settings)
    assert (made.state, made.reason) == ("rejected", "checks_failed")
    assert made.report is not None
    assert made.report.verdict == "reject"
    (kept,) = jobs.files(db, made.id)
    assert (kept.path, kept.media_type) == ("poster.svg", "image/svg+xml")
    with blobs.open(kept.sha256) as content:
        assert content.read() == b"<svg\n"
    assert [file.path for file in jobs.scripts(db, made.id)] == ["own.py"]
    assert made.artifact is None
    assert gallery.list_artifacts(db).data == []


def test_attachments_are_there_and_secrets_are_not(db: Database, settings: Settings, blobs: Blobs) -> None:
    sent = uploads.create(db, blobs, "x", io.BytesIO(f"holds {SECRET}".encode()))
    attachments = [{"upload": sent.id, "name": 'ünï "quoted".txt', "role": "document"}]
    calls = [bash("cat documents/*; env; cat input/run.json")]
    made = run(replaying(calls, db, settings, attachments=attachments), db, settings)
    (result,) = [event for event in jobs.events(db, made.id) if isinstance(event, ToolResult)]
    assert "holds •••" in result.output
    assert SECRET not in result.output
    assert f'"seed": {made.run.seed}' in result.output


def test_a_run_without_the_image_says_what_to_do(db: Database, settings: Settings, tmp_path: Path) -> None:
    bare = settings.model_copy(update={"image_dir": tmp_path / "no-images"})
    made = run(replaying([bash("true")], db, bare), db, bare)
    assert made.state == "failed"
    assert "studio image build" in made.message


def test_a_bug_ends_the_job_with_a_reference_and_shows_no_traceback(
    db: Database, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    job = replaying([bash("true")], db, settings)
    with db.session() as session:
        source = job.made_by.replay_of
        session.add(EventRow(job_id=source, seq=99, type="note", body='{"type": "no such event"}'))
    made = run(job, db, settings)
    assert (made.state, made.reason) == ("failed", "internal_error")
    reference = made.message.split()[-1].rstrip(".")
    assert reference in caplog.text
    assert "Traceback" in caplog.text
    assert "Traceback" not in made.message


def test_an_empty_run_is_failed(db: Database, settings: Settings) -> None:
    made = run(replaying([bash("true")], db, settings), db, settings)
    assert (made.state, made.reason, made.attempt) == ("failed", "no_output", 1)


@pytest.mark.parametrize("how", ["stop", "steal"])
def test_a_run_ends_when_it_must_and_writes_nothing_more(db: Database, settings: Settings, how: str) -> None:
    mark, stopping = marker(), threading.Event()
    job = replaying([bash(f"sleep 600.{mark}"), submit()], db, settings)
    thread = threading.Thread(target=run, args=(job, db, settings, stopping))
    thread.start()
    wait_for(lambda: running(mark), "the command in the sandbox")
    if how == "stop":
        stopping.set()
    else:
        take_away(db, job.id)
    before = jobs.get(db, job.id)
    thread.join()
    assert not running(mark)
    after = jobs.get(db, job.id)
    assert after.state == "queued"
    if how == "steal":
        assert after == before, "nothing was written after the job had changed hands"


def take_away(db: Database, job_id: str) -> None:
    """What upkeep does to a job whose lease has run out, at once."""
    with db.session() as session:
        session.execute(
            update(JobRow)
            .where(JobRow.id == job_id)
            .values(lease_until=now() - timedelta(seconds=1), fence=JobRow.fence + 1)
        )
    (lost,) = sweeping.lost(db)
    assert sweeping.take_back(db, lost, attempts=3) == "queued"
