"""A rejected work that a person shows all the same: on the record, and said wherever it is shown."""

from __future__ import annotations

import pytest

from studio import gallery, jobs
from studio.contract import Finding, Report
from studio.database import Database
from studio.errors import Conflict, NotFound
from studio.jobs import FileView, JobEnd, JobView
from studio.settings import Settings
from studio.trajectory import Note
from tests.gallery.conftest import FILES, Publish
from tests.jobs.making import claimed, request_for

FAILS = [Finding(id=name, severity="must", verdict="fail") for name in ("poster.text", "svg.page")]
REPORT = Report(
    kind="poster",
    verdict="reject",
    checks=[
        *FAILS,
        Finding(id="poster.palette", severity="should", verdict="fail"),
        Finding(id="svg.safe", severity="must", verdict="pass"),
    ],
)


def rejected(db: Database, settings: Settings, files: tuple[FileView, ...] = FILES) -> JobView:
    job = jobs.create(db, request_for("Nearly", tags=["kept"]), settings, caller="test")
    return jobs.finish(db, claimed(db, job), JobEnd("rejected", "checks_failed", report=REPORT, files=files))


def test_who_and_why_stand_beside_the_work(db: Database, settings: Settings) -> None:
    job = rejected(db, settings)
    shown = gallery.publish_anyway(db, job.id, "Good enough for the door", caller="key:ann")
    assert shown.shown_anyway == gallery.ShownAnyway(by="key:ann", reason="Good enough for the door", failed=2)
    assert [file.path for file in shown.files] == ["poster.svg"]
    (listed,) = gallery.list_artifacts(db, gallery.Wanted(tag="kept")).data
    assert listed.shown_anyway == shown.shown_anyway
    after = jobs.get(db, job.id)
    assert (after.state, after.artifact) == ("rejected", shown.id)
    last = jobs.events(db, job.id)[-1]
    assert isinstance(last, Note)
    assert (last.seq, last.author) == (after.last_seq, "person")
    assert last.text.startswith("Shown in the gallery by key:ann, though 2 checks that must pass do not: Good enough")
    with pytest.raises(Conflict, match="shown already"):
        gallery.publish_anyway(db, job.id, "Once more", caller="key:ann")


def test_only_a_rejected_work_with_files_can_be_shown(db: Database, settings: Settings, publish: Publish) -> None:
    accepted = gallery.get(db, publish())
    assert accepted.shown_anyway is None
    with pytest.raises(Conflict, match="published; only what was rejected"):
        gallery.publish_anyway(db, accepted.job_id, "Why not", caller="test")
    with pytest.raises(Conflict, match="left no files"):
        gallery.publish_anyway(db, rejected(db, settings, files=()).id, "Why not", caller="test")
    with pytest.raises(NotFound):
        gallery.publish_anyway(db, "nobody", "Why not", caller="test")
