"""Batches in the database: stored, fed to the queue in a window, brought to their end."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from studio import archives, batches, gallery, jobs
from studio.batches import BatchView, Plan
from studio.blobs import Blobs
from studio.brief import JsonObject
from studio.database import Database
from studio.errors import BriefError, NotFound
from studio.jobs import FileView, JobEnd
from studio.settings import Settings
from tests.jobs.making import request_for

PLAN = Plan(template={"kind": "poster", "params": {"event": {"date": "1 May", "venue": "Hall"}}})


def made(db: Database, settings: Settings, rows: list[JsonObject], plan: Plan = PLAN) -> BatchView:
    lines = (plan.line(number, row) for number, row in enumerate(rows, start=1))
    return batches.create(db, lines, settings, caller="test", name="Spring")


def names(count: int) -> list[JsonObject]:
    return [{"name": f"Evening {number}"} for number in range(1, count + 1)]


def end(db: Database, job_id: str, state: str = "published", files: tuple[FileView, ...] = ()) -> None:
    claim = jobs.claim(db, job_id, "worker", 60.0)
    assert claim is not None
    if state == "published":
        assert gallery.publish(db, claim, JobEnd("published", files=files))
    else:
        jobs.finish(db, claim, JobEnd("rejected", "checks_failed", "failed: poster.text", files=files))


def work_all(db: Database, settings: Settings) -> list[str]:
    """Feed and end jobs until nothing is left; the jobs, in their order."""
    done: list[str] = []
    while fed := batches.feed(db, settings):
        for job_id in fed:
            end(db, job_id)
        done += fed
    batches.advance(db)
    return done


def test_a_bad_line_is_an_error_and_the_others_run(db: Database, settings: Settings) -> None:
    batch = made(
        db, settings, [{"name": "A"}, {"name": ""}, {"nome": "C"}, {"name": "D", "run.seed": -1}, {"name": "E"}]
    )
    assert (batch.state, batch.counts.total, batch.counts.waiting, batch.counts.refused) == ("in_progress", 5, 2, 3)
    done = work_all(db, settings)
    assert [jobs.get(db, job_id).custom_id for job_id in done] == ["1", "5"]
    found = batches.get(db, batch.id)
    assert (found.state, found.counts.published, found.counts.refused) == ("completed", 2, 3)
    assert [line.custom_id for line in batches.results(db, batch.id)] == ["1", "5"]
    errors = list(batches.errors(db, batch.id))
    assert [(line.line, line.state) for line in errors] == [(2, "refused"), (3, "refused"), (4, "refused")]
    assert [line.errors[0].pointer for line in errors] == ["/brief/params/event/name", "", "/run/seed"]
    assert "'name'" in errors[1].errors[0].detail, "the nearest field is named"


def test_only_a_window_of_a_batch_is_queued_and_a_single_job_goes_first(db: Database, settings: Settings) -> None:
    batch = made(db, settings, names(10))
    fed = batches.feed(db, settings)
    assert len(fed) == settings.batch_window
    assert batches.feed(db, settings) == [], "the window is full"
    asked = jobs.create(db, request_for("From the form"), settings, caller="test")
    assert jobs.position(db, asked.id) == 1, "a batch's jobs are behind it"
    assert jobs.position(db, fed[0]) == 2
    assert jobs.next_in_line(db, fed[0]) == asked.id, "whichever message comes, the form's job is taken first"
    end(db, asked.id)
    assert jobs.next_in_line(db, fed[0]) == fed[0]
    end(db, fed[0])
    assert len(batches.feed(db, settings)) == 1
    assert batches.get(db, batch.id).counts.queued == settings.batch_window


def test_batches_take_turns(db: Database, settings: Settings) -> None:
    first, second = made(db, settings, names(50)), made(db, settings, names(3))
    fed = [jobs.get(db, job_id).batch for job_id in batches.feed(db, settings)]
    assert sorted(fed, key=str) == sorted([first.id, second.id] * 2)


def test_custom_ids_are_unique_and_default_to_the_number(db: Database, settings: Settings) -> None:
    rows = [
        {"name": "A", "custom_id": "x"},
        {"name": "B", "custom_id": "x"},
        {"name": "C", "custom_id": "4"},
        {"name": "D"},
    ]
    batch = made(db, settings, rows)
    (error,) = batches.errors(db, batch.id)
    assert (error.line, error.errors[0].pointer) == (2, "/custom_id")
    assert "line 1" in error.errors[0].detail
    done = work_all(db, settings)
    assert [jobs.get(db, job_id).custom_id for job_id in done] == ["x", "4", "line-4"]


@pytest.mark.parametrize("state", ["all refused", "all rejected"])
def test_a_batch_that_gave_nothing_has_failed(db: Database, settings: Settings, state: str) -> None:
    batch = made(db, settings, [{"name": "" if state == "all refused" else "A"}])
    for job_id in batches.feed(db, settings):
        end(db, job_id, "rejected")
    batches.advance(db)
    found = batches.get(db, batch.id)
    assert found.state == "failed"
    assert found.message
    (error,) = batches.errors(db, batch.id)
    assert error.state == ("refused" if state == "all refused" else "rejected")


def test_cancel_ends_what_waits_and_keeps_what_is_done(db: Database, settings: Settings) -> None:
    batch = made(db, settings, names(10))
    first, running, *_ = batches.feed(db, settings)
    end(db, first)
    claim = jobs.claim(db, running, "worker", 60.0)
    assert claim is not None
    found = batches.cancel(db, batch.id)
    assert (found.state, found.counts.published, found.counts.running, found.counts.canceled) == ("finalizing", 1, 1, 8)
    assert batches.feed(db, settings) == []
    jobs.finish(db, claim, JobEnd("canceled", "canceled"))
    batches.advance(db)
    found = batches.cancel(db, batch.id)
    assert (found.state, found.counts.published, found.counts.canceled) == ("canceled", 1, 9)
    assert [line.job for line in batches.results(db, batch.id)] == [first]
    with pytest.raises(NotFound):
        batches.cancel(db, "01a22b13-e665-77fb-b9d8-b6c147c58288")


def test_a_batch_expires_and_delivers_what_is_done(db: Database, settings: Settings) -> None:
    batch = made(db, settings.model_copy(update={"batch_hours": 1e-9}), names(6))
    fed = batches.feed(db, settings)
    batches.advance(db)
    for job_id in fed:
        end(db, job_id)
    batches.advance(db)
    found = batches.get(db, batch.id)
    assert (found.state, found.counts.published, found.counts.expired) == ("expired", 4, 2)


def test_too_many_lines_or_none_leave_nothing_behind(db: Database, settings: Settings) -> None:
    with pytest.raises(BriefError, match="no line"):
        made(db, settings, [])
    many = (PLAN.line(number, {"nome": "x"}) for number in range(1, batches.MAX_LINES + 2))
    with pytest.raises(BriefError, match="10,000"):
        batches.create(db, many, settings, caller="test")
    assert batches.list_batches(db).data == []


def test_a_line_that_the_operator_does_not_allow_any_more_is_refused_then(db: Database, settings: Settings) -> None:
    batch = made(db, settings, names(1))
    lower = settings.model_copy(update={"max_repairs": 0})
    plan = Plan(template={"brief": {**PLAN.base["brief"], "title": "T"}, "run": {"repairs": 3}})
    strict = made(db, settings, names(1), plan)
    fed = batches.feed(db, lower)
    assert [jobs.get(db, job_id).batch for job_id in fed] == [batch.id]
    (error,) = batches.errors(db, strict.id)
    assert error.errors[0].pointer == "/run/repairs"


def test_a_preview_shows_the_briefs_and_stores_nothing(db: Database, settings: Settings) -> None:
    lines = [PLAN.line(1, {"name": "A"}), PLAN.line(2, {"name": ""})]
    found = batches.preview(db, lines, settings, caller="test")
    assert (found.total, found.good) == (2, 1)
    event = {name: value for name, value in found.lines[0].params["event"].items() if value}  # type: ignore[attr-defined]
    assert event == {"name": "A", "date": "1 May", "venue": "Hall"}
    assert found.lines[0].given == {"name": "A"}
    assert found.errors[0].errors[0].pointer == "/brief/params/event/name"
    assert batches.list_batches(db).data == []


def test_the_archive_unpacks_anywhere(db: Database, settings: Settings, blobs: Blobs, tmp_path: Path) -> None:
    ids = ["../../etc", "con", "a/b", "trailing. ", "x" * 190, "名 🎈", "\u202egnp"]
    batch = made(db, settings, [{"name": "N", "custom_id": own} for own in ids] + [{"name": ""}])
    odd = ["poster.svg", "../up.txt", "A.txt", "a.txt", "aux.png", 'what"?.md', "deep/er/file"]
    stored = [blobs.put_stream(io.BytesIO(name.encode()))[0] for name in odd]
    files = tuple(
        FileView(path=name, media_type="x/y", bytes=len(name.encode()), sha256=sha)
        for name, sha in zip(odd, stored, strict=True)
    )
    fed = batches.feed(db, settings)
    end(db, fed[0], "rejected", files)
    for job_id in [*fed[1:], *batches.feed(db, settings.model_copy(update={"batch_window": 99}))]:
        end(db, job_id, files=files)
    batches.advance(db)
    chunks = list(archives.stream(batches.members(db, blobs, batch.id)))
    with zipfile.ZipFile(io.BytesIO(b"".join(chunks))) as packed:
        assert packed.testzip() is None
        listed = packed.namelist()
        assert len({name.casefold() for name in listed}) == len(listed) == 2 + len(ids) * len(odd)
        for name in listed:
            parts = name.split("/")
            assert all(part and part == part.strip(" .") for part in parts), name
            assert not any(char in name for char in '<>:"\\|?*\u202e\0'), name
            assert all(part.split(".")[0].lower() not in {"con", "aux"} for part in parts), name
        assert sum(name.startswith("not accepted/") for name in listed) == len(odd)
        packed.extractall(tmp_path / "unpacked")
        assert packed.read("results.jsonl").count(b"\n") == len(ids) - 1
        assert packed.read("errors.jsonl").count(b"\n") == 2
    assert not (tmp_path / "up.txt").exists()
